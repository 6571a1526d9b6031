// SPDX-License-Identifier: MIT
#include "port/compile/compile.h"

#include <gtest/gtest.h>

#include "port/compile/apply.h"
#include "port/compile/repair.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

using toolchain::LogMessage;

LogMessage error(std::string file, unsigned line, unsigned column, std::string text) {
  return {"error", std::move(file), std::move(text), line, column};
}
LogMessage note(std::string file, unsigned line, unsigned column, std::string text) {
  return {"note", std::move(file), std::move(text), line, column};
}

std::vector<Repair> repairs(const std::string& text, const std::vector<LogMessage>& log,
                            const std::string& path = "a.cu") {
  return repairs_for(log,
                     [&](const std::string& wanted) { return wanted == path ? &text : nullptr; });
}

std::string repaired(std::string text, const std::vector<LogMessage>& log,
                     const std::string& path = "a.cu") {
  auto list = repairs(text, log, path);
  std::stable_sort(list.begin(), list.end(),
                   [](const Repair& a, const Repair& b) { return a.span.begin > b.span.begin; });
  for (const Repair& each : list) text.replace(each.span.begin, each.span.size(), each.replacement);
  return text;
}

TEST(Repair, HeaderThatDeclaresTheName) {
  const std::string text = "#include <vector>\nint n = std::max(1, 2);\n";
  EXPECT_EQ(repaired(text, {error("a.cu", 2, 14, "no member named 'max' in namespace 'std'")}),
            "#include <algorithm>\n" + text);
  EXPECT_EQ(repaired("void f() { memcpy(0, 0, 0); }\n",
                     {error("a.cu", 1, 12, "use of undeclared identifier 'memcpy'")}),
            "#include <string.h>\nvoid f() { memcpy(0, 0, 0); }\n");
  EXPECT_EQ(
      repaired("__global__ void k();\n", {error("a.cu", 1, 1, "unknown type name '__global__'")}),
      "#include <hip/hip_runtime.h>\n__global__ void k();\n");
}

TEST(Repair, HeaderThatIsThereDoesNotHelp) {
  const std::string text = "#include <hip/hip_runtime.h>\nint x = hipNoSuchThing();\n";
  EXPECT_TRUE(repairs(text, {error("a.cu", 2, 9, "use of undeclared identifier 'hipNoSuchThing'")})
                  .empty());
}

TEST(Repair, MessagesOfAnySizeAreRead) {
  const std::string text = "void f() { g(0); }\n";
  EXPECT_TRUE(
      repairs(text, {error("a.cu", 1, 12, "no matching function for call to 'g'"),
                     note("a.cu", 1, 1,
                          "candidate function not viable: no known conversion from 'a *' to "
                          "'hipblasHalf *' for 99999999999999999999999th argument")})
          .empty());
  EXPECT_TRUE(repairs(text, {error("a.cu", 1, 12,
                                   "use of undeclared identifier '" + std::string(1000000, 'x'))})
                  .empty());
}

TEST(Repair, TemplateKeywordThatClangNames) {
  const char* const kMissing = "missing 'template' keyword prior to dependent template name 'f'";
  EXPECT_EQ(repaired("template <class T> int g(A<T> a) { return a.f<3>() + a.f<4>(); }\n",
                     {error("a.cu", 1, 45, kMissing), error("a.cu", 1, 56, kMissing)}),
            "template <class T> int g(A<T> a) { return a.template f<3>() + a.template f<4>(); }\n");
}

TEST(Repair, ConversionsThatHipLacks) {
  const std::string text =
      "#include \"hip_compat.h\"\n"
      "template <class T, class U> T a(U x) { return static_cast<T>(x); }\n"
      "template <class T, class U> T b(U* x) { return (T)x[0]; }\n";
  EXPECT_EQ(
      repaired(text, {error("a.cu", 2, 47,
                            "ambiguous conversion for static_cast from '__half' to "
                            "'__hip_bfloat16'"),
                      error("a.cu", 3, 51,
                            "conversion from '__hip_bfloat16' to 'decltype(data)' (aka "
                            "'_Float16') is ambiguous")}),
      "#include \"hip_compat.h\"\n"
      "template <class T, class U> T a(U x) { return static_cast<T>(hip_compat::number(x)); }\n"
      "template <class T, class U> T b(U* x) { return (T)hip_compat::number(x[0]); }\n");
  // The project's own types are its own matter.
  EXPECT_TRUE(
      repairs(text, {error("a.cu", 2, 47, "ambiguous conversion for static_cast from 'A' to 'B'")})
          .empty());
}

TEST(Repair, NamesNobodyKnowsStay) {
  EXPECT_TRUE(
      repairs("int x = y;\n", {error("a.cu", 1, 9, "use of undeclared identifier 'y'")}).empty());
  EXPECT_TRUE(
      repairs("", {error("/usr/include/b.h", 1, 1, "use of undeclared identifier 'memcpy'")})
          .empty());
}

TEST(Repair, OneHeaderForManyErrors) {
  const auto list = repairs("void f() { memcpy(0, 0, 0); memset(0, 0, 0); }\n",
                            {error("a.cu", 1, 12, "use of undeclared identifier 'memcpy'"),
                             error("a.cu", 1, 29, "use of undeclared identifier 'memset'")});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].code.text(), "HP802");
}

TEST(Repair, FlatHeaderOfALibrary) {
  EXPECT_EQ(
      repaired("#include <hipblas.h>\n", {error("a.cu", 1, 10, "'hipblas.h' file not found")}),
      "#include <hipblas/hipblas.h>\n");
  EXPECT_TRUE(
      repairs("#include <mine.h>\n", {error("a.cu", 1, 10, "'mine.h' file not found")}).empty());
}

TEST(Repair, MaskOf32Bits) {
  const std::string text =
      "#define ALL 0xffffffffu\n__device__ int f(int x) { return __shfl_sync(ALL, x, 0); }\n";
  const auto list =
      repairs(text, {error("/sdk/hip/sync.h", 9, 3,
                           "static assertion failed due to requirement 'sizeof(unsigned int) == "
                           "8': The mask must be a 64-bit integer"),
                     note("a.cu", 2, 34,
                          "in instantiation of function template specialization "
                          "'__shfl_sync<unsigned int, int>' requested here")});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].replacement, "warp32::shfl_sync");
  EXPECT_EQ(text.substr(list[0].span.begin, list[0].span.size()), "__shfl_sync");
  EXPECT_TRUE(list[0].needs_compat);
  EXPECT_EQ(list[1].replacement, "#include \"hip_compat.h\"\n");
}

TEST(Repair, OwnOperatorGoesWhereHipHasIt) {
  const std::string text =
      "struct s {};\ninline float2 operator*(float2 a, float2 b) { return {a.x * b.x, a.y * b.y}; "
      "}\nint x;\n";
  const std::vector<LogMessage> log = {
      error(
          "b.cu", 3, 7,
          "use of overloaded operator '*' is ambiguous (with operand types 'float2' and 'float2')"),
      note("m.h", 2, 15, "candidate function"),
      note("/sdk/include/hip/amd_detail/v.h", 7, 1, "candidate function [with T = float]")};
  EXPECT_EQ(repaired(text, log, "m.h"), "struct s {};\n\nint x;\n");
  // One that does something else is not HIP's.
  const std::string complex =
      "struct s {};\ninline float2 operator*(float2 a, float2 b) { return product(a, b); }\n";
  EXPECT_TRUE(repairs(complex, log, "m.h").empty());
  // Two of the project's own are the project's affair.
  EXPECT_TRUE(repairs(text, {log[0], log[1]}, "m.h").empty());
}

// HIP's and the program's fit a const operand equally: the call is made to fit the program's.
TEST(Repair, OwnOperatorIsCalledWhereItIsMeant) {
  const auto answer = [](const std::string& call, const std::string& macro, std::size_t column) {
    const std::string lines = "void f(float2 a, const float2* w, float2 r) {\n  " + call + "\n}\n";
    const std::string text = macro + "\n" + lines;
    const std::vector<LogMessage> log = {
        error("m.h", 3, column, "use of overloaded operator '*' is ambiguous (with operand types)"),
        note("m.h", 1, 1, "candidate function"),
        note("/sdk/include/hip/amd_detail/v.h", 7, 1, "candidate function [with T = float]")};
    const std::string done = repaired(text, log, "m.h");
    const std::size_t begin = done.find("\n  ") + 3;
    return done.substr(begin, done.find('\n', begin) - begin);
  };
  const std::string times = "HIP_COMPAT_OWN_OPERATOR(float2, *, own_times)";
  EXPECT_EQ(answer("r = a * w[1];", times, 9), "r = a * float2(w[1]);");
  EXPECT_EQ(answer("r = a * at(w, 2).v + r;", times, 9), "r = a * float2(at(w, 2).v) + r;");
  EXPECT_EQ(answer("r = a * (w[0]);", times, 9), "r = a * float2((w[0]));");
  EXPECT_EQ(answer("r = a * (C)w[0];", times, 9), "r = a * (C)w[0];");
  const std::string multiply = "HIP_COMPAT_OWN_ASSIGNMENT(float2, *=, own_multiply)";
  EXPECT_EQ(answer("a *= w[1] + r;", multiply, 5), "own_multiply(a, w[1] + r);");
  EXPECT_EQ(answer("if (a.x) a *= w[1];", multiply, 14), "if (a.x) a *= w[1];");
}

TEST(Repair, PointerUnderTheLibrarysName) {
  const std::string text = "void f(h* p) { gemm(1, p + 2, 3); }\n";
  EXPECT_EQ(
      repaired(text,
               {error("a.cu", 1, 16, "no matching function for call to 'gemm'"),
                note("/b.h", 1, 1,
                     "candidate function not viable: no known conversion from 'const __half *' to "
                     "'const hipblasHalf *' (aka 'const unsigned short *') for 2nd argument")}),
      "void f(h* p) { gemm(1, reinterpret_cast<const hipblasHalf *>(p + 2), 3); }\n");
  // Not of a library: a mistake, perhaps.
  EXPECT_TRUE(repairs(text, {error("a.cu", 1, 16, "no matching function for call to 'gemm'"),
                             note("/b.h", 1, 1,
                                  "candidate function not viable: no known conversion from 'int *' "
                                  "to 'float *' for 2nd argument")})
                  .empty());
}

struct Applied {
  Applied(const std::string& original, Changes changes)
      : source("a.cu", syntax::Text{original, {}}) {
    file.source = &source;
    file.changes = std::move(changes);
  }
  bool apply(std::string_view found, std::string now, Mode mode) {
    const std::string after = file.after();
    const std::size_t at = after.find(found);
    return apply_repair(file,
                        {.path = "a.cu",
                         .span = {at, at + found.size()},
                         .replacement = std::move(now),
                         .code = "HP801"},
                        mode);
  }
  SourceFile source;
  PortedFile file;
};

Changes one_change(Span span, std::string now) {
  Changes changes;
  changes.add({.edit = {span, std::move(now)}, .code = "HP201"});
  return changes;
}

TEST(ApplyRepair, BesideAndInsideOtherChanges) {
  Applied port("cuda a; b; c;\n", one_change({0, 4}, "hip"));
  EXPECT_TRUE(port.apply("b", "bb", Mode::kHip));
  EXPECT_EQ(port.file.after(), "hip a; bb; c;\n");
  EXPECT_TRUE(port.apply("ip", "IP", Mode::kHip));
  EXPECT_EQ(port.file.after(), "hIP a; bb; c;\n");
  EXPECT_TRUE(port.apply("P a; bb", "P", Mode::kHip));  // across two changes
  EXPECT_EQ(port.file.after(), "hIP; c;\n");
  EXPECT_EQ(port.file.changes.list().size(), 1U);
}

TEST(ApplyRepair, TwoInsertionsAtOnePlace) {
  Applied port("x;\n", {});
  for (const char* line : {"#include <b>\n", "#include <a>\n"})
    EXPECT_TRUE(apply_repair(port.file,
                             {.path = "a.cu", .span = {0, 0}, .replacement = line, .code = "HP801"},
                             Mode::kHip));
  EXPECT_EQ(port.file.after(), "#include <a>\n#include <b>\nx;\n");
}

TEST(ApplyRepair, NvidiaSeesNothingOfIt) {
  Applied port("int a;\nint b;\nint c;\n", {});
  EXPECT_TRUE(port.apply("int b;", "long b;", Mode::kDual));
  EXPECT_EQ(port.file.after(),
            "int a;\n#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)\nlong b;\n#else\nint "
            "b;\n#endif\nint c;\n");
  // In the branch of AMD, in place.
  EXPECT_TRUE(port.apply("long b", "short b", Mode::kDual));
  EXPECT_NE(port.file.after().find("\nshort b;\n#else\nint b;\n"), std::string::npos);
  // In the branch of NVIDIA: never.
  EXPECT_FALSE(port.apply("int b", "short b", Mode::kDual));
  EXPECT_TRUE(port.apply("int c;\n", "", Mode::kDual));
  EXPECT_NE(port.file.after().find(
                "#if !(defined(__HIP__) || defined(__HIP_PLATFORM_AMD__))\nint c;\n#endif\n"),
            std::string::npos);
}

TEST(MissingLibrary, IsNamedByItsHeader) {
  EXPECT_EQ(library_of_header("hipblas/hipblas.h"), "hipBLAS");
  EXPECT_EQ(library_of_header("torch/extension.h"), "PyTorch for ROCm");
  EXPECT_EQ(library_of_header("mine/hipblas.h"), "");
}

}  // namespace
}  // namespace hipwright::port
