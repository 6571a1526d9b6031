// SPDX-License-Identifier: MIT
// Any text, ported: strings stay what they are, a port to both platforms leaves NVIDIA's view as it
// was, and what is written can be read again. The first line is the file's name.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "port/isolation/isolation.h"
#include "port/port.h"

namespace {

using namespace hipwright;

port::Ported ported(const std::string& path, std::string_view text, port::Mode mode) {
  static ThreadPool pool(1);
  port::Tree tree;
  tree.files.push_back(std::make_unique<port::SourceFile>(
      path, syntax::Text{.bytes = std::string(text), .encoding = syntax::Encoding::kUtf8}));
  return port::port_tree(std::move(tree), {.mode = mode}, pool);
}

// "text"NAME is parted where NAME is a macro.
std::string_view without_suffix(std::string_view literal) {
  const std::size_t first = literal.find('"'), last = literal.rfind('"');
  return first == last ? literal : literal.substr(0, last + 1);
}

// Outside of preprocessor lines, whose headers are exchanged, and of assembly, which is translated.
std::vector<std::string> strings(const syntax::cuda::File& file) {
  std::vector<std::string> list;
  for (syntax::cuda::TokenIndex at = 0; at < file.tokens().size(); ++at) {
    const syntax::cuda::Token& token = file.tokens()[at];
    if (token.kind == syntax::cuda::Kind::kString &&
        (token.flags & syntax::cuda::kInDirective) == 0)
      list.emplace_back(without_suffix(file.text(at)));
  }
  return list;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string path(input.substr(0, end));
  const std::string_view text = input.substr(end + 1);
  if (project::language_of(path) == project::Language::kOther) return 0;

  const port::Ported hip = ported(path, text, port::Mode::kHip);
  const std::string now = hip.files[0].after();
  if (const syntax::cuda::File* before = hip.files[0].source->cuda();
      before != nullptr && text.find("asm") == std::string_view::npos &&
      text.find("CUresult") == std::string_view::npos)  // whose twins are dropped, texts and all
    HW_ASSERT(strings(*before) == strings(syntax::cuda::File(now)));

  const port::Ported both = ported(path, text, port::Mode::kDual);
  HW_ASSERT(port::compare_for_nvidia(path, text, both.files[0].after()).empty());
  return 0;
}
