// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

namespace {

using testing::ElementsAreArray;

const Name kHere("here");

std::string describe(const File& file, const Function& function) {
  std::string text;
  if ((function.qualifiers & kGlobal) != 0) text += "global ";
  if ((function.qualifiers & kHost) != 0) text += "host ";
  if ((function.qualifiers & kDevice) != 0) text += "device ";
  text += file.text(function.name);
  text += "(" + std::string(file.text(function.parameters)) + ")";
  return text + (function.body.empty() ? ";" : "{}");
}

TEST(CudaFunctions, AreFoundWithTheirQualifiers) {
  struct {
    const char* text;
    std::vector<std::string> functions;
  } const cases[] = {
      {"__global__ void k(int a, float* b) { x; }", {"global k(int a, float* b){}"}},
      {"template <typename T, int N = (1 > 2)> __device__ __forceinline__ T f(T t) { x; }",
       {"device f(T t){}"}},
      {"__global__ void __launch_bounds__(256, 2) k(int a) { x; }", {"global k(int a){}"}},
      {"__launch_bounds__(MAX(1, 2)) __global__ void k() { x; }", {"global k(){}"}},
      {"C10_LAUNCH_BOUNDS_1(512) __global__ void k(int a) { x; }", {"global k(int a){}"}},
      {"extern \"C\" __global__ void k(int a) { x; }", {"global k(int a){}"}},
      {"extern \"C\" { void a(int x) { y; } }", {"a(int x){}"}},
      {"__host__ __device__ inline int f(int a) { x; }", {"host device f(int a){}"}},
      {"static __device__ int f(int);", {"device f(int);"}},
      {"int g(int a); float h();", {"g(int a);", "h();"}},
      {"namespace a { namespace { void f() { x; } } void g() { y; } }", {"f(){}", "g(){}"}},
      {"struct A { A(int x) : a_{x}, b_(1) { y; } ~A() { z; } int get() const { return a_; } };",
       {"A(int x){}", "A(){}", "get(){}"}},
      {"class B final : public C<int, 2> {\npublic:\n  explicit B(int a);\n  void f() "
       "override;\n};",
       {"B(int a);", "f();"}},
      {"A::A(int x) : a(x) { y; } void A::f() { z; } A<T>::~A() { w; }",
       {"A(int x){}", "f(){}", "A(){}"}},
      {"struct V { __device__ float& operator[](int i) { return x; } bool operator()(int a) { y; } "
       "operator float() const { return z; } };",
       {"device operator(int i){}", "operator(int a){}", "operator(){}"}},
      {"template <> void f<int>(int x) { y; }", {"f(int x){}"}},
      {"auto f(int a) -> std::vector<int> { x; }", {"f(int a){}"}},
      {"[[nodiscard]] __attribute__((noinline)) int f(int a) noexcept(true) { x; }",
       {"f(int a){}"}},
      {"std::function<void(int)> f(int a) { x; }", {"f(int a){}"}},
      {"std::pair<int, float> f(int a) requires(a > 1) { x; }", {"f(int a){}"}},
      {"void f() { auto l = [&](int a) { x; }; struct L { void m() { y; } }; }", {"f(){}"}},
      {"TORCH_LIBRARY(_C, ops) { ops.def(\"f\"); } void f() { x; }", {"f(){}"}},
      {"GGML_DECLARE(a, b); STATIC_ASSERT(x); int y = f(1); dim3 grid(4, 4);", {}},
      {"GGML_API void f(int a) { x; } GGML_CALL static bool g() { y; }", {"f(int a){}", "g(){}"}},
      {"INSTANTIATE(float)\n__global__ void k(int a) { x; }", {"global k(int a){}"}},
      {"#define DEV __device__ __forceinline__\nDEV int f(int a) { x; }", {"device f(int a){}"}},
      {"CUTLASS_HOST_DEVICE void f() { x; } C10_DEVICE int g() { y; }",
       {"host device f(){}", "device g(){}"}},
      {"#ifdef A\n__global__ void k(int a)\n#else\n__global__ void k(float a)\n#endif\n{ x; }",
       {"global k(float a){}"}},
      {"#ifdef A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\nx; }\nvoid g() { y; }",
       {"f(int a){}", "g(){}"}},
      {"int table[] = {1, 2}; enum E { kA, kB }; int x{3}; using F = void(int); void f() { y; }",
       {"f(){}"}},
      {"typedef void (*callback)(int a); static void (*p)(int) = f;", {}},
      {"KERNEL(name)(int a) { x; }", {}},
      {"__global__ void KERNEL(name)(int a) { x; }", {"global KERNEL(int a){}"}},
      {"void f(int a) {\n  if (a) {\n  x;\n}\nvoid g() { y; }", {"f(int a){}", "g(){}"}},
      {"int main() { x; }", {"main(){}"}},
      {"main() { x; }", {"main(){}"}},
      {"static const auto reg = RegisterOp().op(\"x\", [](int a) { return a; });", {}},
      {"template <class T> struct S { template <class U> __device__ void f(U u) { x; } };",
       {"device f(U u){}"}},
      {"struct __align__(16) P { int x; }; P make(int a) { y; }", {"make(int a){}"}},
      {"template __global__ void k<float>(float* a);", {"global k(float* a);"}},
  };
  for (const auto& each : cases) {
    const File file(each.text);
    std::vector<std::string> found;
    for (const Function& function : file.functions()) found.push_back(describe(file, function));
    EXPECT_THAT(found, ElementsAreArray(each.functions)) << each.text;
  }
}

TEST(CudaFunctions, AreFoundByContainedTokens) {
  const File file(
      "int here; template <int N> __global__ void k(int here) { if (x) { here(1); } }\n"
      "#define here 1\nvoid f() { auto l = [] { here; }; }");
  const auto at = file.occurrences(kHere);
  EXPECT_EQ(file.function_at(at[0]), nullptr);
  ASSERT_NE(file.function_at(at[1]), nullptr);
  EXPECT_TRUE(file.function_at(at[1])->is_device());
  EXPECT_EQ(file.text(file.function_at(at[1])->template_parameters), "int N");
  EXPECT_EQ(file.function_at(at[2]), file.function_at(at[1]));
  EXPECT_EQ(file.function_at(at[3]), nullptr);
  EXPECT_EQ(file.text(file.function_at(at[4])->name), "f");
  EXPECT_EQ(file.function_at(kNoToken), nullptr);
}

TEST(CudaFunctions, ABodyThatIsNotClosedEndsAtTheMargin) {
  const File file("void f() {\n  here;\nvoid g() {\n  here;\n}\n");
  ASSERT_EQ(file.functions().size(), 2U);
  EXPECT_EQ(file.text(file.function_at(file.occurrences(kHere)[0])->name), "f");
  EXPECT_EQ(file.text(file.function_at(file.occurrences(kHere)[1])->name), "g");
}

}  // namespace

}  // namespace hipwright::syntax::cuda
