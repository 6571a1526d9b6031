// SPDX-License-Identifier: MIT
#include "port/isolation/isolation.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
#include "port/isolation/view.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

std::string seen(std::string_view text) {
  std::string out;
  for (const SeenToken& token : nvidia_view_of_cuda(text)) out += token.text + " ";
  return out;
}

TEST(NvidiaView, LacksWhatAmdAloneReads) {
  EXPECT_EQ(seen("#ifdef USE_ROCM\nint a;\n#else\nint b;\n#endif\n"), "int b ; ");
  EXPECT_EQ(seen("#if !defined(__HIP_PLATFORM_AMD__)\nint b;\n#endif\n"), "int b ; ");
  EXPECT_EQ(seen("#if defined(USE_ROCM) && X\nint a;\n#elif Y\nint b;\n#endif\n"),
            "#if Y int b ; #endif ");
  EXPECT_EQ(seen("#if X\nint a;\n#elif defined(USE_ROCM)\nint b;\n#else\nint c;\n#endif\n"),
            "#if X int a ; #else int c ; #endif ");
}

TEST(NvidiaView, ConditionsHaveOneForm) {
  const std::string plain = seen("#ifdef __CUDACC__\nint a;\n#endif\n");
  EXPECT_EQ(plain, "#if defined(__CUDACC__) int a ; #endif ");
  EXPECT_EQ(seen("#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n"), plain);
  EXPECT_EQ(seen("#if (defined __CUDACC__) || (HIP_VERSION >= 60000000)\nint a;\n#endif\n"), plain);
  EXPECT_EQ(seen("#ifndef X\n#endif\n"), seen("#if !defined(X) && !defined(USE_ROCM)\n#endif\n"));
  EXPECT_NE(seen("#if __CUDA_ARCH__ >= 800\n#endif\n"), seen("#if __CUDA_ARCH__ >= 700\n#endif\n"));
}

TEST(NvidiaView, TruthIsNotValue) {
  // (X || 0) >= 700 is never true.
  EXPECT_NE(seen("#if X >= 700\n#endif\n"), seen("#if (X || defined(USE_ROCM)) >= 700\n#endif\n"));
  EXPECT_EQ(seen("#if X >= 700\n#endif\n"),
            seen("#if (X + (__HIP_DEVICE_COMPILE__ * 700)) >= 700\n#endif\n"));
  EXPECT_EQ(seen("#if X\n#endif\n"), seen("#if X || defined(USE_ROCM)\n#endif\n"));
  EXPECT_EQ(seen("#if X && Y\n#endif\n"), seen("#if (X || USE_ROCM) && Y\n#endif\n"));
}

TEST(NvidiaView, LaunchesHaveOneForm) {
  const std::string plain = seen("k<<<g, {16, 16}>>>(x);");
  EXPECT_EQ(seen("k << <g, {16, 16} >> > (x);"), plain);
  EXPECT_EQ(seen("k<<<g, dim3{16, 16}>>>(x);"), plain);
  EXPECT_NE(seen("k<<<g, int2{16, 16}>>>(x);"), plain);
  EXPECT_NE(seen("k<<<g, dim3(16, 16)>>>(x);"), plain);
  EXPECT_NE(seen("f(g, dim3{16, 16});"), seen("f(g, {16, 16});"));
  EXPECT_NE(seen("k<<<g, 1>>>(dim3{16, 16});"), seen("k<<<g, 1>>>({16, 16});"));
  EXPECT_NE(seen("a << b;"), seen("a <<< b;"));
}

TEST(NvidiaView, NumbersAreCompared) {
  const auto holds = [](const std::string& condition) {
    return seen("#if " + condition + "\nint a;\n#endif\n") == "int a ; ";
  };
  for (const char* yes :
       {"5 <= 5", "4 <= 5", "5 >= 5", "6 >= 5", "4 < 5", "6 > 5", "5 == 5", "4 != 5"})
    EXPECT_TRUE(holds(yes)) << yes;
  for (const char* no :
       {"6 <= 5", "4 >= 5", "5 < 5", "5 > 5", "6 < 5", "4 > 5", "4 == 5", "5 != 5"})
    EXPECT_FALSE(holds(no)) << no;
}

TEST(NvidiaView, OperatorsBindAsInC) {
  const auto same = [](const std::string& a, const std::string& b) {
    return seen("#if " + a + "\n#endif\n") == seen("#if " + b + "\n#endif\n");
  };
  for (const std::string op : {"-", "/", "%", "<<", ">>", "+", "*", "==", "<", "&", "|", "^"}) {
    const std::string chain = "A " + op + " B " + op + " C";
    EXPECT_TRUE(same(chain, "(A " + op + " B) " + op + " C")) << op;
    EXPECT_FALSE(same(chain, "A " + op + " (B " + op + " C)")) << op;
  }
  // From loose to tight.
  const std::vector<std::string> all = {"||", "&&", "|", "^", "&", "==", "<=", "<<", "-", "%"};
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const std::string &loose = all[i], &tight = all[i + 1];
    EXPECT_TRUE(same("A " + loose + " B " + tight + " C", "A " + loose + " (B " + tight + " C)"))
        << loose << " " << tight;
    EXPECT_TRUE(same("A " + tight + " B " + loose + " C", "(A " + tight + " B) " + loose + " C"))
        << loose << " " << tight;
  }
}

TEST(NvidiaView, TakesWhateverItIsGiven) {
  EXPECT_EQ(seen("#else\n#endif\nint a;"), "# else # endif int a ; ");
  EXPECT_EQ(seen("#if\nint a;"), seen("#if \nint a;\n"));
  EXPECT_EQ(seen("#if ((((\nint a;\n#endif"), "#if ( ( ( (  int a ; #endif ");
}

TEST(Isolation, HoldsForGatesAndNotForChanges) {
  const std::string old = "#include <cuda_runtime.h>\nint f() { return 32; }\n";
  const std::string gated =
      "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"
      "int f() {\n  return 32;  // lanes\n}\n";
  EXPECT_TRUE(compare_for_nvidia("a.cu", old, gated).empty());
  const std::string changed =
      "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"
      "int f() { return 64; }\n";
  const auto leaks = compare_for_nvidia("a.cu", old, changed);
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_EQ(leaks[0].line_before, 2U);
  EXPECT_EQ(leaks[0].line_after, 6U);
  EXPECT_NE(leaks[0].diff.find("+int f ( ) { return 64 ; }"), std::string::npos) << leaks[0].diff;
}

TEST(Isolation, AFileOfTheProjectDoesNotBecomeOneOfThePorter) {
  const std::string own = "# Made by hipwright port\nis_rocm = False\n";
  const std::string other = "def f():\n    return 32\n";
  EXPECT_TRUE(compare_for_nvidia("a.py", own, own + "\n").empty());
  EXPECT_FALSE(compare_for_nvidia("a.py", other, own + other + "f = None\n").empty());
  EXPECT_FALSE(compare_for_nvidia("a.py", own + other, other + "f = None\n").empty());
}

TEST(Isolation, AMacroOfTheProjectMayBeDefinedForNvidia) {
  EXPECT_FALSE(compare_for_nvidia("a.cu", "", "#ifdef MY_AMD\nint a;\n#endif\n").empty());
}

TEST(Isolation, ComparesTrees) {
  const auto folder = TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const auto write = [&](const char* path, const char* text) {
    const auto target = folder->path() / path;
    ASSERT_TRUE(make_directories(target.parent_path()));
    ASSERT_TRUE(write_file_atomic(target, text));
  };
  write("old/same.txt", "1\n");
  write("new/same.txt", "1\n");
  write("old/gone.cu", "int a;\n");
  write("old/data.txt", "1\n2\n");
  write("new/data.txt", "1\n3\n");
  write("old/a.cu", "int a;\n");
  write("new/a.cu", "#ifdef __HIP__\nint b;\n#endif\nint a;\n");
  write("new/hip_names.h", "\n");
  const auto result = check_isolation({folder->path() / "old", folder->path() / "new"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->same_bytes, 1U);
  EXPECT_EQ(result->same_view, 1U);
  EXPECT_EQ(result->added, std::vector<std::string>{"hip_names.h"});
  ASSERT_EQ(result->leaks.size(), 2U);
  EXPECT_EQ(result->leaks[0].path, "data.txt");
  EXPECT_EQ(result->leaks[0].line_before, 2U);
  EXPECT_EQ(result->leaks[1].what, "the file is missing");
}

TEST(Isolation, IsNotProvenWhileAFileCannotBeRead) {
  const auto folder = TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  for (const char* side : {"old", "new"}) {
    ASSERT_TRUE(make_directories(folder->path() / side));
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string path = (folder->path() / side / "socket").string();
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::ranges::copy(path, address.sun_path);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
  }
  const auto result = check_isolation({folder->path() / "old", folder->path() / "new"});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->leaks.empty());
  EXPECT_EQ(result->not_read.size(), 1U);
  EXPECT_FALSE(result->is_proven());
}

TEST(Isolation, HoldsForWhatThePorterWrites) {
  const std::string text =
      "#include <cuda_runtime.h>\n#include \"x.h\"\n#ifdef __CUDACC__\n__constant__ int "
      "c;\n#endif\n"
      "#define CHECK(x) \\\n  check(x, cudaGetErrorString(x))\n"
      "__device__ int f(int x) { return __shfl_sync(0xffffffff, x, 0) + warpSize; }\n"
      "void g(int* p, cudaStream_t s) {\n  CHECK(cudaMemcpyToSymbol(c,\n      p, 4));\n"
      "#if defined(__CUDACC__) && CUDART_VERSION >= 11000\n  "
      "cudaStreamSynchronize(s);\n#endif\n}\n";
  const TestPort port = port_files({{"a.cu", text}}, {.mode = Mode::kDual});
  EXPECT_NE(port.files.at("a.cu"), text);
  const auto leaks = compare_for_nvidia("a.cu", text, port.files.at("a.cu"));
  EXPECT_TRUE(leaks.empty()) << leaks[0].diff << port.files.at("a.cu");
}

TEST(Isolation, MacrosWithAndWithoutParametersDiffer) {
  EXPECT_FALSE(compare_for_nvidia("a.cu", "#define F(x) (x)\n", "#define F (x) (x)\n").empty());
  EXPECT_TRUE(compare_for_nvidia("a.cu", "#define F(x)  (x)\n", "#define F(x) (x)\n").empty());
}

TEST(Isolation, BlanksCountWhereTokensBecomeTexts) {
  const std::string text = "#define STR(x) #x\n#define NAME(x) STR(x)\n";
  const auto differ = [&](const std::string& before, const std::string& after) {
    return !compare_for_nvidia("a.cu", text + before, text + after).empty();
  };
  EXPECT_TRUE(differ("auto s = STR(a+b);\n", "auto s = STR(a + b);\n"));
  EXPECT_TRUE(differ("auto s = NAME(a+b);\n", "auto s = NAME(a +b);\n"));
  EXPECT_TRUE(differ("assert(a==b);\n", "assert(a == b);\n"));
  // One blank or many, and those at the ends, are the same; others make no text.
  EXPECT_FALSE(differ("auto s = STR(a  +\n  b);\n", "auto s = STR( a + b );\n"));
  EXPECT_FALSE(differ("auto s = f(a+b);\n", "auto s = f(a + b);\n"));
}

TEST(Isolation, ASwitchForAmdIsOffByItself) {
  const std::string before = "project(x CUDA)\n";
  const std::string branch = "if(USE_ROCM)\nproject(x HIP)\nelse()\nproject(x CUDA)\nendif()\n";
  const auto leaks = [&](const std::string& option) {
    return compare_for_nvidia("CMakeLists.txt", before, option + branch).size();
  };
  EXPECT_EQ(leaks("option(USE_ROCM \"For AMD\" OFF)\n"), 0U);
  EXPECT_EQ(leaks("option(USE_ROCM \"For AMD\")\n"), 0U);
  EXPECT_NE(leaks("option(USE_ROCM \"For AMD\" ON)\n"), 0U);
}

}  // namespace
}  // namespace hipwright::port
