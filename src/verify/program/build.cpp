// SPDX-License-Identifier: MIT
#include "verify/program/build.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/pattern.h"
#include "base/process.h"
#include "base/thread_pool.h"
#include "port/verify/repair.h"
#include "toolchain/code_object/inspect.h"
#include "toolchain/compile/compile.h"
#include "toolchain/probe.h"
#include "verify/kernel/cell.h"
#include "verify/kernel/resources.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

// "gfx942: 2 kernels, 24 to 64 VGPRs, at most 18 SGPRs, 1024 bytes of LDS, 0 bytes of scratch, 0
// registers spilled", and which kernels make do with memory.
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
  Builder(const Project& project, const BuildOptions& options)
      : project_(project), options_(options) {}

  Result<Built> build() {
    std::error_code error;
    fs::create_directories(options_.scratch, error);
    if (error) return fail("cannot build in", options_.scratch.string(), error.message());
    compile_all();
    for (const ProgramSpec& program : project_.programs) HW_CHECK(link(program));
    return std::move(built_);
  }

 private:
  struct Compiled {
    Check check;
    fs::path object;
    Status status;
  };

  hipwright::Command compiler(const std::vector<std::string>& archs) const {
    hipwright::Command command;
    command.argv = {options_.program.string(), "cc", "--arch",
                    fmt::format("{}", fmt::join(archs, ","))};
    command.timeout = std::chrono::minutes(10);
    return command;
  }

  std::vector<Compiled> compile(const std::vector<ProjectUnit>& units, const char* what) {
    std::vector<Compiled> all(units.size());
    Progress progress("compiling", all.size(), what, options_.progress);
    ThreadPool pool;
    pool.parallel_for(all.size(), [&](std::size_t i) {
      all[i].object = options_.scratch / fmt::format("{}{}.o", what, i);
      all[i].status = compile(units[i], all[i]);
      progress.advance(1, units[i].path);
    });
    return all;
  }

  void compile_all() {
    std::vector<Compiled> all = compile(project_.units, "files");
    for (std::size_t i = 0; i < all.size(); ++i) {
      // The compiler could not be started: that says nothing of the source.
      if (!all[i].status) all[i].check.evidence = all[i].status.error().message();
      if (all[i].check.verdict == Verdict::kPass) objects_[project_.units[i].path] = all[i].object;
      built_.checks.push_back(std::move(all[i].check));
    }
  }

  Status compile(const ProjectUnit& unit, Compiled& out) const {
    out.check = {.level = Level::kBuild,
                 .subject = unit.path,
                 .question = fmt::format("compiles for {}", fmt::join(options_.archs, ", ")),
                 .setting = {"", compiler_text("gfx")}};
    if (const auto clang = toolchain::find_clang(); !clang) return std::unexpected(clang.error());
    hipwright::Command command = compiler(options_.archs);
    for (const char* word :
         {"-O2", "-gline-tables-only", "-w", "-fopenmp=libgomp", "-ferror-limit=20",
          "-fno-color-diagnostics", "-fno-caret-diagnostics", "-c"})
      command.argv.emplace_back(word);
    command.argv.push_back("-I" + project_.root.string());
    command.argv.insert(command.argv.end(), unit.flags.begin(), unit.flags.end());
    command.argv.push_back((project_.root / unit.path).string());
    command.argv.insert(command.argv.end(), {"-o", out.object.string()});
    HW_TRY(const Finished finished, hipwright::run(command));
    out.check.seconds = finished.seconds;
    if (finished.ok()) {
      out.check.verdict = Verdict::kPass;
      out.check.evidence = resources_text(out.object);
    } else {
      read_errors(finished, unit, out.check);
    }
    return {};
  }

  // A header of a library that this machine lacks proves nothing.
  void read_errors(const Finished& finished, const ProjectUnit& unit, Check& check) const {
    static const Pattern kMissing(R"('(.+)' file not found)");
    const auto log = toolchain::parse_compiler_log(finished.err);
    check.verdict = Verdict::kFail;
    check.evidence = finished.timed_out ? "the compiler did not end within 10 minutes" : "";
    for (const toolchain::LogMessage& message : log) {
      if (message.severity != "error") continue;
      if (const auto match = kMissing.match(message.text); !match.empty())
        if (const std::string_view library = port::library_of_header(match[1]); !library.empty()) {
          check.verdict = Verdict::kNotChecked;
          check.evidence =
              fmt::format("{} is not installed here: {} needs <{}>", library, unit.path, match[1]);
          return;
        }
      check.evidence +=
          fmt::format("{}{}:{}:{}: {}", check.evidence.empty() ? "" : "\n", in_tree(message.file),
                      message.line, message.column, message.text);
    }
    if (check.evidence.empty()) check.evidence = finished.err.substr(0, 2000);
  }

  std::string in_tree(const std::string& path) const {
    const std::string relative = fs::path(path)
                                     .lexically_normal()
                                     .lexically_relative(fs::path(project_.root).lexically_normal())
                                     .generic_string();
    return relative.empty() || relative.starts_with("..") ? path : relative;
  }

  bool links_device_code(const ProgramSpec& program) const {
    return std::ranges::any_of(project_.units, [&](const ProjectUnit& unit) {
      return std::ranges::find(program.units, unit.path) != program.units.end() &&
             std::ranges::find(unit.flags, "-fgpu-rdc") != unit.flags.end();
    });
  }

  Result<Finished> link(const std::vector<fs::path>& inputs, bool is_device_code,
                        const fs::path& out) const {
    hipwright::Command command = compiler(options_.archs);
    for (const fs::path& each : inputs) command.argv.push_back(each.string());
    if (is_device_code) command.argv.emplace_back("-fgpu-rdc");
    command.argv.insert(command.argv.end(), {"-fopenmp=libgomp", "-o", out.string()});
    return hipwright::run(command);
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
            "linked, with what it needs of the tree's other sources; sources in hipwright.toml "
            "says better which they are";
      }
    }
    if (!finished.ok() && program.is_guess)
      check.evidence += fmt::format(
          "\nits sources are a guess: {}\nName them in hipwright.toml ([[verify.programs]]) if it "
          "is wrong.",
          fmt::join(program.units, ", "));
    check.seconds = finished.seconds;
    built_.checks.push_back(std::move(check));
    if (finished.ok()) built_.programs[program.name] = out;
    return {};
  }

  // Everything without a main function: what a folder holds is not always what a program is made
  // of. An archive gives a program what it asks for, and nothing twice.
  Result<fs::path> library_of_others() {
    const fs::path library = options_.scratch / "others.a";
    if (std::exchange(has_library_, true)) return library;
    std::set<std::string> mains;
    for (const ProgramSpec& program : project_.programs) mains.insert(program.units[0]);
    hipwright::Command command;
    command.argv = {"ar", "rcs", library.string()};
    for (const auto& [unit, object] : objects_)
      if (!mains.contains(unit)) command.argv.push_back(object.string());
    // Those that do not compile belong to something else.
    for (const Compiled& each : compile(project_.spare, "others"))
      if (each.check.verdict == Verdict::kPass) command.argv.push_back(each.object.string());
    HW_CHECK(hipwright::run(command));
    return library;
  }

  const Project& project_;
  const BuildOptions& options_;
  std::map<std::string, fs::path> objects_;
  bool has_library_ = false;
  Built built_;
};

}  // namespace

Result<Built> build(const Project& project, const BuildOptions& options) {
  return Builder(project, options).build();
}

}  // namespace hipwright::verify
