// SPDX-License-Identifier: MIT
#include "verify/kernel/spec.h"

#include "verify/folder.h"

namespace hipwright::verify {
namespace {

constexpr const char* kSaxpy = R"toml([saxpy]
source = "k.hip"
sizes = { n = 1000 }
block = [256]
grid = ["ceil_div(n, 256)"]
arguments = [
  { name = "a", type = "f32", value = 2.5 },
  { name = "x", type = "f32", shape = ["n"], fill = "uniform(-1, 1)" },
  { name = "y", type = "f32", shape = ["n"], output = true, operation = "elementwise" },
  { name = "n", type = "i32", value = "n" },
]
invariants = ["nans(y) == 0"]
)toml";

std::string error_of(const std::string& text, const char* source = "") {
  TestFolder folder({{"k.hip", source}});
  const auto specs = read_specs(folder.add("a.kernel.toml", text));
  if (specs) return "";
  const std::string message = specs.error().message();
  return message.substr(message.find("a.kernel.toml"));
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kSaxpy;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(KernelSpec, SaysWhatIsLaunched) {
  TestFolder folder({{"k.hip", "text"}});
  const auto specs = read_specs(folder.add("a.kernel.toml", kSaxpy));
  ASSERT_TRUE(specs) << specs.error().message();
  ASSERT_EQ(specs->size(), 1U);
  const KernelSpec& spec = specs->front();
  EXPECT_EQ(spec.kernel, "saxpy");
  EXPECT_EQ(spec.source, folder.path() / "k.hip");
  const auto shape = launch_shape(spec, 64);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->grid.x, 4U);
  EXPECT_EQ(shape->block.x, 256U);
  const auto values = initial_values(spec, 64, 1);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->at("a").at(0), 2.5);
  EXPECT_EQ(values->at("n").at(0), 1000);
  EXPECT_EQ(values->at("x").count(), 1000U);
  EXPECT_NE(values->at("x").at(0), values->at("x").at(1));
  EXPECT_EQ(values->at("y").at(999), 0);
}

TEST(KernelSpec, SeedsMakeOtherInputsAndTheSameOnesAgain) {
  TestFolder folder({{"k.hip", "text"}});
  const auto specs = read_specs(folder.add("a.kernel.toml", kSaxpy));
  const auto one = initial_values((*specs)[0], 64, 1), two = initial_values((*specs)[0], 64, 2);
  EXPECT_NE(one->at("x").bytes, two->at("x").bytes);
  EXPECT_EQ(one->at("x").bytes, initial_values((*specs)[0], 32, 1)->at("x").bytes);
}

TEST(KernelSpec, HashIsOfTheSpecAndItsFiles) {
  TestFolder folder({{"k.hip", "text"}});
  const auto file = folder.add("a.kernel.toml", kSaxpy);
  const std::string before = read_specs(file)->front().hash;
  EXPECT_EQ(read_specs(file)->front().hash, before);
  folder.add("k.hip", "other text");
  EXPECT_NE(read_specs(file)->front().hash, before);
}

TEST(KernelSpec, ErrorsHaveTheirPlace) {
  EXPECT_EQ(error_of(with("sizes", "size")),
            "a.kernel.toml:3:1': unknown kernel key 'size'. Did you mean sizes?");
  EXPECT_NE(error_of(with("k.hip", "j.hip")).find("a.kernel.toml:2"), std::string::npos);
  EXPECT_NE(error_of(with("ceil_div(n, 256)", "ceil_div(n, ")).find("a.kernel.toml:5"),
            std::string::npos);
  EXPECT_NE(error_of(with("\"f32\", value", "\"f33\", value")).find("Did you mean f32?"),
            std::string::npos);
  EXPECT_NE(error_of(with("uniform", "unifrom")).find("a.kernel.toml:8"), std::string::npos);
  EXPECT_NE(error_of(with(", output = true, operation = \"elementwise\"", "")).find("no argument"),
            std::string::npos);
  EXPECT_NE(error_of(with("value = 2.5", "value = 2.5, shape = [1]")).find("a shape"),
            std::string::npos);
  EXPECT_NE(error_of("[a\n").find("a.kernel.toml:1"), std::string::npos);
  EXPECT_NE(error_of("").find("no kernel"), std::string::npos);
}

TEST(KernelSpec, ClaimsAndSizesNameWhatIsThere) {
  EXPECT_EQ(error_of(with("nans(y)", "nan(y)")),
            "a.kernel.toml:12:15': 'nan(y) == 0': unknown tensor function 'nan'. Did you "
            "mean nans?");
  EXPECT_NE(error_of(with("nans(y)", "nans(z)"))
                .find("a.kernel.toml:12:15': 'nans(z) == 0': no such "
                      "argument: 'z'"),
            std::string::npos);
  EXPECT_NE(error_of(with("nans(y) == 0", "max(y) < m")).find("no size named m"),
            std::string::npos);
  EXPECT_NE(error_of(with("ceil_div(n, 256)", "ceil_div(m, 256)")).find("a.kernel.toml:5"),
            std::string::npos);
  EXPECT_NE(error_of(with("ceil_div(n, 256)", "sum(x)")).find("unknown function sum of sizes"),
            std::string::npos);
  EXPECT_EQ(error_of(with("nans(y) == 0", "last(y) <= max(n, wave) && infinities(x) == 0")), "");
}

TEST(KernelSpec, AnOrderThatDoesNotMatterHasNoCosine) {
  EXPECT_NE(error_of(with("operation = \"elementwise\"", "any_order = true, cosine = 0.9"))
                .find("a.kernel.toml:9"),
            std::string::npos);
  EXPECT_EQ(error_of(with("operation = \"elementwise\"", "any_order = true, relative = 0.1")), "");
}

TEST(KernelSpec, LimitsAreOfWhatAKernelTakes) {
  TestFolder folder({{"k.hip", ""}});
  const auto specs = read_specs(
      folder.add("a.kernel.toml", with("block", "limits = { spills = 0, vgprs = 64 }\nblock")));
  ASSERT_TRUE(specs) << specs.error().message();
  EXPECT_EQ((*specs)[0].limits, (Limits{{"spills", 0}, {"vgprs", 64}}));
  EXPECT_NE(error_of(with("block", "limits = { spill = 0 }\nblock")).find("Did you mean spills?"),
            std::string::npos);
  EXPECT_NE(error_of(with("block", "limits = { lds = -1 }\nblock")).find("a.kernel.toml:4"),
            std::string::npos);
}

TEST(KernelSpec, TypesAreThoseOfTheKernel) {
  const auto says = [](const char* signature) {
    return error_of(kSaxpy, ("__global__ void other(int) {}\n" + std::string(signature)).c_str());
  };
  EXPECT_EQ(says("__global__ void saxpy(float a, const float* x, float* y, int n) {}"), "");
  EXPECT_EQ(says("extern \"C\" __global__ void __launch_bounds__(256) saxpy(const float a, float "
                 "const* __restrict__ x, float y[], int32_t n = 3) {}"),
            "");
  const std::string wide = says("__global__ void saxpy(double a, float* x, float* y, int n) {}");
  EXPECT_NE(wide.find("a.kernel.toml:7:3': argument 1 'a' is a value of f32, but saxpy (k.hip:2) "
                      "takes double a"),
            std::string::npos)
      << wide;
  EXPECT_NE(says("__global__ void saxpy(float a, float x, float* y, int n) {}").find(":8:3"),
            std::string::npos);
  EXPECT_NE(says("__global__ void saxpy(float a, float* x, float* y, int* n) {}").find(":10:3"),
            std::string::npos);
  EXPECT_NE(says("__global__ void saxpy(float a, float* x, float* y, unsigned n) {}").find(":10:3"),
            std::string::npos);
  EXPECT_NE(says("__global__ void saxpy(float a, float* x, int n) {}")
                .find("4 arguments, but saxpy (k.hip:2) takes 3"),
            std::string::npos);
  // Only a compiler could tell.
  EXPECT_EQ(says("__global__ void saxpy(Real a, Real* x, Pointer y, int n) {}"), "");
  EXPECT_EQ(says("__global__ void saxpy(ARGUMENTS) {}"), "");
  EXPECT_EQ(says("template <class... T> __global__ void saxpy(T... all) {}"), "");
  // Of overloads, one fits; what AMD does not compile does not count.
  EXPECT_EQ(says("__global__ void saxpy(int n) {}\n__global__ void saxpy(float a, float* x, float* "
                 "y, int n) {}"),
            "");
  EXPECT_EQ(says("#ifndef __HIP__\n__global__ void saxpy(int n) {}\n#endif"), "");
}

TEST(KernelSpec, TypesOfTemplatesAreThoseThatTheNameGives) {
  const char* source =
      "template <typename T, int kWidth, class U>\n__global__ void saxpy(T a, const U* x, T* y, "
      "int n) {}\n";
  EXPECT_EQ(error_of(with("source", "kernel = \"saxpy<float, 4, float>\"\nsource"), source), "");
  EXPECT_NE(error_of(with("source", "kernel = \"saxpy<float, 4, double>\"\nsource"), source)
                .find("argument 2 'x' is a buffer of f32, but saxpy (k.hip:2) takes double* x"),
            std::string::npos);
}

TEST(KernelSpec, SizesThatCannotBeAreSaid) {
  TestFolder folder({{"k.hip", ""}});
  const auto zero = read_specs(folder.add("a.kernel.toml", with("n = 1000", "n = 0")));
  ASSERT_TRUE(zero);
  EXPECT_FALSE(launch_shape((*zero)[0], 64));
  const auto huge = read_specs(folder.add("b.kernel.toml", with("n = 1000", "n = 99999999999")));
  ASSERT_TRUE(huge);
  EXPECT_FALSE(initial_values((*huge)[0], 64, 1));
}

TEST(KernelSpec, FirstOneIsMadeFromTheSource) {
  TestFolder folder;
  const auto source = folder.add(
      "k.hip",
      "#include <hip/hip_runtime.h>\n"
      "__device__ float helper(float x);\n"
      "__global__ void scale(const float* __restrict__ x, float* y, unsigned n, float a) { *y = "
      "*x; }\n"
      "template <class T, int kWidth>\n__global__ void rows(T* values, const int* which, T by) "
      "{ *values = by; }\n");
  const auto text = initial_specs(source);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("[scale]"), std::string::npos);
  EXPECT_NE(text->find("kernel = \"rows<float, 1>\""), std::string::npos) << *text;
  // It is a spec already.
  const auto specs = read_specs(folder.add("k.kernel.toml", *text));
  ASSERT_TRUE(specs) << specs.error().message() << *text;
  ASSERT_EQ(specs->size(), 2U);
  const auto& scale = *std::find_if(specs->begin(), specs->end(),
                                    [](const KernelSpec& each) { return each.label == "scale"; });
  ASSERT_EQ(scale.arguments.size(), 4U);
  EXPECT_FALSE(scale.arguments[0].is_output);
  EXPECT_TRUE(scale.arguments[1].is_output);
  EXPECT_EQ(scale.arguments[2].type, DataType::kU32);
  EXPECT_FALSE(scale.arguments[3].is_buffer);
  EXPECT_FALSE(initial_specs(folder.add("none.hip", "void f() {}\n")));
}

}  // namespace
}  // namespace hipwright::verify
