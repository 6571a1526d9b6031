// SPDX-License-Identifier: MIT
// Every instruction that exists on a supported target is an operation here or stands in
// docs/soft-unsupported.md, nothing stands there that runs, and its numbers are right. What exists
// is found by disassembling encodings: all values of the first dword's upper half, where every
// format has its opcode, and all opcodes of the formats whose opcode lies lower, with several
// fillings.
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
  std::string pattern;               // with *
  std::vector<std::string> targets;  // beginnings of names
  mutable bool used = false;
  bool matches(const std::string& gfx, const std::string& name) const {
    return std::ranges::any_of(targets, [&](const auto& each) { return gfx.starts_with(each); }) &&
           fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  }
};

struct Page {
  std::vector<Unsupported> unsupported;
  std::string numbers;  // the lines of the table of targets
};

std::string numbers_of(const std::string& gfx, std::size_t run, std::size_t unsupported) {
  return fmt::format("| {} | {} | {} |\n", gfx, run, unsupported);
}

// The rows "| `image_*` | gfx90a gfx11 | why |", where "gfx11" is all targets that begin so and
// "all" all targets; and the rows "| gfx90a | 1000 | 10 |".
Page read_page() {
  std::ifstream file(tests_folder() / "../docs/soft-unsupported.md");
  EXPECT_TRUE(file) << "docs/soft-unsupported.md is missing";
  Page page;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| gfx")) page.numbers += line + '\n';
    if (!line.starts_with("| `")) continue;
    std::istringstream cells(line.substr(1));
    std::string patterns, targets, reason;
    std::getline(cells, patterns, '|');
    std::getline(cells, targets, '|');
    std::getline(cells, reason, '|');
    EXPECT_FALSE(reason.empty()) << line;
    std::vector<std::string> where;
    std::istringstream words(targets);
    for (std::string word; words >> word;) where.push_back(word == "all" ? "gfx" : word);
    std::istringstream names(patterns);
    for (std::string word; names >> word;) {
      std::erase_if(word, [](char c) { return c == '`' || c == ','; });
      page.unsupported.push_back({word, where});
    }
  }
  return page;
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

// One target of each instruction set, those that add to it, and the generic ones.
std::vector<std::string> covered_targets() {
  std::vector<std::string> targets = all_targets();
  for (const char* gfx : {"gfx1151", "gfx1200", "gfx9-4-generic", "gfx10-3-generic",
                          "gfx11-generic", "gfx12-generic"})
    targets.emplace_back(gfx);
  return targets;
}

TEST(Coverage, EveryInstructionIsAnOperationOrDocumented) {
  const auto [page, documented_numbers] = read_page();
  ASSERT_FALSE(page.empty());
  std::string numbers;
  for (const std::string& gfx : covered_targets()) {
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
    numbers += numbers_of(gfx, have.size(), documented.size());
  }
  EXPECT_EQ(documented_numbers, numbers) << "the table of docs/soft-unsupported.md";
  for (const Unsupported& row : page)
    EXPECT_TRUE(row.used) << "no target has what matches " << row.pattern;
}

TEST(Coverage, OperationsHaveOneEntry) {
  std::set<std::string_view> names;
  for (const Op* op : all_ops()) EXPECT_TRUE(names.insert(op->name).second) << op->name;
}

}  // namespace
}  // namespace hipwright::soft
