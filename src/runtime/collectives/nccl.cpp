// SPDX-License-Identifier: MIT
#include <array>
#include <optional>

#include <fmt/format.h>

#include "arch/target.h"
#include "runtime/collectives/transport.h"

namespace hipwright::runtime {

namespace {

using device::Done;
using device::Failure;
using device::FailureKind;

constexpr int kSuccess = 0;
constexpr int kInProgress = 7;
constexpr int kUint8 = 1;
constexpr int kFp8Since = 22400;

// ncclResult_t.
constexpr std::array<device::NativeError, 8> kErrors = {{
    {1, "ncclUnhandledCudaError", FailureKind::kDevice, false, "a call to the GPU's runtime failed",
     "Set NCCL_DEBUG=WARN to see which."},
    {2, "ncclSystemError", FailureKind::kDevice, false, "a system call failed",
     "Set NCCL_DEBUG=WARN to see which."},
    {3, "ncclInternalError", FailureKind::kDevice, false, "internal error of the library",
     "Set NCCL_DEBUG=WARN for details."},
    {4, "ncclInvalidArgument", FailureKind::kDevice, false, "invalid argument",
     "Check the buffers and the number of elements."},
    {5, "ncclInvalidUsage", FailureKind::kDevice, false, "invalid use of the library",
     "Use a separate GPU for every rank."},
    {6, "ncclRemoteError", FailureKind::kDevice, false, "another rank failed or left",
     "Check the other ranks."},
    {7, "ncclInProgress", FailureKind::kDevice, false, "the work is not finished", ""},
    {8, "ncclTimeout", FailureKind::kDevice, false, "the work did not finish in time",
     "Check the other ranks."},
}};

// ncclDataType_t; empty for unsupported types.
std::optional<int> nccl_type(DataType type, int version) {
  switch (type) {
    case DataType::kI8:
      return 0;
    case DataType::kU8:
      return kUint8;
    case DataType::kI32:
      return 2;
    case DataType::kU32:
      return 3;
    case DataType::kI64:
      return 4;
    case DataType::kU64:
      return 5;
    case DataType::kF16:
      return 6;
    case DataType::kF32:
      return 7;
    case DataType::kF64:
      return 8;
    case DataType::kBF16:
      return 9;
    case DataType::kF8E4M3:
    case DataType::kF8E5M2:
      if (version < kFp8Since) return std::nullopt;
      return type == DataType::kF8E4M3 ? 10 : 11;
    case DataType::kBool:
    case DataType::kI16:
    case DataType::kU16:
      return std::nullopt;
  }
  return std::nullopt;
}

// ncclRedOp_t.
int nccl_operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::kSum:
      return 0;
    case Reduction::kProduct:
      return 1;
    case Reduction::kMax:
      return 2;
    case Reduction::kMin:
      return 3;
  }
  bug("a reduction out of range", __FILE__, __LINE__);
}

class NcclTransport final : public Transport {
 public:
  NcclTransport(Drivers drivers, std::shared_ptr<const NcclApi> api)
      : drivers_(std::move(drivers)), api_(std::move(api)) {}
  ~NcclTransport() override {
    for (const NcclComm comm : comms_) static_cast<void>(api_->comm_destroy(comm));
  }

  Done open() {
    HW_CHECK(checked("ncclGetVersion", api_->get_version(&version_)));
    std::vector<int> devices;
    for (const auto& driver : drivers_) devices.push_back(driver->properties().index);
    std::vector<NcclComm> comms(devices.size());
    HW_CHECK(
        checked("ncclCommInitAll",
                api_->comm_init_all(comms.data(), static_cast<int>(comms.size()), devices.data())));
    comms_ = std::move(comms);
    return {};
  }

  std::string name() const override {
    return fmt::format("{} {}", api_->library, nccl_version_text(version_));
  }

  Done all_reduce(std::span<const Rank> ranks, std::span<void* const> buffers, std::size_t elements,
                  DataType type, Reduction reduction) override {
    const auto code = nccl_type(type, version_);
    if (!code || computes_otherwise(type))
      return std::unexpected(
          Failure(FailureKind::kDevice, "all_reduce", where(),
                  fmt::format("{} cannot reduce {} here", name(), to_string(type)),
                  "Convert to F32 or BF16 first."));
    return for_each_rank("ncclAllReduce", [&](std::size_t i) {
      return api_->all_reduce(buffers[i], buffers[i], elements, *code, nccl_operation(reduction),
                              comms_[i], ranks[i].stream);
    });
  }

  // Bytes are bytes, whatever the type.
  Done broadcast(std::span<const Rank> ranks, std::span<void* const> buffers, std::size_t bytes,
                 std::size_t root) override {
    return for_each_rank("ncclBroadcast", [&](std::size_t i) {
      return api_->broadcast(buffers[i], buffers[i], bytes, kUint8, static_cast<int>(root),
                             comms_[i], ranks[i].stream);
    });
  }

  Done all_gather(std::span<const Rank> ranks, std::span<const void* const> send,
                  std::span<void* const> receive, std::size_t bytes) override {
    return for_each_rank("ncclAllGather", [&](std::size_t i) {
      return api_->all_gather(send[i], receive[i], bytes, kUint8, comms_[i], ranks[i].stream);
    });
  }

  Done check() override {
    for (const NcclComm comm : comms_) {
      int result = kSuccess;
      HW_CHECK(checked("ncclCommGetAsyncError", api_->comm_get_async_error(comm, &result)));
      if (result != kInProgress) HW_CHECK(checked("ncclCommGetAsyncError", result));
    }
    return {};
  }

 private:
  // RCCL interprets 8-bit floats as the GPU's format: fnuz on gfx942, not OCP.
  bool computes_otherwise(DataType type) const {
    if (type != DataType::kF8E4M3 && type != DataType::kF8E5M2) return false;
    for (const auto& driver : drivers_) {
      const auto target = arch::parse_target(driver->properties().architecture);
      if (target && target->info->fp8.value != arch::Fp8::kOcp) return true;
    }
    return false;
  }

  // One thread acts for all ranks: their calls must be a group, or the first would wait for the
  // others forever.
  template <class Call>
  Done for_each_rank(const char* name, const Call& call) {
    HW_CHECK(checked("ncclGroupStart", api_->group_start()));
    int result = kSuccess;
    for (std::size_t i = 0; i < comms_.size() && result == kSuccess; ++i) result = call(i);
    const int end = api_->group_end();
    HW_CHECK(checked(name, result));
    return checked("ncclGroupEnd", end);
  }

  std::string where() const {
    std::string text;
    for (const auto& driver : drivers_) text += (text.empty() ? "" : ", ") + driver->id();
    return text;
  }

  Done checked(const char* call, int result) const {
    if (result == kSuccess) return {};
    Failure failure(FailureKind::kDevice, call, where(), api_->get_error_string(result));
    failure.code = result;
    for (const device::NativeError& error : kErrors)
      if (error.code == result) {
        failure.code_name = error.name;
        failure.why = error.meaning;
        failure.advice = error.advice;
      }
    // The library's own words on its last error; it takes no communicator for that.
    const char* const detail =
        api_->get_last_error != nullptr ? api_->get_last_error(nullptr) : nullptr;
    if (detail != nullptr && *detail != '\0') failure.why += fmt::format(": {}", detail);
    return std::unexpected(std::move(failure));
  }

  Drivers drivers_;
  std::shared_ptr<const NcclApi> api_;
  int version_ = 0;
  std::vector<NcclComm> comms_;
};

}  // namespace

device::Outcome<std::unique_ptr<Transport>> make_nccl_transport(
    const Drivers& drivers, std::shared_ptr<const NcclApi> api) {
  auto transport = std::make_unique<NcclTransport>(drivers, std::move(api));
  HW_CHECK(transport->open());
  return transport;
}

}  // namespace hipwright::runtime
