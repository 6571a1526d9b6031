// SPDX-License-Identifier: MIT
#include "toolchain/sdk.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "paths.h"
#include "toolchain/dynamic_library.h"
#include "toolchain/probe.h"
#include "toolchain/sdk_release.h"

namespace hipwright::toolchain {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(VersionScript, ReadsNodesCommentsAndAnonymousScripts) {
  const auto symbols =
      exported_symbols(
          "# text; {\nhip_4.2 {\n global: a; b;\n local: *;\n} base;\nhip_5.0 { c; } hip_4.2;")
          .value();
  ASSERT_EQ(symbols.size(), 3U);
  EXPECT_EQ(symbols[1].name, "b");
  EXPECT_EQ(symbols[1].version, "hip_4.2");
  EXPECT_EQ(symbols[2].version, "hip_5.0");
  EXPECT_EQ(exported_symbols("{ global: x; };").value().front().version, "");
  EXPECT_FALSE(exported_symbols("nothing here"));
}

TEST(VersionScript, CommentsDateSymbols) {
  const auto symbols =
      exported_symbols(
          "hip_4.2 { global:\n a;  # since 7.0\n b;  # until 7.10\n # since then\n c; };")
          .value();
  ASSERT_EQ(symbols.size(), 3U);
  EXPECT_EQ(symbols[0].since, 700U);
  EXPECT_EQ(symbols[1].until, 710U);
  EXPECT_EQ(symbols[2].since + symbols[2].until, 0U);
}

std::vector<std::string> names_in(const std::string& release) {
  std::vector<std::string> names;
  constexpr std::string_view kSix = "hip_4.2 { old; gone;  # until 7.0\n late;  # since 7.1\n };";
  constexpr std::string_view kSeven =
      "hip_6.5 { seven; } hip_4.2; hip_7.2 { two; early;  # since 7.1\n } hip_6.5;";
  const auto symbols = symbols_of_release({kSix, kSeven}, *find_release(release)).value();
  for (const ExportedSymbol& each : symbols) names.push_back(each.name);
  // What is written reads as the same symbols.
  const auto again = exported_symbols(version_script_of(symbols)).value();
  EXPECT_TRUE(std::ranges::equal(symbols, again, [](const auto& a, const auto& b) {
    return a.name == b.name && a.version == b.version;
  }));
  return names;
}

TEST(SdkRelease, HasTheSymbolsOfItsLibraries) {
  using testing::ElementsAre;
  EXPECT_THAT(names_in("6.4"), ElementsAre("old", "gone"));
  EXPECT_THAT(names_in("7.0"), ElementsAre("old", "seven"));
  EXPECT_THAT(names_in("7.1"), ElementsAre("old", "late", "seven", "early"));
  EXPECT_THAT(names_in("7.2"), ElementsAre("old", "late", "seven", "two", "early"));
}

TEST(SdkRelease, IsChosenByNameOrEnvironment) {
  ::unsetenv("HIPWRIGHT_ROCM");
  EXPECT_EQ(chosen_release().value()->name, kSdkRelease);
  EXPECT_EQ(chosen_release("7.1").value()->number(), 701U);
  EXPECT_THAT(chosen_release("7.9").error().message(), HasSubstr("7.9"));
  ASSERT_TRUE(choose_release("7.2"));
  EXPECT_EQ(chosen_release().value()->name, "7.2");
  EXPECT_EQ(chosen_release("6.4").value()->name, "6.4");
  ::setenv("HIPWRIGHT_ROCM", "nonsense", 1);
  EXPECT_THAT(chosen_release().error().message(), HasSubstr("HIPWRIGHT_ROCM"));
  ::unsetenv("HIPWRIGHT_ROCM");
}

TEST(DeviceBitcode, CarriesTheIsaVersionsThatTheLibrariesTest) {
  std::map<std::string, std::string> modules;
  for (const BitcodeModule& module : generated_bitcode("e-p:64"))
    modules[module.file] = module.text;
  const std::map<std::string, int> expected = {
      {"90a", 9010},   {"942", 9402},   {"950", 9500},   {"1030", 10300},
      {"1100", 11000}, {"1151", 11501}, {"1201", 12001}, {"9-4-generic", 9400}};
  for (const auto& [suffix, version] : expected)
    EXPECT_THAT(modules["oclc_isa_version_" + suffix + ".bc"],
                HasSubstr("i32 " + std::to_string(version)))
        << suffix;
  EXPECT_THAT(modules["oclc_abi_version_600.bc"], HasSubstr("i32 600"));
}

TEST(DeviceBitcode, RepairsClockReadsThatNewerTargetsLack) {
  const auto repaired = repaired_ockl(
      "%1 = tail call i64 @llvm.amdgcn.s.memrealtime()\nattributes #1 = { nounwind "
      "\"target-features\"=\"+s-memrealtime\" }\n");
  EXPECT_EQ(repaired,
            "%1 = tail call i64 @llvm.readsteadycounter()\nattributes #1 = { nounwind  }\n");
  EXPECT_EQ(repaired_ockl("define void @f() {}"), std::nullopt);
}

TEST(Topology, ReadsGfxNamesAndSkipsCpus) {
  const auto folder = TemporaryDirectory::create().value();
  const std::vector<std::pair<std::string, std::string>> nodes = {
      {"0", "cpu_cores_count 8\ngfx_target_version 0\n"},
      {"1", "gfx_target_version 90402\n"},
      {"2", "simd_count 4\ngfx_target_version 90010\n"},
      {"3", "gfx_target_version 110501\n"},
      {"4", "nonsense"}};
  for (const auto& [node, text] : nodes) {
    ASSERT_TRUE(make_directories(folder.path() / node));
    ASSERT_TRUE(write_file_atomic(folder.path() / node / "properties", text));
  }
  EXPECT_THAT(gpus_in_topology(folder.path()), testing::ElementsAre("gfx942", "gfx90a", "gfx1151"));
  EXPECT_TRUE(gpus_in_topology("/no/such/folder").empty());
}

// Its import library can be linked with, not called.
TEST(Probe, TheSdkIsNoRocm) {
  const auto folder = TemporaryDirectory::create().value();
  setenv("ROCM_PATH", folder.path().c_str(), 1);
  const std::string library = folder.path() / "lib/libhiprtc.so";
  EXPECT_THAT(hiprtc_library_names(), testing::Contains(library));
  ASSERT_TRUE(write_file_atomic(folder.path() / kSdkMarker, ""));
  EXPECT_THAT(hiprtc_library_names(), testing::Not(testing::Contains(library)));
  unsetenv("ROCM_PATH");
}

// Clang brings its own headers, but not those of the host's C and C++ libraries.
TEST(Probe, NamesTheHostFilesThatAreMissing) {
  auto root = TemporaryDirectory::create();
  ASSERT_TRUE(root);
  const auto add = [&](const char* file) {
    const std::filesystem::path path = root->path() / file;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(write_file_atomic(path, ""));
  };
  ASSERT_TRUE(missing_host_files(root->path()));
  EXPECT_EQ(missing_host_files(root->path())->what,
            "C library headers, C++ standard library headers, libgcc");
  EXPECT_THAT(missing_host_files(root->path())->how, testing::HasSubstr("apt-get install g++"));
  add("usr/include/stdlib.h");
  add("usr/lib/gcc/x86_64-linux-gnu/12/crtbegin.o");
  EXPECT_EQ(missing_host_files(root->path())->what, "C++ standard library headers");
  add("usr/include/c++/12/cstdlib");
  EXPECT_FALSE(missing_host_files(root->path()));
}

class SdkPrefix : public testing::Test {
 protected:
  void SetUp() override {
    const auto clang = find_clang();
    if (!clang) GTEST_SKIP() << "not run: " << clang.error().message();
    const auto libraries = find_device_libs();
    if (!libraries) GTEST_SKIP() << "not run: " << libraries.error().message();
    clang_ = *clang;
    sdk_ = prepare_sdk(clang_, *libraries).value();
  }
  Clang clang_;
  Sdk sdk_;
};

TEST_F(SdkPrefix, HasWhatBuildSystemsLookFor) {
  for (const char* file :
       {"bin/hipcc", "bin/hipconfig", "bin/amdclang++", "lib/libamdhip64.so", "lib/libhiprtc.so",
        "lib/cmake/hip/hip-config.cmake", "lib/cmake/hip-lang/hip-lang-config.cmake",
        "include/hip/hip_runtime.h", "amdgcn/bitcode/ocml.bc", "lib/llvm/bin/clang++",
        "amdgcn/bitcode/oclc_isa_version_942.bc", ".info/version", "share/hip/version"})
    EXPECT_TRUE(fs::exists(sdk_.prefix / file)) << file;
}

// What a program may call must be what it can link: the headers' functions and the import library.
void expect_declared_is_exported(const Clang& clang, const Sdk& sdk) {
  SCOPED_TRACE(sdk.release);
  const auto folder = TemporaryDirectory::create().value();
  const fs::path source = folder.path() / "all.cpp";
  ASSERT_TRUE(write_file_atomic(
      source, "#include <hip/hip_runtime.h>\n#include <hip/hip_ext.h>\n#include <hip/hiprtc.h>\n"));
  const auto dump = run({.argv = {clang.cxx.string(), "-D__HIP_PLATFORM_AMD__", "-isystem",
                                  sdk.include().string(), "-fsyntax-only", "-Xclang", "-ast-dump",
                                  source.string()}})
                        .value();
  ASSERT_TRUE(dump.ok()) << dump.err;
  std::set<std::string> declared;
  std::string_view rest = dump.out;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    // "|-FunctionDecl 0x… <…> col:12 hipMalloc 'hipError_t (void **, size_t)' extern"; overloads
    // that C++ adds on top have bodies or templates and are not library functions.
    if (!line.starts_with("|-LinkageSpecDecl") && !line.starts_with("| |-FunctionDecl") &&
        !line.starts_with("| `-FunctionDecl"))
      continue;
    const std::size_t quote = line.find(" '");
    if (quote == std::string_view::npos || line.find(" inline") != std::string_view::npos ||
        line.find(" static") != std::string_view::npos)
      continue;
    const std::size_t space = line.rfind(' ', quote - 1);
    const std::string name(line.substr(space + 1, quote - space - 1));
    if (name.starts_with("hip") || name.starts_with("__hip")) declared.insert(name);
  }
  ASSERT_GT(declared.size(), 400U);

  std::set<std::string> exported;
  for (const char* map : {"lib/amdhip64.map", "lib/hiprtc.map"}) {
    const std::string script = read_file(sdk.prefix / map).value();
    const auto symbols = exported_symbols(script).value();
    for (const ExportedSymbol& symbol : symbols) exported.insert(symbol.name);
  }
  // ROCm declares these, and its libraries lack them.
  std::erase_if(declared, [&](const std::string& name) {
    return name == "hipExternalMemoryGetMappedMipmappedArray" ||
           (sdk.release == "6.4" && (name.find("ExternalSemaphores") != std::string::npos ||
                                     name == "hipDeviceGetTexture1DLinearMaxWidth"));
  });
  for (const std::string& name : declared)
    EXPECT_TRUE(exported.contains(name)) << name << " is declared and cannot be linked";
}

TEST_F(SdkPrefix, EveryDeclaredFunctionIsInTheImportLibrary) {
  for (const Release& release : releases()) {
    ASSERT_TRUE(choose_release(release.name));
    expect_declared_is_exported(clang_, prepare_sdk(clang_, find_device_libs().value()).value());
  }
  ::unsetenv("HIPWRIGHT_ROCM");
}

TEST_F(SdkPrefix, ImportLibraryHasVersionsAndASonameThatNothingHereProvides) {
  const auto symbols = run({.argv = {clang_.tool("llvm-readelf").string(), "-d", "--dyn-syms",
                                     (sdk_.prefix / "lib/libamdhip64.so").string()}})
                           .value();
  if (!symbols.ok()) GTEST_SKIP() << "not run: llvm-readelf is not installed";
  EXPECT_THAT(symbols.out, HasSubstr("libamdhip64.so.6"));
  EXPECT_THAT(symbols.out, HasSubstr("hipMalloc@@hip_4.2"));
  EXPECT_THAT(symbols.out, HasSubstr("hipGetDevicePropertiesR0600@@hip_6.0"));
  EXPECT_FALSE(fs::exists(sdk_.prefix / "lib/libamdhip64.so.6"));
}

// The 5.2 device libraries lose device malloc on gfx11 and later unless repaired.
TEST_F(SdkPrefix, DeviceMallocIsRealCodeOnEveryTarget) {
  const auto folder = TemporaryDirectory::create().value();
  const fs::path source = folder.path() / "m.hip";
  ASSERT_TRUE(write_file_atomic(
      source, "#include <hip/hip_runtime.h>\n__global__ void k(void** p) { *p = malloc(16); }\n"));
  for (const char* target : {"gfx942", "gfx1100", "gfx1201"}) {
    const auto assembly = run({.argv = {built_tool(), "cc", "--arch", target, "-O2", "-S",
                                        "--cuda-device-only", source.string(), "-o", "-"}})
                              .value();
    ASSERT_TRUE(assembly.ok()) << assembly.err;
    EXPECT_GT(assembly.out.size(), 20'000U) << target << ": the allocator is missing";
  }
}

TEST_F(SdkPrefix, ManyProcessesAtOnceMakeItOnce) {
  const auto cache = TemporaryDirectory::create().value();
  std::vector<std::string> shell = {
      "sh", "-c", "for i in 1 2 3 4 5 6; do \"$0\" sdk path & done; wait", built_tool()};
  const auto finished =
      run({.argv = shell, .environment = {{"XDG_CACHE_HOME", cache.path().string()}}}).value();
  std::set<std::string> lines;
  std::string_view rest = finished.out;
  while (!rest.empty()) {
    lines.emplace(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  EXPECT_EQ(lines.size(), 1U) << finished.out << finished.err;
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(cache.path() / "hipwright/sdk"))
    folders += entry.is_directory() ? 1 : 0;
  EXPECT_EQ(folders, 1U);
}

}  // namespace
}  // namespace hipwright::toolchain
