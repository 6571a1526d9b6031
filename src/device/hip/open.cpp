// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include "device/hip/device.h"

namespace hipwright::device {

namespace hip {

namespace {

// Why an installed runtime finds no GPU.
Failure no_device(const Api& api, const std::string& said) {
  Failure failure(FailureKind::kNotAvailable, "cannot open an AMD GPU", {}, {});
  constexpr const char* kNode = "/dev/kfd";
  const int node = ::open(kNode, O_RDWR | O_CLOEXEC);
  const int error = errno;
  if (node >= 0) {
    ::close(node);
    failure.why = fmt::format("{} ({}), though {} can be opened", said, api.path, kNode);
    failure.advice =
        "Check rocminfo and dmesg; the GPU may be too old for this release, or hidden by "
        "HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES.";
  } else if (error == ENOENT) {
    failure.why = fmt::format("{} ({}): there is no {}", said, api.path, kNode);
    failure.advice =
        "This machine has no AMD GPU, or its amdgpu driver is not loaded; a container needs "
        "--device=/dev/kfd --device=/dev/dri.";
  } else {
    failure.why = fmt::format("{} ({}): {}: {}", said, api.path, kNode, errno_text(error));
    failure.advice = fmt::format(
        "Let this account open {} and /dev/dri/renderD*: they usually belong to the group render.",
        kNode);
  }
  return failure;
}

// The software GPU under ROCm's name, as on the library path of `hipwright run`.
bool is_software_gpu(const toolchain::DynamicLibrary& library) {
  return library.function<void*>("hipwright_soft_device") != nullptr;
}

// The first library that is there and is not the software GPU, which is opened only by its own name
// or by HIPWRIGHT_HIP.
Outcome<toolchain::DynamicLibrary> open_runtime_library() {
  const std::vector<std::string> names = library_names();
  std::string why;
  for (const std::string& name : names) {
    auto library = toolchain::DynamicLibrary::open(name);
    if (library && (is_named_by_user() || !is_software_gpu(*library))) return *std::move(library);
    if (library)
      why = fmt::format("{} is the software GPU", library->path().string());
    else if (why.empty())
      why = library.error().why;
  }
  return std::unexpected(Failure(
      FailureKind::kNotAvailable, "cannot open an AMD GPU", {},
      fmt::format("no HIP runtime found (tried {}): {}", fmt::join(names, ", "), why),
      "Install ROCm's HIP runtime (libamdhip64), or set HIPWRIGHT_HIP to its path. For a software "
      "GPU, set HIPWRIGHT_DEVICE=soft:TARGET."));
}

Outcome<int> count_devices(const Api& api) {
  int count = 0;
  hipError_t error = api.hipInit.function(0);
  if (error == hipSuccess) error = api.hipGetDeviceCount.function(&count);
  if (error == hipSuccess && count > 0) return count;
  static_cast<void>(api.hipGetLastError.function());
  // HIP 5 returns hipErrorInvalidDevice if there is none.
  const NativeError* known = find_error(error);
  const bool none = error == hipSuccess || error == hipErrorNoDevice ||
                    error == hipErrorInvalidDevice || known == nullptr;
  Failure failure = no_device(api, none ? "the HIP runtime finds no device" : known->meaning);
  if (error != hipSuccess) {
    failure.code = error;
    failure.code_name = known != nullptr ? known->name : "hipError_t";
  }
  return std::unexpected(std::move(failure));
}

}  // namespace

Outcome<Runtime*> Runtime::of(toolchain::DynamicLibrary library) {
  // Never destroyed: devices may be used by destructors that run after main.
  static auto* const mutex = new std::mutex;
  static auto* const runtimes = new std::map<std::string, std::unique_ptr<Runtime>>;
  const std::lock_guard lock(*mutex);
  std::unique_ptr<Runtime>& runtime = (*runtimes)[library.path().string()];
  if (!runtime) {
    HW_TRY(auto api, load_api(library));
    runtime.reset(new Runtime(std::move(library), std::move(api)));
  }
  return runtime.get();
}

Outcome<std::shared_ptr<Device>> Runtime::device(Kind kind, int ordinal, int index,
                                                 const std::string& id) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Device>& known = devices_[ordinal];
  if (!known) {
    HW_TRY(known, HipDevice::open(api_, kind, ordinal, index, id));
  }
  return known;
}

Outcome<std::shared_ptr<HipDevice>> HipDevice::open(std::shared_ptr<const Api> api, Kind kind,
                                                    int ordinal, int index, std::string id) {
  std::shared_ptr<HipDevice> device(new HipDevice(std::move(api), ordinal));
  HW_CHECK(device->read_properties(kind, index, std::move(id)));
  return device;
}

Failure HipDevice::failure(hipError_t error, const char* call) const {
  static_cast<void>(api_->hipGetLastError.function());
  const auto said = [&](const Entry<const char*(hipError_t)>& entry) {
    return entry ? entry.function(error) : nullptr;
  };
  Failure failure =
      failure_of(error, call, id(), said(api_->hipGetErrorName), said(api_->hipGetErrorString));
  // An unspecific code may still mean that the device is lost: then every call fails with it.
  if (!failure.device_lost && failure.kind == FailureKind::kDevice) {
    std::size_t free = 0, total = 0;
    failure.device_lost = api_->hipMemGetInfo.function(&free, &total) == error;
    static_cast<void>(api_->hipGetLastError.function());
  }
  if (failure.device_lost && properties_.kind == Kind::kSoft)
    failure.advice =
        "The software GPU has reported the failing instruction and the cause on standard error.";
  return failure;
}

Failure HipDevice::missing(const char* symbol) const {
  return {FailureKind::kNotAvailable, symbol, id(),
          fmt::format("HIP {} ({}) has no such function", api_->version, api_->path),
          "Use a newer ROCm."};
}

}  // namespace hip

Outcome<std::vector<std::shared_ptr<Device>>> open_hip() {
  HW_TRY(auto library, hip::open_runtime_library());
  HW_TRY(hip::Runtime * runtime, hip::Runtime::of(std::move(library)));
  HW_TRY(const int count, hip::count_devices(*runtime->api()));
  std::vector<std::shared_ptr<Device>> devices;
  for (int i = 0; i < count; ++i) {
    HW_TRY(auto device, runtime->device(Kind::kHip, i, i, fmt::format("hip:{}", i)));
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace hipwright::device
