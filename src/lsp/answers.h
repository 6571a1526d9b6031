// SPDX-License-Identifier: MIT
// Findings as the protocol's diagnostics, code actions and hovers.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "lint/engine.h"
#include "lint/file_pass.h"
#include "lsp/client.h"
#include "lsp/document.h"

namespace hipwright::lsp {

using Findings = std::span<const lint::Finding>;

constexpr const char* kFixAll = "source.fixAll.hipwright";

// `pages`: the folder of the rules' pages on this machine, if there is one.
Value diagnostics(const Client& client, const Document& document, Findings findings,
                  const std::filesystem::path& pages);

struct ActionRequest {
  Span range;
  std::vector<std::string> only;  // kinds; none: all
  // Replaces the document's findings by those of another text.
  std::function<Result<lint::FileResult>(std::string_view text)> check;
};
Value code_actions(const Client& client, const Document& document, Findings findings,
                   const ActionRequest& request);

// Null if there is nothing to show.
Value hover(const Client& client, const Document& document, Findings findings, std::size_t offset);

}  // namespace hipwright::lsp
