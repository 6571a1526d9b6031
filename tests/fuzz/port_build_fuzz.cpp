// SPDX-License-Identifier: MIT
// Build files, whatever is in them: makefiles, CMake, setup.py, requirements. What NVIDIA's build
// sees stays as it was, and a second port changes nothing. The first line is the file's name.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "port/isolation/isolation.h"
#include "port/port.h"
#include "project/compiler_flags.h"

namespace {

using namespace hipwright;

std::string ported(const std::string& path, std::string_view text, port::Mode mode) {
  static ThreadPool pool(1);
  port::Tree tree;
  tree.files.push_back(std::make_unique<port::SourceFile>(
      path, syntax::Text{.bytes = std::string(text), .encoding = syntax::Encoding::kUtf8}));
  return port::port_tree(std::move(tree), {.mode = mode}, pool).files[0].after();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string path(input.substr(0, end));
  const std::string_view text = input.substr(end + 1);
  const project::Language language = project::language_of(path);
  if (language == project::Language::kOther || language == project::Language::kCuda) return 0;
  project::Tree tree;
  tree.files.push_back(
      std::make_unique<project::SourceFile>(path, syntax::Text{.bytes = std::string(text)}));
  project::UnitFlags(tree).of("a.cu");
  project::nearest_makefile(tree, "");

  const std::string both = ported(path, text, port::Mode::kDual);
  HW_ASSERT(port::compare_for_nvidia(path, text, both).empty());
  HW_ASSERT(ported(path, both, port::Mode::kDual) == both);
  ported(path, text, port::Mode::kHip);
  return 0;
}
