// SPDX-License-Identifier: MIT
// What must hold of the table whatever its rows are, and the facts that are often got wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "arch/arch.h"
#include "arch/compute_unit.h"
#include "arch/matrix_rates.h"
#include "arch/mentions.h"
#include "arch/names.h"
#include "arch/processors.h"
#include "arch/reference_device.h"
#include "arch/rocm_releases.h"

namespace hipwright::arch {
namespace {

using testing::ElementsAre;

std::vector<std::string_view> all_source_keys(const ArchInfo& info) {
  std::vector<std::string_view> keys = {
      info.architecture.source,      info.wave_sizes.source, info.matrix.source, info.fp8.source,
      info.lds_per_workgroup.source, info.resources.source,  kFeatureSource,     kAliasSource};
  if (info.aiter) keys.push_back(info.aiter->source);
  if (info.rocm) keys.push_back(info.rocm->source);
  for (const Product& product : info.products) {
    keys.push_back(product.source);
    if (product.cus) keys.push_back(product.cus->source);
    for (const auto* fact : {&product.memory_gib, &product.bandwidth_gbs, &product.fp16_tflops,
                             &product.bf16_tflops, &product.fp8_tflops, &product.tf32_tflops})
      if (*fact) keys.push_back((*fact)->source);
  }
  return keys;
}

TEST(Table, EveryFactHasAKnownSourceAndEverySourceIsUsed) {
  std::set<std::string_view> used;
  for (const ArchInfo& info : all())
    for (std::string_view key : all_source_keys(info)) {
      ASSERT_NE(find_source(key), nullptr) << info.gfx << ": '" << key << "'";
      used.insert(key);
    }
  std::set<std::string_view> known;
  for (const Source& source : sources()) {
    EXPECT_TRUE(known.insert(source.key).second) << source.key << " is there twice";
    EXPECT_GT(source.text.size(), 20u) << source.key;
  }
  EXPECT_EQ(used, known);
}

TEST(Table, TargetsAndNamesAreUnique) {
  std::set<std::string_view> targets;
  std::map<std::string, std::string_view> owner;  // normalised name → gfx
  for (const Name& name : names()) {
    EXPECT_FALSE(name.key.empty()) << name.text;
    if (name.info == nullptr || name.text == name.info->gfx) {
      EXPECT_TRUE(targets.insert(name.text).second) << name.text;
      continue;
    }
    const auto [entry, is_new] = owner.emplace(name.key, name.info->gfx);
    EXPECT_TRUE(is_new || entry->second == name.info->gfx)
        << name.text << " names " << entry->second << " and " << name.info->gfx;
  }
  for (const ArchInfo& info : all()) {
    std::set<std::string_view> products;
    for (const Product& product : info.products)
      EXPECT_TRUE(products.insert(product.name).second) << info.gfx << " " << product.name;
  }
}

TEST(Table, RowsMakeSense) {
  for (const ArchInfo& info : all()) {
    SCOPED_TRACE(info.gfx);
    EXPECT_EQ(find(info.gfx), &info);
    EXPECT_FALSE(info.products.empty() && info.aliases.empty());
    EXPECT_EQ(info.matrix.value == MatrixUnit::kMfma,
              info.gfx.starts_with("gfx90a") || info.gfx == "gfx908" ||
                  info.gfx.starts_with("gfx94") || info.gfx.starts_with("gfx95"));
    const Resources& resources = info.resources.value;
    EXPECT_EQ(resources.vgprs_per_simd_lane % resources.vgpr_granule, 0u);
    EXPECT_LE(resources.max_vgprs, resources.vgprs_per_simd_lane);
    EXPECT_GE(resources.lds_bytes, info.lds_per_workgroup.value);
    EXPECT_EQ(resources.lds_bytes % resources.lds_granule, 0u);
    EXPECT_EQ(resources.sgprs_per_simd == 0, resources.sgpr_granule == 0);
    EXPECT_EQ(resources.sgprs_per_simd == 0, info.gfx.starts_with("gfx1"));
    for (unsigned size : info.wave_sizes.value) EXPECT_TRUE(size == 32 || size == 64);
  }
}

TEST(Table, UnknownNamesAreNotFound) {
  for (std::string_view name :
       {"", "gfx", "gfx94", "GFX942", "gfx942 ", "gfx9-4-generic", "MI300X"})
    EXPECT_EQ(find(name), nullptr) << name;
}

struct Fp8Case {
  const char* gfx;
  Fp8 format;
  std::optional<double> max;
};

TEST(Corrections, Fp8FormatAndRangePerTarget) {
  const Fp8Case cases[] = {
      {"gfx906", Fp8::kNone, {}},  {"gfx908", Fp8::kNone, {}},  {"gfx90a", Fp8::kNone, {}},
      {"gfx942", Fp8::kFnuz, 240}, {"gfx950", Fp8::kOcp, 448},  {"gfx1030", Fp8::kNone, {}},
      {"gfx1100", Fp8::kNone, {}}, {"gfx1101", Fp8::kNone, {}}, {"gfx1151", Fp8::kNone, {}},
      {"gfx1200", Fp8::kOcp, 448}, {"gfx1201", Fp8::kOcp, 448}, {"gfx1250", Fp8::kOcp, 448},
  };
  for (const Fp8Case& c : cases) {
    ASSERT_NE(find(c.gfx), nullptr) << c.gfx;
    EXPECT_EQ(find(c.gfx)->fp8.value, c.format) << c.gfx;
    EXPECT_EQ(fp8_e4m3_max(find(c.gfx)->fp8.value), c.max) << c.gfx;
  }
  EXPECT_EQ(targets_with(Fp8::kFnuz), "gfx942");
  EXPECT_EQ(targets_with(Fp8::kOcp), "gfx950 and gfx12");
  EXPECT_EQ(to_string(Fp8::kNone), "none");
  EXPECT_EQ(to_string(Fp8::kFnuz), "e4m3fnuz/e5m2fnuz");
  EXPECT_EQ(to_string(Fp8::kOcp), "e4m3fn/e5m2");
}

TEST(Corrections, MatrixUnits) {
  EXPECT_EQ(find("gfx906")->matrix.value, MatrixUnit::kNone);
  EXPECT_EQ(find("gfx906")->family, Family::kGcn5);
  EXPECT_EQ(find("gfx908")->matrix.value, MatrixUnit::kMfma);
  EXPECT_EQ(find("gfx908")->family, Family::kCdna1);
  EXPECT_EQ(find("gfx1030")->matrix.value, MatrixUnit::kNone);
  for (const char* gfx : {"gfx1100", "gfx1151", "gfx1201", "gfx1250"})
    EXPECT_EQ(find(gfx)->matrix.value, MatrixUnit::kWmma) << gfx;
}

TEST(Corrections, WaveSizeFollowsTheTargetNotTheFamily) {
  EXPECT_THAT(find("gfx942")->wave_sizes.value, ElementsAre(64));
  EXPECT_THAT(find("gfx1100")->wave_sizes.value, ElementsAre(32, 64));
  EXPECT_THAT(find("gfx1250")->wave_sizes.value, ElementsAre(32));
  EXPECT_EQ(find("gfx1250")->family, Family::kCdna5);
  EXPECT_FALSE(find("gfx1250")->supports_wave(64));
  EXPECT_FALSE(find("gfx942")->supports_wave(32));
  EXPECT_EQ(find("gfx1201")->default_wave_size(), 32u);
}

TEST(Corrections, AiterAlsoRunsOnSomeRdna) {
  const std::map<std::string_view, std::string_view> expected = {{"gfx942", "fully supported"},
                                                                 {"gfx950", "supported"},
                                                                 {"gfx1100", "experimental"},
                                                                 {"gfx1151", "experimental"},
                                                                 {"gfx1201", "experimental"}};
  for (const ArchInfo& info : all()) {
    const auto entry = expected.find(info.gfx);
    EXPECT_EQ(info.aiter.has_value(), entry != expected.end()) << info.gfx;
    if (info.aiter && entry != expected.end()) {
      EXPECT_EQ(info.aiter->value, entry->second);
    }
  }
}

TEST(Corrections, LdsPerWorkgroup) {
  EXPECT_EQ(find("gfx942")->lds_per_workgroup.value, 65536u);
  EXPECT_EQ(find("gfx950")->lds_per_workgroup.value, 163840u);
  EXPECT_EQ(find("gfx1100")->lds_per_workgroup.value, 65536u);
  EXPECT_EQ(find("gfx1250")->lds_per_workgroup.value, 327680u);
}

TEST(Table, FiguresWithoutASourceAreAbsent) {
  const auto product = [](const char* gfx, std::string_view name) {
    for (const Product& p : find(gfx)->products)
      if (p.name == name) return p;
    ADD_FAILURE() << gfx << " has no " << name;
    return Product{};
  };
  EXPECT_DOUBLE_EQ(product("gfx942", "MI300A").bf16_tflops->value, 980.6);
  EXPECT_FALSE(product("gfx942", "MI300A").tf32_tflops);
  EXPECT_FALSE(product("gfx942", "MI308X").bf16_tflops);
  EXPECT_FALSE(product("gfx1100", "PRO W7900").bandwidth_gbs);
  EXPECT_FALSE(product("gfx1151", "Radeon 8060S").bandwidth_gbs);
  EXPECT_DOUBLE_EQ(product("gfx942", "MI300X").bandwidth_gbs->value, 5300);
  EXPECT_DOUBLE_EQ(product("gfx942", "MI300X").fp8_tflops->value, 2614.9);
  EXPECT_DOUBLE_EQ(product("gfx90a", "MI210").bandwidth_gbs->value, 1638.4);
  EXPECT_DOUBLE_EQ(product("gfx942", "MI325X").bf16_tflops->value, 1307.4);
  EXPECT_EQ(product("gfx950", "MI355X").cus->value, 256u);
}

// The two tables are of different sources.
TEST(Table, MatrixRatesFitTheProducts) {
  for (const ArchInfo& info : all()) {
    const MatrixRates* rates = matrix_rates(info.gfx);
    if (rates == nullptr) continue;
    EXPECT_EQ(info.matrix.value, MatrixUnit::kMfma) << info.gfx;
    for (const Product& product : info.products) {
      if (!product.bf16_tflops) continue;
      const double ghz = product.bf16_tflops->value * 1e3 / rates->bf16 / product.cus->value;
      EXPECT_GT(ghz, 1.4) << product.name;
      EXPECT_LT(ghz, 2.5) << product.name;
    }
  }
  EXPECT_EQ(matrix_rates("gfx1100"), nullptr);
}

struct OccupancyCase {
  const char* gfx;
  unsigned wave, vgprs, waves;
};

TEST(Occupancy, WavesPerSimd) {
  const OccupancyCase cases[] = {
      {"gfx906", 64, 24, 10},  {"gfx906", 64, 25, 9},    {"gfx906", 64, 256, 1},
      {"gfx90a", 64, 0, 8},    {"gfx90a", 64, 64, 8},    {"gfx90a", 64, 65, 7},
      {"gfx942", 64, 512, 1},  {"gfx1030", 32, 65, 12},  {"gfx1030", 64, 65, 7},
      {"gfx1100", 32, 97, 12}, {"gfx1100", 64, 256, 2},  {"gfx1102", 32, 97, 9},
      {"gfx1250", 32, 129, 7}, {"gfx1250", 32, 1024, 1}, {"gfx1201", 32, 96, 16},
  };
  for (const OccupancyCase& c : cases)
    EXPECT_EQ(waves_by_vgprs(*find(c.gfx), c.vgprs, c.wave), c.waves)
        << c.gfx << " wave" << c.wave << " " << c.vgprs;
}

TEST(Table, VersionsAreTheNumbersOfTheName) {
  const auto version = [](std::string_view gfx) {
    const Version numbers = version_of(gfx);
    return std::pair(numbers.major, numbers.minor);
  };
  EXPECT_EQ(version("gfx90a"), std::pair(9U, 0U));
  EXPECT_EQ(version("gfx942"), std::pair(9U, 4U));
  EXPECT_EQ(version("gfx1100"), std::pair(11U, 0U));
  EXPECT_EQ(version("gfx1151"), std::pair(11U, 5U));
}

TEST(Table, ComputeUnitsArePairedFromGfx10ToGfx12) {
  for (const ArchInfo& info : all()) {
    const unsigned major = version_of(info.gfx).major;
    EXPECT_EQ(has_wgps(info), major >= 10 && info.gfx != "gfx1250") << info.gfx;
  }
}

TEST(Table, TheDefaultTargetIsInIt) {
  EXPECT_NE(find(kDefaultTarget), nullptr);
}

TEST(Processors, TableTargetsHaveAnElfNumberAndAgreeAboutRegisters) {
  std::set<std::string_view> numbered;
  for (std::uint32_t machine = 0; machine < 256; ++machine)
    numbered.insert(processor_of_machine(machine));
  for (const ArchInfo& info : all()) {
    EXPECT_TRUE(numbered.contains(info.gfx)) << info.gfx;
    EXPECT_EQ(generation_of(info.gfx).unified_agprs, info.resources.value.unified_agprs)
        << info.gfx;
    EXPECT_EQ(generation_of(info.gfx).gfx9, version_of(info.gfx).major == 9) << info.gfx;
    EXPECT_TRUE(begins_like_processor(info.gfx));
  }
  EXPECT_EQ(processor_of_machine(0x4c), "gfx942");
  EXPECT_EQ(processor_of_machine(0), "");
}

TEST(ReferenceDevice, NamesAProductOfItsTarget) {
  EXPECT_EQ(reference_device("gfx942").name, "AMD Instinct MI300X");
  EXPECT_EQ(reference_device("gfx942").gfx, "gfx942");
  EXPECT_TRUE(reference_device("gfx1030").name.empty());
}

TEST(RocmReleases, AreThoseThatListTheTargetFirst) {
  const auto release = [](std::string_view gfx) {
    const auto found = first_rocm_release(gfx);
    return std::vector<unsigned>(found.begin(), found.end());
  };
  EXPECT_THAT(release("gfx942"), ElementsAre(6, 0));
  EXPECT_THAT(release("gfx1201"), ElementsAre(6, 4, 1));
  EXPECT_THAT(release("gfx1100"), ElementsAre());
}

TEST(Mentions, AgreeWithTheTable) {
  for (const ArchInfo& info : all()) {
    EXPECT_EQ(mentions_wave64(info.gfx), info.default_wave_size() == 64) << info.gfx;
    EXPECT_EQ(mentions_wave32(info.gfx), info.default_wave_size() == 32) << info.gfx;
    const bool is_cdna = info.matrix.value == MatrixUnit::kMfma;
    EXPECT_EQ(mentions_cdna_fp8(info.gfx), is_cdna && info.fp8.value != Fp8::kNone) << info.gfx;
    EXPECT_EQ(mentions_ocp_fp8(info.gfx), info.fp8.value == Fp8::kOcp) << info.gfx;
  }
  EXPECT_TRUE(mentions_wave64("defined(__GFX9__)"));
  EXPECT_TRUE(mentions_wave32("__GFX11__"));
  EXPECT_FALSE(mentions_wave64("warpSize"));
}

}  // namespace
}  // namespace hipwright::arch
