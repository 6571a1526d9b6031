// SPDX-License-Identifier: MIT
#include "port/verify/compiler.h"

namespace hipwright::port {

Result<UnitCompiler> UnitCompiler::find(std::vector<std::string> archs) {
  UnitCompiler compiler;
  compiler.archs_ = std::move(archs);
  compiler.rocm_ = toolchain::find_rocm();
  if (compiler.rocm_) return compiler;
  HW_TRY(toolchain::Clang clang, toolchain::find_clang());
  HW_TRY(const auto device_libs, toolchain::find_device_libs());
  HW_TRY(toolchain::Sdk sdk, toolchain::prepare_sdk(clang, device_libs));
  HW_TRY(auto machine, toolchain::default_archs());
  compiler.own_ =
      toolchain::DriverEnvironment{std::move(clang), std::move(sdk), std::move(machine)};
  return compiler;
}

Result<Finished> UnitCompiler::compile(const std::filesystem::path& source,
                                       const std::filesystem::path& object,
                                       const std::vector<std::string>& own) const {
  std::vector<std::string> words;
  for (const std::string& arch : archs_) {
    words.emplace_back("--arch");
    words.push_back(arch);
  }
  // Errors only, all of them, in a form that can be read again.
  for (const char* word :
       {"-O1", "-w", "-ferror-limit=0", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-c"})
    words.emplace_back(word);
  words.insert(words.end(), own.begin(), own.end());
  words.push_back(source.string());
  words.emplace_back("-o");
  words.push_back(object.string());
  HW_TRY(const toolchain::DriverRequest request, toolchain::parse_driver_words(words));
  if (rocm_) return run({.argv = toolchain::plan_rocm(request, *rocm_).argv});
  HW_TRY(const toolchain::DriverPlan plan, toolchain::plan_own(request, *own_));
  return run({.argv = plan.argv});
}

}  // namespace hipwright::port
