// SPDX-License-Identifier: MIT
// Compiles one kernel source to one code object, with any available compiler.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

struct Clang;
struct Sdk;
class SystemHeaders;

struct CompileRequest {
  std::string source;
  std::string file_name;     // shown in diagnostics: "add.hip"
  std::string architecture;  // target id or sm_*
  std::vector<std::string> flags;
  std::vector<std::filesystem::path> include_dirs;
};

struct CompileOutput {
  std::string code_object;
  std::string log;
  std::vector<std::filesystem::path> includes;  // files that the result depends on
  bool includes_known = true;                   // false: there may be more
};

class KernelCompiler {
 public:
  virtual ~KernelCompiler() = default;
  // Identifies the compiler; another build of it has another identity.
  virtual std::string identity() const = 0;
  // On failure Error::why is the compiler's log.
  virtual Result<CompileOutput> compile(const CompileRequest& request) const = 0;
};

// clang with the SDK, whose directory is named for a digest of its headers and device libraries.
std::string clang_identity(const Clang& clang, const Sdk& sdk, const SystemHeaders& system);

// clang-22 and the SDK. Errors name the package to install.
Result<std::unique_ptr<KernelCompiler>> make_clang_compiler();
// HIPRTC and NVRTC, opened at run time. NVRTC finds CUDA's own headers.
Result<std::unique_ptr<KernelCompiler>> make_hiprtc_compiler();
Result<std::unique_ptr<KernelCompiler>> make_nvrtc_compiler();
Result<std::unique_ptr<KernelCompiler>> make_nvcc_compiler();

// Parses a log: "file:12:3: error: text" (clang, HIPRTC) and "file(12): error: text" (NVRTC).
struct LogMessage {
  std::string severity, file, text;
  unsigned line = 0, column = 0;
};
std::vector<LogMessage> parse_compiler_log(std::string_view log);

// Path, size and time of a file: changes when a package upgrade replaces it.
std::string file_identity(const std::filesystem::path& path);

// The prerequisites of a make rule, as compilers write it: "x.o: a.h b\ c.h \⏎ d.h".
std::vector<std::filesystem::path> prerequisites(std::string_view rule);

// Folders and files that compiler flags add to the search: -I, -isystem, --include-path,
// -include, --pre-include, with the value joined, after "=" or in the next word.
struct IncludeFlags {
  std::vector<std::filesystem::path> folders;  // absolute
  std::vector<std::filesystem::path> files;    // included before the source; as written
};
IncludeFlags include_flags(const std::vector<std::string>& flags);

// The files that `source` may include or ask for, directly or not, found in the given folders.
// Conditions are not evaluated, so it is a superset; names that are found nowhere are the
// compiler's own. Headers that `known` contains are omitted, with all that they include.
struct IncludeScan {
  std::vector<std::filesystem::path> files;
  bool has_computed = false;  // a macro computes a name: there may be more
  bool asks = false;          // __has_include: a file that appears later changes the result

  // All that matters, as long as no file appears.
  bool complete() const { return !has_computed && !asks; }
};
IncludeScan scan_includes(std::string_view source,
                          const std::vector<std::filesystem::path>& folders,
                          const std::vector<std::filesystem::path>& first = {},
                          const SystemHeaders* known = nullptr);

}  // namespace hipwright::toolchain
