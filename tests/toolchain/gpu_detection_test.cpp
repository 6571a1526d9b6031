// SPDX-License-Identifier: MIT
#include "toolchain/gpu_detection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "paths.h"
#include "toolchain/rocminfo.h"

namespace hipwright::toolchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string rocminfo(const std::string& name) {
  return read_file(tests_folder() / "toolchain/rocminfo" / (name + ".txt")).value();
}

std::vector<std::string> ids(const DetectedTargets& found) {
  std::vector<std::string> all;
  for (const arch::Target& target : found.targets) all.push_back(target.id());
  return all;
}

std::vector<std::string> detected(const GpuSources& sources) {
  const auto found = detect_targets(sources);
  return found ? ids(*found) : std::vector<std::string>{found.error().message()};
}

TEST(Rocminfo, ListsGpuAgentsOnly) {
  const Rocminfo found = read_rocminfo(rocminfo("mi300x_rocm7"));
  ASSERT_THAT(found.gpus, SizeIs(8));
  EXPECT_EQ(found.gpus[0].name, "gfx942");
  EXPECT_EQ(found.gpus[0].marketing_name, "AMD Instinct MI300X");
  EXPECT_EQ(found.gpus[0].isa, "gfx942:sramecc+:xnack-");
  EXPECT_EQ(found.gpus[0].compute_units, 304U);
  EXPECT_FALSE(found.gpus[0].is_apu);
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST(Rocminfo, TellsIntegratedGpus) {
  const Rocminfo found = read_rocminfo(rocminfo("rx7900_beside_igpu"));
  ASSERT_THAT(found.gpus, SizeIs(2));
  EXPECT_FALSE(found.gpus[0].is_apu);
  EXPECT_TRUE(found.gpus[1].is_apu);
  EXPECT_THAT(read_rocminfo(rocminfo("strix_halo")).gpus, SizeIs(1)) << "an NPU is not a GPU";
}

TEST(Rocminfo, KeepsItsErrors) {
  EXPECT_THAT(read_rocminfo(rocminfo("no_permission")).problems,
              ElementsAre(HasSubstr("Permission denied"), HasSubstr("not member of")));
  EXPECT_THAT(read_rocminfo(rocminfo("container_without_kfd")).problems,
              ElementsAre(HasSubstr("No such file")));
  EXPECT_THAT(read_rocminfo(rocminfo("no_module")).problems, ElementsAre(HasSubstr("NOT loaded")));
}

TEST(Detection, NamesEachProcessorOnceAndWithoutFeatures) {
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"mi300x_rocm6", {"gfx942"}},
      {"mi300x_rocm7", {"gfx942"}},
      {"mi250x", {"gfx90a"}},
      {"rx7900", {"gfx1100"}},
      {"rx7900_beside_igpu", {"gfx1036", "gfx1100"}},
      {"strix_halo", {"gfx1151"}}};
  for (const auto& [name, expected] : cases)
    EXPECT_EQ(detected({.rocminfo = rocminfo(name)}), expected) << name;
}

TEST(Detection, WithoutAGpuIsAnErrorUnlessThereIsADefault) {
  for (const char* name : {"container_without_kfd", "no_permission", "no_module"})
    EXPECT_THAT(detected({.rocminfo = rocminfo(name)}), ElementsAre(HasSubstr("no AMD GPU found")));
  EXPECT_THAT(detected({.rocminfo = rocminfo("no_permission")}),
              ElementsAre(HasSubstr("rocminfo says: Unable to open /dev/kfd")));
  const auto found = detect_targets({.fallback = "gfx942,gfx1100"}).value();
  EXPECT_THAT(ids(found), ElementsAre("gfx942", "gfx1100"));
  EXPECT_TRUE(found.is_fallback);
}

TEST(Detection, TakesTheFirstSourceThatNamesAGpu) {
  GpuSources sources{.overrides = {{"HIPWRIGHT_HIP_ARCHES", ""}, {"PYTORCH_ROCM_ARCH", "gfx1201"}},
                     .runtime = {"gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-"},
                     .rocminfo = rocminfo("mi250x"),
                     .hipconfig = "hip-clang-cxxflags : -O3 --offload-arch=gfx1030\n",
                     .kfd = {"gfx1100"}};
  EXPECT_THAT(detected(sources), ElementsAre("gfx1201"));
  sources.overrides.clear();
  EXPECT_EQ(detect_targets(sources)->source, "the HIP runtime");
  EXPECT_THAT(detected(sources), ElementsAre("gfx942"));
  sources.runtime.clear();
  EXPECT_THAT(detected(sources), ElementsAre("gfx90a"));
  sources.rocminfo.clear();
  EXPECT_THAT(detected(sources), ElementsAre("gfx1030"));
  sources.hipconfig.clear();
  EXPECT_THAT(detected(sources), ElementsAre("gfx1100"));
}

TEST(Detection, SplitsTheOverrideOnBlanksCommasAndSemicolons) {
  EXPECT_THAT(detected({.overrides = {{"HIPWRIGHT_HIP_ARCHES", "gfx90a, gfx942;gfx1100 gfx1201"}}}),
              ElementsAre("gfx90a", "gfx942", "gfx1100", "gfx1201"));
}

TEST(Detection, KeepsFeaturesThatTheOverrideNames) {
  EXPECT_THAT(detected({.overrides = {{"HIPWRIGHT_HIP_ARCHES", "gfx90a:xnack+,gfx90a:xnack-"}}}),
              ElementsAre("gfx90a:xnack+", "gfx90a:xnack-"));
}

TEST(Detection, ABadWordInTheOverrideIsAnError) {
  const std::pair<const char*, const char*> cases[] = {
      {"gfx942,gfx9422", "unknown target 'gfx9422'"},
      {"gfx942:sramecc+:xnack-,gfx942", "cannot combine targets"},
      {"gfx942 gfx9", "unknown target 'gfx9'"},
      {"gfx1100:xnack+", "invalid target"}};
  for (const auto& [value, expected] : cases) {
    const auto found = detect_targets(
        {.overrides = {{"HIPWRIGHT_HIP_ARCHES", value}}, .kfd = {"gfx942"}, .fallback = "gfx942"});
    ASSERT_FALSE(found) << value;
    EXPECT_THAT(found.error().message(),
                testing::AllOf(HasSubstr("HIPWRIGHT_HIP_ARCHES"), HasSubstr(expected)));
  }
}

TEST(Detection, SaysWhichGpuItDoesNotKnow) {
  const auto found = detect_targets({.kfd = {"gfx1999", "gfx1100"}}).value();
  EXPECT_THAT(ids(found), ElementsAre("gfx1100"));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("omitted gfx1999")));
  EXPECT_THAT(detected({.kfd = {"gfx1999"}}), ElementsAre(HasSubstr("gfx1999")));
}

}  // namespace
}  // namespace hipwright::toolchain
