// SPDX-License-Identifier: MIT
#include "verify/triton.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/process.h"

namespace fs = std::filesystem;

namespace hipwright::verify {

namespace {

constexpr const char* kWhat = "cannot verify Triton kernels";

// That of the Python package when it started this program.
std::string python() {
  const char* chosen = std::getenv("HIPWRIGHT_PYTHON");
  return chosen != nullptr && *chosen != '\0' ? chosen : "python3";
}

Status check_packages(const std::string& interpreter) {
  static constexpr const char* kScript =
      "import importlib.util as u\n"
      "print(' '.join(n for n in ('hipwright', 'triton', 'numpy') if not u.find_spec(n)))\n";
  HW_TRY(const Finished asked, run({.argv = {interpreter, "-c", kScript}}));
  if (!asked.ok()) return fail(kWhat, interpreter, asked.err);
  const std::string missing = asked.out.substr(0, asked.out.find('\n'));
  if (missing.empty()) return {};
  return fail(kWhat, interpreter, fmt::format("it lacks the Python packages: {}", missing),
              "Install them (hipwright: pip install . in its source tree), or name another Python "
              "in HIPWRIGHT_PYTHON.");
}

template <class T>
std::optional<T> named(const std::string& text, std::initializer_list<T> all) {
  for (const T each : all)
    if (to_string(each) == text) return each;
  return std::nullopt;
}

std::string text_of(const Json& check, const char* key) {
  const auto found = check.find(key);
  return found != check.end() && found->is_string() ? found->get<std::string>() : "";
}

Setting setting_of(std::string device) {
  std::string kind = device.substr(0, device.find(':'));
  if (kind == "interpreter") kind = "reference";
  return {.device = std::move(device), .compiler = "Triton", .kind = std::move(kind)};
}

}  // namespace

Result<std::vector<Check>> checks_of_triton(std::string_view json) {
  HW_TRY(const Json parsed, parse_json(json, "hipwright.triton.compare"));
  const auto broken = [] {
    return fail(kWhat, "hipwright.triton.compare", "its output has not the expected form",
                "The Python package and the tool must be of one version.");
  };
  if (!parsed.is_object() || !parsed.contains("checks") || !parsed["checks"].is_array())
    return broken();
  std::vector<Check> checks;
  for (const Json& each : parsed["checks"]) {
    if (!each.is_object()) return broken();
    const auto level = named(text_of(each, "level"), {Level::kFunctional, Level::kNumerical});
    const auto verdict =
        named(text_of(each, "verdict"), {Verdict::kPass, Verdict::kFail, Verdict::kNotChecked});
    if (!level || !verdict) return broken();
    checks.push_back({.level = *level,
                      .subject = text_of(each, "subject"),
                      .question = text_of(each, "question"),
                      .verdict = *verdict,
                      .evidence = text_of(each, "evidence"),
                      .setting = setting_of(text_of(each, "device"))});
  }
  return checks;
}

Result<Pyramid> verify_triton(const TritonOptions& options) {
  std::error_code ignored;
  if (!fs::is_regular_file(options.file, ignored))
    return fail(kWhat, options.file.string(), "no such file");
  const std::string interpreter = python();
  HW_CHECK(check_packages(interpreter));
  std::vector<std::string> devices;
  for (const std::string& arch : options.archs) devices.push_back("soft:" + arch);
  if (options.interpreter) devices.emplace_back("interpreter");

  std::vector<std::string> words = {
      interpreter, "-m",        "hipwright.triton.compare",
      "--cuda",    "--timeout", std::to_string(options.timeout.count())};
  words.push_back(fmt::format("--schedules={}", options.schedules));
  if (options.relative) words.push_back(fmt::format("--relative={}", *options.relative));
  words.push_back(fmt::format("{}", fmt::join(devices, ",")));
  words.push_back(options.file.string());
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  HW_TRY(const Finished finished, run({.argv = words}));
  if (!finished.ok())
    return fail(
        kWhat, options.file.string(),
        finished.err.empty() ? fmt::format("exit code {}", finished.exit_code) : finished.err);
  Pyramid pyramid{.subject = options.file.string()};
  HW_TRY(pyramid.checks, checks_of_triton(finished.out));
  return pyramid;
}

}  // namespace hipwright::verify
