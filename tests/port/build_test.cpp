// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/build/flags.h"
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

}  // namespace
}  // namespace hipwright::port
