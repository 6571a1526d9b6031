// SPDX-License-Identifier: MIT
#include "project/build/makefile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::project {
namespace {

using testing::ElementsAre;

TEST(Makefile, NamesSourcesAndCalls) {
  const MakefileFacts facts = read_makefile(
      "OBJECTS = kernels.o \\\n  io.o\nSOURCES = $(wildcard common/*.cpp)\n"
      "main: main.cu $(OBJECTS)\n\tnvcc $^\nrun: main\n\t./main $(N) 1 2\n\t./main > out\n"
      "N = 7\n",
      "src/Makefile");
  EXPECT_EQ(facts.folder, "src/");
  EXPECT_THAT(facts.calls, ElementsAre(ElementsAre("./main", "7", "1", "2")));
  EXPECT_TRUE(facts.names("src/main.cu"));
  EXPECT_TRUE(facts.names("src/kernels.cu"));
  EXPECT_TRUE(facts.names("src/common/a.cpp"));
  EXPECT_FALSE(facts.names("src/common/x/a.cpp"));
  EXPECT_FALSE(facts.names("src/other.cu"));
  EXPECT_FALSE(facts.names("main.cu"));
}

TEST(Makefile, InactiveBranchesNameNoSources) {
  const MakefileFacts facts = read_makefile(
      "ifeq ($(shell which nvcc),)\nA = a.cu\nelse\nB = b.cu\nendif\n"
      "ifdef NOT_THERE\nC = c.cu\nelse ifdef USE_ROCM\nD = d.cu\nelse\nE = e.cu\nendif\n",
      "Makefile");
  EXPECT_THAT(facts.sources, ElementsAre("a.cu", "b.cu", "d.cu"));
}

TEST(Makefile, DefaultsDoNotReplaceValues) {
  const MakefileFacts facts = read_makefile(
      "A = 1\nA = 2\nB = 3\nB ?= 4\nC ?= 5\nmain: main.cu\n\tnvcc $^\n"
      "run: main\n\t./main $(A) $(B) $(C)\n",
      "Makefile");
  EXPECT_THAT(facts.calls, ElementsAre(ElementsAre("./main", "2", "3", "5")));
}

TEST(Makefile, VariablesThatDoubleThemselvesEnd) {
  std::string text = "A0 = -Dx\n";
  for (int i = 1; i < 40; ++i) {
    text += "A" + std::to_string(i) + " =";
    for (int k = 0; k < 50; ++k) text += " $(A" + std::to_string(i - 1) + ")";
    text += "\n";
  }
  EXPECT_TRUE(read_makefile(text + "A = $(A)\na: $(A39)\n", "Makefile").sources.empty());
}

}  // namespace
}  // namespace hipwright::project
