// SPDX-License-Identifier: MIT
// Every instruction that exists on a supported target is an operation here or stands in
// docs/soft-unsupported.md, and nothing stands there that runs. What exists is found by
// disassembling encodings: all values of the first dword's upper half, where every format has its
// opcode, and all opcodes of the formats whose opcode lies lower, with several fillings.
#include <fmt/format.h>
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "paths.h"
#include "soft/decode/canonical_names.h"
#include "soft/decode/disassembler.h"
#include "soft/decode/parsed_text.h"
#include "soft/exec/ops/ops.h"
#include "soft/lab.h"

namespace hipwright::soft {
namespace {

struct Unsupported {
  std::string pattern;  // with *
  std::set<std::string> targets;
  mutable bool used = false;
  bool matches(const std::string& gfx, const std::string& name) const {
    return targets.contains(gfx) && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  }
};

// The rows "| `image_*` | gfx90a gfx942 | why |"; "all" is all targets.
std::vector<Unsupported> read_page() {
  std::ifstream file(tests_folder() / "../docs/soft-unsupported.md");
  EXPECT_TRUE(file) << "docs/soft-unsupported.md is missing";
  std::vector<Unsupported> out;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cells(line.substr(1));
    std::string patterns, targets, reason;
    std::getline(cells, patterns, '|');
    std::getline(cells, targets, '|');
    std::getline(cells, reason, '|');
    EXPECT_FALSE(reason.empty()) << line;
    std::set<std::string> where;
    std::istringstream words(targets);
    for (std::string word; words >> word;) {
      if (word == "all")
        where.insert(all_targets().begin(), all_targets().end());
      else
        where.insert(word);
    }
    std::istringstream names(patterns);
    for (std::string word; names >> word;) {
      std::erase_if(word, [](char c) { return c == '`' || c == ','; });
      out.push_back({word, where});
    }
  }
  return out;
}

std::set<std::string> mnemonics(const std::string& gfx, unsigned wave_size) {
  auto made = Disassembler::create(gfx, wave_size);
  if (!made) {
    ADD_FAILURE() << made.error().message();
    return {};
  }
  Disassembler& disassembler = **made;
  std::set<std::string> names;
  const auto look = [&](std::uint32_t first, std::uint32_t second, std::uint32_t third) {
    const std::uint32_t words[] = {first, second, third, 0};
    std::uint8_t bytes[sizeof(words)];
    std::memcpy(bytes, words, sizeof(words));
    const auto line = disassembler.first(bytes, 0);
    if (line.size == 0) return;
    const ParsedText parsed = parse_text(line.text);
    if (parsed.invalid) return;
    names.emplace(parsed.first.mnemonic);
    if (parsed.second) names.emplace(parsed.second->mnemonic);
  };
  // Register 0 everywhere, aligned registers, and operands that only some formats take.
  struct Filling {
    std::uint32_t low, second, third;
  };
  constexpr Filling kFillings[] = {
      {0x0000, 0x00000000, 0},          {0x0000, 0x04040404, 0}, {0x0080, 0x00020080, 0},
      {0x0004, 0x7c000000, 0},          {0x4000, 0x040a0501, 0}, {0x8000, 0x007c0400, 0x7c},
      {0xc000, 0x00040004, 0},          {0x00f9, 0x06060606, 0}, {0x00fa, 0xff000101, 0},
      {0x8002, 0x08080808, 0x08080808},
  };
  for (const Filling& filling : kFillings)
    for (std::uint32_t top = 0; top < 0x10000; ++top)
      look((top << 16) | filling.low, filling.second, filling.third);
  // VOP1 and VOPC count from bit 9 or 17, SOP1 from bit 8, SOPP and SOPK above: bits 8 to 16.
  for (const std::uint32_t format : {0x7e000000U, 0xbe800000U, 0xbf000000U})
    for (std::uint32_t bits = 0; bits < 0x2000; ++bits)
      for (const std::uint32_t low : {0x00U, 0x04U, 0x80U, 0xf9U, 0xfaU})
        look(format | (bits << 8) | low, 0x06060606, 0);
  return names;
}

TEST(Coverage, EveryInstructionIsAnOperationOrDocumented) {
  const std::vector<Unsupported> page = read_page();
  ASSERT_FALSE(page.empty());
  for (const std::string& gfx : all_targets()) {
    const unsigned wave_size = Lab(gfx).lanes();
    const std::set<std::string> names = mnemonics(gfx, wave_size);
    ASSERT_GT(names.size(), 1000U) << gfx << ": encodings are not what they were";
    std::set<std::string> have, documented, missing;
    for (const std::string& printed : names) {
      const std::string name = canonical_name(printed);
      const Op* const op = find_op(name) ? find_op(name) : find_op(printed);
      // An operation that stops every kernel is not one that runs.
      const bool found = op && !(op->flags & kRefused);
      bool refused = false;
      for (const Unsupported& row : page)
        if (row.matches(gfx, printed) || row.matches(gfx, name)) {
          refused = row.used = true;
          EXPECT_FALSE(found) << gfx << ": " << printed << " runs, but the page says it does not ("
                              << row.pattern << ")";
        }
      (found ? have : refused ? documented : missing).insert(name);
    }
    EXPECT_TRUE(missing.empty()) << gfx << " has neither operation nor row for "
                                 << fmt::format("{}", fmt::join(missing, " "));
    fmt::print("{}: {} operations, {} documented as unsupported\n", gfx, have.size(),
               documented.size());
  }
  for (const Unsupported& row : page)
    EXPECT_TRUE(row.used) << "no target has what matches " << row.pattern;
}

TEST(Coverage, OperationsHaveOneEntry) {
  std::set<std::string_view> names;
  for (const Op* op : all_ops()) EXPECT_TRUE(names.insert(op->name).second) << op->name;
}

}  // namespace
}  // namespace hipwright::soft
