// SPDX-License-Identifier: MIT
// Any text as a Python file of a project, ported: what was there is still there, byte for byte and
// in order, strings and comments whole; NVIDIA runs what it ran; porting again changes nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "port/isolation/isolation.h"
#include "port/port.h"
#include "syntax/python/file.h"

namespace {

using namespace hipwright;
namespace py = syntax::python;

port::Ported ported(const std::string& text, const std::map<std::string, std::string>& others) {
  static ThreadPool pool(1);
  port::Tree tree;
  const auto add = [&](const std::string& path, const std::string& content) {
    tree.files.push_back(std::make_unique<port::SourceFile>(
        path, syntax::Text{.bytes = content, .encoding = syntax::Encoding::kUtf8}));
  };
  add("a.py", text);
  for (const auto& [path, content] : others) add(path, content);
  for (const auto& file : tree.files) tree.by_name.emplace(file->path(), file.get());
  return port::port_tree(std::move(tree), {.mode = port::Mode::kDual}, pool);
}

// Strings and comments, in order.
std::vector<std::string> texts(std::string_view text) {
  const py::File file(text);
  std::vector<std::string> list;
  for (py::TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (file.tokens()[at].kind == py::Kind::kString) list.emplace_back(file.text(at));
  for (const py::Comment& each : file.comments())
    list.emplace_back(text.substr(each.span.begin, each.span.size()));
  return list;
}

bool holds(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  std::size_t at = 0;
  for (const std::string& each : all)
    if (at < some.size() && each == some[at]) ++at;
  return at == some.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (size > 20000 || text.starts_with("# Made by hipwright port")) return 0;
  const port::Ported first = ported(text, {});
  const std::string now = first.files[0].after();
  HW_ASSERT(holds(texts(now), texts(text)));
  HW_ASSERT(port::compare_for_nvidia("a.py", text, now).empty());
  // Of a text that Python would read, nothing may have been held back.
  if (py::File(text).problems().empty()) {
    for (const Diagnostic& said : first.files[0].diagnostics) HW_ASSERT(said.code != "HP290");
    HW_ASSERT(py::File(now).problems().empty());
  }
  const port::Ported second = ported(now, first.added);
  HW_ASSERT(second.files[0].after() == now);
  return 0;
}
