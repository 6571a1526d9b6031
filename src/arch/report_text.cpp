// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/names.h"
#include "arch/report.h"
#include "base/table.h"
#include "base/terminal.h"

namespace hipwright::arch {

namespace {

std::string kib(unsigned bytes) {
  return fmt::format("{} KiB", bytes / 1024);
}

std::string fp8_text(Fp8 format) {
  const auto max = fp8_e4m3_max(format);
  if (!max) return std::string(to_string(format));
  return fmt::format("{}, e4m3 up to {}", to_string(format), *max);
}

std::string matrix_text(const ArchInfo& info) {
  const std::string_view unit = to_string(info.matrix.value);
  if (info.matrix_detail.empty()) return std::string(unit);
  return fmt::format("{}: {}", unit, info.matrix_detail);
}

// The first products, and how many more there are.
std::string products_text(const ArchInfo& info) {
  constexpr std::size_t kShown = 2;
  std::vector<std::string_view> names;
  for (const Product& product : info.products) names.push_back(product.name);
  if (names.empty()) names = info.aliases;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size() - kShown);
}

template <class T>
std::string cell(const std::optional<Fact<T>>& fact) {
  return fact ? fmt::format("{}", fact->value) : "";
}

// Remembers the keys it has seen, in order of appearance.
class SourceKeys {
 public:
  std::string_view add(std::string_view key) {
    if (std::ranges::find(keys_, key) == keys_.end()) keys_.push_back(key);
    return key;
  }
  template <class T>
  void add(const std::optional<Fact<T>>& fact) {
    if (fact) add(fact->source);
  }
  const std::vector<std::string_view>& keys() const { return keys_; }

 private:
  std::vector<std::string_view> keys_;
};

std::string facts_table(const ArchInfo& info, SourceKeys& used, bool colour) {
  Table table({"fact", "value", "source"});
  const auto row = [&](const char* what, std::string value, std::string_view source) {
    table.add({what, std::move(value), std::string(used.add(source))});
  };
  row("architecture", std::string(info.architecture.value), info.architecture.source);
  if (!info.aliases.empty())
    row("also called", fmt::format("{}", fmt::join(info.aliases, ", ")), kAliasSource);
  row("wave size", fmt::format("{}", fmt::join(info.wave_sizes.value, " (default) or ")),
      info.wave_sizes.source);
  row("matrix unit", matrix_text(info), info.matrix.source);
  row("fp8", fp8_text(info.fp8.value), info.fp8.source);
  row("LDS per workgroup", kib(info.lds_per_workgroup.value), info.lds_per_workgroup.source);
  std::vector<std::string_view> features;
  if (info.supports_sramecc) features.push_back("sramecc");
  if (info.supports_xnack) features.push_back("xnack");
  row("target features", features.empty() ? "none" : fmt::format("{}", fmt::join(features, ", ")),
      kFeatureSource);
  if (info.aiter) row("AITER", std::string(info.aiter->value), info.aiter->source);
  if (info.rocm) row("ROCm", std::string(info.rocm->value), info.rocm->source);
  return table.text(colour);
}

std::string products_table(const ArchInfo& info, SourceKeys& used, bool colour) {
  Table table({"product", ">CUs", ">GiB", ">GB/s", ">fp16", ">bf16", ">fp8", ">tf32", "sources"});
  for (const Product& product : info.products) {
    SourceKeys own;
    own.add(product.source);
    own.add(product.cus);
    own.add(product.memory_gib);
    own.add(product.bandwidth_gbs);
    for (const auto* rate :
         {&product.fp16_tflops, &product.bf16_tflops, &product.fp8_tflops, &product.tf32_tflops})
      own.add(*rate);
    for (std::string_view key : own.keys()) used.add(key);
    table.add({std::string(product.name), cell(product.cus), cell(product.memory_gib),
               cell(product.bandwidth_gbs), cell(product.fp16_tflops), cell(product.bf16_tflops),
               cell(product.fp8_tflops), cell(product.tf32_tflops),
               fmt::format("{}", fmt::join(own.keys(), ", "))});
  }
  return table.text(colour);
}

// "10 waves up to 24 VGPRs, 9 up to 28, …": the last count of each step.
std::string vgpr_steps(const ArchInfo& info, unsigned wave_size) {
  std::string out;
  const unsigned most = info.resources.value.max_vgprs;
  for (unsigned vgprs = 1; vgprs <= most; ++vgprs) {
    const unsigned waves = waves_by_vgprs(info, vgprs, wave_size);
    if (vgprs < most && waves_by_vgprs(info, vgprs + 1, wave_size) == waves) continue;
    out += out.empty() ? fmt::format("{} waves up to {} VGPRs", waves, vgprs)
                       : fmt::format(", {} up to {}", waves, vgprs);
  }
  return out;
}

std::string occupancy_text(const ArchInfo& info, SourceKeys& used) {
  const Resources& r = info.resources.value;
  const bool is_wgp = info.wave_sizes.value.size() > 1;
  std::string out =
      fmt::format("One {}: {} SIMDs of {} waves, {} LDS in blocks of {} bytes. [{}]\n",
                  is_wgp ? "work-group processor" : "compute unit", r.simds, r.max_waves_per_simd,
                  kib(r.lds_bytes), r.lds_granule, used.add(info.resources.source));
  out +=
      fmt::format("One SIMD: {} VGPRs{} per lane in blocks of {} (wave{}); a wave has up to {}.\n",
                  r.vgprs_per_simd_lane, r.unified_agprs ? " and AGPRs together" : "",
                  r.vgpr_granule, info.default_wave_size(), r.max_vgprs);
  out += r.sgprs_per_simd == 0 ? "SGPRs do not limit the number of waves.\n"
                               : fmt::format("SGPRs: {} per SIMD in blocks of {}.\n",
                                             r.sgprs_per_simd, r.sgpr_granule);
  for (unsigned size : info.wave_sizes.value)
    out += fmt::format("Waves per SIMD at wave{}: {}.\n", size, vgpr_steps(info, size));
  return out;
}

}  // namespace

std::string overview_text(std::span<const ArchInfo* const> infos, bool colour) {
  Table table({"gfx", "architecture", "products", "wave", "matrix", "fp8", ">max", ">LDS/workgroup",
               "AITER", "ROCm"});
  for (const ArchInfo* info : infos) {
    const auto max = fp8_e4m3_max(info->fp8.value);
    table.add({std::string(info->gfx), std::string(info->architecture.value), products_text(*info),
               fmt::format("{}", fmt::join(info->wave_sizes.value, ", ")),
               std::string(to_string(info->matrix.value)), std::string(to_string(info->fp8.value)),
               max ? fmt::format("{}", *max) : "", kib(info->lds_per_workgroup.value),
               cell(info->aiter), cell(info->rocm)});
  }
  return table.text(colour);
}

std::string details_text(std::span<const Target> targets, bool colour) {
  std::string out;
  SourceKeys used;
  for (const Target& target : targets) {
    const auto known = members(target);
    out += paint(target.id(), Colour::kBold, colour) + "\n";
    if (target.is_generic()) {
      out += fmt::format("One code object for {}. [{}]\n\n{}\n",
                         fmt::join(find_generic(target.processor)->members, ", "),
                         used.add(kFeatureSource), overview_text(known, colour));
      continue;
    }
    const ArchInfo& info = *target.info;
    if (!info.note.empty()) out += fmt::format("{}\n", info.note);
    out += "\n" + facts_table(info, used, colour);
    if (!info.products.empty())
      out += "\nPeak rates are in TFLOPS, dense.\n" + products_table(info, used, colour);
    out += "\n" + occupancy_text(info, used) + "\n";
  }
  out += paint("Sources", Colour::kBold, colour) + "\n";
  for (std::string_view key : used.keys()) {
    const Source* source = find_source(key);
    HW_ASSERT(source != nullptr);
    out += fmt::format("  {}: {}\n", key, source->text);
  }
  return out;
}

}  // namespace hipwright::arch
