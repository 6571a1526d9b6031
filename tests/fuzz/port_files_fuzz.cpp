// SPDX-License-Identifier: MIT
// Files of the porter that people write or damage: its rules, its journals and its state. What is
// read is valid: names are names, and no path leads out of the tree.
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "port/output/journal.h"
#include "port/output/merge.h"
#include "project/rules.h"

using namespace hipwright;
using namespace hipwright::port;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto rules = project::parse_rules(text, "fuzz"))
    for (const auto& [from, to] : rules->names) HW_ASSERT(!from.empty() && !to.empty());
  if (const auto journal = parse_journal(text, "fuzz")) {
    for (const JournalFile& file : journal->files) {
      const std::filesystem::path path(file.path);
      HW_ASSERT(!path.empty() && path.is_relative());
      for (const auto& part : path) HW_ASSERT(part != "..");
    }
    const auto again = parse_journal(journal_text(*journal), "again");
    HW_ASSERT(again && again->files.size() == journal->files.size());
    for (std::size_t i = 0; i < journal->files.size(); ++i)
      HW_ASSERT(again->files[i].path == journal->files[i].path);
  }
  if (const auto state = parse_state(text, "fuzz")) {
    const auto again = parse_state(state_text(*state), "again");
    HW_ASSERT(again && again->files == state->files);
  }
  return 0;
}
