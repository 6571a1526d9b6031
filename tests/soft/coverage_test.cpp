// SPDX-License-Identifier: MIT
// Every mnemonic that the assembler of a supported target takes is an operation here or stands in
// docs/soft-unsupported.md, and nothing stands there that is an operation.
#include <fmt/format.h>
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "soft/decode/names.h"
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
  std::ifstream file(HIPWRIGHT_TESTS_DIR "/../docs/soft-unsupported.md");
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

TEST(Coverage, EveryMnemonicIsAnOperationOrDocumented) {
  const std::vector<Unsupported> page = read_page();
  ASSERT_FALSE(page.empty());
  for (const std::string& gfx : all_targets()) {
    const unsigned wave_size = Lab(gfx).lanes();
    const std::vector<std::string> names = mnemonics(gfx, wave_size);
    ASSERT_GT(names.size(), 1000U) << gfx << ": the list of mnemonics is not what it was";
    std::set<std::string> have, documented, missing;
    for (const std::string& printed : names) {
      const std::string name = canonical_name(printed);
      const bool found = find_op(name) || find_op(printed);
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

// The handlers' tables and the names that the decoder asks for are one language.
TEST(Coverage, EveryOperationIsSomeMnemonic) {
  std::set<std::string> known;
  for (const char* gfx : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1150", "gfx1201"})
    for (const std::string& printed : mnemonics(gfx, is_gfx9(*isa_of(gfx)) ? 64 : 32)) {
      known.insert(canonical_name(printed));
      known.insert(printed);
    }
  for (const Op* op : all_ops())
    EXPECT_TRUE(known.contains(std::string(op->name))) << op->name << " is no canonical name";
}

TEST(Coverage, OperationsHaveOneEntry) {
  std::set<std::string_view> names;
  for (const Op* op : all_ops()) EXPECT_TRUE(names.insert(op->name).second) << op->name;
}

}  // namespace
}  // namespace hipwright::soft
