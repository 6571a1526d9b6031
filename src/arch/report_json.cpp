// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "arch/report.h"
#include "base/json.h"

namespace hipwright::arch {

namespace {

template <class T>
Json fact(const T& value, std::string_view source) {
  return {{"value", value}, {"source", source}};
}

template <class T>
void add(Json& object, const char* key, const std::optional<Fact<T>>& known) {
  if (known) object[key] = fact(known->value, known->source);
}

Json json_of(const Product& product) {
  Json out = {{"name", fact(product.name, product.source)}};
  add(out, "compute_units", product.cus);
  add(out, "memory_gib", product.memory_gib);
  add(out, "bandwidth_gb_per_s", product.bandwidth_gbs);
  add(out, "fp16_tflops", product.fp16_tflops);
  add(out, "bf16_tflops", product.bf16_tflops);
  add(out, "fp8_tflops", product.fp8_tflops);
  add(out, "tf32_tflops", product.tf32_tflops);
  return out;
}

Json json_of(const Resources& resources) {
  return {{"simds", resources.simds},
          {"max_waves_per_simd", resources.max_waves_per_simd},
          {"vgprs_per_simd_lane", resources.vgprs_per_simd_lane},
          {"vgpr_granule", resources.vgpr_granule},
          {"max_vgprs", resources.max_vgprs},
          {"unified_agprs", resources.unified_agprs},
          {"sgprs_per_simd", resources.sgprs_per_simd},
          {"sgpr_granule", resources.sgpr_granule},
          {"lds_bytes", resources.lds_bytes},
          {"lds_granule", resources.lds_granule}};
}

Json json_of(const ArchInfo& info) {
  Json products = Json::array(), features = Json::array();
  for (const Product& product : info.products) products.push_back(json_of(product));
  if (info.supports_sramecc) features.push_back("sramecc");
  if (info.supports_xnack) features.push_back("xnack");
  Json fp8 = {{"format", to_string(info.fp8.value)}};
  if (const auto max = fp8_e4m3_max(info.fp8.value)) fp8["e4m3_max"] = *max;

  Json out = {{"gfx", info.gfx},
              {"family", to_string(info.family)},
              {"architecture", fact(info.architecture.value, info.architecture.source)},
              {"products", products}};
  if (!info.aliases.empty()) out["aliases"] = fact(info.aliases, kAliasSource);
  out["wave_sizes"] = fact(info.wave_sizes.value, info.wave_sizes.source);
  Json matrix = {{"unit", to_string(info.matrix.value)}};
  if (!info.matrix_detail.empty()) matrix["detail"] = info.matrix_detail;
  out["matrix"] = fact(matrix, info.matrix.source);
  out["fp8"] = fact(fp8, info.fp8.source);
  out["lds_per_workgroup"] = fact(info.lds_per_workgroup.value, info.lds_per_workgroup.source);
  out["target_features"] = fact(features, kFeatureSource);
  out["resources"] = fact(json_of(info.resources.value), info.resources.source);
  add(out, "aiter", info.aiter);
  add(out, "rocm", info.rocm);
  if (!info.note.empty()) out["note"] = info.note;
  return out;
}

void collect_sources(const Json& value, std::vector<std::string>& keys) {
  if (value.is_object() && value.contains("source")) {
    const auto key = value["source"].get<std::string>();
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  if (value.is_structured())
    for (const Json& part : value) collect_sources(part, keys);
}

const char* setting_text(bool exists, const std::optional<bool>& setting) {
  if (!exists) return "unsupported";
  return !setting ? "any" : *setting ? "on" : "off";
}

Json json_of(const Target& target) {
  Json known = Json::array();
  for (const ArchInfo* member : members(target)) known.push_back(member->gfx);
  return {{"target", target.id()},
          {"processor", target.processor},
          {"generic", target.is_generic()},
          {"sramecc", setting_text(target.supports_sramecc(), target.sramecc)},
          {"xnack", setting_text(target.supports_xnack(), target.xnack)},
          {"members", known}};
}

}  // namespace

Json overview_json(std::span<const ArchInfo* const> infos) {
  Json arches = Json::array();
  for (const ArchInfo* info : infos) arches.push_back(json_of(*info));
  std::vector<std::string> keys;
  collect_sources(arches, keys);
  Json texts = Json::object();
  for (const std::string& key : keys) {
    const Source* source = find_source(key);
    HW_ASSERT(source != nullptr);
    texts[key] = source->text;
  }
  return {{"arches", arches}, {"sources", texts}};
}

Json details_json(std::span<const Target> targets) {
  Json list = Json::array();
  std::vector<const ArchInfo*> infos;
  for (const Target& target : targets) {
    list.push_back(json_of(target));
    for (const ArchInfo* info : members(target))
      if (std::ranges::find(infos, info) == infos.end()) infos.push_back(info);
  }
  Json out = {{"targets", list}};
  out.update(overview_json(infos));
  return out;
}

}  // namespace hipwright::arch
