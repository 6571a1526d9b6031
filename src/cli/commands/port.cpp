// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "port/output/output.h"

namespace hipwright::cli {

namespace {

struct Options {
  port::Options port;
  std::string mode = "dual", warp = "native", hip = "6.4";
  std::filesystem::path out;
};

int run(Options options) {
  const auto version = port::api::parse_hip_version(options.hip);
  if (!version) return report(version.error());
  options.port.hip = *version;
  options.port.mode = options.mode == "hip" ? port::Mode::kHip : port::Mode::kDual;
  options.port.warp = options.warp == "half" ? port::Warp::kHalf : port::Warp::kNative;
  const auto ported = port::port(options.port);
  if (!ported) return report(ported.error());
  if (!options.out.empty()) {
    if (const Status written = port::write_tree(*ported, options.out); !written)
      return report(written.error());
  } else {
    print(port::diff_of(*ported));
  }
  bool is_done = true;
  for (const port::PortedFile& file : ported->files) {
    for (const Diagnostic& said : file.diagnostics) {
      if (said.severity == Severity::kNote) continue;
      is_done &= said.severity != Severity::kError;
      if (!globals().quiet)
        fmt::print(stderr, "{}", render(said, file.source->text(), globals().colour_err));
    }
  }
  return is_done ? kOk : kFindings;
}

const Command::Registration registration({
    .name = "port",
    .summary = "Translate a CUDA repository to HIP",
    .define =
        [](CLI::App& app) {
          auto options = std::make_shared<Options>();
          app.add_option("path", options->port.path, "Repository, folder or file")->required();
          app.add_option("--out", options->out, "Write the whole ported tree to this new folder");
          app.add_option("--mode", options->mode, "hip: becomes HIP; dual: builds for both")
              ->check(CLI::IsMember({"hip", "dual"}));
          app.add_option("--warp", options->warp,
                         "What 32 lanes become: native (the GPU's wave) or half (of 64)")
              ->check(CLI::IsMember({"native", "half"}));
          app.add_option("--hip", options->hip, "The HIP release to port to");
          return [options] { return run(*options); };
        },
});

}  // namespace

}  // namespace hipwright::cli
