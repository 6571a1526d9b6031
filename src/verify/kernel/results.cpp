// SPDX-License-Identifier: MIT
#include "verify/kernel/results.h"

#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

std::string cell_id(const KernelSpec& spec, const Cell& cell) {
  Hasher hasher;
  hasher.field(spec.hash).field(cell.label).field(cell.device).field(cell.schedule);
  hasher.field(std::to_string(cell.seed));
  return hasher.finish().hex();
}

Status write_result(const fs::path& folder, const std::string& id, const Cell& cell,
                    const CellResult& result) {
  // Outputs first, so that an existing result is complete.
  if (!result.outputs.empty()) {
    Golden golden;
    golden.provenance = {.device = result.device,
                         .driver = result.driver,
                         .compiler = result.compiler,
                         .command = cell.text(),
                         .seed = cell.seed};
    for (const auto& [name, values] : result.outputs)
      golden.tensors.emplace(name, sampled(values, std::numeric_limits<std::size_t>::max()));
    HW_CHECK(write_golden(golden, folder / (id + ".safetensors")));
  }
  Json json = {{"cell", cell.text()},
               {"label", cell.label},
               {"on", cell.device},
               {"seed", cell.seed},
               {"schedule", cell.schedule},
               {"made_with", compiler_of(cell)},
               {"driver", result.driver},
               {"stage", to_string(result.stage)},
               {"whole", result.is_whole},
               {"error", result.error},
               {"device", result.device},
               {"compiler", result.compiler},
               {"wave_size", result.wave_size},
               {"block_size", result.block_size},
               {"seconds", result.seconds},
               {"findings", result.findings.json()},
               {"also_written", result.also_written},
               {"has_outputs", !result.outputs.empty()}};
  if (result.resources) json["resources"] = *result.resources;
  return write_file_atomic(folder / (id + ".json"), json_text(json));
}

Result<std::optional<CellResult>> read_result(const fs::path& folder, const std::string& id) {
  const fs::path file = folder / (id + ".json");
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  HW_TRY(const std::string text, read_file(file));
  HW_TRY(const Json json, parse_json(text, file.string()));
  CellResult result;
  try {
    const std::string stage = json.at("stage");
    for (const Stage each : {Stage::kBuild, Stage::kOtherTarget, Stage::kRun, Stage::kDone,
                             Stage::kLost, Stage::kTimedOut, Stage::kUnsupported, Stage::kUnknown})
      if (stage == to_string(each)) result.stage = each;
    json.at("whole").get_to(result.is_whole);
    json.at("error").get_to(result.error);
    json.at("device").get_to(result.device);
    json.at("compiler").get_to(result.compiler);
    json.at("driver").get_to(result.driver);
    json.at("made_with").get_to(result.made_with);
    if (const auto found = json.find("resources"); found != json.end())
      result.resources = found->get<Resources>();
    json.at("wave_size").get_to(result.wave_size);
    json.at("block_size").get_to(result.block_size);
    json.at("seconds").get_to(result.seconds);
    result.findings = CheckFindings(json.at("findings"));
    if (const auto found = json.find("also_written"); found != json.end())
      found->get_to(result.also_written);
    if (!json.at("has_outputs").get<bool>()) return result;
  } catch (const Json::exception& error) {
    return fail("cannot read the result", file.string(), error.what(),
                "Remove it; it will be recreated.");
  }
  HW_TRY(Golden golden, read_golden(folder / (id + ".safetensors")));
  for (auto& [name, stored] : golden.tensors)
    result.outputs.emplace(name, std::move(stored.values));
  return result;
}

Result<std::vector<std::string>> devices_in(const std::vector<fs::path>& folders,
                                            const std::vector<KernelSpec>& specs) {
  std::set<std::string> devices;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      if (at->path().extension() != ".json") continue;
      HW_TRY(const std::string text, read_file(at->path()));
      const auto json = parse_json(text, at->path().string());
      if (!json || !json->is_object()) continue;  // reported when it is needed
      Cell cell;
      try {
        cell = {json->at("label"), json->at("on"), json->at("seed"), json->at("schedule")};
      } catch (const Json::exception&) {
        continue;
      }
      for (const KernelSpec& spec : specs)
        if (spec.label == cell.label && cell_id(spec, cell) == at->path().stem() &&
            cell.device != kReference)
          devices.insert(cell.device);
    }
    if (error) return fail("cannot read the results of", folder.string(), error.message());
  }
  return std::vector<std::string>(devices.begin(), devices.end());
}

}  // namespace hipwright::verify
