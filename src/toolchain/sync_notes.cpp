// SPDX-License-Identifier: MIT
#include "toolchain/sync_notes.h"

#include <string_view>

#include "base/file.h"
#include "toolchain/soft_library.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// "libLLVM.so.22.1": a plugin works only with the library that it was built for, and not with a
// clang that contains LLVM.
constexpr std::string_view kLlvm = "libLLVM.so." HIPWRIGHT_LLVM_VERSION;

bool uses_that_llvm(const fs::path& program) {
  std::error_code error;
  const fs::path binary = fs::canonical(program, error);
  if (error) return false;
  constexpr std::uintmax_t kDynamic = 16U << 20;  // one that contains LLVM is larger
  if (fs::file_size(binary, error) > kDynamic || error) return false;
  const auto content = read_file(binary);
  return content && content->find(kLlvm) != std::string::npos;
}

}  // namespace

fs::path sync_notes_plugin(const Clang& clang) {
  const auto folder = find_soft_folder();
  if (!folder) return {};
  std::error_code error;
  fs::path plugin = *folder / "libhipwright_notes.so";
  if (!fs::exists(plugin, error) || !uses_that_llvm(clang.cxx)) return {};
  return plugin;
}

std::vector<std::string> sync_note_arguments(const Clang& clang) {
  const fs::path plugin = sync_notes_plugin(clang);
  if (plugin.empty()) return {};
  return {"-Xarch_device", "-fpass-plugin=" + plugin.string()};
}

void use_sync_notes(DriverPlan& plan, const Clang& clang) {
  // Without an output there is no code to keep notes of.
  if (!plan.wrapper || plan.outputs.empty()) return;
  const std::vector<std::string> arguments = sync_note_arguments(clang);
  plan.argv.insert(plan.argv.begin() + 1, arguments.begin(), arguments.end());
  *plan.wrapper += arguments.size();
}

}  // namespace hipwright::toolchain
