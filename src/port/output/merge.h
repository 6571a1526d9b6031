// SPDX-License-Identifier: MIT
// A port of newer sources into the folder of an earlier port, which users may have edited since.
// The output of the earlier port is kept in .hipwright/port/ of that folder:
//   state.json  every file with its digest, every link with where it leads
//   base-H/…    the sources, for three-way merges; H is a digest of the state that they belong to
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "port/ported_file.h"

namespace hipwright::port {

struct PortState {
  std::map<std::string, std::string> files;  // path to digest, or "-> where"
  std::string base() const;                  // the name of the folder with its sources
};
std::string state_text(const PortState& state);
Result<PortState> parse_state(std::string_view text, const std::string& origin);

// Writes the state of `tree`, a complete port, into it.
Status write_state(const Ported& ported, const std::filesystem::path& tree);
bool has_state(const std::filesystem::path& tree);

struct Conflict {
  std::string path;
  std::string what;  // "the same lines changed on both sides"
};
struct Merged {
  std::size_t updated = 0, merged = 0, kept = 0, removed = 0;
  std::vector<Conflict> conflicts;  // by path
};
// Three-way merge of each file: the last port's version, the one in `folder`, and the new port's
// (`fresh`, complete, with its state). Changes of one side are taken, changes of both are merged;
// conflicts are marked. An interrupted run can be repeated.
Result<Merged> merge_into(const std::filesystem::path& fresh, const std::filesystem::path& folder);

}  // namespace hipwright::port
