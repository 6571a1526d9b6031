// SPDX-License-Identifier: MIT
// The table must agree with the compiler: wave sizes, LDS limit, matrix unit, fp8, target features
// and the occupancy that clang reports for kernels of known register and LDS use.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/names.h"
#include "arch/target.h"
#include "base/process.h"

namespace hipwright::arch {
namespace {

constexpr unsigned kWorkgroup = 256;  // large enough that barriers do not limit the workgroups

Finished compile(const std::string& target, const std::string& source,
                 std::vector<std::string> options) {
  std::vector<std::string> argv = {"clang++-22",      "--target=amdgcn-amd-amdhsa",
                                   "-mcpu=" + target, "-nogpulib",
                                   "-Wno-inline-asm", "-O1"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.insert(argv.end(), {"-o", "-", "-"});
  return run({.argv = argv, .input = source}).value();
}

Finished assembly(const std::string& target, const std::string& source,
                  std::vector<std::string> options = {}) {
  options.insert(options.end(), {"-x", "cl", "-S"});
  return compile(target, source, options);
}

// The numbers after `label`, in the order of the text.
std::vector<unsigned> numbers_after(const std::string& text, const std::string& label) {
  std::vector<unsigned> out;
  for (std::size_t at = 0; (at = text.find(label, at)) != std::string::npos; at += label.size())
    out.push_back(static_cast<unsigned>(std::strtoul(&text[at + label.size()], nullptr, 10)));
  return out;
}

std::string kernel(const std::string& name, const std::string& body) {
  return fmt::format(
      "__attribute__((reqd_work_group_size({}, 1, 1))) kernel void {}(global int* out) {{ {} }}\n",
      kWorkgroup, name, body);
}

std::string using_register(const std::string& name, const std::string& registers) {
  return kernel(name, fmt::format("__asm__ volatile(\"\" ::: {});", registers));
}

class Compiler : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!find_program("clang++-22")) GTEST_SKIP() << "not run: clang-22 is not installed";
  }
  const ArchInfo& info() const { return *find(GetParam()); }
  std::string gfx() const { return GetParam(); }
};

TEST_P(Compiler, AgreesAboutWaveSizes) {
  const std::string source = kernel("k", "*out = 1;");
  const Finished plain = assembly(gfx(), source);
  ASSERT_TRUE(plain.ok()) << plain.err;
  EXPECT_THAT(numbers_after(plain.out, ".wavefront_size: "),
              testing::ElementsAre(info().default_wave_size()));
  const Finished wide = assembly(gfx(), source, {"-mwavefrontsize64"});
  EXPECT_EQ(wide.ok(), info().supports_wave(64)) << wide.err;
  // On gfx9 the option that asks for 32 lanes has no effect.
  const Finished narrow = assembly(gfx(), source, {"-mno-wavefrontsize64"});
  EXPECT_THAT(numbers_after(narrow.out, ".wavefront_size: "),
              testing::ElementsAre(info().supports_wave(32) ? 32u : 64u));
}

TEST_P(Compiler, AgreesAboutTheLdsOfAWorkgroup) {
  const auto source = [](unsigned bytes) {
    return kernel("k", fmt::format("volatile local char b[{}]; b[out[1]] = 1;", bytes));
  };
  const unsigned limit = info().lds_per_workgroup.value;
  EXPECT_TRUE(assembly(gfx(), source(limit)).ok());
  const Finished more = assembly(gfx(), source(limit + 1));
  EXPECT_FALSE(more.ok());
  EXPECT_THAT(more.err, testing::HasSubstr(fmt::format("exceeds limit ({})", limit)));
}

TEST_P(Compiler, AgreesAboutTheMatrixUnitAndFp8) {
  const std::string source =
      "#if __has_builtin(__builtin_amdgcn_mfma_f32_16x16x16f16)\nmfma\n#endif\n"
      "#if __has_builtin(__builtin_amdgcn_wmma_f32_16x16x16_f16_w32) || "
      "__has_builtin(__builtin_amdgcn_wmma_f32_16x16x32_f16)\nwmma\n#endif\n"
      "#if __has_builtin(__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8) || "
      "__has_builtin(__builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12) || "
      "__has_builtin(__builtin_amdgcn_wmma_f32_16x16x64_fp8_fp8)\nfp8\n#endif\n"
      "#if __has_builtin(__builtin_amdgcn_fdot2)\ndot\n#endif\n";
  const Finished out = compile(gfx(), source, {"-x", "c", "-E", "-P"});
  ASSERT_TRUE(out.ok()) << out.err;
  const auto has = [&](const char* word) { return out.out.find(word) != std::string::npos; };
  EXPECT_EQ(has("mfma"), info().matrix.value == MatrixUnit::kMfma);
  EXPECT_EQ(has("wmma"), info().matrix.value == MatrixUnit::kWmma);
  EXPECT_EQ(has("fp8"), info().fp8.value != Fp8::kNone);
  if (info().matrix.value == MatrixUnit::kNone) {
    EXPECT_EQ(has("dot"), info().matrix_detail.find("dot products") != std::string_view::npos);
  }
}

TEST_P(Compiler, AgreesAboutTargetFeatures) {
  for (const char* feature : {"sramecc", "xnack"}) {
    const bool exists =
        std::string_view(feature) == "xnack" ? info().supports_xnack : info().supports_sramecc;
    for (const char* sign : {"+", "-"}) {
      const std::string target = gfx() + ":" + feature + sign;
      EXPECT_EQ(compile(target, "", {"-x", "cl", "-S"}).ok(), exists) << target;
    }
  }
}

TEST_P(Compiler, AgreesAboutOccupancyByVgprs) {
  const unsigned counts[] = {16, 24, 25, 28, 32, 33,  40,  48,  49,  64,  65,  72,
                             80, 84, 85, 96, 97, 128, 129, 144, 168, 192, 193, 240};
  std::string source;
  for (unsigned count : counts)
    source += using_register(fmt::format("k{}", count), fmt::format("\"v{}\"", count - 1));
  for (unsigned wave : info().wave_sizes.value) {
    const Finished out = assembly(gfx(), source,
                                  wave == info().default_wave_size()
                                      ? std::vector<std::string>{}
                                      : std::vector<std::string>{"-mwavefrontsize64"});
    ASSERT_TRUE(out.ok()) << out.err;
    const std::vector<unsigned> reported = numbers_after(out.out, "; Occupancy: ");
    ASSERT_EQ(reported.size(), std::size(counts));
    for (std::size_t i = 0; i < reported.size(); ++i)
      EXPECT_EQ(waves_by_vgprs(info(), counts[i], wave), reported[i])
          << counts[i] << " VGPRs at wave" << wave;
  }
}

TEST_P(Compiler, AgreesAboutAgprs) {
  EXPECT_EQ(info().resources.value.unified_agprs, info().resources.value.max_vgprs == 512);
  if (info().matrix.value != MatrixUnit::kMfma) return;  // no AGPRs
  const Finished out = assembly(gfx(), using_register("k", "\"v63\", \"a63\""));
  const unsigned counted = info().resources.value.unified_agprs ? 128 : 64;
  EXPECT_THAT(numbers_after(out.out, "; Occupancy: "),
              testing::ElementsAre(waves_by_vgprs(info(), counted, 64)));
}

// The compiler's figure does not round SGPRs up to the granule.
TEST_P(Compiler, AgreesAboutOccupancyBySgprs) {
  std::string source;
  for (unsigned count : {16, 72, 80, 88, 96, 100})
    source += using_register(fmt::format("k{}", count), fmt::format("\"s{}\"", count - 1));
  const Finished out = assembly(gfx(), source);
  ASSERT_TRUE(out.ok()) << out.err;
  const auto waves = numbers_after(out.out, "; Occupancy: ");
  const auto used = numbers_after(out.out, "; NumSGPRsForWavesPerEU: ");
  ASSERT_EQ(waves.size(), 6u);
  ASSERT_EQ(used.size(), waves.size());
  const Resources& resources = info().resources.value;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const unsigned by_sgprs =
        resources.sgprs_per_simd == 0 ? waves[i] : resources.sgprs_per_simd / used[i];
    EXPECT_EQ(std::min(resources.max_waves_per_simd, by_sgprs), waves[i]) << used[i] << " SGPRs";
  }
}

TEST_P(Compiler, AgreesAboutOccupancyByLds) {
  const Resources& resources = info().resources.value;
  const unsigned bytes = info().lds_per_workgroup.value;
  const Finished out =
      assembly(gfx(), kernel("k", fmt::format("volatile local char b[{}]; b[out[1]] = 1;", bytes)));
  const unsigned waves = kWorkgroup / info().default_wave_size();
  EXPECT_THAT(numbers_after(out.out, "; Occupancy: "),
              testing::ElementsAre(resources.lds_bytes / bytes * waves / resources.simds));
}

std::vector<const char*> every_gfx() {
  std::vector<const char*> out;
  for (const ArchInfo& info : all()) out.push_back(info.gfx.data());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Every, Compiler, testing::ValuesIn(every_gfx()),
                         [](const auto& test) { return std::string(test.param); });

TEST(GenericTargets, AreThoseOfTheCompilerWithTheirFeatures) {
  if (!find_program("clang++-22")) GTEST_SKIP() << "not run: clang-22 is not installed";
  const std::vector<std::string> options = {"-x", "cl", "-S"};
  const Finished list =
      run({.argv = {"clang++-22", "--target=amdgcn-amd-amdhsa", "--print-supported-cpus"}}).value();
  std::size_t generic_names = 0;
  for (std::size_t at = 0; (at = list.err.find("-generic\n", at)) != std::string::npos; ++at)
    ++generic_names;
  EXPECT_EQ(generic_names, generics().size()) << list.err;
  for (const Generic& generic : generics()) {
    const std::string name(generic.name);
    EXPECT_TRUE(compile(name, "", options).ok()) << name;
    EXPECT_EQ(compile(name + ":sramecc+", "", options).ok(), generic.supports_sramecc) << name;
    EXPECT_EQ(compile(name + ":xnack+", "", options).ok(), generic.supports_xnack) << name;
    for (std::string_view member : generic.members)
      EXPECT_THAT(list.err, testing::HasSubstr(fmt::format("\t{}\n", member)));
  }
}

}  // namespace
}  // namespace hipwright::arch
