// SPDX-License-Identifier: MIT
#include "toolchain/dynamic_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "toolchain/probe.h"

namespace hipwright::toolchain {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& name) {
  return open_any({name});
}

Result<DynamicLibrary> DynamicLibrary::open_any(const std::vector<std::string>& names) {
  std::string reason = "no name given";
  for (const std::string& name : names) {
    // Never unloaded: vendor libraries start threads and keep state that they do not release.
    if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
      return DynamicLibrary(handle);
    reason = ::dlerror();
  }
  return fail("cannot load the library", fmt::format("{}", fmt::join(names, ", ")), reason);
}

DynamicLibrary::DynamicLibrary(DynamicLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)) {}

DynamicLibrary::~DynamicLibrary() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

void* DynamicLibrary::address(const char* symbol) const {
  return ::dlsym(handle_, symbol);
}

std::filesystem::path DynamicLibrary::path() const {
  const link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  return map->l_name;
}

namespace {

std::vector<std::string> with_override(const char* variable, std::vector<std::string> names) {
  const char* chosen = std::getenv(variable);
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return names;
}

}  // namespace

std::vector<std::string> hiprtc_library_names() {
  std::vector<std::string> names = {"libhiprtc.so.7", "libhiprtc.so.6",
                                    "/opt/rocm/lib/libhiprtc.so", "libhiprtc.so.5",
                                    "libamdhip64.so.5"};  // where Debian's HIP 5.2 has it
  if (const std::filesystem::path rocm = rocm_path(); !rocm.empty())
    names.insert(names.begin(), rocm / "lib/libhiprtc.so");
  return with_override("HIPWRIGHT_HIPRTC", std::move(names));
}

std::vector<std::string> nvrtc_library_names() {
  return with_override("HIPWRIGHT_NVRTC",
                       {"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"});
}

}  // namespace hipwright::toolchain
