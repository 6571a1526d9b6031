// SPDX-License-Identifier: MIT
#include "arch/table.h"

namespace hipwright::arch {

namespace {

// One work-group processor: two CUs of two SIMDs each, and both CUs' LDS.
constexpr Resources wgp(unsigned max_waves, unsigned vgprs, unsigned granule) {
  return {.simds = 4,
          .max_waves_per_simd = max_waves,
          .vgprs_per_simd_lane = vgprs,
          .vgpr_granule = granule,
          .max_vgprs = 256,
          .unified_agprs = false,
          .sgprs_per_simd = 0,
          .sgpr_granule = 0,
          .lds_bytes = 128 * 1024,
          .lds_granule = 512};
}

constexpr Resources kWgp1 = wgp(20, 1024, 8);
constexpr Resources kWgp = wgp(16, 1024, 16);
constexpr Resources kWgpLarge = wgp(16, 1536, 24);  // targets with half as many registers again

constexpr std::string_view kReady = "TheRock release-ready";

// The facts that all RDNA targets share; the caller fills in the rest.
ArchInfo rdna(std::string_view gfx, Family family, const Resources& resources,
              std::vector<Product> products) {
  ArchInfo info{.gfx = gfx, .family = family, .architecture = {to_string(family), kRocmStatus}};
  info.products = std::move(products);
  info.wave_sizes = {{32, 64}, kClang};
  info.matrix = {MatrixUnit::kNone, kClang};
  info.fp8 = {Fp8::kNone, kClang};
  info.lds_per_workgroup = {64 * 1024, kClang};
  info.resources = {resources, kLlvm};
  info.rocm = {kReady, kRocmStatus};
  return info;
}

ArchInfo rdna1(std::string_view gfx, std::vector<Product> products) {
  ArchInfo info = rdna(gfx, Family::kRdna1, kWgp1, std::move(products));
  info.supports_xnack = true;
  return info;
}

ArchInfo rdna2(std::string_view gfx, std::vector<Product> products,
               std::vector<std::string_view> aliases = {}) {
  ArchInfo info = rdna(gfx, Family::kRdna2, kWgp, std::move(products));
  info.aliases = std::move(aliases);
  info.matrix_detail = "dot products only (dot2, dot4)";
  return info;
}

ArchInfo gfx11(std::string_view gfx, Family family, const Resources& resources,
               std::vector<Product> products, std::vector<std::string_view> aliases) {
  ArchInfo info = rdna(gfx, family, resources, std::move(products));
  info.aliases = std::move(aliases);
  info.matrix = {MatrixUnit::kWmma, kClang};
  info.matrix_detail = "fp16, bf16, iu8, iu4; no fp8";
  return info;
}

ArchInfo gfx12(std::string_view gfx, std::vector<Product> products) {
  ArchInfo info = rdna(gfx, Family::kRdna4, kWgpLarge, std::move(products));
  info.matrix = {MatrixUnit::kWmma, kClang};
  info.matrix_detail = "fp16, bf16, fp8, iu8, iu4";
  info.fp8 = {Fp8::kOcp, kHipFp8};
  return info;
}

ArchInfo gfx1030() {
  ArchInfo info =
      rdna2("gfx1030",
            {listed("RX 6800", 60, 16), listed("RX 6800 XT", 72, 16), listed("RX 6900 XT", 80, 16),
             listed("RX 6950 XT", 80, 16), listed("PRO W6800", 60, 32), listed("PRO V620", 72, 32)},
            {"Navi 21"});
  info.rocm = {"6.3 matrix; TheRock release-ready", kRocmStatus};
  return info;
}

ArchInfo gfx1100() {
  ArchInfo info =
      gfx11("gfx1100", Family::kRdna3, kWgpLarge,
            {with_bandwidth(with_rates(listed("RX 7900 XTX", 96, 24), kDerived, {.bf16 = 122.9}),
                            960, kRx7000),
             listed("RX 7900 XT", 84, 20), listed("RX 7900 GRE", 80, 16),
             listed("PRO W7900", 96, 48), listed("PRO W7900 Dual Slot", 96, 48),
             listed("PRO W7800", 70, 32), listed("PRO W7800 48GB", 70, 48)},
            {"Navi 31"});
  info.aiter = {"experimental", kAiter};
  info.rocm = {"6.3 matrix; TheRock release-ready", kRocmStatus};
  info.note = "fp8 tensors can be stored and converted in software, not multiplied in hardware.";
  return info;
}

ArchInfo gfx1151() {
  ArchInfo info = gfx11("gfx1151", Family::kRdna3_5, kWgpLarge, {listed_apu("Radeon 8060S", 40)},
                        {"Strix Halo", "Ryzen AI Max+ 395", "Ryzen AI Max+ PRO 395"});
  info.aiter = {"experimental", kAiter};
  info.note = "fp8 tensors can be stored and converted in software, not multiplied in hardware.";
  return info;
}

ArchInfo gfx1153() {
  ArchInfo info = gfx11("gfx1153", Family::kRdna3_5, kWgp, {named("Radeon 820M", kTheRock)}, {});
  info.rocm = {"TheRock builds it", kRocmStatus};
  return info;
}

ArchInfo gfx1201() {
  Product gre = named("RX 9070 GRE", kSpecs);
  gre.cus = Fact<unsigned>{48, kSpecs};  // sources disagree about its memory: 12 or 16 GiB
  ArchInfo info = gfx12(
      "gfx1201", {with_bandwidth(listed("RX 9070", 56, 16), 640, kRx9000),
                  with_bandwidth(with_rates(listed("RX 9070 XT", 64, 16), kDerived,
                                            {.bf16 = 194.6, .fp8 = 389.3}),
                                 640, kRx9000),
                  with_bandwidth(gre, 432, kRx9000), listed("Radeon AI PRO R9700", 64, 32),
                  listed("Radeon AI PRO R9700S", 64, 32), listed("Radeon AI PRO R9600D", 48, 32)});
  info.aiter = {"experimental", kAiter};
  return info;
}

}  // namespace

std::vector<ArchInfo> rdna1_and_2() {
  ArchInfo gfx1012 =
      rdna1("gfx1012", {named("RX 5500", kLlvmUsage), named("RX 5500 XT", kLlvmUsage),
                        listed("Radeon Pro W5500", 22, 8)});
  ArchInfo gfx1011 = rdna1("gfx1011", {named("Radeon Pro V520", kLlvmUsage)});
  gfx1011.matrix_detail = gfx1012.matrix_detail = "dot products only (dot2, dot4)";
  return {
      rdna1("gfx1010", {named("RX 5700", kLlvmUsage), named("RX 5700 XT", kLlvmUsage)}),
      gfx1011,
      gfx1012,
      gfx1030(),
      rdna2("gfx1031",
            {listed("RX 6700", 36, 10), listed("RX 6700 XT", 40, 12), listed("RX 6750 XT", 40, 12)},
            {"Navi 22"}),
      rdna2("gfx1032", {listed("RX 6600", 28, 8), listed("RX 6600 XT", 32, 8),
                        listed("RX 6650 XT", 32, 8), listed("PRO W6600", 28, 8)}),
      rdna2("gfx1033", {}, {"Van Gogh"}),
      rdna2("gfx1034", {named("RX 6500 XT", kTheRock)}),
      rdna2("gfx1035", {named("Radeon 680M", kTheRock)}),
      rdna2("gfx1036", {}, {"Raphael"})};
}

std::vector<ArchInfo> rdna3() {
  return {
      gfx1100(),
      gfx11("gfx1101", Family::kRdna3, kWgpLarge,
            {listed("RX 7800 XT", 60, 16),
             with_rates(listed("RX 7700 XT", 54, 12), kHfHardware, {.fp16 = 70.3}),
             listed("RX 7700", 40, 16), listed("PRO W7700", 48, 16), listed("PRO V710", 54, 28)},
            {"Navi 32"}),
      gfx11(
          "gfx1102", Family::kRdna3, kWgp,
          {listed("RX 7600", 32, 8), named("RX 7600 XT", kLlvmUsage), named("RX 7700S", kTheRock)},
          {"Navi 33"}),
      gfx11("gfx1103", Family::kRdna3, kWgp, {listed_apu("Radeon 780M", 12)},
            {"Ryzen 7 7840U", "Ryzen 9 270"}),
      gfx11("gfx1150", Family::kRdna3_5, kWgp, {listed_apu("Radeon 890M", 16)},
            {"Strix Point", "Ryzen AI 9 HX 375"}),
      gfx1151(),
      gfx11("gfx1152", Family::kRdna3_5, kWgp, {listed_apu("Radeon 860M", 8)},
            {"Krackan", "Ryzen AI 7 350"}),
      gfx1153()};
}

std::vector<ArchInfo> rdna4() {
  Product rx9060xt = named("RX 9060 XT", kSpecs);
  rx9060xt.cus = Fact<unsigned>{32, kSpecs};  // sold with 8 and with 16 GiB
  return {gfx12("gfx1200",
                {listed("RX 9060", 28, 8),
                 with_bandwidth(with_rates(rx9060xt, kDerived, {.bf16 = 102.6, .fp8 = 205.1}), 320,
                                kRx9000)}),
          gfx1201()};
}

}  // namespace hipwright::arch
