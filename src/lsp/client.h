// SPDX-License-Identifier: MIT
// The editor's capabilities, from "initialize".
#pragma once

#include <filesystem>
#include <vector>

#include "lsp/text_lines.h"
#include "lsp/value.h"

namespace hipwright::lsp {

struct Client {
  PositionEncoding encoding = PositionEncoding::kUtf16;
  bool pulls_diagnostics = false;  // then none are pushed, or they would appear twice
  bool refreshes_diagnostics = false;
  bool knows_tags = false;
  bool knows_code_description = false;
  bool knows_markdown = false;
  bool knows_actions = false;  // otherwise code actions would be commands
  bool knows_preferred = false;
  bool versioned_edits = false;
  bool has_configuration = false;  // answers "workspace/configuration"
  bool registers_watchers = false;
  std::vector<std::filesystem::path> folders;
};

Client client_of(const Value& initialize);

}  // namespace hipwright::lsp
