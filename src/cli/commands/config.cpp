// SPDX-License-Identifier: MIT
#include <memory>

#include "base/json.h"
#include "cli/command.h"
#include "runtime/config/command_line.h"

namespace hipwright::cli {

namespace {

struct Options {
  bool json = false;
  std::string architecture;
  runtime::SettingsOptions settings;
};

int show(const Options& options) {
  try {
    const EffectiveConfig config = runtime::effective_from(options.settings, options.architecture);
    for (const std::string& warning : config.warnings) warn(warning);
    print(options.json ? json_text(runtime::effective_json(config))
                       : runtime::effective_text(config, globals().colour_out));
    return kOk;
  } catch (const AMDConfigurationError& error) {
    return report({.what = error.what()});
  }
}

void define_show(App app, const std::shared_ptr<Options>& options) {
  app.add_option("--arch", options->architecture, "GPU: a gfx target or a product name")
      .type_name("TARGET");
  app.add_option("--file", options->settings.files,
                 "Read settings from a TOML or JSON file; later files win")
      .type_name("FILE")
      .expected(1)
      .take_all();
  app.add_option("--preset", options->settings.preset,
                 "Apply a preset: llm-training, general-training, inference or development")
      .type_name("PRESET");
  app.add_option("--set", options->settings.settings, "Set a field, as code would")
      .type_name("FIELD=VALUE")
      .expected(1)
      .take_all();
}

const Command::Registration kCommand({
    .name = "config",
    .summary = "Show runtime settings, fields and presets",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.require_subcommand();
      App effective =
          app.add_subcommand("show", "Show the effective values and where each was set");
      App fields = app.add_subcommand("fields", "List all fields and their allowed values");
      App presets = app.add_subcommand("presets", "List the presets, the values they set and why");
      for (App subcommand : {effective, fields, presets})
        subcommand.add_flag("--json", options->json, "Print JSON");
      define_show(effective, options);
      return [options, effective, fields] {
        if (effective.parsed()) return show(*options);
        const bool colour = globals().colour_out;
        if (fields.parsed())
          print(options->json ? json_text(runtime::fields_json()) : runtime::fields_text(colour));
        else
          print(options->json ? json_text(runtime::presets_json()) : runtime::presets_text(colour));
        return kOk;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
