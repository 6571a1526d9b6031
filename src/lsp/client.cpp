// SPDX-License-Identifier: MIT
#include "lsp/client.h"

#include "lsp/uri.h"

namespace hipwright::lsp {

namespace {

// UTF-8 is how texts are kept; UTF-16 is what every editor knows.
PositionEncoding encoding_of(const Value& capabilities) {
  const auto offers = [&](const char* name) {
    return list_has(capabilities, {"general", "positionEncodings"}, name);
  };
  if (offers("utf-8")) return PositionEncoding::kUtf8;
  if (!offers("utf-16") && offers("utf-32")) return PositionEncoding::kUtf32;
  return PositionEncoding::kUtf16;
}

void add_folder(std::vector<std::filesystem::path>& folders, const std::string* uri) {
  if (uri == nullptr) return;
  if (auto path = path_of(*uri)) folders.push_back(*std::move(path));
}

}  // namespace

Client client_of(const Value& initialize) {
  const Value nothing = Value::object();
  const Value* const given = member(initialize, {"capabilities"});
  const Value& able = given == nullptr ? nothing : *given;
  Client client{.encoding = encoding_of(able)};
  client.pulls_diagnostics = member(able, {"textDocument", "diagnostic"}) != nullptr;
  client.refreshes_diagnostics = flag_at(able, {"workspace", "diagnostics", "refreshSupport"});
  client.knows_tags = member(able, {"textDocument", "publishDiagnostics", "tagSupport"}) != nullptr;
  client.knows_code_description =
      flag_at(able, {"textDocument", "publishDiagnostics", "codeDescriptionSupport"});
  client.knows_markdown = list_has(able, {"textDocument", "hover", "contentFormat"}, "markdown");
  client.knows_actions =
      member(able, {"textDocument", "codeAction", "codeActionLiteralSupport"}) != nullptr;
  client.knows_preferred = flag_at(able, {"textDocument", "codeAction", "isPreferredSupport"});
  client.versioned_edits = flag_at(able, {"workspace", "workspaceEdit", "documentChanges"});
  client.has_configuration = flag_at(able, {"workspace", "configuration"});
  client.registers_watchers =
      flag_at(able, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  if (const Value* folders = member(initialize, {"workspaceFolders"});
      folders != nullptr && folders->is_array() && !folders->empty())
    for (const Value& folder : *folders) add_folder(client.folders, string_at(folder, {"uri"}));
  else
    add_folder(client.folders, string_at(initialize, {"rootUri"}));
  return client;
}

}  // namespace hipwright::lsp
