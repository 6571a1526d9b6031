// SPDX-License-Identifier: MIT
#include "toolchain/code_object/producer.h"

#include <algorithm>
#include <string_view>

namespace hipwright::toolchain {

std::string producer_of(const CodeObject& object) {
  // They are in .comment, separated by zeros.
  const auto* section = object.elf().section(".comment");
  if (!section) return {};
  const Bytes content = object.elf().content(*section);
  std::string names;
  for (std::string_view rest = content.view(); !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    if (name.empty() || names.find(name) != names.npos) continue;
    if (!names.empty()) names += "; ";
    names += name;
  }
  return names;
}

}  // namespace hipwright::toolchain
