// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "ci/arches/arches.h"
#include "ci/host/probe.h"
#include "cli/ci.h"
#include "cli/verify.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string format = "list", fallback;
  std::vector<std::string> variables;
  std::filesystem::path facts, rocminfo, write_cmake, write_python;
};

int write(const std::filesystem::path& path, std::string_view content) {
  if (const Status written = write_file_atomic(path, content); !written)
    return report(written.error());
  note("wrote " + path.string());
  return kOk;
}

// From files, so that nothing of this machine counts, or from this machine.
Result<ci::HostFacts> facts_for(const Options& options) {
  if (!options.facts.empty()) {
    HW_TRY(const std::string text, read_input(options.facts));
    return ci::read_facts(text, options.facts.string());
  }
  ci::HostFacts facts;
  if (!options.rocminfo.empty()) {
    HW_TRY(facts.rocminfo.out, read_input(options.rocminfo));
    return facts;
  }
  facts = ci::probe_host({.hipwright = own_program()});
  for (const std::string& name : options.variables)
    if (const char* value = std::getenv(name.c_str())) facts.environment[name] = value;
  return facts;
}

int arches(const Options& options) {
  if (!options.write_cmake.empty()) return write(options.write_cmake, ci::cmake_module());
  if (!options.write_python.empty()) return write(options.write_python, ci::python_snippet());
  const auto format = ci::parse_arches_format(options.format);
  if (!format) return report(format.error());
  const auto facts = facts_for(options);
  if (!facts) return report(facts.error());
  const auto found =
      toolchain::detect_targets(ci::sources_of(*facts, options.variables, options.fallback));
  if (!found) return report(found.error());
  for (const std::string& each : found->notes) note(each);
  if (*format != ci::ArchesFormat::kJson)
    note(found->is_fallback ? "no AMD GPU found; using the default" : "from " + found->source);
  print(ci::arches_text(*found, *format));
  return kOk;
}

}  // namespace

CiPart define_ci_arches(App ci) {
  auto options = std::make_shared<Options>();
  App app = ci.add_subcommand("arches", "Detect the targets to build for");
  app.add_option("--format", options->format,
                 "Output format: list, cmake, env, setup.py, flags, github or json")
      .type_name("FORMAT");
  app.add_option("--default", options->fallback, "Targets for machines without an AMD GPU")
      .type_name("TARGETS");
  app.add_option("--variable", options->variables,
                 "A further variable that overrides detection, after HIPWRIGHT_HIP_ARCHES")
      .type_name("NAME")
      .allow_extra_args(false);
  Option facts = app.add_option("--facts", options->facts,
                                "Decide from saved facts (hipwright doctor --write-facts)")
                     .type_name("FILE");
  app.add_option("--rocminfo", options->rocminfo,
                 "Decide from rocminfo's output alone; - reads standard input")
      .type_name("FILE")
      .excludes(facts);
  app.add_option("--write-cmake", options->write_cmake, "Write a CMake module that does the same")
      .type_name("FILE");
  app.add_option("--write-python", options->write_python,
                 "Write a Python module for setup.py that does the same")
      .type_name("FILE");
  return {app, [options] { return arches(*options); }};
}

}  // namespace hipwright::cli
