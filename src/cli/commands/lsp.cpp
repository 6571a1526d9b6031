// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "lsp/stdio.h"

namespace hipwright::cli {

namespace {

// Where an installed tool has its pages.
std::filesystem::path rule_pages() {
  std::error_code error;
  const auto tool = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto pages = tool.parent_path().parent_path() / "share/doc/hipwright/rules";
  return std::filesystem::is_directory(pages, error) ? pages : std::filesystem::path();
}

int run() {
  if (::isatty(STDIN_FILENO) != 0)
    return report({"cannot start the language server", "",
                   "standard input is a terminal, not an editor",
                   "Configure an editor to start it; see docs/commands/lsp.md."});
  return lsp::serve({.pages = rule_pages()}, STDIN_FILENO, STDOUT_FILENO);
}

const Command::Registration registration{{
    .name = "lsp",
    .summary = "Start the language server",
    .define = [](App app) -> std::function<int()> {
      auto stdio = std::make_shared<bool>();
      app.add_flag("--stdio", *stdio,
                   "Communicate over standard input and output (always the case)");
      return [stdio] { return run(); };
    },
}};

}  // namespace

}  // namespace hipwright::cli
