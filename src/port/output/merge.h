// SPDX-License-Identifier: MIT
// A port of newer sources into the folder that an earlier port made, where people may have worked
// since. What the earlier port wrote is kept in .hipwright/port/ of that folder:
//   state.json  every file with its digest, every link with where it leads
//   base-H/…    the sources, for three-way merges; H is a digest of the state that they belong to
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "port/port.h"

namespace hipwright::port {

struct PortState {
  std::map<std::string, std::string> files;  // path to digest, or "-> where"
  std::string base() const;                  // the name of the folder with its sources
};
std::string state_text(const PortState& state);
Result<PortState> parse_state(std::string_view text, const std::string& origin);

// Writes what `tree`, a complete port, is made of, into it.
Status write_state(const Ported& ported, const std::filesystem::path& tree);
bool has_state(const std::filesystem::path& tree);

struct Conflict {
  std::string path;
  std::string what;  // "both changed the same lines"
};
struct Merged {
  std::size_t updated = 0, merged = 0, kept = 0, removed = 0;
  std::vector<Conflict> conflicts;  // by path
};
// Three ways for each file: as the last port wrote it, as it is in `folder`, as the new port
// (`fresh`, complete, with its state) has it. Changes of one side are taken, of both merged; where
// they cannot be, both stay, marked. A run that is ended can be done again.
Result<Merged> merge_into(const std::filesystem::path& fresh, const std::filesystem::path& folder);

}  // namespace hipwright::port
