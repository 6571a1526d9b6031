// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "port/isolation/isolation.h"
#include "port/output/output.h"

namespace hipwright::cli {

namespace {

struct Options {
  port::Options port;
  std::string mode = "dual", warp = "native", hip = "6.4";
  std::filesystem::path out;
  std::vector<std::filesystem::path> check_isolation;
};

void print_leaks(const std::vector<port::Leak>& leaks) {
  for (const port::Leak& leak : leaks)
    print(fmt::format("{}:{}: {}\n{}", leak.path,
                      leak.line_after != 0 ? leak.line_after : leak.line_before, leak.what,
                      leak.diff));
}

int check_isolation(const Options& options) {
  const auto result = port::check_isolation(
      {.before = options.check_isolation[0], .after = options.check_isolation[1]});
  if (!result) return report(result.error());
  for (const std::string& why : result->not_read) warn(why);
  print_leaks(result->leaks);
  print(fmt::format("{} files: {} unchanged, {} changed but not for NVIDIA, {} leak, {} new\n",
                    result->same_bytes + result->same_view + result->leaks.size(),
                    result->same_bytes, result->same_view, result->leaks.size(),
                    result->added.size()));
  if (!result->not_read.empty()) return kUsage;
  return result->holds() ? kOk : kFindings;
}

int run(Options options) {
  if (!options.check_isolation.empty()) return check_isolation(options);
  if (options.port.path.empty())
    return report({"cannot port", "", "no repository is named", "See: hipwright port --help"});
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
          app.add_option("path", options->port.path, "Repository, folder or file");
          app.add_option("--out", options->out, "Write the whole ported tree to this new folder");
          app.add_option("--mode", options->mode, "hip: becomes HIP; dual: builds for both")
              ->check(CLI::IsMember({"hip", "dual"}));
          app.add_option("--warp", options->warp,
                         "What 32 lanes become: native (the GPU's wave) or half (of 64)")
              ->check(CLI::IsMember({"native", "half"}));
          app.add_option("--hip", options->hip, "The HIP release to port to");
          app.add_option("--check-isolation", options->check_isolation,
                         "Two trees, OLD NEW: does NVIDIA see the same of both?")
              ->expected(2);
          return [options] { return run(*options); };
        },
});

}  // namespace

}  // namespace hipwright::cli
