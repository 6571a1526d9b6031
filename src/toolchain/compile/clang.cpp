// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/system_headers.h"
#include "toolchain/probe.h"
#include "toolchain/sdk.h"
#include "toolchain/sync_notes.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

class ClangCompiler final : public KernelCompiler {
 public:
  ClangCompiler(Clang clang, Sdk sdk) : clang_(std::move(clang)), sdk_(std::move(sdk)) {}

  std::string identity() const override { return clang_identity(clang_, sdk_, system_); }

  Result<CompileOutput> compile(const CompileRequest& request) const override {
    HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
    const fs::path object = scratch.path() / "kernel.co";
    const fs::path rule = scratch.path() / "kernel.d";
    HW_TRY(const Finished finished,
           run({.argv = arguments(request, object, rule),
                .input = fmt::format("#line 1 \"{}\"\n{}", request.file_name, request.source)}));
    if (!finished.ok())
      return fail("cannot compile", request.file_name,
                  finished.err.empty()
                      ? fmt::format("clang exited with code {}", finished.exit_code)
                      : finished.err);
    CompileOutput output;
    HW_TRY(output.code_object, read_file(object));
    output.log = finished.err;
    // A header that a source tests for without including it is in no dependency list.
    output.includes_known = request.source.find("__has_include") == std::string::npos;
    HW_TRY(const std::string dependencies, read_file(rule));
    for (fs::path& file : prerequisites(dependencies)) {
      // Covered by the identity, or the source itself ("-").
      if (is_in_directory(file, sdk_.prefix) || is_in_directory(file, clang_.resource_dir) ||
          file == "-")
        continue;
      if (!system_.contains(file)) output.includes.push_back(fs::absolute(file));
    }
    return output;
  }

 private:
  std::vector<std::string> arguments(const CompileRequest& request, const fs::path& object,
                                     const fs::path& rule) const {
    std::vector<std::string> argv = {clang_.cxx.string(),
                                     "-x",
                                     "hip",
                                     "--cuda-device-only",
                                     "--no-gpu-bundle-output",
                                     "--offload-arch=" + request.architecture,
                                     "--rocm-path=" + sdk_.prefix.string(),
                                     "--rocm-device-lib-path=" + sdk_.bitcode().string(),
                                     "-nogpuinc",
                                     "-isystem",
                                     (clang_.resource_dir / "include/cuda_wrappers").string(),
                                     "-isystem",
                                     sdk_.include().string(),
                                     "-include",
                                     "__clang_hip_runtime_wrapper.h",
                                     "-include",
                                     "hip/hip_runtime.h",
                                     "-std=c++17",
                                     "-O3",
                                     "-fno-color-diagnostics",
                                     "-Wno-unused-command-line-argument"};
    // The driver writes dependencies of host compiles only (-MD is ignored here).
    for (const std::string& word :
         {std::string("-dependency-file"), rule.string(), std::string("-MT"), std::string("kernel"),
          std::string("-sys-header-deps")})
      argv.insert(argv.end(), {"-Xclang", word});
    for (const fs::path& folder : request.include_dirs) argv.push_back("-I" + folder.string());
    for (std::string& word : sync_note_arguments(clang_)) argv.push_back(std::move(word));
    bool wave64 = false;
    for (const std::string& flag : request.flags) {
      wave64 |= flag == "-mwavefrontsize64";
      argv.push_back(flag);
    }
    if (wave64) argv.push_back("-D__HW_WAVE_SIZE=64");
    argv.insert(argv.end(), {"-o", object.string(), "-"});
    return argv;
  }

  Clang clang_;
  Sdk sdk_;
  SystemHeaders system_ = SystemHeaders::of_this_machine();
};

}  // namespace

std::string clang_identity(const Clang& clang, const Sdk& sdk, const SystemHeaders& system) {
  // Kept objects differ in their notes, and so in what the checks can say of them.
  const fs::path plugin = sync_notes_plugin(clang);
  return fmt::format("clang {} sdk {} system {} notes {}", file_identity(clang.cxx),
                     sdk.prefix.filename().string(), system.identity(),
                     plugin.empty() ? "none" : file_identity(plugin));
}

Result<std::unique_ptr<KernelCompiler>> make_clang_compiler() {
  HW_TRY(Clang clang, find_hip_compiler());
  HW_TRY(const fs::path device_libs, find_device_libs());
  HW_TRY(Sdk sdk, prepare_sdk(clang, device_libs));
  return std::make_unique<ClangCompiler>(std::move(clang), std::move(sdk));
}

}  // namespace hipwright::toolchain
