// SPDX-License-Identifier: MIT
// Exports that are not part of the API proper: entry points by name, the compiler's helpers, and
// those few whose result is not an error code, so that no generated stub can stand for them.
#include <dlfcn.h>

#include <bit>
#include <cstring>

#include "soft/hip/api.h"

namespace hipwright::soft::hip {

namespace {

// Functions that have changed with HIP 6, and what headers have called them since.
constexpr std::pair<std::string_view, const char*> kChanged[] = {
    {"hipChooseDevice", "hipChooseDeviceR0600"},
    {"hipGetDeviceProperties", "hipGetDevicePropertiesR0600"},
};
const char* name_since(const char* name, int version) {
  constexpr int kHip6 = 600;  // programs pass 600, or all of HIP_VERSION
  for (const auto& [old, changed] : kChanged)
    if (name == old && version >= kHip6) return changed;
  return name;
}

}  // namespace

extern "C" {

hipError_t hipGetProcAddress(const char* asked, void** out, int version, std::uint64_t,
                             hipDriverProcAddressQueryResult* status) {
  return api([&] {
    if (!asked || !out) return hipErrorInvalidValue;
    const char* const name = name_since(asked, version);
    Dl_info self{};
    void* library = nullptr;
    if (dladdr(reinterpret_cast<void*>(&hipGetErrorName), &self))
      library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *out = dlsym(library ? library : RTLD_DEFAULT, name);
    if (library) dlclose(library);
    if (status)
      *status = *out ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *out ? hipSuccess : hipErrorInvalidValue;
  });
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// The library has no precompiled header.
void __hipGetPCH(const char** header, unsigned* size) {
  *header = nullptr;
  *size = 0;
}

// Conversions that old compilers call for __half on the host.
unsigned short __gnu_f2h_ieee(float value) {
  return std::bit_cast<unsigned short>(static_cast<_Float16>(value));
}
float __gnu_h2f_ieee(unsigned short value) {
  return static_cast<float>(std::bit_cast<_Float16>(value));
}

const char* hipGetCmdName(unsigned) {
  return "unknown";
}
const char* amd_dbgapi_get_build_name(void) {
  return "hipwright";
}
const char* amd_dbgapi_get_git_hash(void) {
  return "";
}
std::size_t amd_dbgapi_get_build_id(void) {
  return 0;
}
// Tracing tools get no callbacks.
void hipRegisterTracerCallback(void*) {}

}  // extern "C"

}  // namespace hipwright::soft::hip
