// SPDX-License-Identifier: MIT
#include <iterator>
#include <memory>

#include "arch/processors.h"
#include "arch/target.h"
#include "base/stop.h"
#include "cli/verify.h"
#include "verify/check_report.h"
#include "verify/triton.h"

namespace hipwright::cli {

namespace {

struct Options {
  verify::TritonOptions triton{.archs = {std::begin(arch::kProofTargetsOfPrograms),
                                         std::end(arch::kProofTargetsOfPrograms)}};
  bool no_interpreter = false;
  unsigned timeout = 600;
  VerifyOutput output;
};

int run(Options& options) {
  if (const Status writable = options.output.check(); !writable) return report(writable.error());
  for (const std::string& arch : options.triton.archs)
    if (const auto target = arch::parse_target(arch); !target) return report(target.error());
  options.triton.interpreter = !options.no_interpreter;
  options.triton.timeout = std::chrono::seconds(options.timeout);
  stop_on_interrupt();
  const auto pyramid = verify::verify_triton(options.triton);
  if (!pyramid) return report(pyramid.error());
  return options.output.show(*pyramid, verify::is_checked(*pyramid, verify::Level::kFunctional,
                                                          verify::Level::kNumerical));
}

}  // namespace

VerifyPart define_verify_triton(App verify) {
  App app = verify.add_subcommand(
      "triton", "Compare the Triton kernels of a Python program on several targets");
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->triton.file, "Python program, or file of tests (test_*.py)")
      .type_name("FILE")
      .required();
  app.add_option("ARGUMENTS", options->triton.arguments, "Arguments of the program, or of pytest");
  app.add_option("--arch", options->triton.archs, "Targets of software GPUs, separated by commas")
      .type_name("TARGETS")
      .delimiter(',')
      .capture_default_str();
  app.add_flag("--no-interpreter", options->no_interpreter,
               "Do not run the kernels in Triton's interpreter");
  app.add_option("--schedules", options->triton.schedules,
                 "Number of random wave orders, on the first target")
      .type_name("N")
      .range(0U, 1000U)
      .capture_default_str();
  app.add_option("--relative", options->triton.relative,
                 "Relative tolerance, instead of those by element type")
      .type_name("R");
  app.add_option("--timeout", options->timeout, "Time limit for the program on one device")
      .type_name("SECONDS")
      .capture_default_str();
  options->output.define(app);
  return {app, [options] { return run(*options); }};
}

}  // namespace hipwright::cli
