// SPDX-License-Identifier: MIT
#include "project/compiler_flags.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/file.h"
#include "project/path.h"

namespace hipwright::project {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // by path

Tree tree_of(const Files& files) {
  Tree tree;
  for (const auto& [path, text] : files)
    tree.files.push_back(std::make_unique<SourceFile>(path, syntax::Text{.bytes = text}));
  std::ranges::sort(tree.files, {}, [](const auto& file) { return file->path(); });
  return tree;
}

// What a source beside the first file is compiled with.
std::string flags_of(const Files& files) {
  const Tree tree = tree_of(files);
  const std::string& first = files[0].first;
  const BuildFlags flags = UnitFlags(tree).of(first.substr(0, first.rfind('/') + 1) + "a.cu");
  std::string out = "c++" + std::to_string(flags.standard);
  for (const auto& [macro, value] : flags.macros) out += " -D" + macro + value;
  for (const std::string& folder : flags.folders) out += " -I" + folder;
  if (flags.links_device_code) out += " -fgpu-rdc";
  return out;
}

std::string flags_of(const std::string& path, const std::string& text) {
  return flags_of({{path, text}});
}

TEST(BuildFlags, OfMakefiles) {
  EXPECT_EQ(flags_of("src/Makefile",
                     "TOP = ..\nFLAGS = -std=c++20 -DN=4 -D FAST -I$(TOP)/include -I inc\n"
                     "ifdef DEBUG\nFLAGS += -DDEBUG\nendif\n"
                     "a: a.cu\n\tnvcc -DREAL=float -I$(UNKNOWN)/x -I/usr/include $(FLAGS) a.cu\n"),
            "c++20 -DFAST -DN=4 -DREAL=float -Iinclude -Isrc/inc");
}

TEST(BuildFlags, OfTheBranchesThatMakeReads) {
  const std::string conditions =
      "DEBUG = no\nifeq ($(DEBUG),yes)\nF += -DDEBUG\nelse\nF += -DFAST\nendif\n"
      "ifneq '$(KIND)' 'float'\nF += -DDOUBLE\nendif\n"
      "ifeq ($(shell uname),Linux)\nF += -DLINUX\nelse\nF += -DOTHER\nendif\n";
  EXPECT_EQ(flags_of("Makefile", conditions), "c++0 -DDOUBLE -DFAST");
  EXPECT_EQ(flags_of("Makefile",
                     "USE_ROCM ?= 0\nifeq ($(USE_ROCM),1)\nCFLAGS = -std=c++17 -DAMD\nelse\n"
                     "CFLAGS = -std=c++20 -DNVIDIA\nendif\n"),
            "c++17 -DAMD")
      << "a port's make USE_ROCM=1";
}

TEST(BuildFlags, DeviceCodeOfSeveralSources) {
  EXPECT_EQ(flags_of("Makefile", "%.o: %.cu\n\t$(CC) -dc $< -o $@\n"), "c++0 -fgpu-rdc");
  EXPECT_EQ(flags_of("Makefile", "F = -rdc=true\n"), "c++0 -fgpu-rdc");
  EXPECT_EQ(flags_of("CMakeLists.txt",
                     "set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"),
            "c++0 -fgpu-rdc");
  EXPECT_EQ(flags_of("Makefile", "F = -rdc=false -c\n"), "c++0");
}

// Outside of the tree, headers are where they were.
TEST(BuildFlags, DirectoriesOutsideTheTree) {
  EXPECT_EQ(flags_of("src/Makefile", "all:\n\tnvcc -I../../common -I./.. a.cu\n"),
            "c++0 -I../common -I");
  Tree tree = tree_of({{"Makefile", "all:\n\tnvcc -I../common a.cu\n"}});
  tree.root = "/original/program";
  EXPECT_EQ(CompilerFlags(tree, "/copy").of("src/a.cu"),
            (std::vector<std::string>{"-std=c++17", "-iquote/original/common", "-I/original/common",
                                      "-iquote/copy/", "-idirafter/copy/",
                                      "-idirafter/original/program/src"}));
  EXPECT_EQ(CompilerFlags(tree, "/copy").of("a.c")[1], "-I/original/common");  // no C++
}

// A project may have its own for a system that lacks them.
TEST(BuildFlags, StandardHeadersAreTheSystems) {
  Tree tree = tree_of({{"a.cu", "#include <unistd.h>\n#include <own.h>\n"},
                       {"dev/unistd.h", ""},
                       {"inc/own.h", ""}});
  for (const auto& file : tree.files) tree.by_name.emplace(name_of(file->path()), file.get());
  tree.root = "/original";
  const std::vector<std::string> words = CompilerFlags(tree, "/copy").of("a.cu");
  EXPECT_NE(std::ranges::find(words, "-idirafter/copy/inc"), words.end());
  EXPECT_EQ(std::ranges::find(words, "-idirafter/copy/dev"), words.end());
  // Also where another program has its own beside a header that it needs.
  for (const std::string& word : words) EXPECT_FALSE(word.starts_with("-I")) << word;
}

TEST(BuildFlags, OfCMake) {
  const std::string lists =
      "project(x LANGUAGES CXX CUDA)\nset(CMAKE_CUDA_STANDARD 20)\nadd_definitions(-DONE)\n"
      "target_compile_definitions(a PRIVATE TWO=2 ${MORE})\n"
      "if(X)\nadd_definitions(-DTHREE)\nendif()\n"
      "if(USE_ROCM)\nadd_compile_definitions(FOUR)\nelse()\nadd_compile_definitions(FIVE)\nendif()"
      "\n"
      "set(HERE ${CMAKE_CURRENT_SOURCE_DIR})\n"
      "target_include_directories(a PUBLIC ${HERE}/include /usr/include other)\n";
  EXPECT_EQ(flags_of({{"CMakeLists.txt", lists}, {"include/a.h", ""}}),
            "c++20 -DFOUR -DONE -DTWO=2 -Iinclude -Iother");
}

// They hold where the file is included, which is not where it lies.
TEST(BuildFlags, OfCMakeFilesThatAreIncluded) {
  EXPECT_EQ(flags_of({{"CMakeLists.txt", "include(cmake/flags.cmake)\n"},
                      {"cmake/flags.cmake", "add_definitions(-DONE)\n"}}),
            "c++0 -DONE");
}

TEST(BuildFlags, OfSetupPy) {
  EXPECT_EQ(flags_of("setup.py",
                     "flags = ['-DONE', f'-D{x}', '-std=c++20']\n"
                     "if torch.version.hip:\n    flags.append('-DAMD')\n"
                     "if not torch.version.hip:\n    flags.append('-DNVIDIA')\n"),
            "c++20 -DAMD -DONE");
}

std::string options_for(const std::string& path, const Files& files) {
  std::string out;
  Tree tree = tree_of(files);
  tree.root = "/original";
  for (const std::string& word : CompilerFlags(tree, "/copy").of(path))
    if (!word.starts_with("-I") && !word.starts_with("-i") && !word.starts_with("-std"))
      out += (out.empty() ? "" : " ") + word;
  return out;
}

TEST(BuildFlags, OptionsOfTheRuleThatCompilesASource) {
  const Files make = {{"src/Makefile",
                       "HIPCC = $(ROCM)/bin/hipcc\nCXXFLAGS = -ffast-math\nFLAGS = -O3 -Wall -g\n"
                       "%.o: %.cu\n\t@mkdir -p out && $(HIPCC) $(FLAGS) -c -o $@ $<\n"
                       "fast.o: fast.cu\n\t$(HIPCC) -O1 -ffp-contract=off -fgpu-rdc -c $<\n"
                       "host.o: host.cpp\n\tg++ $(CXXFLAGS) -c $<\n"
                       "app: a.o fast.o\n\t$(HIPCC) -flto -O0 $^\n"}};
  EXPECT_EQ(options_for("src/a.cu", make), "-fgpu-rdc -O3");
  EXPECT_EQ(options_for("src/fast.cu", make), "-fgpu-rdc -O1 -ffp-contract=off");
  EXPECT_EQ(options_for("src/host.cpp", make), "-fgpu-rdc");
}

TEST(BuildFlags, OptionsOfTargets) {
  const Files cmake = {{"CMakeLists.txt",
                        "set(CMAKE_CXX_FLAGS \"-ffast-math\")\n"
                        "set(CMAKE_HIP_FLAGS \"${CMAKE_HIP_FLAGS} -O1 -Wall\")\n"
                        "add_compile_options(\"$<$<COMPILE_LANGUAGE:HIP>:-fno-a;-fno-b>\" "
                        "$<$<COMPILE_LANGUAGE:CXX>:-ffast-math>)\n"
                        "add_executable(one a.cu)\nadd_library(two STATIC b.cu)\n"
                        "target_compile_options(two PRIVATE -ffp-contract=off -v)\n"}};
  EXPECT_EQ(options_for("a.cu", cmake), "-O1 -fno-a -fno-b");
  EXPECT_EQ(options_for("b.cu", cmake), "-O1 -fno-a -fno-b -ffp-contract=off");
  EXPECT_EQ(options_for("c.cu", cmake), "") << "of no target";
}

TEST(BuildFlags, OptionsOfExtensions) {
  const Files setup = {{"setup.py",
                        "CUDAExtension('a', ['a.cu'], extra_compile_args={'cxx': ['-ffast-math'],"
                        " 'nvcc': ['-O3', '-fa'] if IS_HIP_EXTENSION else ['-fb']})\n"}};
  EXPECT_EQ(options_for("a.cu", setup), "-O3 -fa");
}

// Those of the tree, or of the one that it is a port of.
TEST(BuildFlags, CompileCommandsTakePrecedenceOverBuildFiles) {
  const auto original = TemporaryDirectory::create();
  const std::string root = original->path().string();
  ASSERT_TRUE(
      write_file_atomic(original->path() / "compile_commands.json",
                        R"([{"directory": ")" + root +
                            R"(", "file": "a.cu", "command": "nvcc -DDATABASE -I../out"}])"));
  Tree tree = tree_of({{"Makefile", "F = -DMAKE -std=c++20\n"}});
  tree.root = original->path();
  EXPECT_EQ(UnitFlags(tree).of("a.cu").macros,
            (std::map<std::string, std::string>{{"DATABASE", ""}}));
  EXPECT_EQ(UnitFlags(tree).of("a.cu").folders, std::vector<std::string>{"../out"});
  EXPECT_EQ(UnitFlags(tree).of("b.cu").standard, 20);
  tree.root = "/nowhere";
  EXPECT_EQ(UnitFlags(tree).of("a.cu").standard, 20);
  EXPECT_EQ(UnitFlags(tree, original->path()).of("a.cu").folders,
            std::vector<std::string>{(original->path().parent_path() / "out").string()});
}

}  // namespace
}  // namespace hipwright::project
