// SPDX-License-Identifier: MIT
// Types that have other names: what a kernel takes is known without a compiler.
#include "verify/kernel/types.h"

#include <cstring>

#include <gmock/gmock.h>

#include "verify/folder.h"
#include "verify/kernel/spec.h"

namespace hipwright::verify {
namespace {

using testing::HasSubstr;

// What reading a spec for k(ARGUMENTS) says; empty: nothing.
std::string says(TestFolder& folder, const std::string& arguments, const std::string& name = "k") {
  const auto specs = read_specs(
      folder.add("a.kernel.toml",
                 "[" + name + "]\nsource = \"k.hip\"\nsizes = { n = 8 }\nblock = 8\ngrid = 1\n" +
                     "arguments = [\n" + arguments +
                     "{ name = \"out\", type = \"f32\", shape = [\"n\"], output = true },\n]\n"));
  return specs ? "" : specs.error().message();
}

TEST(KernelTypes, AliasesAreFollowedThroughHeaders) {
  TestFolder folder({{"types.h",
                      "#pragma once\ntypedef float real;\nusing index = long long;\n"
                      "typedef const real* input;\n#define COUNT unsigned\n"
                      "enum class Mode : unsigned char { kA };\nenum Old { kB };\n"},
                     {"k.hip",
                      "#include \"types.h\"\n#define RESTRICT __restrict__\n"
                      "__global__ void k(index n, input RESTRICT x, COUNT m, Mode mode, Old "
                      "old, real* out) {}\n"}});
  const std::string good =
      "{ name = \"n\", type = \"i64\", value = 1 },\n"
      "{ name = \"x\", type = \"f32\", shape = [\"n\"] },\n"
      "{ name = \"m\", type = \"u32\", value = 1 },\n"
      "{ name = \"mode\", type = \"u8\", value = 0 },\n"
      "{ name = \"old\", type = \"i32\", value = 0 },\n";
  EXPECT_EQ(says(folder, good), "");
  const auto instead = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    return says(folder, text.replace(text.find(from), from.size(), to));
  };
  EXPECT_THAT(instead("i64", "i32"), HasSubstr("a.kernel.toml:7:1"));
  EXPECT_THAT(instead("i64", "i32"), HasSubstr("k (k.hip:3) takes long long n (index)"));
  EXPECT_THAT(instead("\"x\", type = \"f32\"", "\"x\", type = \"f64\""),
              HasSubstr("takes float* x (input)"));
  EXPECT_THAT(instead("u32", "f32"), HasSubstr("takes unsigned m (COUNT)"));
  EXPECT_THAT(instead("u8", "i32"), HasSubstr("takes unsigned char mode (Mode)"));
}

TEST(KernelTypes, KernelsOfHeadersCountToo) {
  TestFolder folder(
      {{"kernels.h", "namespace ns {\n__global__ void k(int n, float* out) { *out = 1; }\n}\n"},
       {"k.hip", "#include \"kernels.h\"\n"}});
  EXPECT_EQ(says(folder, "{ name = \"n\", type = \"i32\", value = 1 },\n"), "");
  EXPECT_THAT(says(folder, "{ name = \"n\", type = \"f32\", value = 1 },\n"),
              HasSubstr("k (kernels.h:2) takes int n"));
  const auto text = initial_specs(folder.path() / "k.hip");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("kernel = \"ns::k\""));
}

TEST(KernelTypes, StructsByValueHaveFields) {
  TestFolder folder({{"k.hip",
                      "struct Params { int rows, cols; double scale; };\n"
                      "__global__ void k(Params p, int2 tile, float* out) { *out = 1; }\n"}});
  const std::string tile =
      "{ name = \"tile\", fields = [{ type = \"i32\", value = 1 }, { type = \"i32\", value = 2 }] "
      "},\n";
  const std::string good =
      "{ name = \"p\", fields = [{ name = \"rows\", type = \"i32\", value = \"n\" }, { type = "
      "\"i32\", value = -2 }, { type = \"f64\", value = 0.5 }] },\n";
  EXPECT_EQ(says(folder, good + tile), "");
  const auto specs = read_specs(folder.path() / "a.kernel.toml");
  ASSERT_TRUE(specs);
  const auto values = initial_values((*specs)[0], 64, 1);
  ASSERT_TRUE(values);
  // 8, -2, 0.5 in the order and places of C.
  struct Params {
    int rows, cols;
    double scale;
  } p{};
  ASSERT_EQ(values->at("p").bytes.size(), sizeof p);
  std::memcpy(&p, values->at("p").bytes.data(), sizeof p);
  EXPECT_EQ(p.rows, 8);
  EXPECT_EQ(p.cols, -2);
  EXPECT_EQ(p.scale, 0.5);
  EXPECT_THAT(says(folder, "{ name = \"p\", type = \"i32\", value = 1 },\n" + tile),
              HasSubstr("'p' is a value of i32, but k (k.hip:2) takes Params p"));
  EXPECT_THAT(says(folder, "{ name = \"p\", fields = [{ type = \"i32\", value = 1 }] },\n" + tile),
              HasSubstr("'p' is a struct of 1 fields, but k"));
  EXPECT_THAT(says(folder, "{ name = \"p\", fields = [] },\n" + tile), HasSubstr("has no fields"));
  EXPECT_THAT(says(folder, "{ name = \"p\", fields = [{ type = \"i32\" }] },\n" + tile),
              HasSubstr("the field has no value"));
  const auto text = initial_specs(folder.path() / "k.hip");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("fields = [{ name = \"rows\", type = \"i32\", value = \"n\" }, { "
                               "name = \"cols\", type = \"i32\", value = 1 }, { name = \"scale\", "
                               "type = \"f64\", value = 1 }]"));
}

TEST(KernelTypes, WhatNoSpecCanGiveIsSaid) {
  TestFolder folder({{"k.hip",
                      "__global__ void k(const float* const* rows, float* out) { *out = 1; }\n"
                      "__global__ void reads(const float* x) { (void)*x; }\n"}});
  EXPECT_THAT(says(folder, "{ name = \"rows\", type = \"f32\", shape = [\"n\"] },\n"),
              HasSubstr("a table of pointers"));
  const auto text = initial_specs(folder.path() / "k.hip");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("# [k] takes rows, a table of pointers"));
  EXPECT_THAT(*text, HasSubstr("# [reads] writes through no argument"));
}

TEST(KernelTypes, ValuesThatDoNotFitAreErrors) {
  TestFolder folder({{"k.hip", "__global__ void k(unsigned char f, float* out) { *out = 1; }\n"}});
  EXPECT_EQ(says(folder, "{ name = \"f\", type = \"u8\", value = 255 },\n"), "");
  EXPECT_THAT(says(folder, "{ name = \"f\", type = \"u8\", value = 256 },\n"),
              HasSubstr("256 does not fit u8"));
  EXPECT_THAT(says(folder, "{ name = \"f\", type = \"u8\", value = 1.5 },\n"),
              HasSubstr("1.5 does not fit u8"));
  EXPECT_EQ(says(folder, "{ name = \"f\", type = \"u8\", value = \"n * 100\" },\n"), "");
  const auto specs = read_specs(folder.path() / "a.kernel.toml");
  ASSERT_TRUE(specs);
  const auto values = initial_values((*specs)[0], 64, 1);
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().message(), HasSubstr("800 does not fit u8"));
}

TEST(KernelTypes, ABufferMayHaveItsOwnSeed) {
  TestFolder folder(
      {{"k.hip", "__global__ void k(const int* a, const int* b, float* out) { *out = 1; }\n"}});
  const std::string a =
      "type = \"i32\", shape = [\"n\"], fill = \"integers(0, 100)\", seed = 7 },\n";
  EXPECT_EQ(says(folder, "{ name = \"a\", " + a + "{ name = \"b\", " + a), "");
  const auto specs = read_specs(folder.path() / "a.kernel.toml");
  ASSERT_TRUE(specs);
  const auto first = initial_values((*specs)[0], 64, 1),
             second = initial_values((*specs)[0], 64, 2);
  EXPECT_EQ(first->at("a").bytes, first->at("b").bytes);
  EXPECT_NE(first->at("a").bytes, second->at("a").bytes) << "sweeps over seeds vary it, too";
}

TEST(KernelTypes, ToleranceThatIsNoneIsRefused) {
  TestFolder folder({{"k.hip", "__global__ void k(float* x, float* out) { *out = 1; }\n"}});
  for (const char* bad : {"relative = nan", "absolute = -1", "ulps = inf"})
    EXPECT_THAT(
        says(folder, std::string("{ name = \"x\", type = \"f32\", shape = [1], output = true, ") +
                         bad + " },\n"),
        HasSubstr("a tolerance must be a non-negative number"))
        << bad;
}

}  // namespace
}  // namespace hipwright::verify
