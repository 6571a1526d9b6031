// SPDX-License-Identifier: MIT
// GPU vendor libraries are opened at run time, never linked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

class DynamicLibrary {
 public:
  static Result<DynamicLibrary> open(const std::string& name);
  // Tries the names in order; the error names them all.
  static Result<DynamicLibrary> open_any(const std::vector<std::string>& names);

  DynamicLibrary(DynamicLibrary&& other) noexcept;
  DynamicLibrary& operator=(DynamicLibrary&&) = delete;
  ~DynamicLibrary();

  // nullptr when the library has no such symbol.
  template <class Function>
  Function function(const char* symbol) const {
    return reinterpret_cast<Function>(address(symbol));
  }
  // The file it was loaded from.
  std::filesystem::path path() const;

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* address(const char* symbol) const;
  void* handle_;
};

// Names under which the run-time compilers may be installed, best first; the environment variables
// HIPWRIGHT_HIPRTC and HIPWRIGHT_NVRTC take precedence.
std::vector<std::string> hiprtc_library_names();
std::vector<std::string> nvrtc_library_names();

}  // namespace hipwright::toolchain
