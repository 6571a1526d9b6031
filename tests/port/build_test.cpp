// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/build/flags.h"
#include "port/isolation/isolation.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

TEST(Flags, BecomeThoseOfHipsCompilers) {
  const auto now = [](std::string_view word, std::string_view next = {}) {
    const auto change = translate_flag(word, next);
    return change ? change->now + (change->takes_next ? " +" : "") : "unchanged";
  };
  EXPECT_EQ(now("-O3"), "unchanged");
  EXPECT_EQ(now("-Iinclude"), "unchanged");
  EXPECT_EQ(now("-arch=sm_80"), "");
  EXPECT_EQ(now("-arch", "sm_80"), " +");
  EXPECT_EQ(now("-gencode=arch=compute_80,code=sm_80"), "");
  EXPECT_EQ(now("-Xcompiler", "-Wall,-O2"), "-Wall -O2 +");
  EXPECT_EQ(now("-Xcompiler=\"-Wall -O2\""), "-Wall -O2");
  EXPECT_EQ(now("--use_fast_math"), "-ffast-math");
  EXPECT_EQ(now("-lcublas"), "-lhipblas");
  EXPECT_EQ(now("-lcublasLt"), "-lhipblaslt");
  EXPECT_EQ(now("-lcufftw"), "unchanged");
}

TEST(Makefile, CallsHipcc) {
  EXPECT_EQ(to_hip("NVCC = $(CUDA_HOME)/bin/nvcc\nCC=nvcc\n"
                   "# nvcc -arch=sm_70\n"
                   "CFLAGS := $(EXTRA) -std=c++17 -Xcompiler -Wall -arch=$(ARCH)\n"
                   "LDFLAGS = -lcudart \\\n          -lcublas\n"
                   "%.o: %.cu\n\t$(NVCC) $(CFLAGS) -Xptxas -v -c $< -o $@\n",
                   "Makefile"),
            "NVCC = hipcc\nCC=hipcc\n"
            "# nvcc -arch=sm_70\n"
            "CFLAGS := $(EXTRA) -std=c++17 -Wall\n"
            "LDFLAGS = -lamdhip64 \\\n          -lhipblas\n"
            "%.o: %.cu\n\t$(NVCC) $(CFLAGS) -c $< -o $@\n");
}

TEST(Makefile, OfOthersStays) {
  const std::string text = "CC = gcc\nall:\n\t$(CC) -arch x\n";
  EXPECT_EQ(to_hip(text, "Makefile"), text);
}

TEST(Makefile, KeepsBothUnderASwitch) {
  const std::string text =
      "NVCC ?= nvcc\nFLAGS = -O2 -arch=sm_80\n\n"
      "a: a.cu\n\t@mkdir -p out\n\t$(NVCC) -lineinfo $(FLAGS) \\\n\t  -o $@ $<\n"
      "define build\n\tnvcc $1\nendef\n"
      "config:\n\tcmake -G Ninja\n";
  const auto ported = [](const std::string& of) {
    return port_files({{"Makefile", of}}, {.mode = Mode::kDual}).files.at("Makefile");
  };
  const std::string once = ported(text);
  EXPECT_EQ(once,
            "ifeq ($(USE_ROCM),1)\nNVCC ?= hipcc\nFLAGS = -O2\nelse\n"
            "NVCC ?= nvcc\nFLAGS = -O2 -arch=sm_80\nendif\n\n"
            "a: a.cu\n\t@mkdir -p out\n"
            "ifeq ($(USE_ROCM),1)\n\t$(NVCC) -gline-tables-only $(FLAGS) \\\n\t  -o $@ $<\nelse\n"
            "\t$(NVCC) -lineinfo $(FLAGS) \\\n\t  -o $@ $<\nendif\n"
            "ifeq ($(USE_ROCM),1)\ndefine build\n\thipcc $1\nendef\nelse\n"
            "define build\n\tnvcc $1\nendef\nendif\n"
            "config:\n\tcmake -G Ninja\n");
  EXPECT_EQ(ported(once), once);
  EXPECT_TRUE(compare_for_nvidia("Makefile", text, once, {}).empty());
  std::string planted = once;
  planted.replace(planted.find("-arch=sm_80"), 11, "-arch=sm_90");
  EXPECT_EQ(compare_for_nvidia("Makefile", text, planted, {}).size(), 1u);
}

TEST(Makefile, OfCrlfLinesStaysSo) {
  const std::string text = "NVCC = nvcc\r\nall:\r\n\t$(NVCC) a.cu";
  EXPECT_EQ(port_files({{"Makefile", text}}, {.mode = Mode::kDual}).files.at("Makefile"),
            "ifeq ($(USE_ROCM),1)\r\nNVCC = hipcc\r\nelse\r\nNVCC = nvcc\r\nendif\r\n"
            "all:\r\n\t$(NVCC) a.cu");
}

TEST(Makefile, ConditionsForAmdAreDecided) {
  const auto is_same = [](const char* before, const char* after) {
    return compare_for_nvidia("Makefile", before, after, {}).empty();
  };
  EXPECT_TRUE(is_same("A = 1\n", "ifdef USE_ROCM\nB = 2\nelse\nA = 1\nendif\n"));
  EXPECT_TRUE(is_same("A = 1\n", "ifneq ($(USE_HIP),)\nB = 2\nelse\nA = 1\nendif\n"));
  EXPECT_TRUE(is_same("ifeq ($(X),1)\nA = 1\nendif\n",
                      "ifeq \"$(USE_ROCM)\" \"1\"\nB = 2\nelse ifeq ($(X),1)\nA = 1\nendif\n"));
  EXPECT_FALSE(is_same("A = 1\n", "ifeq ($(USE_ROCM),)\nA = 2\nelse\nA = 1\nendif\n"));
  EXPECT_FALSE(is_same("A = 1\n", "ifdef FAST\nA = 2\nelse\nA = 1\nendif\n"));
  // A variable that the makefile itself sets decides nothing.
  EXPECT_FALSE(is_same("USE_ROCM ?= 1\nA = 1\n",
                       "USE_ROCM ?= 1\nifdef USE_ROCM\nA = 2\nelse\nA = 1\nendif\n"));
}

constexpr const char* kSetup =
    "import torch\n"
    "from torch.utils.cpp_extension import CUDA_HOME, CUDAExtension\n"
    "if CUDA_HOME is None:\n    raise RuntimeError\n"
    "if torch.cuda.is_available() and CUDA_HOME is not None:\n    print(1)\n"
    "where = CUDA_HOME + '/bin/nvcc'\n"
    "flags = ['-O3', '-gencode', 'arch=compute_80,code=sm_80']\n"
    "CUDAExtension('a', ['a.cu'], extra_compile_args={'nvcc': flags}, libraries=['cuda', "
    "'cublas'])\n"
    "CUDAExtension('b', ['b.cu'], extra_compile_args={'nvcc': ['-O3', '-lineinfo']})\n";

TEST(SetupPy, HasHipccsWordsOnRocm) {
  const TestPort ported = port_files({{"setup.py", kSetup}}, {.mode = Mode::kDual});
  const std::string& now = ported.files.at("setup.py");
  for (const char* line :
       {"if not IS_HIP_EXTENSION and CUDA_HOME is None:\n",
        "if torch.cuda.is_available() and (IS_HIP_EXTENSION or CUDA_HOME is not None):\n",
        "{'nvcc': for_hipcc(flags) if IS_HIP_EXTENSION else flags}",
        "libraries=[\"hipblas\"] if IS_HIP_EXTENSION else ['cuda', 'cublas'])",
        "{'nvcc': [\"-O3\", \"-gline-tables-only\"] if IS_HIP_EXTENSION else ['-O3', "
        "'-lineinfo']})",
        "dropped = [\"-gencode\"]"})
    EXPECT_NE(now.find(line), std::string::npos) << line << "\n" << now;
  EXPECT_EQ(ported.said(), "HP407:7 HP407:7");
  EXPECT_TRUE(compare_for_nvidia("setup.py", kSetup, now, {}).empty());
  EXPECT_EQ(port_files({{"setup.py", now}}, {.mode = Mode::kDual}).files.at("setup.py"), now);
  std::string planted = now;
  planted.replace(planted.find("else ['cuda'"), 12, "else ['coda'");
  EXPECT_EQ(compare_for_nvidia("setup.py", kSetup, planted, {}).size(), 1u);
}

TEST(SetupPy, ThatKnowsRocmStays) {
  const std::string text = std::string(kSetup) + "x = torch.version.hip\n";
  EXPECT_EQ(port_files({{"setup.py", text}}, {.mode = Mode::kDual}).files.at("setup.py"), text);
}

TEST(OtherBuilds, AreReported) {
  EXPECT_EQ(port_files({{"meson.build", "project('a', 'cpp')\nadd_languages('cuda')\n"},
                        {"b/BUILD", "# cuda\ncc_library(name = 'b')\n"},
                        {"c/BUILD.bazel", "cuda_library(name = 'c')\n"}},
                       {.mode = Mode::kDual})
                .said(),
            "HP405:1 HP405:2");
}

constexpr const char* kCMake =
    "cmake_minimum_required(VERSION 3.21)\n"
    "project(app LANGUAGES CXX CUDA)\n"
    "set(CMAKE_CUDA_ARCHITECTURES 80)\n"
    "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -Xcompiler -Wall --use_fast_math\")\n"
    "find_package(CUDAToolkit REQUIRED)\n"
    "add_executable(app main.cpp kernel.cu)\n"
    "target_link_libraries(app PRIVATE CUDA::cudart CUDA::cublas)\n"
    "set_target_properties(app PROPERTIES CUDA_STANDARD 17 CUDA_ARCHITECTURES \"80;90\")\n"
    "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)\n";

TEST(CMake, SpeaksHip) {
  EXPECT_EQ(to_hip(kCMake, "CMakeLists.txt"),
            "cmake_minimum_required(VERSION 3.21)\n"
            "project(app LANGUAGES CXX HIP)\n"
            "# not for AMD GPUs: set(CMAKE_CUDA_ARCHITECTURES 80)\n"
            "set(CMAKE_HIP_FLAGS \"${CMAKE_HIP_FLAGS} -Wall -ffast-math\")\n"
            "find_package(hip REQUIRED)\n"
            "add_executable(app main.cpp kernel.cu)\n"
            "set_source_files_properties(kernel.cu PROPERTIES LANGUAGE HIP)\n"
            "find_package(hipblas REQUIRED)\n"
            "target_link_libraries(app PRIVATE hip::host roc::hipblas)\n"
            "set_target_properties(app PROPERTIES HIP_STANDARD 17)\n"
            "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-gline-tables-only>)\n");
}

TEST(CMake, OfTheOldPackageGetsTheLanguageAndACommandLine) {
  EXPECT_EQ(
      to_hip("find_package(CUDA REQUIRED)\n"
             "set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS};-O2;-gencode=arch=compute_80,code=sm_80)\n"
             "list(APPEND CUDA_NVCC_FLAGS -lineinfo -O3)\n"
             "cuda_add_executable(a ${name}.cu)\n",
             "CMakeLists.txt"),
      "enable_language(HIP)\nfind_package(hip REQUIRED)\n"
      "set(CMAKE_HIP_FLAGS \"${CMAKE_HIP_FLAGS} -O2\")\n"
      "string(APPEND CMAKE_HIP_FLAGS \" -gline-tables-only -O3\")\n"
      "add_executable(a ${name}.cu)\n"
      "set_source_files_properties(${name}.cu PROPERTIES LANGUAGE HIP)\n");
}

TEST(CMake, KeepsBothUnderASwitch) {
  const std::string once =
      port_files({{"CMakeLists.txt", kCMake}}, {.mode = Mode::kDual}).files.at("CMakeLists.txt");
  EXPECT_NE(once.find("option(USE_ROCM \"Build for AMD GPUs\" OFF)\n"), std::string::npos);
  EXPECT_NE(once.find("if(USE_ROCM)\n  project(app LANGUAGES CXX HIP)\nelse()\n"
                      "  project(app LANGUAGES CXX CUDA)\nendif()\n"),
            std::string::npos)
      << once;
  EXPECT_NE(once.find("if(NOT USE_ROCM)\n  set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n"),
            std::string::npos);
  EXPECT_EQ(
      port_files({{"CMakeLists.txt", once}}, {.mode = Mode::kDual}).files.at("CMakeLists.txt"),
      once);
}

}  // namespace
}  // namespace hipwright::port
