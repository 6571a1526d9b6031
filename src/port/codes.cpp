// SPDX-License-Identifier: MIT
#include "port/codes.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/error.h"

namespace hipwright {
extern const EmbeddedFile port_codes[];
extern const unsigned port_codes_count;
}  // namespace hipwright

namespace hipwright::port {

namespace {

// "HP202-no-counterpart.md", and a page that begins "# Title".
Code read_code(const EmbeddedFile& file) {
  std::string_view name = file.path;
  const std::string_view page = file.content();
  const std::size_t dash = name.find('-');
  HW_ASSERT(dash != std::string_view::npos && name.ends_with(".md") && page.starts_with("# "));
  const std::string_view title = page.substr(2, page.find('\n') - 2);
  name.remove_suffix(3);
  return {name.substr(0, dash), name.substr(dash + 1), title, page};
}

}  // namespace

const std::vector<Code>& all_codes() {
  static const std::vector<Code> codes = [] {
    std::vector<Code> list;
    for (unsigned i = 0; i < port_codes_count; ++i) list.push_back(read_code(port_codes[i]));
    std::sort(list.begin(), list.end(),
              [](const Code& a, const Code& b) { return a.code < b.code; });
    return list;
  }();
  return codes;
}

const Code* find_code(std::string_view code_or_name) {
  for (const Code& code : all_codes())
    if (code.code == code_or_name || code.name == code_or_name) return &code;
  return nullptr;
}

}  // namespace hipwright::port
