// SPDX-License-Identifier: MIT
#include "runtime/collectives/nccl_api.h"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "toolchain/dynamic_library.h"

namespace hipwright::runtime {

device::Outcome<std::shared_ptr<const NcclApi>> load_nccl(device::Kind kind) {
  const bool is_amd = kind == device::Kind::kHip;
  const char* const name = is_amd ? "RCCL" : "NCCL";
  const std::string variable = fmt::format("HIPWRIGHT_{}", name);
  std::vector<std::string> names = is_amd ? std::vector<std::string>{"librccl.so.1", "librccl.so"}
                                          : std::vector<std::string>{"libnccl.so.2", "libnccl.so"};
  if (const char* file = std::getenv(variable.c_str()); file != nullptr && *file != '\0')
    names = {file};
  const auto missing = [&](std::string why) {
    return std::unexpected(device::Failure(
        device::FailureKind::kNotAvailable, fmt::format("cannot load {}", name), "", std::move(why),
        fmt::format("Install {}, or set {} to its path.", name, variable)));
  };
  auto opened = toolchain::DynamicLibrary::open_any(names);
  if (!opened) return missing(opened.error().message());
  auto library = std::make_shared<const toolchain::DynamicLibrary>(*std::move(opened));

  auto api = std::make_shared<NcclApi>();
  const char* lacking = nullptr;
  const auto find = [&]<class Function>(Function& function, const char* symbol) {
    function = library->function<Function>(symbol);
    if (function == nullptr) lacking = symbol;
  };
  find(api->get_version, "ncclGetVersion");
  find(api->get_error_string, "ncclGetErrorString");
  find(api->comm_init_all, "ncclCommInitAll");
  find(api->comm_destroy, "ncclCommDestroy");
  find(api->comm_get_async_error, "ncclCommGetAsyncError");
  find(api->group_start, "ncclGroupStart");
  find(api->group_end, "ncclGroupEnd");
  find(api->all_reduce, "ncclAllReduce");
  find(api->broadcast, "ncclBroadcast");
  find(api->all_gather, "ncclAllGather");
  if (lacking != nullptr)
    return missing(fmt::format("{} has no {}", library->path().string(), lacking));
  api->get_last_error = library->function<const char* (*)(NcclComm)>("ncclGetLastError");
  api->library = name;
  api->owner = std::move(library);
  return api;
}

std::string nccl_version_text(int version) {
  const int major_unit = version >= 10000 ? 10000 : 1000;  // since 2.9
  return fmt::format("{}.{}.{}", version / major_unit, version % major_unit / 100, version % 100);
}

}  // namespace hipwright::runtime
