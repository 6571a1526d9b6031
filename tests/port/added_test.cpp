// SPDX-License-Identifier: MIT
// New files that change what NVIDIA's tools do, though no line of the old ones changed.
#include "port/isolation/added.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

using testing::HasSubstr;

using Files = std::map<std::string, std::string>;

// "path: reason" of every leak, when `added` come to `old`.
std::string leaks(const Files& old, const Files& added) {
  const auto folder = TemporaryDirectory::create();
  EXPECT_TRUE(folder);
  const auto write = [&](const char* root, const Files& files) {
    EXPECT_TRUE(make_directories(folder->path() / root));
    for (const auto& [path, text] : files) {
      EXPECT_TRUE(make_directories((folder->path() / root / path).parent_path()));
      EXPECT_TRUE(write_file_atomic(folder->path() / root / path, text));
    }
  };
  write("old", old);
  write("new", old);
  write("new", added);
  const auto result = check_isolation({folder->path() / "old", folder->path() / "new"});
  EXPECT_TRUE(result);
  std::string out;
  for (const IsolationLeak& leak : result->leaks) out += leak.path + ": " + leak.what + "\n";
  return out;
}

TEST(AddedFile, HidesAModuleThatCodeImports) {
  const Files old = {{"run.py", "import json\nimport helper\n"},
                     {"lib/helper.py", "x = 1\n"},
                     {"pkg/__init__.py", ""},
                     {"pkg/a.py", "from . import fast\nfrom .deep import x\n"}};
  EXPECT_THAT(leaks(old, {{"json.py", ""}}),
              HasSubstr("json.py: `import json` in unchanged code finds it"));
  EXPECT_THAT(leaks(old, {{"helper/__init__.py", ""}}), HasSubstr("`import helper`"));
  EXPECT_THAT(leaks(old, {{"types.py", ""}}), HasSubstr("it shadows Python's module types"));
  EXPECT_THAT(leaks(old, {{"pkg/fast.py", ""}}), HasSubstr("(pkg/a.py:1)"));
  // Inside of a package nobody finds it by its plain name.
  EXPECT_EQ(leaks(old, {{"pkg/types.py", ""}}), "");
  EXPECT_EQ(leaks(old, {{"hip_support.py", "x = 1\n"}, {"pkg/rocm.py", "y = 2\n"}}), "");
}

TEST(AddedFile, TakesThePlaceOfAModuleInAnotherForm) {
  const Files old = {{"a.py", "x = 1\n"}, {"space/b.py", "x = 1\n"}};
  EXPECT_THAT(leaks(old, {{"a/__init__.py", ""}}), HasSubstr("instead of a.py"));
  EXPECT_THAT(leaks(old, {{"a.cpython-312-x86_64-linux-gnu.so", ""}}),
              HasSubstr("instead of a.py"));
  EXPECT_THAT(leaks(old, {{"space.py", ""}}), HasSubstr("instead of the directory space"));
  EXPECT_THAT(leaks(old, {{"space/__init__.py", ""}}),
              HasSubstr("turns a directory into a package"));
}

TEST(AddedFile, IsReadByItsName) {
  const Files old = {{"tests/test_a.py", "x = 1\n"}, {"Makefile", "all:\n\ttrue\n"}};
  EXPECT_THAT(leaks(old, {{"tests/conftest.py", ""}}), HasSubstr("is read automatically"));
  EXPECT_THAT(leaks(old, {{"sitecustomize.py", ""}}), HasSubstr("is read automatically"));
  EXPECT_THAT(leaks(old, {{"GNUmakefile", ""}}), HasSubstr("make reads it instead of Makefile"));
  EXPECT_EQ(leaks(old, {{"rocm/Makefile", ""}}), "");
}

TEST(AddedFile, HidesAHeader) {
  const Files old = {{"src/a.cu", "#include \"config.h\"\n#include <sys/util.h>\nint a;\n"},
                     {"include/config.h", "int b;\n"},
                     {"CMakeLists.txt", "include_directories(${PROJECT_SOURCE_DIR}/include)\n"}};
  EXPECT_THAT(leaks(old, {{"src/config.h", "int c;\n"}}),
              HasSubstr("src/config.h: #include \"config.h\" in unchanged code finds it"));
  EXPECT_THAT(leaks(old, {{"include/sys/util.h", "\n"}}), HasSubstr("(src/a.cu:2)"));
  // Beside other code, where no compiler of NVIDIA's looks.
  EXPECT_EQ(leaks(old, {{"rocm/deep/config.h", "int c;\n"}}), "");
  EXPECT_EQ(leaks(old, {{"hip_names.h", "#pragma once\n#ifdef __HIP__\nint c;\n#endif\n"}}), "");
}

TEST(AddedFile, AnswersWhoAsksWhetherItIsThere) {
  const Files old = {{"a.cu", "#if __has_include(\"extra.h\")\nint a;\n#endif\n"}};
  EXPECT_THAT(leaks(old, {{"extra.h", ""}}), HasSubstr("extra.h"));
}

TEST(AddedFile, IsCaughtByAPatternOfTheBuild) {
  const Files cmake = {{"CMakeLists.txt",
                        "file(GLOB A \"src/*.cu\")\nfile(GLOB_RECURSE B ${D}/gen/*.cpp)\n"
                        "if(USE_ROCM)\nfile(GLOB C \"hip/*.cu\")\nendif()\n"}};
  EXPECT_THAT(leaks(cmake, {{"src/b.cu", "int b;\n"}}), HasSubstr("(CMakeLists.txt:1)"));
  EXPECT_THAT(leaks(cmake, {{"gen/x/b.cpp", "int b;\n"}}), HasSubstr("(CMakeLists.txt:2)"));
  EXPECT_EQ(leaks(cmake, {{"hip/b.cu", "int b;\n"}}), "");
  EXPECT_EQ(leaks(cmake, {{"src/deep/b.cu", "int b;\n"}}), "");
  // What compiles to nothing may be compiled.
  EXPECT_EQ(leaks(cmake, {{"src/b.cu", "#ifdef __HIP__\nint b;\n#endif\n"}}), "");

  const Files make = {{"Makefile", "SRC := $(wildcard src/*.cu) $(shell find . -name '*.cc')\n"}};
  EXPECT_THAT(leaks(make, {{"src/b.cu", "int b;\n"}}), HasSubstr("src/*.cu"));
  EXPECT_THAT(leaks(make, {{"x/b.cc", "int b;\n"}}), HasSubstr("*.cc"));

  const Files setup = {
      {"pkg/__init__.py", ""},
      {"setup.py",
       "import glob, os\nfrom setuptools import setup, find_packages\n"
       "s = glob.glob(os.path.join(here, \"csrc\", \"*.cu\"))\n"
       "setup(packages=find_packages(), package_data={\"pkg\": [\"data/*.json\"]})\n"}};
  EXPECT_THAT(leaks(setup, {{"csrc/b.cu", "int b;\n"}}), HasSubstr("(setup.py:3)"));
  EXPECT_THAT(leaks(setup, {{"pkg/data/b.json", "{}\n"}}), HasSubstr("package"));
  EXPECT_EQ(leaks(setup, {{"data/b.json", "{}\n"}}), "");
  EXPECT_THAT(leaks(setup, {{"extra/__init__.py", ""}}), HasSubstr("installs extra"));

  const Files plugins = {
      {"pkg/__init__.py", "import pkgutil\nfor m in pkgutil.iter_modules(__path__):\n  load(m)\n"}};
  EXPECT_THAT(leaks(plugins, {{"pkg/b.py", ""}}), HasSubstr("(pkg/__init__.py:2)"));
  EXPECT_EQ(leaks(plugins, {{"pkg/deep/b.py", ""}}), "");
  const Files named = {{"run.py",
                        "import pkgutil\nname = \"pkg.plugins\"\n"
                        "for m in pkgutil.iter_modules(load(name).__path__):\n  load(m)\n"}};
  EXPECT_THAT(leaks(named, {{"src/pkg/plugins/b.py", ""}}), HasSubstr("(run.py:3)"));
  EXPECT_EQ(leaks(named, {{"b.py", ""}}), "");
  const Files joined = {{"setup.py",
                         "import glob, os\n"
                         "f = glob.glob(os.path.join(out, \"pkg\", \"**\", \"*.py\"))\n"}};
  EXPECT_THAT(leaks(joined, {{"pkg/x/b.py", ""}}), HasSubstr("pkg/**/*.py"));
  EXPECT_EQ(leaks(joined, {{"tools/b.py", ""}}), "");
  const Files bazel = {{"BUILD", "cc_library(name = \"x\", srcs = glob([\"*.cc\"]))\n"}};
  EXPECT_THAT(leaks(bazel, {{"b.cc", "int b;\n"}}), HasSubstr("(BUILD:1)"));
}

TEST(AddedFile, OfCMakeIsFoundInsteadOfAnother) {
  const Files old = {{"CMakeLists.txt", "find_package(CUDAToolkit)\ninclude(CheckLanguage)\n"}};
  EXPECT_THAT(leaks(old, {{"cmake/FindCUDAToolkit.cmake", ""}}), HasSubstr("CMake may find it"));
  EXPECT_THAT(leaks(old, {{"cmake/CheckLanguage.cmake", ""}}), HasSubstr("CMake may find it"));
  EXPECT_EQ(leaks(old, {{"cmake/hip.cmake", ""}}), "");
}

TEST(AddedFile, OfThePortersOwnIsCheckedBySameRule) {
  // A plugin loader would import the added modules.
  const TestPort port = port_files(
      {{"pkg/__init__.py", "import pkgutil\nmods = list(pkgutil.iter_modules(__path__))\n"},
       {"pkg/a.py", "import torch\nm = torch.compile(f, mode=\"max-autotune\")\n"}},
      {.mode = Mode::kDual});
  EXPECT_THAT(port.said(), HasSubstr("HP290:2"));
  const TestPort quiet = port_files(
      {{"CMakeLists.txt", "file(GLOB_RECURSE S *.h *.cu)\n"},
       {"a.cu",
        "#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = __dp4a(1, 2, 3); }\n"
        "void f(float** p) { cudaMalloc(p, 4); }\n"}},
      {.mode = Mode::kDual});
  EXPECT_FALSE(quiet.added.empty());
  EXPECT_EQ(quiet.said().find("HP290"), std::string::npos) << quiet.said();
}

std::string order(const std::string& before, const std::string& after, const std::string& support) {
  const auto folder = TemporaryDirectory::create();
  EXPECT_TRUE(folder);
  for (const char* root : {"old", "new"}) EXPECT_TRUE(make_directories(folder->path() / root));
  EXPECT_TRUE(write_file_atomic(folder->path() / "old/a.py", before));
  EXPECT_TRUE(write_file_atomic(folder->path() / "new/a.py", after));
  EXPECT_TRUE(write_file_atomic(folder->path() / "new/hip_support.py", support));
  const auto result = check_isolation({folder->path() / "old", folder->path() / "new"});
  EXPECT_TRUE(result);
  return result->leaks.empty() ? "" : result->leaks[0].what;
}

TEST(ImportOrder, TorchIsNotLoadedEarlierThanBefore) {
  const std::string loads = "import torch\nis_rocm = torch.version.hip is not None\n";
  const std::string set = "import os\nos.environ[\"CUDA_VISIBLE_DEVICES\"] = \"1\"\n";
  const std::string gate = "from hip_support import is_rocm\n";
  const std::string torch = "import torch\n";
  EXPECT_THAT(order(set + torch, gate + set + torch, loads), HasSubstr("loads torch earlier"));
  EXPECT_EQ(order(set + torch, set + torch + gate, loads), "");
}

}  // namespace
}  // namespace hipwright::port
