// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Name kHere("here");

char letter(Truth truth) {
  return truth == Truth::kYes ? 'y' : truth == Truth::kNo ? 'n' : '?';
}

struct ExpressionCase {
  const char* expression;
  const char* answers;  // on AMD, on NVIDIA: y, n or ?
};

TEST(CudaConditions, AreEvaluatedForAPlatform) {
  const ExpressionCase cases[] = {
      {"USE_ROCM", "yn"},
      {"defined USE_ROCM", "yn"},
      {"defined(USE_ROCM)", "yn"},
      {"!defined(USE_ROCM)", "ny"},
      {"not defined(USE_ROCM)", "ny"},
      {"defined(USE_ROCM) && defined(__HIP_PLATFORM_AMD__)", "yn"},
      {"defined(__HIPCC__) || defined(__CUDACC__)", "yy"},
      {"defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800", "n?"},
      {"__CUDA_ARCH__ >= 800", "n?"},
      {"!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900", "y?"},
      {"CUDA_VERSION >= 11000", "ny"},
      {"CUDA_VERSION >= 12000", "n?"},
      {"defined(CUDA_VERSION) && (CUDA_VERSION < 9000)", "nn"},
      {"CUDART_VERSION < 12000 && defined(GGML_USE_HIP)", "yn"},
      {"HIP_VERSION >= 60300000", "yn"},
      {"HIP_VERSION < 50600000", "ny"},
      {"TORCH_HIP_VERSION >= 210", "yn"},
      {"defined(__gfx942__) || defined(__gfx90a__)", "?n"},
      {"defined(__GFX9__)", "?n"},
      {"defined(USE_ROCM) && !defined(__gfx942__)", "?n"},
      {"defined(__AMDGCN__)", "?n"},
      {"USE_CUDA", "??"},
      {"ENGINE_USE_ROCM", "yn"},
      {"defined(ENGINE_HIP)", "yn"},
      {"WITH_HIP && BUILD_ROCM", "yn"},
      {"defined(NO_HIP)", "??"},
      {"WITHOUT_HIP", "??"},
      {"ENGINE_DISABLE_ROCM", "??"},
      {"ENGINE_NO_USE_HIP", "??"},
      {"HIP_FAST_MATH", "??"},
      {"defined(SOMETHING)", "??"},
      {"SOMETHING && 0", "nn"},
      {"SOMETHING || 1", "yy"},
      {"SOMETHING > 3", "??"},
      {"__has_include(<a.h>)", "??"},
      {"!__has_builtin(__builtin_x) && defined(__NVCC__)", "n?"},
      {"__NV_SOMETHING", "n?"},
      {"CUDA_ARCH_FEATURE", "n?"},
      {"GGML_USE_MUSA", "nn"},
      {"0", "nn"},
      {"1", "yy"},
      {"false", "nn"},
      {"0x10 == 16 && 010 == 8 && 0b11 == 3 && 1'000 == 1000", "yy"},
      {"1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 7 % 4 == 3 && -1 < 0", "yy"},
      {"(1 << 4 | 1) == 17 && (5 & 4) != 0", "yy"},
      {"1 / 0", "??"},
      {"USE_ROCM ? 0 : 1", "ny"},
      {"1.5 > 1", "??"},
      {"9999999999999999999999 > 1", "??"},
      {"", "??"},
      {"(", "??"},
      {"defined(", "??"},
      {"1 2", "??"},
      {"\"x\"", "??"},
  };
  for (const ExpressionCase& each : cases) {
    const std::string answers = {letter(evaluate_condition(each.expression, Platform::kAmd)),
                                 letter(evaluate_condition(each.expression, Platform::kNvidia))};
    EXPECT_EQ(answers, each.answers) << each.expression;
  }
  const std::string deep(100'000, '(');
  EXPECT_EQ(evaluate_condition(deep + "1" + std::string(100'000, ')'), Platform::kAmd),
            Truth::kMaybe);
  EXPECT_EQ(evaluate_condition(std::string(100'000, '!') + "1", Platform::kAmd), Truth::kMaybe);
}

struct FileCase {
  const char* text;     // asks at every "here"
  const char* answers;  // "yn ny": AMD and NVIDIA at the first, at the second…
};

TEST(CudaConditions, FollowTheLinesOfAFile) {
  const FileCase cases[] = {
      {"here", "yy"},
      {"#ifdef USE_ROCM\nhere\n#else\nhere\n#endif\nhere", "yn ny yy"},
      {"#ifndef USE_ROCM\nhere\n#endif", "ny"},
      {"#if X\nhere\n#elif defined(USE_ROCM)\nhere\n#else\nhere\n#endif", "?? ?n n?"},
      {"#ifdef X\nhere\n#elifdef USE_ROCM\nhere\n#elifndef __CUDACC__\nhere\n#else\nhere\n#endif",
       "?? ?n nn n?"},
      {"#if 1\nhere\n#elif X\nhere\n#else\nhere\n#endif", "yy nn nn"},
      {"#if 0\nhere don't\n#else\nhere\n#endif", "nn yy"},
      {"#ifdef USE_ROCM\n#ifdef X\nhere\n#else\nhere\n#endif\nhere\n#endif", "?n ?n yn"},
      {"#ifndef FILE_H\n#define FILE_H\nhere\n#endif", "yy"},
      {"#pragma once\n#if !defined(FILE_H)\n#define FILE_H\nhere\n#endif", "yy"},
      {"int x;\n#ifndef FILE_H\nhere\n#endif", "??"},
      {"#ifdef USE_ROCM\n#define IS_AMD 1\n#endif\n#if IS_AMD\nhere\n#endif\n#ifdef IS_AMD\nhere\n"
       "#else\nhere\n#endif",
       "yn yn ny"},
      {"#ifdef USE_ROCM\n#define W 64\n#else\n#define W 32\n#endif\n#if W == 64\nhere\n#elif W == "
       "32\nhere\n#endif",
       "yn ny"},
      {"#define AMD defined(USE_ROCM) && 1\n#if AMD\nhere\n#endif", "yn"},
      {"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n#define HAS_TMA\n#endif\n"
       "#ifdef HAS_TMA\nhere\n#endif",
       "n?"},
      {"#define F 1\n#undef F\n#ifdef F\nhere\n#endif", "nn"},
      {"#ifndef N\n#define N 4\n#endif\n#ifdef N\nhere\n#endif\n#if N == 4\nhere\n#endif", "yy ??"},
      {"#ifdef N\nhere\n#endif\n#define N 4\n#if N == 4\nhere\n#endif", "?? yy"},
      {"#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 1300\n#endif\n#if __CUDA_ARCH__ > "
       "700\nhere\n#endif",
       "y?"},
      {"#if X\nhere\n#else\nhere\n#error \"X is needed\"\n#endif", "?? nn"},
      {"__device__ int f() {\n#ifdef __HIP_DEVICE_COMPILE__\nhere\n#else\nhere\n#endif\n}",
       "yn ny"},
      {"__global__ void f() {\n#ifdef __CUDA_ARCH__\nhere\n#endif\n}", "ny"},
      {"__host__ __device__ int f() {\n#ifdef __AMDGCN__\nhere\n#endif\n}", "?n"},
      {"#ifdef __AMDGCN__\nhere\n#endif", "?n"},
      {"#ifdef USE_\\\nROCM\nhere\n#endif", "??"},
      {"%:ifdef USE_ROCM\nhere\n#else\n#if X\nhere", "yn n?"},
      {"#endif\n#else\nhere", "yy"},
      {"#ifdef USE_ROCM\r\n#define A \\\r\n here\r\n#else // no\r\nhere\r\n#endif\r\n", "yn ny"},
  };
  for (const FileCase& each : cases) {
    const File file(each.text);
    std::string answers;
    for (const TokenIndex at : file.occurrences(kHere)) {
      if (!answers.empty()) answers += ' ';
      answers += letter(file.compiled(at, Platform::kAmd));
      answers += letter(file.compiled(at, Platform::kNvidia));
    }
    EXPECT_EQ(answers, each.answers) << each.text;
  }
}

TEST(CudaConditions, AreDescribedInWords) {
  const File file(
      "#ifndef A_H\n#define A_H\n#ifdef USE_ROCM\n#if X > 1\n#elif Y\n#else\nhere\n#endif\n#else\n"
      "here\n#endif\nhere\n#endif");
  const auto at = file.occurrences(kHere);
  EXPECT_THAT(file.conditions(at[0]), ElementsAre("defined(USE_ROCM)", "!(X > 1)", "!(Y)"));
  EXPECT_THAT(file.conditions(at[1]), ElementsAre("!defined(USE_ROCM)"));
  EXPECT_THAT(file.conditions(at[2]), IsEmpty());
}

TEST(CudaConditions, IncludesAndMacrosAreListed) {
  const File file(
      "#include <a/b.h>\n# include \"c.cuh\"\n#include MACRO\n#define EMPTY\n#define ONE 1\n"
      "#define CALL(a, ...) f(a)\n#define PAREN (1)\n#define ONE 2 + \\\n 3\n#define NONE()\n");
  ASSERT_EQ(file.includes().size(), 2U);
  EXPECT_EQ(file.includes()[0].path, "a/b.h");
  EXPECT_TRUE(file.includes()[0].is_system);
  EXPECT_EQ(file.includes()[1].path, "c.cuh");
  EXPECT_FALSE(file.includes()[1].is_system);
  ASSERT_EQ(file.macros().size(), 6U);
  EXPECT_EQ(file.text(file.macro_named("ONE")->body).substr(0, 1), "2");
  const Macro& call = *file.macro_named("CALL");
  EXPECT_TRUE(call.is_function);
  EXPECT_EQ(file.text(call.parameters), "a, ...");
  EXPECT_EQ(file.text(call.body), "f(a)");
  EXPECT_FALSE(file.macro_named("PAREN")->is_function);
  EXPECT_TRUE(file.macro_named("NONE")->is_function);
  EXPECT_TRUE(file.macro_named("EMPTY")->body.empty());
  EXPECT_FALSE(file.macro_named("EMPTY")->is_function);
  EXPECT_EQ(file.macro_named("TWO"), nullptr);
}

TEST(CudaConditions, UseMacrosOfTheProject) {
  File file(
      "#ifdef HAVE_MMA\nhere;\n#else\nhere;\n#endif\n"
      "#if __CUDA_ARCH__ >= 700\nhere;\n#endif\n");
  const auto on_amd = [&] {
    std::string all;
    for (const TokenIndex at : file.occurrences(kHere))
      all += letter(file.compiled(at, Platform::kAmd));
    return all;
  };
  EXPECT_EQ(on_amd(), "??n");
  const MacroKnowledge knowledge{.undefined_on_amd = {macro_key("HAVE_MMA")}};
  file.know(knowledge, {});
  EXPECT_EQ(on_amd(), "nyn");
  const std::vector<MacroKey> redefined = {macro_key("__CUDA_ARCH__")};
  file.know(knowledge, redefined);
  EXPECT_EQ(on_amd(), "ny?");
}

}  // namespace

}  // namespace hipwright::syntax::cuda
