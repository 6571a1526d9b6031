// SPDX-License-Identifier: MIT
#include "project/project_facts.h"

#include "project/folder.h"

namespace hipwright::project {
namespace {

using Change = ProjectFacts::Change;

class Facts : public FolderTest {
 protected:
  void SetUp() override {
    file("CMakeLists.txt", "if(USE_CUDA)\n  add_library(k a.cu)\nendif()\n");
    file("a.cu", "#include \"a.cuh\"\n");
    file("a.cuh", "int x;\n");
    file("other.cu", "int x;\n");
  }
  ProjectFacts read() {
    auto facts = ProjectFacts::read({.folder = root()});
    EXPECT_TRUE(facts) << facts.error().message();
    return facts ? *std::move(facts) : ProjectFacts();
  }
};

TEST_F(Facts, AreThoseOfARunOverTheTree) {
  const ProjectFacts facts = read();
  EXPECT_EQ(facts.of("a.cu").built_on_amd, Truth::kNo);
  EXPECT_EQ(facts.of("a.cuh").built_on_amd, Truth::kNo);
  EXPECT_EQ(facts.of("other.cu").built_on_amd, Truth::kMaybe);
  EXPECT_TRUE(facts.of("rocm/x.cu").is_rocm_specific);
  EXPECT_EQ(ProjectFacts().of("a.cu").built_on_amd, Truth::kMaybe);
}

TEST_F(Facts, FollowTheFilesThatChange) {
  ProjectFacts facts = read();
  EXPECT_EQ(facts.refresh("a.cu"), Change::kNone) << "nothing changed";
  file("other.cu", "int y;\n");
  EXPECT_EQ(facts.refresh("other.cu"), Change::kNone) << "its includes did not";
  file("other.cu", "#include \"a.cuh\"\n");
  EXPECT_EQ(facts.refresh("other.cu"), Change::kFacts);
  EXPECT_EQ(facts.of("a.cuh").built_on_amd, Truth::kMaybe);
  file("CMakeLists.txt", "add_library(k a.cu)\n");
  EXPECT_EQ(facts.refresh("CMakeLists.txt"), Change::kFacts);
  EXPECT_NE(facts.of("a.cu").built_on_amd, Truth::kNo);
}

TEST_F(Facts, ReportWhenEverythingMustBeReadAgain) {
  ProjectFacts facts = read();
  file("new.cu", "");
  EXPECT_EQ(facts.refresh("new.cu"), Change::kFiles);
  std::filesystem::remove(root() / "a.cuh");
  EXPECT_EQ(facts.refresh("a.cuh"), Change::kFiles);
  EXPECT_EQ(facts.refresh("notes.txt"), Change::kNone);
  EXPECT_EQ(facts.refresh("never-there.cu"), Change::kNone);
}

TEST_F(Facts, AMissingDirectoryIsAnError) {
  EXPECT_FALSE(ProjectFacts::read({.folder = root() / "nowhere"}));
}

}  // namespace
}  // namespace hipwright::project
