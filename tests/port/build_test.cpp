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
