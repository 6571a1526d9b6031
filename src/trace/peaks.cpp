// SPDX-License-Identifier: MIT
#include "trace/peaks.h"

#include <cmath>

#include <fmt/format.h>

#include "arch/arch.h"
#include "arch/matrix_rates.h"
#include "arch/names.h"
#include "base/words.h"

namespace hipwright::trace {

namespace {

constexpr double kGiga = 1e9, kTera = 1e12;

// NVIDIA's data sheets; dense rates of the tensor cores (fp32: of the vector units).
struct Nvidia {
  std::string_view key;  // words that the device's name has, separated by blanks
  std::string_view name;
  double bandwidth_gbs, fp32, tf32, fp16, bf16, fp8;  // 0: none
};
constexpr Nvidia kNvidia[] = {
    // A name with more words comes before one with fewer.
    {"h100 pcie", "H100 PCIe", 2000, 51.2, 378, 756, 756, 1513},
    {"h100 nvl", "H100 NVL", 3900, 60, 417.5, 835.5, 835.5, 1671},
    {"h100", "H100 SXM", 3350, 66.9, 494.7, 989.4, 989.4, 1978.9},
    {"gh200 480gb", "GH200", 4000, 66.9, 494.7, 989.4, 989.4, 1978.9},
    {"h200 nvl", "H200 NVL", 4800, 60, 417.5, 835.5, 835.5, 1671},
    {"h200", "H200 SXM", 4800, 66.9, 494.7, 989.4, 989.4, 1978.9},
    {"b200", "B200", 8000, 75, 1125, 2250, 2250, 4500},
    {"a100 pcie 40gb", "A100 PCIe 40GB", 1555, 19.5, 156, 312, 312, 0},
    {"a100-pcie-40gb", "A100 PCIe 40GB", 1555, 19.5, 156, 312, 312, 0},
    {"a100-sxm4-40gb", "A100 SXM 40GB", 1555, 19.5, 156, 312, 312, 0},
    {"a100 80gb pcie", "A100 PCIe 80GB", 1935, 19.5, 156, 312, 312, 0},
    {"a100", "A100 SXM 80GB", 2039, 19.5, 156, 312, 312, 0},
    {"l40s", "L40S", 864, 91.6, 183, 362, 362, 733},
    {"l4", "L4", 300, 30.3, 60, 121, 121, 242},
    {"a10g", "A10G", 600, 31.5, 35, 70, 70, 0},
    {"a10", "A10", 600, 31.2, 62.5, 125, 125, 0},
    {"v100", "V100", 900, 15.7, 0, 125, 0, 0},
    {"t4", "T4", 320, 8.1, 0, 65, 0, 0},
    {"rtx 4090", "RTX 4090", 1008, 82.6, 82.6, 165.2, 165.2, 330.3},
    {"rtx 3090", "RTX 3090", 936, 35.6, 35.6, 71, 71, 0},
};

std::optional<double> scaled(double value, double unit) {
  return value > 0 ? std::optional(value * unit) : std::nullopt;
}

// Every word of the key is a word of the name, or begins one: "a100-sxm4-40gb" is one word.
bool has_words(std::string_view name, std::string_view key) {
  while (!key.empty()) {
    const std::string_view word = key.substr(0, key.find(' '));
    key.remove_prefix(std::min(word.size() + 1, key.size()));
    bool found = false;
    for (std::size_t at = name.find(word); at != std::string_view::npos && !found;
         at = name.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      found = (at == 0 || name[at - 1] == ' ') &&
              (end == name.size() || name[end] == ' ' || name[end] == '-');
    }
    if (!found) return false;
  }
  return true;
}

std::optional<Peaks> nvidia_peaks(std::string_view name) {
  const std::string text = lowered(name);
  if (!has_any(text, {"nvidia", "geforce", "tesla", "quadro"})) return std::nullopt;
  for (const Nvidia& row : kNvidia)
    if (has_words(text, row.key))
      return Peaks{.device = std::string(row.name),
                   .gfx = {},
                   .bandwidth = scaled(row.bandwidth_gbs, kGiga),
                   .fp32 = scaled(row.fp32, kTera),
                   .tf32 = scaled(row.tf32, kTera),
                   .fp16 = scaled(row.fp16, kTera),
                   .bf16 = scaled(row.bf16, kTera),
                   .fp8 = scaled(row.fp8, kTera),
                   .source = "NVIDIA's data sheet"};
  return std::nullopt;
}

struct Match {
  const arch::ArchInfo* info = nullptr;
  const arch::Product* product = nullptr;
  double share = 1;  // of the product's figures: MI250 is two devices
};

// Some products are two devices.
double share_of(const arch::Product& product, const Device& device) {
  return product.cus && device.units > 0 && product.cus->value == 2 * device.units ? 0.5 : 1;
}

Match by_name(const Device& device) {
  const std::string key = arch::name_key(device.name);
  Match best;
  std::size_t longest = 0;
  for (const arch::ArchInfo& info : arch::all())
    for (const arch::Product& product : info.products) {
      const std::string own = arch::name_key(product.name);
      // "AMD Instinct MI300X VF" is an MI300X.
      if (key.find(own) == std::string::npos || own.size() <= longest || own.size() < 4) continue;
      longest = own.size();
      best = {&info, &product, share_of(product, device)};
    }
  return best;
}

// The gfx number as HIP reports it: major 9, minor 4 is gfx94x; rocprofv3 writes the name itself.
bool is_of(const arch::ArchInfo& info, const Device& device) {
  if (!device.gfx.empty()) return info.gfx == device.gfx.substr(0, device.gfx.find(':'));
  if (device.major == 0) return false;
  return info.gfx.starts_with(fmt::format("gfx{}{:x}", device.major, device.minor));
}

Match by_numbers(const Device& device) {
  Match best;
  double nearest = 0.15;  // of the memory: drivers keep a part of it
  for (const arch::ArchInfo& info : arch::all())
    for (const arch::Product& product : info.products) {
      if (!is_of(info, device) || !product.cus || device.units == 0) continue;
      const double share = share_of(product, device);
      if (std::lround(product.cus->value * share) != static_cast<long>(device.units)) continue;
      double distance = 0.1;
      if (product.memory_gib && device.memory > 0)
        distance = std::abs(static_cast<double>(device.memory) /
                                (product.memory_gib->value * share * (1 << 30)) -
                            1);
      if (distance >= nearest) continue;
      nearest = distance;
      best = {&info, &product, share};
    }
  return best;
}

Peaks amd_peaks(const Match& match) {
  const arch::Product& product = *match.product;
  const auto rate = [&](const std::optional<arch::Fact<double>>& fact,
                        double unit) -> std::optional<double> {
    return fact ? std::optional(fact->value * unit * match.share) : std::nullopt;
  };
  Peaks peaks{.device = std::string(product.name), .gfx = std::string(match.info->gfx)};
  if (match.share < 1) peaks.device += " (one of its two dies)";
  peaks.bandwidth = rate(product.bandwidth_gbs, kGiga);
  peaks.fp16 = rate(product.fp16_tflops, kTera);
  peaks.bf16 = rate(product.bf16_tflops, kTera);
  // CDNA3's matrix unit has one rate for both.
  if (!peaks.fp16) peaks.fp16 = peaks.bf16;
  peaks.fp8 = rate(product.fp8_tflops, kTera);
  peaks.tf32 = rate(product.tf32_tflops, kTera);
  const arch::MatrixRates* units = arch::matrix_rates(match.info->gfx);
  if (units != nullptr && peaks.bf16) peaks.fp32 = *peaks.bf16 * units->fp32 / units->bf16;
  peaks.source = fmt::format("`hipwright arch {}`", match.info->gfx);
  return peaks;
}

}  // namespace

std::optional<double> Peaks::rate(std::string_view type) const {
  if (has_any(type, {"BFloat16", "bf16", "bfloat16"})) return bf16;
  if (has_any(type, {"Float8", "fp8", "float8"})) return fp8;
  if (has_any(type, {"Half", "fp16", "float16", "half"})) return fp16;
  if (is_any(type, {"float", "float32", "fp32"})) return fp32;
  return std::nullopt;
}

std::optional<Peaks> peaks_of(const Device& device) {
  if (auto peaks = nvidia_peaks(device.name)) return peaks;
  Match match = by_name(device);
  if (match.product == nullptr) match = by_numbers(device);
  if (match.product == nullptr) return std::nullopt;
  return amd_peaks(match);
}

unsigned bytes_of_type(std::string_view type) {
  if (has_any(type, {"BFloat16", "Half", "half", "bfloat16", "float16"}) ||
      is_any(type, {"short", "short int"}))
    return 2;
  if (has_any(type, {"Float8", "signed char", "unsigned char", "bool", "char", "fp8"})) return 1;
  if (has_any(type, {"double", "long", "int64"}) || type == "c10::complex<float>") return 8;
  if (is_any(type, {"float", "int", "float32", "int32"})) return 4;
  return 0;
}

}  // namespace hipwright::trace
