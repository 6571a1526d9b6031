// SPDX-License-Identifier: MIT
// The rows of the table, one function per group of related targets. Used by arch.cpp alone.
#pragma once

#include <vector>

#include "arch/arch.h"

namespace hipwright::arch {

std::vector<ArchInfo> gcn_and_cdna();
std::vector<ArchInfo> rdna1_and_2();
std::vector<ArchInfo> rdna3();
std::vector<ArchInfo> rdna4();
std::vector<ArchInfo> cdna5();

// Source keys; their texts are in sources.cpp.
constexpr std::string_view kClang = "clang22";
constexpr std::string_view kLlvm = "llvm22";
constexpr std::string_view kLlvmUsage = "llvm-usage";
constexpr std::string_view kSpecs = "rocm-specs";
constexpr std::string_view kArchDocs = "rocm-arch-docs";
constexpr std::string_view kRocmStatus = "rocm-status";
constexpr std::string_view kTheRock = "therock-targets";
constexpr std::string_view kVllm = "vllm";
constexpr std::string_view kHipFp8 = "hip-fp8";
constexpr std::string_view kAiter = "aiter";
constexpr std::string_view kAiterChips = "aiter-chips";
constexpr std::string_view kDerived = "derived";
constexpr std::string_view kInstinctList = "instinct-list";
constexpr std::string_view kMi200Launch = "mi200-launch";
constexpr std::string_view kMi210Launch = "mi210-launch";
constexpr std::string_view kMi300aLaunch = "mi300a-launch";
constexpr std::string_view kMi325x = "mi325x";
constexpr std::string_view kMi325xRates = "mi325x-rates";
constexpr std::string_view kMi350Launch = "mi350-launch";
constexpr std::string_view kMi450 = "mi450";
constexpr std::string_view kRx7000 = "rx7000-specs";
constexpr std::string_view kRx9000 = "rx9000-specs";
constexpr std::string_view kHfHardware = "hf-hardware";

struct Rates {
  std::optional<double> fp16, bf16, fp8, tf32;
};

// A product as ROCm's hardware specifications list it.
inline Product listed(std::string_view name, unsigned cus, double gib) {
  return {.name = name,
          .source = kSpecs,
          .cus = Fact<unsigned>{cus, kSpecs},
          .memory_gib = Fact<double>{gib, kSpecs}};
}

// An APU of that list: its memory is the system's.
inline Product listed_apu(std::string_view name, unsigned cus) {
  return {.name = name, .source = kSpecs, .cus = Fact<unsigned>{cus, kSpecs}};
}

// A product with only its name known.
inline Product named(std::string_view name, std::string_view source) {
  return {.name = name, .source = source};
}

inline Product with_bandwidth(Product product, double gbs, std::string_view source) {
  product.bandwidth_gbs = Fact<double>{gbs, source};
  return product;
}

inline Product with_rates(Product product, std::string_view source, const Rates& rates) {
  const auto fact = [&](std::optional<double> rate) -> std::optional<Fact<double>> {
    if (!rate) return std::nullopt;
    return Fact<double>{*rate, source};
  };
  product.fp16_tflops = fact(rates.fp16);
  product.bf16_tflops = fact(rates.bf16);
  product.fp8_tflops = fact(rates.fp8);
  product.tf32_tflops = fact(rates.tf32);
  return product;
}

}  // namespace hipwright::arch
