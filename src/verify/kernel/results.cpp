// SPDX-License-Identifier: MIT
#include "verify/kernel/results.h"

#include <limits>

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

std::string cell_id(const KernelSpec& spec, const Cell& cell) {
  Hasher hasher;
  hasher.field(spec.hash).field(cell.label).field(cell.device).field(cell.schedule);
  hasher.field(std::to_string(cell.seed));
  if (cell.device != kReference)
    hasher.field(compiler_text(cell.device.starts_with("cuda") ? "sm_" : "gfx"));
  return hasher.finish().hex();
}

Status write_result(const fs::path& folder, const std::string& id, const Cell& cell,
                    const CellResult& result) {
  // The outputs first: a result that is there is whole.
  if (!result.outputs.empty()) {
    Golden golden;
    golden.provenance = {.device = result.device,
                         .compiler = result.compiler,
                         .command = cell.text(),
                         .seed = cell.seed};
    for (const auto& [name, values] : result.outputs)
      golden.tensors.emplace(name, sampled(values, std::numeric_limits<std::size_t>::max()));
    HW_CHECK(write_golden(golden, folder / (id + ".safetensors")));
  }
  const Json json = {{"cell", cell.text()},
                     {"stage", to_string(result.stage)},
                     {"error", result.error},
                     {"device", result.device},
                     {"compiler", result.compiler},
                     {"wave_size", result.wave_size},
                     {"block_size", result.block_size},
                     {"seconds", result.seconds},
                     {"findings", result.findings},
                     {"has_outputs", !result.outputs.empty()}};
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
    for (const Stage each :
         {Stage::kBuild, Stage::kRun, Stage::kDone, Stage::kLost, Stage::kUnknown})
      if (stage == to_string(each)) result.stage = each;
    json.at("error").get_to(result.error);
    json.at("device").get_to(result.device);
    json.at("compiler").get_to(result.compiler);
    json.at("wave_size").get_to(result.wave_size);
    json.at("block_size").get_to(result.block_size);
    json.at("seconds").get_to(result.seconds);
    result.findings = json.at("findings");
    if (!json.at("has_outputs").get<bool>()) return result;
  } catch (const Json::exception& error) {
    return fail("cannot read the result", file.string(), error.what(),
                "Remove it; it is made again.");
  }
  HW_TRY(Golden golden, read_golden(folder / (id + ".safetensors")));
  for (auto& [name, stored] : golden.tensors)
    result.outputs.emplace(name, std::move(stored.values));
  return result;
}

}  // namespace hipwright::verify
