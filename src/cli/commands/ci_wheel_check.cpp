// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "ci/wheel/wheel.h"
#include "cli/ci.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::filesystem::path wheel;
  std::string targets;
  bool json = false;
};

int check(const Options& options) {
  std::vector<arch::Target> wanted;
  if (!options.targets.empty()) {
    auto parsed = arch::parse_targets(options.targets);
    if (!parsed) return report(parsed.error());
    wanted = *std::move(parsed);
  }
  const auto wheel = ci::check_wheel(options.wheel, wanted);
  if (!wheel) return report(wheel.error());
  print(options.json ? json_text(ci::wheel_json(*wheel)) : ci::wheel_text(*wheel));
  return std::ranges::any_of(wheel->problems, &ci::WheelProblem::is_failure) ? kFindings : kOk;
}

}  // namespace

CiPart define_ci_wheel_check(App ci) {
  auto options = std::make_shared<Options>();
  App app = ci.add_subcommand("wheel-check", "Show the GPU code and libraries in a wheel");
  app.add_option("WHEEL", options->wheel, "The wheel").required();
  app.add_option("--arch", options->targets, "Targets that it must contain code for")
      .type_name("TARGETS");
  app.add_flag("--json", options->json, "Print JSON");
  return {app, [options] { return check(*options); }};
}

}  // namespace hipwright::cli
