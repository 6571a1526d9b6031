// SPDX-License-Identifier: MIT
#include "device/hip/api.h"

#include <fmt/format.h>

#include <cstdlib>
#include <type_traits>

#include "toolchain/probe.h"

namespace hipwright::device::hip {

namespace {

// The signatures in the table match the headers.
#define HIPWRIGHT_SAME(name, ...)                                                           \
  static_assert(std::is_same_v<decltype(static_cast<hipError_t (*)(__VA_ARGS__)>(&::name)), \
                               hipError_t (*)(__VA_ARGS__)>);
HIPWRIGHT_HIP_REQUIRED(HIPWRIGHT_SAME)
HIPWRIGHT_HIP_OPTIONAL(HIPWRIGHT_SAME)
#undef HIPWRIGHT_SAME

std::unexpected<Failure> lacks(const std::string& path, const char* symbol) {
  return std::unexpected(Failure(
      FailureKind::kNotAvailable, "cannot use the HIP runtime", path,
      fmt::format("missing function {}", symbol),
      "HIP 5 to 7 have it: reinstall ROCm's runtime, or set HIPWRIGHT_HIP to another one."));
}

// HIP_VERSION is major · 10^7 + minor · 10^5 + patch.
std::string version_text(int version) {
  return fmt::format("{}.{}.{}", version / 10'000'000, version / 100'000 % 100, version % 100'000);
}

}  // namespace

bool is_named_by_user() {
  const char* const chosen = std::getenv("HIPWRIGHT_HIP");
  return chosen != nullptr && *chosen != '\0';
}

std::vector<std::string> library_names() {
  if (is_named_by_user()) return {std::getenv("HIPWRIGHT_HIP")};
  std::vector<std::string> names;
  if (const std::filesystem::path rocm = toolchain::rocm_path(); !rocm.empty())
    names.push_back(rocm / "lib/libamdhip64.so");
  for (const char* name :
       {"libamdhip64.so.7", "libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so", "libamdhip64.so.5"})
    names.emplace_back(name);
  return names;
}

Outcome<std::shared_ptr<const Api>> load_api(const toolchain::DynamicLibrary& library) {
  auto api = std::make_shared<Api>();
  api->path = library.path().string();
  const auto look_up = [&]<class Signature>(Entry<Signature>& entry) {
    entry.function = library.function<Signature*>(entry.name);
    return entry.function != nullptr;
  };
#define HIPWRIGHT_LOOK_UP(name, ...) \
  if (!look_up(api->name)) return lacks(api->path, #name);
  HIPWRIGHT_HIP_REQUIRED(HIPWRIGHT_LOOK_UP)
#undef HIPWRIGHT_LOOK_UP
#define HIPWRIGHT_LOOK_UP(name, ...) look_up(api->name);
  HIPWRIGHT_HIP_OPTIONAL(HIPWRIGHT_LOOK_UP)
#undef HIPWRIGHT_LOOK_UP
  look_up(api->hipGetErrorName);
  look_up(api->hipGetErrorString);
  if (!look_up(api->hipGetDeviceProperties) && !api->hipGetDevicePropertiesR0600)
    return lacks(api->path, "hipGetDeviceProperties");
  int version = 0;
  if (api->hipRuntimeGetVersion.function(&version) == hipSuccess)
    api->version = version_text(version);
  return api;
}

}  // namespace hipwright::device::hip
