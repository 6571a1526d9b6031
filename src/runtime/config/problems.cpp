// SPDX-License-Identifier: MIT
#include "runtime/config/problems.h"

#include <fmt/format.h>

#include "runtime/config/fields.h"
#include "runtime/config/presets.h"

namespace hipwright::runtime {

namespace {

std::string line_of(const ConfigurationProblem& problem) {
  const std::string subject = problem.field.empty()
                                  ? std::string()
                                  : fmt::format("{} = {}: ", problem.field, problem.value);
  return fmt::format("{}: {}must be {}", problem.origin, subject, problem.allowed);
}

}  // namespace

void Problems::raise() const {
  if (list_.empty()) return;
  std::string what = list_.size() == 1
                         ? std::string("invalid settings: ")
                         : fmt::format("invalid settings, {} problems:", list_.size());
  for (const ConfigurationProblem& problem : list_)
    what += (list_.size() == 1 ? "" : "\n  ") + line_of(problem);
  throw AMDConfigurationError(
      what, list_,
      {.call = "AMDConfig", .advice = "`hipwright config fields` lists the values of each field."});
}

std::string origin_of(std::string_view field, const AMDConfig& config) {
  const auto origin = config.origins.find(field);
  const Field* known = find_field(field);
  if (origin == config.origins.end() || known == nullptr ||
      origin->second.value != value_text(*known, config))
    return "code";
  return origin->second.where;
}

void check_settings(const AMDConfig& config, Problems& problems) {
  for (const Field& field : fields())
    if (Refused refused = check_field(field, config))
      problems.add(std::string(field.name), value_text(field, config), *std::move(refused),
                   origin_of(field.name, config));
  if (config.preset && find_preset(*config.preset) == nullptr)
    problems.add("preset", fmt::format("{}", static_cast<int>(*config.preset)), "a value of Preset",
                 "code");
}

}  // namespace hipwright::runtime
