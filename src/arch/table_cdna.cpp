// SPDX-License-Identifier: MIT
#include "arch/table.h"

namespace hipwright::arch {

namespace {

constexpr Resources kGcn5Cu = {.simds = 4,
                               .max_waves_per_simd = 10,
                               .vgprs_per_simd_lane = 256,
                               .vgpr_granule = 4,
                               .max_vgprs = 256,
                               .unified_agprs = false,
                               .sgprs_per_simd = 800,
                               .sgpr_granule = 16,
                               .lds_bytes = 64 * 1024,
                               .lds_granule = 512};

constexpr Resources cdna_cu(unsigned lds_bytes, unsigned lds_granule) {
  Resources cu = kGcn5Cu;
  cu.max_waves_per_simd = 8;
  cu.vgprs_per_simd_lane = cu.max_vgprs = 512;
  cu.vgpr_granule = 8;
  cu.unified_agprs = true;
  cu.lds_bytes = lds_bytes;
  cu.lds_granule = lds_granule;
  return cu;
}

// The facts that all gfx9 targets share; the caller fills in the rest.
ArchInfo gfx9(std::string_view gfx, Family family, std::string_view architecture,
              const Resources& resources) {
  ArchInfo info{.gfx = gfx, .family = family, .architecture = {architecture, kSpecs}};
  info.wave_sizes = {{64}, kClang};
  info.matrix = {family == Family::kGcn5 ? MatrixUnit::kNone : MatrixUnit::kMfma, kClang};
  info.fp8 = {Fp8::kNone, kClang};
  info.lds_per_workgroup = {resources.lds_bytes, kClang};
  info.resources = {resources, kLlvm};
  info.supports_sramecc = gfx != "gfx900";
  info.supports_xnack = true;
  return info;
}

ArchInfo gfx900() {
  ArchInfo info = gfx9("gfx900", Family::kGcn5, "GCN5.0", kGcn5Cu);
  info.products = {listed("MI25", 64, 16), named("RX Vega 64", kLlvmUsage),
                   named("RX Vega 56", kLlvmUsage),
                   named("Radeon Vega Frontier Edition", kLlvmUsage)};
  info.aliases = {"Vega 10"};
  info.rocm = {"TheRock builds it", kRocmStatus};
  return info;
}

ArchInfo gfx906() {
  ArchInfo info = gfx9("gfx906", Family::kGcn5, "GCN5.1", kGcn5Cu);
  const Product mi50 = with_bandwidth(
      with_rates(listed("MI50 32GB", 60, 32), kInstinctList, {.fp16 = 26.5}), 1024, kInstinctList);
  Product mi50_16 = mi50;
  mi50_16.name = "MI50 16GB";
  mi50_16.memory_gib = Fact<double>{16, kSpecs};
  info.products = {listed("MI60", 64, 32), mi50, mi50_16, listed("Radeon VII", 60, 16),
                   listed("Radeon Pro VII", 60, 16)};
  info.aliases = {"MI50", "Vega 20"};
  info.matrix_detail = "dot products only (dot2, dot4)";
  info.rocm = {"not in the 6.3 matrix; TheRock builds it", kRocmStatus};
  info.note = "Vega 20, not CDNA: MFMA starts with gfx908.";
  return info;
}

ArchInfo gfx908() {
  // Its AGPRs are a separate register file of the same size and do not reduce the VGPRs.
  ArchInfo info = gfx9("gfx908", Family::kCdna1, "CDNA1", kGcn5Cu);
  info.products = {
      with_bandwidth(with_rates(listed("MI100", 120, 32), kArchDocs, {.fp16 = 184.6, .bf16 = 92.3}),
                     1228.8, kArchDocs)};
  info.matrix_detail = "fp16, bf16 at half rate; no fp64";
  info.rocm = {"6.3 matrix; TheRock builds it", kRocmStatus};
  return info;
}

ArchInfo gfx90a() {
  ArchInfo info = gfx9("gfx90a", Family::kCdna2, "CDNA2", cdna_cu(64 * 1024, 512));
  info.products = {
      with_bandwidth(
          with_rates(listed("MI210", 104, 64), kMi210Launch, {.fp16 = 181.0, .bf16 = 181.0}),
          1638.4, kMi210Launch),
      with_bandwidth(
          with_rates(listed("MI250", 208, 128), kArchDocs, {.fp16 = 362.1, .bf16 = 362.1}), 3276.8,
          kMi200Launch),
      with_bandwidth(
          with_rates(listed("MI250X", 220, 128), kMi200Launch, {.fp16 = 383.0, .bf16 = 383.0}),
          3276.8, kMi200Launch)};
  info.matrix_detail = "fp16, bf16, fp64";
  info.rocm = {"6.3 matrix; TheRock builds it", kRocmStatus};
  info.note =
      "MI250 and MI250X are two dies and appear as two devices, each with half of the figures.";
  return info;
}

ArchInfo gfx942() {
  ArchInfo info = gfx9("gfx942", Family::kCdna3, "CDNA3", cdna_cu(64 * 1024, 512));
  Product mi308x = named("MI308X", kAiterChips);
  mi308x.cus = Fact<unsigned>{80, kAiterChips};
  info.products = {
      with_bandwidth(with_rates(listed("MI300A", 228, 128), kMi300aLaunch,
                                {.fp16 = 980.6, .bf16 = 980.6, .fp8 = 1961.2}),
                     5300, kMi300aLaunch),
      with_bandwidth(with_rates(listed("MI300X", 304, 192), kArchDocs,
                                {.fp16 = 1307.4, .bf16 = 1307.4, .fp8 = 2614.9, .tf32 = 653.7}),
                     5300, kArchDocs),
      mi308x,
      with_bandwidth(with_rates(listed("MI325X", 304, 256), kMi325xRates,
                                {.fp16 = 1307.4, .bf16 = 1307.4, .fp8 = 2614.9, .tf32 = 653.7}),
                     6000, kMi325x)};
  info.matrix_detail = "fp16, bf16, fp64, fp8, xf32";
  info.note = "No public source has the MI308X's rates and bandwidth.";
  info.fp8 = {Fp8::kFnuz, kHipFp8};
  info.aiter = {"fully supported", kAiter};
  info.rocm = {"6.3 matrix; TheRock release-ready", kRocmStatus};
  return info;
}

ArchInfo gfx950() {
  ArchInfo info = gfx9("gfx950", Family::kCdna4, "CDNA4", cdna_cu(160 * 1024, 1280));
  info.products = {with_bandwidth(with_rates(listed("MI350X", 256, 288), kDerived,
                                             {.bf16 = 2306.9, .fp8 = 4613.7}),
                                  8000, kMi350Launch),
                   with_bandwidth(with_rates(listed("MI355X", 256, 288), kDerived,
                                             {.bf16 = 2516.6, .fp8 = 5033.2}),
                                  8000, kMi350Launch)};
  info.matrix_detail = "fp16, bf16, fp64, fp8, scaled fp8/fp6/fp4; no xf32";
  info.fp8 = {Fp8::kOcp, kVllm};
  info.aiter = {"supported", kAiter};
  info.rocm = {"since 7.0; TheRock builds it", kRocmStatus};
  info.note = "fp8 is OCP here and fnuz on gfx942: scales and dtypes do not carry over.";
  return info;
}

}  // namespace

std::vector<ArchInfo> gcn_and_cdna() {
  return {gfx900(), gfx906(), gfx908(), gfx90a(), gfx942(), gfx950()};
}

std::vector<ArchInfo> cdna5() {
  constexpr Resources kCu = {.simds = 4,
                             .max_waves_per_simd = 16,
                             .vgprs_per_simd_lane = 1024,
                             .vgpr_granule = 16,
                             .max_vgprs = 1024,
                             .unified_agprs = false,
                             .sgprs_per_simd = 0,
                             .sgpr_granule = 0,
                             .lds_bytes = 320 * 1024,
                             .lds_granule = 2048};
  ArchInfo info{.gfx = "gfx1250", .family = Family::kCdna5, .architecture = {"CDNA5", kMi450}};
  info.products = {named("MI450", kTheRock), named("MI450X", kTheRock), named("MI455X", kTheRock)};
  info.wave_sizes = {{32}, kClang};
  info.matrix = {MatrixUnit::kWmma, kClang};
  info.matrix_detail = "fp16, bf16, fp8";
  info.fp8 = {Fp8::kOcp, kVllm};
  info.lds_per_workgroup = {kCu.lds_bytes, kClang};
  info.resources = {kCu, kLlvm};
  info.rocm = {"TheRock lists it as a target", kTheRock};
  info.note = "CDNA, but with 32-lane waves only and WMMA instead of MFMA.";
  return {info};
}

}  // namespace hipwright::arch
