// SPDX-License-Identifier: MIT
// nvcc: compiles the device part of whole programs, which NVRTC cannot since it has no host
// headers.
#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/system_headers.h"
#include "toolchain/probe.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

class NvccCompiler final : public KernelCompiler {
 public:
  explicit NvccCompiler(fs::path nvcc) : nvcc_(std::move(nvcc)) {}

  std::string identity() const override {
    return fmt::format("nvcc {} system {}", file_identity(nvcc_), system_.identity());
  }

  Result<CompileOutput> compile(const CompileRequest& request) const override {
    HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
    const fs::path source = scratch.path() / "kernel.cu";
    const fs::path object = scratch.path() / "kernel.cubin";
    const fs::path rule = scratch.path() / "kernel.d";
    HW_CHECK(write_file_atomic(
        source, fmt::format("#line 1 \"{}\"\n{}", request.file_name, request.source)));
    std::vector<std::string> argv = {nvcc_.string(), "-cubin", "-arch=" + request.architecture,
                                     "-MD",          "-MF",    rule.string()};
    for (const fs::path& folder : request.include_dirs) argv.push_back("-I" + folder.string());
    argv.insert(argv.end(), request.flags.begin(), request.flags.end());
    argv.insert(argv.end(), {source.string(), "-o", object.string()});
    HW_TRY(const Finished finished, run({.argv = std::move(argv)}));
    const std::string log = finished.out + finished.err;
    if (!finished.ok())
      return fail("cannot compile", request.file_name,
                  log.empty() ? fmt::format("nvcc exited with code {}", finished.exit_code) : log);
    CompileOutput output;
    HW_TRY(output.code_object, read_file(object));
    output.log = log;
    output.includes_known = request.source.find("__has_include") == std::string::npos;
    HW_TRY(const std::string dependencies, read_file(rule));
    std::error_code error;
    const fs::path toolkit = fs::canonical(nvcc_, error).parent_path().parent_path();
    for (const fs::path& file : prerequisites(dependencies)) {
      // Covered by the identity, the source itself, or a name that only a #line has.
      const fs::path real = fs::canonical(file, error);
      if (error || is_in_directory(real, toolkit) || is_in_directory(file, scratch.path()) ||
          system_.contains(file))
        continue;
      output.includes.push_back(fs::absolute(file));
    }
    return output;
  }

 private:
  fs::path nvcc_;
  SystemHeaders system_ = SystemHeaders::of_this_machine();
};

}  // namespace

Result<std::unique_ptr<KernelCompiler>> make_nvcc_compiler() {
  const auto nvcc = find_nvcc();
  if (!nvcc)
    return fail("cannot find the compiler", "nvcc",
                "not found below CUDA_PATH, CUDA_HOME and /usr/local/cuda or in PATH",
                "Install NVIDIA's CUDA toolkit, or set CUDA_PATH to it.");
  return std::make_unique<NvccCompiler>(*nvcc);
}

}  // namespace hipwright::toolchain
