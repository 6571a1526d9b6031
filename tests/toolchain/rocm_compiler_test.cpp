// SPDX-License-Identifier: MIT
#include "hipwright/compiler.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "toolchain/code_object/code_object.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/kernel_symbol.h"
#include "toolchain/compile/system_headers.h"
#include "toolchain/probe.h"
#include "toolchain/soft_library.h"
#include "toolchain/sync_notes.h"

namespace hipwright {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kScale =
    "__global__ void scale(float* x, float f) { x[threadIdx.x] *= f; }\n";

class RocmCompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto clang = toolchain::make_clang_compiler(); !clang)
      GTEST_SKIP() << "not run: " << clang.error().message();
  }
  CompilerConfig config(CompilerBackend backend = CompilerBackend::kClang) const {
    CompilerConfig made;
    made.backend = backend;
    made.architecture = "gfx942";
    made.hip_compiler_cache_dir = folder_.path() / "cache";
    made.warn = [this](const std::string& text) { warnings_.push_back(text); };
    return made;
  }
  TemporaryDirectory folder_ = TemporaryDirectory::create().value();
  mutable std::vector<std::string> warnings_;
};

TEST_F(RocmCompilerTest, CompilesTheKernelItWasAskedFor) {
  ROCmCompiler compiler(config());
  const CompiledKernel kernel = compiler.compile_kernel(kScale, "scale");
  EXPECT_EQ(kernel.name, "scale");
  EXPECT_EQ(kernel.architecture, "gfx942");
  EXPECT_EQ(kernel.symbol, "_Z5scalePff");
  EXPECT_EQ(kernel.log, "");
  const auto object =
      toolchain::CodeObject::parse(toolchain::Bytes(std::string(kernel.code_object())), "k")
          .value();
  EXPECT_EQ(object.target().id(), "gfx942");
  ASSERT_NE(object.kernel(kernel.symbol), nullptr);
}

TEST_F(RocmCompilerTest, ArchitectureCanBeAProductOrATargetIdPerKernel) {
  ROCmCompiler compiler(config());
  EXPECT_EQ(compiler.compile_kernel(kScale, "scale", {.architecture = "RX 7900 XTX"}).architecture,
            "gfx1100");
  const auto kernel = compiler.compile_kernel(kScale, "scale", {.architecture = "gfx90a:xnack+"});
  const auto object =
      toolchain::CodeObject::parse(toolchain::Bytes(std::string(kernel.code_object())), "k")
          .value();
  EXPECT_EQ(object.target().id(), "gfx90a:xnack+");
}

TEST_F(RocmCompilerTest, SecondCompileComesFromMemoryAndAnotherInstanceFromDisk) {
  ROCmCompiler first(config());
  const CompiledKernel fresh = first.compile_kernel(kScale, "scale");
  EXPECT_FALSE(fresh.from_cache);
  EXPECT_TRUE(first.compile_kernel(kScale, "scale").from_cache);
  EXPECT_EQ(first.get_compilation_stats().memory_hits, 1U);
  EXPECT_EQ(first.get_compilation_stats().cache_hit_rate_percent(), 50.0);
  EXPECT_GT(first.get_compilation_stats().saved_seconds, 0);

  ROCmCompiler second(config());
  const CompiledKernel cached = second.compile_kernel(kScale, "scale");
  EXPECT_EQ(second.get_compilation_stats().disk_hits, 1U);
  EXPECT_EQ(cached.code_object(), fresh.code_object());
  EXPECT_EQ(cached.symbol, fresh.symbol);
}

TEST_F(RocmCompilerTest, FlagsIncludesAndTargetsMakeDifferentKernels) {
  ASSERT_TRUE(write_file_atomic(folder_.path() / "factor.h", "#define FACTOR 2.0f\n"));
  const std::string source =
      "#include \"factor.h\"\n__global__ void k(float* x) { *x *= FACTOR; }\n";
  const CompileOptions options{.include_dirs = {folder_.path()}};
  ROCmCompiler compiler(config());
  const std::string before(compiler.compile_kernel(source, "k", options).code_object());
  EXPECT_TRUE(compiler.compile_kernel(source, "k", options).from_cache);

  ASSERT_TRUE(write_file_atomic(folder_.path() / "factor.h", "#define FACTOR 3.0f\n"));
  const CompiledKernel changed = compiler.compile_kernel(source, "k", options);
  EXPECT_FALSE(changed.from_cache) << "a changed header must not give the old kernel";
  EXPECT_NE(changed.code_object(), before);

  ASSERT_TRUE(write_file_atomic(folder_.path() / "factor.h", "#define FACTOR 2.0f\n"));
  EXPECT_TRUE(compiler.compile_kernel(source, "k", options).from_cache)
      << "the first content is still there";
  EXPECT_FALSE(compiler.compile_kernel(kScale, "scale", {.flags = {"-O0"}}).from_cache);
  EXPECT_FALSE(compiler.compile_kernel(kScale, "scale", {.flags = {"-O1"}}).from_cache);
}

TEST_F(RocmCompilerTest, HeadersReachedThroughFlagsAreWatchedToo) {
  ASSERT_TRUE(make_directories(folder_.path() / "first"));
  ASSERT_TRUE(make_directories(folder_.path() / "second"));
  ASSERT_TRUE(write_file_atomic(folder_.path() / "second/n.h", "#define N 1\n"));
  const std::string source = "#include <n.h>\n__global__ void k(int* p) { *p = N; }\n";
  const CompileOptions options{.flags = {"-I" + (folder_.path() / "first").string(),
                                         "-I" + (folder_.path() / "second").string()}};
  ROCmCompiler compiler(config());
  compiler.compile_kernel(source, "k", options);
  EXPECT_TRUE(compiler.compile_kernel(source, "k", options).from_cache);
  ASSERT_TRUE(write_file_atomic(folder_.path() / "first/n.h", "#define N 2\n"));
  EXPECT_FALSE(compiler.compile_kernel(source, "k", options).from_cache)
      << "a new file shadows the old one";
}

TEST_F(RocmCompilerTest, BrokenSourceThrowsWithFileLineAndMessageEveryTime) {
  ROCmCompiler compiler(config());
  for (int round = 0; round < 2; ++round) {
    try {
      compiler.compile_kernel("__global__ void k(int* p) {\n  *p = undeclared;\n}\n", "k");
      FAIL() << "a failed compile was returned as a kernel";
    } catch (const HIPCompilationError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("k.hip:2:8: error: use of undeclared identifier 'undeclared'"));
      ASSERT_FALSE(error.messages().empty());
      EXPECT_EQ(error.messages().front().line, 2U);
      EXPECT_EQ(error.messages().front().file, "k.hip");
      EXPECT_EQ(error.messages().front().severity, "error");
    }
  }
  EXPECT_EQ(compiler.get_compilation_stats().failures, 2U);
  EXPECT_EQ(compiler.get_compilation_stats().hits(), 0U);
}

TEST_F(RocmCompilerTest, WarningsAreKeptInTheLogAndInTheCache) {
  const std::string source = "__global__ void k(int* p) { int unused; *p = 1; }\n";
  ROCmCompiler compiler(config());
  EXPECT_THAT(compiler.compile_kernel(source, "k", {.flags = {"-Wall"}}).log,
              HasSubstr("k.hip:1:33: warning:"));
  EXPECT_THAT(compiler.compile_kernel(source, "k", {.flags = {"-Wall"}}).log, HasSubstr("unused"));
}

TEST_F(RocmCompilerTest, UnusableCacheFolderGivesOneWarningAndStillCompiles) {
  ASSERT_TRUE(write_file_atomic(folder_.path() / "cache", "a file, not a folder"));
  ROCmCompiler compiler(config());
  EXPECT_FALSE(compiler.compile_kernel(kScale, "scale").from_cache);
  compiler.compile_kernel(kScale, "scale", {.flags = {"-O1"}});
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_.front(), HasSubstr("cache"));
}

TEST_F(RocmCompilerTest, CacheCanBeSwitchedOffAndCleared) {
  CompilerConfig off = config();
  off.hip_kernel_cache_enabled = false;
  ROCmCompiler uncached(off);
  uncached.compile_kernel(kScale, "scale");
  EXPECT_FALSE(uncached.compile_kernel(kScale, "scale").from_cache);
  EXPECT_FALSE(fs::exists(folder_.path() / "cache"));

  ROCmCompiler compiler(config());
  compiler.compile_kernel(kScale, "scale");
  compiler.clear_cache();
  EXPECT_FALSE(compiler.compile_kernel(kScale, "scale").from_cache);
}

TEST_F(RocmCompilerTest, MemoryIsBoundedByCacheSize) {
  CompilerConfig small = config();
  small.hip_compiler_cache_size = 1;
  ROCmCompiler compiler(small);
  compiler.compile_kernel(kScale, "scale");
  compiler.compile_kernel(kScale, "scale", {.flags = {"-O1"}});
  compiler.compile_kernel(kScale, "scale");
  EXPECT_EQ(compiler.get_compilation_stats().memory_hits, 0U);
  EXPECT_EQ(compiler.get_compilation_stats().disk_hits, 1U);
}

TEST_F(RocmCompilerTest, BadSettingsAreRefusedWithTheNearestNames) {
  CompilerConfig bad = config();
  bad.architecture = "gfx924";
  try {
    ROCmCompiler compiler(bad);
    FAIL();
  } catch (const AMDConfigurationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gfx942"));
  }
}

TEST_F(RocmCompilerTest, ThirtyTwoProcessesCompileANewKernelOnce) {
  // A compiler that counts its runs: HIPWRIGHT_CLANG points to a script before the real one.
  const fs::path log = folder_.path() / "runs";
  const fs::path install = fs::canonical("/usr/bin/clang++-22").parent_path().parent_path();
  const fs::path fake = folder_.path() / "llvm";
  fs::create_directories(fake / "bin");
  fs::create_directory_symlink(install / "lib", fake / "lib");
  for (const char* tool : {"llvm-as", "llvm-dis", "lld", "ld.lld"})
    fs::create_symlink(install / "bin" / tool, fake / "bin" / tool);
  ASSERT_TRUE(write_file_atomic(fake / "bin/clang++-22",
                                "#!/bin/sh\ncase \"$*\" in *cuda-device-only*) echo run >> " +
                                    log.string() + ";; esac\nexec " +
                                    (install / "bin/clang++").string() + " \"$@\"\n",
                                0755));
  setenv("HIPWRIGHT_CLANG", (fake / "bin/clang++-22").c_str(), 1);
  const auto made = toolchain::make_clang_compiler();  // the SDK, once
  EXPECT_TRUE(made) << made.error().message();

  std::vector<pid_t> children;
  for (int i = 0; i < 32; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      int code = 1;
      try {
        ROCmCompiler compiler(config());
        code = compiler.compile_kernel(kScale, "scale").symbol == "_Z5scalePff" ? 0 : 2;
      } catch (const std::exception&) {
      }
      _exit(code);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  unsetenv("HIPWRIGHT_CLANG");
  EXPECT_EQ(read_file(log).value(), "run\n");
}

// The run-time compilers, where they are installed.
TEST(RuntimeCompilers, NvrtcCompilesCudaAndReportsErrors) {
  if (const auto nvrtc = toolchain::make_nvrtc_compiler(); !nvrtc)
    GTEST_SKIP() << "not run: " << nvrtc.error().message();
  const auto folder = TemporaryDirectory::create().value();
  CompilerConfig config;
  config.architecture = "sm_90";
  config.hip_compiler_cache_dir = folder.path() / "cache";
  ROCmCompiler compiler(config);
  const CompiledKernel kernel = compiler.compile_kernel(kScale, "scale");
  EXPECT_EQ(kernel.architecture, "sm_90");
  EXPECT_EQ(kernel.symbol, "_Z5scalePff");
  EXPECT_TRUE(
      kernel.code_object().starts_with("\x7f"
                                       "ELF"));
  EXPECT_TRUE(compiler.compile_kernel(kScale, "scale").from_cache);

  ASSERT_TRUE(write_file_atomic(folder.path() / "n.h", "#define N 1\n"));
  const std::string source = "#include \"n.h\"\n__global__ void k(int* p) { *p = N; }\n";
  compiler.compile_kernel(source, "k", {.include_dirs = {folder.path()}});
  ASSERT_TRUE(write_file_atomic(folder.path() / "n.h", "#define N 2\n"));
  EXPECT_FALSE(compiler.compile_kernel(source, "k", {.include_dirs = {folder.path()}}).from_cache);

  // The same header through a flag, and through a macro, which cannot be followed.
  const CompileOptions flag{.flags = {"-I" + folder.path().string()}};
  compiler.compile_kernel(source, "k", flag);
  ASSERT_TRUE(write_file_atomic(folder.path() / "n.h", "#define N 3\n"));
  EXPECT_FALSE(compiler.compile_kernel(source, "k", flag).from_cache);
  const std::string computed =
      "#define H \"n.h\"\n#include H\n__global__ void k(int* p) { *p = N; }\n";
  compiler.compile_kernel(computed, "k", flag);
  EXPECT_FALSE(compiler.compile_kernel(computed, "k", flag).from_cache);

  try {
    compiler.compile_kernel("__global__ void k() {\n  nonsense;\n}\n", "k");
    FAIL();
  } catch (const HIPCompilationError& error) {
    ASSERT_FALSE(error.messages().empty());
    EXPECT_EQ(error.messages().front().line, 2U);
  }
}

TEST(RuntimeCompilers, HiprtcCompilesHip) {
  if (const auto hiprtc = toolchain::make_hiprtc_compiler(); !hiprtc)
    GTEST_SKIP() << "not run: " << hiprtc.error().message();
  const auto folder = TemporaryDirectory::create().value();
  CompilerConfig config;
  config.backend = CompilerBackend::kHiprtc;
  config.architecture = "gfx90a";
  config.hip_compiler_cache_dir = folder.path() / "cache";
  ROCmCompiler compiler(config);
  const CompiledKernel kernel = compiler.compile_kernel(kScale, "scale");
  EXPECT_EQ(kernel.symbol, "_Z5scalePff");
  EXPECT_THROW(compiler.compile_kernel("__global__ void k() { nonsense; }", "k"),
               HIPCompilationError);
}

TEST(RuntimeCompilers, NvrtcFindsCudasOwnHeaders) {
  if (const auto nvrtc = toolchain::make_nvrtc_compiler(); !nvrtc)
    GTEST_SKIP() << "not run: " << nvrtc.error().message();
  const auto folder = TemporaryDirectory::create().value();
  ROCmCompiler compiler(
      {.architecture = "sm_90", .hip_compiler_cache_dir = folder.path() / "cache"});
  const std::string source =
      "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n#include <cuda/std/cstdint>\n"
      "__global__ void k(__half* p, cuda::std::uint32_t n) { p[n] = __float2half(2); }\n";
  EXPECT_NE(compiler.compile_kernel(source, "k").symbol.find("6__half"), std::string::npos);
}

TEST(RuntimeCompilers, NvccCompilesTheKernelsOfWholePrograms) {
  if (const auto nvcc = toolchain::make_nvcc_compiler(); !nvcc)
    GTEST_SKIP() << "not run: " << nvcc.error().message();
  const auto folder = TemporaryDirectory::create().value();
  ROCmCompiler compiler({.backend = CompilerBackend::kNvcc,
                         .architecture = "sm_90",
                         .hip_compiler_cache_dir = folder.path() / "cache"});
  ASSERT_TRUE(write_file_atomic(folder.path() / "n.h", "#define N 1\n"));
  const std::string source =
      "#include <cstdio>\n#include <vector>\n#include \"n.h\"\n"
      "__global__ void k(int* p) { *p = N; }\n"
      "int main() { std::vector<int> v(N); std::puts(\"\"); k<<<1, 1>>>(v.data()); }\n";
  const CompileOptions options{.include_dirs = {folder.path()}};
  const CompiledKernel kernel = compiler.compile_kernel(source, "k", options);
  EXPECT_EQ(kernel.symbol, "_Z1kPi");
  EXPECT_FALSE(kernel.from_cache);
  EXPECT_TRUE(compiler.compile_kernel(source, "k", options).from_cache);
  ASSERT_TRUE(write_file_atomic(folder.path() / "n.h", "#define N 2\n"));
  EXPECT_FALSE(compiler.compile_kernel(source, "k", options).from_cache);

  try {
    compiler.compile_kernel("__global__ void k() {\n  undeclared();\n}\n", "k");
    FAIL() << "it compiled";
  } catch (const HIPCompilationError& error) {
    ASSERT_FALSE(error.messages().empty()) << error.log();
    EXPECT_EQ(error.messages()[0].line, 2U);
  }
}

TEST(CompilerLog, UnderstandsClangAndNvrtc) {
  const auto messages = toolchain::parse_compiler_log(
      "a.hip:2:8: error: bad thing\n  *p = x;\n       ^\nd/b.h:10:1: fatal error: 'x.h' file not "
      "found\n"
      "k.cu(3): error: identifier \"y\" is undefined\nk.cu(4): warning #177-D: variable \"z\" was "
      "declared\nlld: error: undefined symbol: f\n");
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_EQ(messages[0].text, "bad thing");
  EXPECT_EQ(messages[1].file, "d/b.h");
  EXPECT_EQ(messages[2].line, 3U);
  EXPECT_EQ(messages[3].severity, "warning");
  EXPECT_EQ(messages[4].text, "undefined symbol: f");
}

TEST(KernelSymbol, PrefersTheNameThenTheOnlyKernel) {
  using toolchain::choose_symbol;
  EXPECT_EQ(choose_symbol({"_Z3addPf", "_Z3subPf"}, "sub").value(), "_Z3subPf");
  EXPECT_EQ(choose_symbol({"_ZN2ns3addIfEEvPT_", "other"}, "ns::add").value(),
            "_ZN2ns3addIfEEvPT_");
  EXPECT_EQ(choose_symbol({"_Z3addIfEvPT_", "_Z3addIdEvPT_"}, "add<double>").value(),
            "_Z3addIdEvPT_");
  EXPECT_EQ(choose_symbol({"plain", "other"}, "plain").value(), "plain");
  // Namespaces may be left out, also such as have no name; so may a template's defaults.
  EXPECT_EQ(choose_symbol({"_ZN2ns3addEPf", "other"}, "add").value(), "_ZN2ns3addEPf");
  EXPECT_EQ(choose_symbol({"_ZN2ns12_GLOBAL__N_13addEPf", "other"}, "ns::add").value(),
            "_ZN2ns12_GLOBAL__N_13addEPf");
  EXPECT_EQ(choose_symbol({"_ZN2ns3addEPf", "_Z3addPf"}, "add").value(), "_Z3addPf");
  EXPECT_EQ(choose_symbol({"_Z4rowsIfLi4ELb1EEvPT_", "other"}, "rows<float, 4>").value(),
            "_Z4rowsIfLi4ELb1EEvPT_");
  EXPECT_EQ(choose_symbol({"_Z4rowsIfLi4ELb1EEvPT_", "other"}, "rows<float, 4, 1>").value(),
            "_Z4rowsIfLi4ELb1EEvPT_");
  EXPECT_FALSE(choose_symbol({"_Z4rowsIfLi4ELb1EEvPT_", "other"}, "rows<double>"));
  EXPECT_EQ(choose_symbol({"_Z3addPf"}, "add_kernel").value(), "_Z3addPf");
  const auto overloads = choose_symbol({"_Z3addPf", "_Z3addPd"}, "add");
  ASSERT_FALSE(overloads);
  EXPECT_THAT(overloads.error().message(), HasSubstr("add(double*)"));
  EXPECT_FALSE(choose_symbol({"_Z3addPf", "_Z3subPf"}, "mul"));
  EXPECT_FALSE(choose_symbol({}, "add"));
}

TEST(SystemHeaders, ChangeWhenAFolderDoes) {
  const auto folder = TemporaryDirectory::create().value();
  ASSERT_TRUE(make_directories(folder.path() / "c++/12/bits"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "c++/12/bits/a.h", "1"));
  const toolchain::SystemHeaders before({folder.path() / "c++"}, {});
  EXPECT_TRUE(before.contains(folder.path() / "c++/12/../12/bits/a.h"));
  EXPECT_FALSE(before.contains(folder.path() / "other/a.h"));
  EXPECT_EQ(toolchain::SystemHeaders({folder.path() / "c++"}, {}).identity(), before.identity());
  ASSERT_TRUE(write_file_atomic(folder.path() / "c++/12/bits/a.h",
                                "2"));  // replaced, as a package upgrade does
  EXPECT_NE(toolchain::SystemHeaders({folder.path() / "c++"}, {}).identity(), before.identity());
}

// Kept objects without notes must not serve a build that has them, nor the other way round.
TEST(ClangIdentity, ChangesWithThePluginThatKeepsNotes) {
  const auto clang = toolchain::find_hip_compiler();
  if (!clang) GTEST_SKIP() << "not run: " << clang.error().message();
  const auto folder = TemporaryDirectory::create().value();
  const auto library = folder.path() / toolchain::kSoftLibrary;
  ASSERT_TRUE(write_file_atomic(library, ""));
  setenv("HIPWRIGHT_SOFT_LIBRARY", library.c_str(), 1);
  const toolchain::SystemHeaders system({}, {});
  const std::string without = toolchain::clang_identity(*clang, {}, system);
  ASSERT_TRUE(write_file_atomic(folder.path() / "libhipwright_notes.so", "1"));
  const bool is_used = !toolchain::sync_notes_plugin(*clang).empty();
  const std::string with = toolchain::clang_identity(*clang, {}, system);
  ASSERT_TRUE(write_file_atomic(folder.path() / "libhipwright_notes.so", "another"));
  const std::string with_another = toolchain::clang_identity(*clang, {}, system);
  unsetenv("HIPWRIGHT_SOFT_LIBRARY");
  if (!is_used) GTEST_SKIP() << "not run: this clang does not use the shared libLLVM";
  EXPECT_NE(with, without);
  EXPECT_NE(with_another, with);
}

TEST(ScanIncludes, FollowsIncludesOfIncludes) {
  const auto folder = TemporaryDirectory::create().value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "a.h", "#if 0\n # include <b.h>\n#endif\n"));
  ASSERT_TRUE(write_file_atomic(folder.path() / "b.h", "#include \"a.h\"\n"));
  const auto found =
      toolchain::scan_includes("#include \"a.h\"\n#include <none.h>\n", {folder.path()});
  EXPECT_EQ(found.files.size(), 2U);
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(toolchain::scan_includes("", {folder.path()}, {"b.h"}).files.size(), 2U);
}

TEST(ScanIncludes, SaysWhenItCannotKnowAndSurvivesAnyText) {
  EXPECT_FALSE(toolchain::scan_includes("#include HEADER\n", {}).complete());
  EXPECT_FALSE(toolchain::scan_includes("#if __has_include(<x.h>)\n", {}).complete());
  EXPECT_FALSE(toolchain::scan_includes("#if __has_include(<x.h>)\n", {}).has_computed);
  EXPECT_TRUE(toolchain::scan_includes("#if __has_include(X)\n", {}).has_computed);
  EXPECT_TRUE(toolchain::scan_includes("#ifdef __has_include\n", {}).complete());
  EXPECT_TRUE(toolchain::scan_includes(std::string(1'000'000, ' ') + "#include", {}).files.empty());
}

TEST(IncludeFlags, AreReadInEverySpelling) {
  const auto flags =
      toolchain::include_flags({"-I/a", "-I", "/b", "--include-path=/c", "-isystem", "/d", "-O2",
                                "-include", "x.h", "--pre-include=y.h", "-DI=1"});
  EXPECT_THAT(flags.folders, testing::ElementsAre("/a", "/b", "/c", "/d"));
  EXPECT_THAT(flags.files, testing::ElementsAre("x.h", "y.h"));
  EXPECT_TRUE(toolchain::include_flags({"-I"}).folders.empty()) << "a flag without its value";
}

}  // namespace
}  // namespace hipwright
