// SPDX-License-Identifier: MIT
#include "verify/triton.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/process.h"
#include "toolchain/python.h"

namespace fs = std::filesystem;

namespace hipwright::verify {

namespace {

constexpr const char* kWhat = "cannot verify Triton kernels";

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
  HW_TRY(const std::string interpreter,
         toolchain::python_with(kWhat, {"hipwright", "triton", "numpy"}));
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
