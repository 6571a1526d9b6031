// SPDX-License-Identifier: MIT
#include "toolchain/code_object/resources.h"

#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "base/json.h"
#include "code_object_fixture.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::toolchain {
namespace {

using namespace testing_fixture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Kernels that pin their use of one resource: registers through clobbers, LDS through an array,
// workgroups through the attribute.
std::string kernels_of_all_sizes(bool agprs) {
  std::ostringstream out;
  const auto clobber = [&](const char* file, unsigned last) {
    out << fmt::format(
        "extern \"C\" __attribute__((global)) void {0}{1}(int*) {{ asm volatile(\"\" ::: "
        "\"{0}{1}\"); }}\n",
        file, last);
  };
  for (const unsigned last : {0,  7,  8,  23, 24,  31,  39,  40,  47,  63,  64,  71,  72, 83,
                              84, 95, 96, 99, 119, 120, 127, 128, 167, 168, 199, 215, 255})
    clobber("v", last);
  for (const unsigned last : {10, 73, 75, 79, 81, 87, 90, 92, 93, 94, 95, 96, 99, 101})
    clobber("s", last);
  if (agprs)
    for (const unsigned last : {0, 7, 20, 64, 99, 255}) clobber("a", last);
  const std::pair<unsigned, unsigned> groups[] = {{1, 64},  {64, 64},   {1, 256},  {256, 256},
                                                  {96, 96}, {768, 768}, {1, 1024}, {1024, 1024},
                                                  {1, 320}, {1, 192}};
  for (const unsigned words : {0, 100, 1024, 2000, 2048, 4096, 5000, 8000, 12000, 16384})
    for (const auto& [least, most] : groups) {
      out << fmt::format(
          "extern \"C\" __attribute__((global, amdgpu_flat_work_group_size({1}, {2}))) "
          "void lds{0}_{1}_{2}(int* p) {{\n",
          words, least, most);
      if (words != 0)
        out << fmt::format(
            "  __attribute__((shared)) static int a[{0}]; a[p[0]] = p[1]; "
            "__builtin_amdgcn_s_barrier(); p[2] = a[p[3]];\n",
            words);
      out << "}\n";
    }
  return out.str();
}

struct Reported {
  unsigned sgprs = 0, vgprs = 0, agprs = 0, scratch = 0, occupancy = 0, lds = 0;
};

// What clang says with -Rpass-analysis=kernel-resource-usage, by kernel.
std::map<std::string, Reported> compiler_report(const std::string& remarks) {
  std::map<std::string, Reported> all;
  Reported* current = nullptr;
  const std::regex line(R"(remark:\s+([A-Za-z ]+)(?: \[[^\]]*\])?: (\S+))");
  std::istringstream in(remarks);
  for (std::string text; std::getline(in, text);) {
    std::smatch match;
    if (!std::regex_search(text, match, line)) continue;
    const std::string key = match[1];
    if (key == "Function Name") {
      current = &all[match[2]];
      continue;
    }
    if (!current || !std::isdigit(static_cast<unsigned char>(match[2].str()[0]))) continue;
    const auto value = static_cast<unsigned>(std::stoul(match[2]));
    if (key == "TotalSGPRs") current->sgprs = value;
    if (key == "VGPRs") current->vgprs = value;
    if (key == "AGPRs") current->agprs = value;
    if (key == "ScratchSize") current->scratch = value;
    if (key == "Occupancy") current->occupancy = value;
    if (key == "LDS Size") current->lds = value;
  }
  return all;
}

// Of kernels_of_all_sizes: "lds100_96_96" never runs with fewer than 96 work items.
bool has_minimum_size(const std::string& name) {
  return name.starts_with("lds") && name.find("_1_") == std::string::npos;
}

struct OccupancyCase {
  std::string target;
  std::vector<std::string> flags;
  std::string name;
};

class OccupancyOf : public ::testing::TestWithParam<OccupancyCase> {};

TEST_P(OccupancyOf, IsWhatTheCompilerReports) {
  HIPWRIGHT_NEEDS_CLANG();
  const std::string& target = GetParam().target;
  const bool agprs =
      target == "gfx90a" || target == "gfx942" || target == "gfx950" || target == "gfx908";
  const auto folder = TemporaryDirectory::create().value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "in.hip", kernels_of_all_sizes(agprs)));
  std::vector<std::string> words = hip_words({target});
  words.insert(words.end(),
               {"--cuda-device-only", "--no-gpu-bundle-output", "-c", "in.hip", "-o", "out",
                "-mcode-object-version=6", "-Rpass-analysis=kernel-resource-usage"});
  words.insert(words.end(), GetParam().flags.begin(), GetParam().flags.end());
  const auto reported = compiler_report(compile(folder, words).err);
  const auto object = CodeObject::parse(read_file(folder.path() / "out").value(), "a.co");
  ASSERT_TRUE(object) << object.error().message();

  const auto kernels = kernel_resources(*object);
  ASSERT_GE(kernels.size(), 140u);
  ASSERT_EQ(kernels.size(), reported.size());
  for (const KernelResources& kernel : kernels) {
    SCOPED_TRACE(kernel.mangled);
    const Reported& compiler = reported.at(kernel.mangled);
    ASSERT_TRUE(kernel.occupancy);
    if (has_minimum_size(kernel.mangled)) {
      // Known through reserved registers only, which cannot tell 15 waves from 16.
      EXPECT_GE(kernel.occupancy->waves_per_simd, compiler.occupancy);
      EXPECT_LE(kernel.occupancy->waves_per_simd, compiler.occupancy + 1);
    } else {
      EXPECT_EQ(kernel.occupancy->waves_per_simd, compiler.occupancy);
    }
    EXPECT_EQ(kernel.sgprs, compiler.sgprs);
    EXPECT_EQ(kernel.agprs, compiler.agprs);
    EXPECT_EQ(kernel.lds_bytes, compiler.lds);
    EXPECT_EQ(kernel.scratch_bytes, compiler.scratch);
    // In a shared file AGPRs start at a multiple of 4, so VGPRs are known up to that. The metadata
    // of gfx908, which has two files, gives the larger of the two numbers.
    EXPECT_GE(kernel.vgprs, compiler.vgprs);
    EXPECT_LE(kernel.vgprs, kernel.agprs == 0    ? compiler.vgprs
                            : target == "gfx908" ? std::max(compiler.vgprs, compiler.agprs)
                                                 : (compiler.vgprs + 3) / 4 * 4);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Targets, OccupancyOf,
    ::testing::Values(OccupancyCase{"gfx942", {}, "gfx942"}, OccupancyCase{"gfx90a", {}, "gfx90a"},
                      OccupancyCase{"gfx950", {}, "gfx950"}, OccupancyCase{"gfx908", {}, "gfx908"},
                      OccupancyCase{"gfx1030", {}, "gfx1030"},
                      OccupancyCase{"gfx1100", {}, "gfx1100"},
                      OccupancyCase{"gfx1100", {"-mwavefrontsize64"}, "gfx1100_wave64"},
                      OccupancyCase{"gfx1100", {"-mcumode"}, "gfx1100_cumode"},
                      OccupancyCase{"gfx1102", {}, "gfx1102"},
                      OccupancyCase{"gfx1201", {}, "gfx1201"},
                      OccupancyCase{"gfx1250", {}, "gfx1250"},
                      OccupancyCase{"gfx11-generic", {}, "gfx11_generic"},
                      OccupancyCase{"gfx9-4-generic", {}, "gfx9_4_generic"}),
    [](const auto& chosen) { return chosen.param.name; });

TEST(OccupancyLimits, NameWhatAPersonCouldLower) {
  const arch::ArchInfo& mi300x = *arch::find("gfx942");
  const OccupancyInput small{.vgprs = 32, .sgprs = 16, .wave_size = 64};
  EXPECT_THAT(compute_occupancy(small, mi300x).limits, IsEmpty());
  EXPECT_EQ(compute_occupancy(small, mi300x).waves_per_simd, 8u);

  OccupancyInput input = small;
  input.vgprs = 128;
  EXPECT_EQ(compute_occupancy(input, mi300x).waves_per_simd, 4u);
  EXPECT_THAT(compute_occupancy(input, mi300x).limits, ElementsAre(OccupancyLimit::kVgprs));

  input.lds_bytes = 16 * 1024;  // four workgroups of at most 256: 16 waves, 4 per SIMD
  input.max_workgroup_size = 256;
  EXPECT_THAT(compute_occupancy(input, mi300x).limits,
              ElementsAre(OccupancyLimit::kVgprs, OccupancyLimit::kLds));
  input.lds_bytes = 32 * 1024;
  EXPECT_EQ(compute_occupancy(input, mi300x).waves_per_simd, 2u);
  EXPECT_THAT(compute_occupancy(input, mi300x).limits, ElementsAre(OccupancyLimit::kLds));

  input = small;
  input.sgprs = 102;
  EXPECT_THAT(compute_occupancy(input, mi300x).limits, ElementsAre(OccupancyLimit::kSgprs));
  input = small;
  input.min_workgroup_size = input.max_workgroup_size = 768;  // two of 12 waves on 32 slots
  EXPECT_EQ(compute_occupancy(input, mi300x).waves_per_simd, 6u);
  EXPECT_THAT(compute_occupancy(input, mi300x).limits, ElementsAre(OccupancyLimit::kWorkgroup));
}

TEST(ResourceReports, ShowTheSameKernelsInTableAndJson) {
  HIPWRIGHT_NEEDS_CLANG();
  const auto object = CodeObject::parse(compiled_object("gfx942", 5), "a.co");
  ASSERT_TRUE(object);
  const auto kernels = kernel_resources(*object);
  const std::string table = resources_table(kernels, false);
  EXPECT_THAT(table, HasSubstr("axpy<float>(float, float const*, float*, int)"));
  EXPECT_THAT(table, HasSubstr("limited by"));
  const Json json = resources_json(kernels);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["mangled"], "_Z4axpyIfEvT_PKS0_PS0_i");
  EXPECT_EQ(json[0]["name"], "axpy<float>(float, float const*, float*, int)");
  EXPECT_EQ(json[1]["lds_bytes"], 512);
  EXPECT_EQ(json[1]["occupancy"]["max_waves_per_simd"], 8);
}

TEST(ResourceReports, KeepATerminalSafeFromNames) {
  const KernelResources kernel{.name = "evil\x1b[2J" + std::string(100, 'x')};
  const std::string table = resources_table(std::span(&kernel, 1), false, 20);
  EXPECT_THAT(table, HasSubstr("evil?[2Jxxxxxxxxx..."));
}

TEST(Demangle, GivesWhatAPersonWrote) {
  const std::pair<const char*, const char*> cases[] = {
      {"_Z4axpyIfEvT_PKS0_PS0_i", "axpy<float>(float, float const*, float*, int)"},
      {"_Z4copyPiPKi", "copy(int*, int const*)"},
      {"reverse", "reverse"},
      {"_Znonsense", "_Znonsense"},
      {"", ""}};
  for (const auto& [mangled, plain] : cases) EXPECT_EQ(demangle(mangled), plain);
}

// Each template doubles the one before it: 2^60 characters if anyone tried.
TEST(Demangle, LeavesNamesAloneThatWouldExplode) {
  std::string name = "_Z1f1AI1B1BE";
  for (const char digit : std::string_view("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    name += fmt::format("S_IS{0}_S{0}_E", digit);
  EXPECT_EQ(demangle(name), name);
}

}  // namespace
}  // namespace hipwright::toolchain
