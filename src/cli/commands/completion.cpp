// SPDX-License-Identifier: MIT
#include "cli/completion/completion.h"

#include <memory>

#include "cli/command.h"

namespace hipwright::cli {

namespace {

const Command::Registration kCommand({
    .name = "completion",
    .summary = "Print a shell completion script",
    .define = [](App app) -> std::function<int()> {
      auto shell = std::make_shared<std::string>();
      app.add_option("SHELL", *shell, "Shell to complete in")
          .required()
          .type_name("SHELL")
          .one_of({"bash", "zsh", "fish"});
      return [shell, app] {
        const CLI::App& tool = app.tool();
        print(*shell == "bash"  ? bash_completion(tool)
              : *shell == "zsh" ? zsh_completion(tool)
                                : fish_completion(tool));
        return kOk;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
