// SPDX-License-Identifier: MIT
#include "verify/program/build.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/pattern.h"
#include "base/process.h"
#include "port/compile/repair.h"
#include "toolchain/code_object/inspect.h"
#include "toolchain/library_hints.h"
#include "verify/kernel/cell.h"
#include "verify/kernel/resources.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

// "gfx942: 2 kernels, 24 to 64 VGPRs, at most 18 SGPRs, 1024 bytes of LDS, 0 bytes of scratch, 0
// registers spilled", and which kernels spill.
std::string resources_text(const fs::path& object) {
  const auto inspected = toolchain::inspect_file(object);
  if (!inspected) return "no device code";
  std::string out, warnings;
  for (const toolchain::InspectedImage& image : inspected->images) {
    if (image.kernels.empty()) continue;
    unsigned least = ~0U;
    Resources most;
    std::uint64_t spilled = 0;
    for (const toolchain::KernelResources& kernel : image.kernels) {
      const Resources takes = resources_of(kernel);
      least = std::min(least, kernel.vgprs);
      for (const auto& [name, amount] : takes) most[name] = std::max(most[name], amount);
      spilled += takes.at("spills");
      if (const std::string warning = warning_of(takes); !warning.empty())
        warnings += fmt::format("\n{}, {}: {}", image.image.target, kernel.name, warning);
    }
    out += fmt::format(
        "{}{}: {} kernels, {} to {} VGPRs, at most {} SGPRs, {} bytes of LDS, {} bytes of scratch, "
        "{} registers spilled",
        out.empty() ? "" : "; ", image.image.target, image.kernels.size(), least, most["vgprs"],
        most["sgprs"], most["lds"], most["scratch"], spilled);
  }
  return out.empty() ? "no kernels" : out + warnings;
}

class Builder {
 public:
  Builder(const Workload& workload, const BuildOptions& options)
      : workload_(workload), options_(options) {}

  Result<Built> build() {
    std::error_code error;
    fs::create_directories(options_.scratch, error);
    if (error) return fail("cannot build in", options_.scratch.string(), error.message());
    for (UnitCheck& each : compile(workload_.units, "files")) {
      if (!each.object.empty()) objects_[each.check.subject] = each.object;
      built_.checks.push_back(std::move(each.check));
    }
    for (const ProgramSpec& program : workload_.programs) HW_CHECK(link(program));
    return std::move(built_);
  }

 private:
  struct UnitCheck {
    Check check;
    fs::path object;  // empty: there is none
  };

  std::vector<UnitCheck> compile(const std::vector<WorkUnit>& units, const char* what) {
    std::vector<toolchain::TranslationUnit> requests;
    for (const WorkUnit& unit : units) requests.push_back({unit.path, unit.flags});
    Progress progress("compiling", units.size(), what, options_.progress);
    auto results = options_.compiler->compile(workload_.root, requests, progress);
    std::vector<UnitCheck> all;
    for (std::size_t i = 0; i < units.size(); ++i) all.push_back(check_of(units[i], results[i]));
    return all;
  }

  UnitCheck check_of(const WorkUnit& unit, const Result<toolchain::CompiledUnit>& compiled) const {
    UnitCheck of;
    Check& check = of.check;
    check = {.level = Level::kBuild,
             .subject = unit.path,
             .question = fmt::format("compiles for {}", fmt::join(options_.archs, ", ")),
             .setting = {"", compiler_text("gfx")}};
    // The compiler could not be started, which says nothing about the source.
    if (!compiled) {
      check.evidence = compiled.error().message();
      return of;
    }
    check.seconds = compiled->seconds;
    if (compiled->ok) {
      check.verdict = Verdict::kPass;
      check.evidence = resources_text(compiled->object);
      of.object = compiled->object;
    } else {
      read_errors(*compiled, unit, check);
    }
    return of;
  }

  // A header of a library that this machine lacks proves nothing.
  static void read_errors(const toolchain::CompiledUnit& compiled, const WorkUnit& unit,
                          Check& check) {
    static const Pattern kMissing(R"('(.+)' file not found)");
    constexpr std::size_t kShown = 20;
    check.verdict = Verdict::kFail;
    std::size_t errors = 0;
    for (const toolchain::LogMessage& message : compiled.messages) {
      if (message.severity != "error") continue;
      if (const auto match = kMissing.match(message.text); !match.empty())
        if (const std::string_view library = port::library_of_header(match[1]); !library.empty()) {
          check.verdict = Verdict::kNotChecked;
          check.evidence =
              fmt::format("{} is not installed: {} needs <{}>", library, unit.path, match[1]);
          if (const std::string how = toolchain::command_to_add(library); !how.empty())
            check.evidence += fmt::format(" ({})", how);
          return;
        }
      if (++errors <= kShown)
        check.evidence += fmt::format("{}{}:{}:{}: {}", check.evidence.empty() ? "" : "\n",
                                      message.file, message.line, message.column, message.text);
    }
    if (errors > kShown) check.evidence += fmt::format("\n{} more errors", errors - kShown);
    if (check.evidence.empty()) check.evidence = compiled.log.substr(0, 2000);
  }

  bool links_device_code(const ProgramSpec& program) const {
    return std::ranges::any_of(workload_.units, [&](const WorkUnit& unit) {
      return std::ranges::find(program.units, unit.path) != program.units.end() &&
             std::ranges::find(unit.flags, "-fgpu-rdc") != unit.flags.end();
    });
  }

  Result<Finished> link(const std::vector<fs::path>& inputs, bool is_device_code,
                        const fs::path& out) const {
    std::vector<std::string> flags;
    if (is_device_code) flags.emplace_back("-fgpu-rdc");
    return options_.compiler->link(inputs, flags, out);
  }

  Status link(const ProgramSpec& program) {
    Check check{.level = Level::kBuild,
                .subject = "program " + program.name,
                .question = "links",
                .setting = {"", compiler_text("gfx")}};
    std::vector<fs::path> objects;
    for (const std::string& unit : program.units) {
      const auto object = objects_.find(unit);
      if (object == objects_.end()) {
        check.evidence = fmt::format("{} was not compiled", unit);
        built_.checks.push_back(std::move(check));
        return {};
      }
      objects.push_back(object->second);
    }
    const fs::path out = options_.scratch / fmt::format("program{}", built_.programs.size());
    const bool is_device_code = links_device_code(program);
    HW_TRY(Finished finished, link(objects, is_device_code, out));
    check.verdict = finished.ok() ? Verdict::kPass : Verdict::kFail;
    check.evidence = finished.ok() ? "linked" : finished.err.substr(0, 2000);
    if (!finished.ok() && program.is_guess && !is_device_code) {
      HW_TRY(const fs::path library, library_of_others());
      HW_TRY(finished, link({objects[0], library}, false, out));
      if (finished.ok()) {
        check.verdict = Verdict::kPass;
        check.evidence =
            "linked with other sources of the tree that it needs; list them as sources in "
            "hipwright.toml";
      }
    }
    if (!finished.ok() && program.is_guess)
      check.evidence += fmt::format(
          "\nthe sources were guessed: {}\nIf the guess is wrong, list them in hipwright.toml "
          "([[verify.programs]]).",
          fmt::join(program.units, ", "));
    check.seconds = finished.seconds;
    built_.checks.push_back(std::move(check));
    if (finished.ok()) built_.programs[program.name] = out;
    return {};
  }

  // Everything without a main function: a folder may hold more than the program needs.
  // An archive links only what the program needs, once.
  Result<fs::path> library_of_others() {
    const fs::path library = options_.scratch / "others.a";
    if (std::exchange(has_library_, true)) return library;
    std::set<std::string> mains;
    for (const ProgramSpec& program : workload_.programs) mains.insert(program.units[0]);
    ProcessCommand command;
    command.argv = {"ar", "rcs", library.string()};
    for (const auto& [unit, object] : objects_)
      if (!mains.contains(unit)) command.argv.push_back(object.string());
    // Those that do not compile belong to something else.
    for (const UnitCheck& each : compile(workload_.spare, "others"))
      if (!each.object.empty()) command.argv.push_back(each.object.string());
    HW_CHECK(hipwright::run(command));
    return library;
  }

  const Workload& workload_;
  const BuildOptions& options_;
  std::map<std::string, fs::path> objects_;
  bool has_library_ = false;
  Built built_;
};

}  // namespace

Result<Built> build(const Workload& workload, const BuildOptions& options) {
  return Builder(workload, options).build();
}

}  // namespace hipwright::verify
