// SPDX-License-Identifier: MIT
// Bundles of kernels: built once, loaded without a compiler.
#include "kernels/bundle.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "kernels/trial.h"

namespace hipwright::kernels {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BundleTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch = new TemporaryDirectory(*TemporaryDirectory::create());
    const auto targets = arch::parse_targets("gfx942,gfx1100");
    const Op* const ops[] = {find_op("add"), find_op("softmax")};
    const auto built = build_bundles(ops, *targets, scratch->path());
    ASSERT_TRUE(built) << built.error().message();
    EXPECT_EQ(built->size(), std::size(ops));
  }
  static void TearDownTestSuite() { delete scratch; }

  static fs::path copied(const char* name) {
    const fs::path to = scratch->path() / name;
    fs::create_directory(to);
    for (const auto& file : fs::directory_iterator(scratch->path()))
      if (file.is_regular_file()) fs::copy_file(file, to / file.path().filename());
    return to;
  }
  // What a call of `add` ends with.
  static std::string add_on(const char* selector, const fs::path& directory) {
    try {
      const Device device = Device::open(selector);
      AMDMemoryManager memory(device, AMDConfig{});
      Kernels kernels(device, {.code_objects = directory, .compiles = false});
      const Op& op = *find_op("add");
      const Problem problem{.rows = 3, .columns = 100};
      Trial trial(op, problem, kernels, memory, initial_storage(op, problem, 1));
      trial.submit();
      const auto results = trial.results();
      for (std::size_t i = 0; i < 300; ++i)
        if (results[0].values().at(i) != static_cast<float>(results[1].values().at(i)) +
                                             static_cast<float>(results[2].values().at(i)))
          return "wrong";
      return "right";
    } catch (const AMDBackendError& error) {
      return error.what();
    }
  }

  static TemporaryDirectory* scratch;
};
TemporaryDirectory* BundleTest::scratch = nullptr;

TEST_F(BundleTest, LoadsWithoutACompiler) {
  EXPECT_EQ(add_on("soft:gfx942", scratch->path()), "right");
  EXPECT_EQ(add_on("soft:gfx1100", scratch->path()), "right");
}

TEST_F(BundleTest, ATargetThatItLacksIsNamed) {
  EXPECT_THAT(add_on("soft:gfx1201", scratch->path()), HasSubstr("no code for gfx1201"));
}

TEST_F(BundleTest, DamageIsFound) {
  const fs::path directory = copied("damaged");
  std::string bytes = *read_file(directory / "add.hipfb");
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_TRUE(write_file_atomic(directory / "add.hipfb", bytes));
  EXPECT_THAT(add_on("soft:gfx942", directory), HasSubstr("damaged"));
}

TEST_F(BundleTest, BundlesOfOtherSourcesAreRejected) {
  const fs::path directory = copied("other");
  std::string index = *read_file(directory / "index.json");
  for (std::size_t at = 0; (at = index.find("\"source\": \"", at)) != std::string::npos; at += 11)
    index[at + 11] = index[at + 11] == '0' ? '1' : '0';
  ASSERT_TRUE(write_file_atomic(directory / "index.json", index));
  EXPECT_THAT(add_on("soft:gfx942", directory), HasSubstr("another version"));
}

TEST_F(BundleTest, AnIndexLeadsNowhereElse) {
  const fs::path directory = copied("elsewhere");
  std::string index = *read_file(directory / "index.json");
  index.replace(index.find("add.hipfb"), 9, "../a.hipfb");
  ASSERT_TRUE(write_file_atomic(directory / "index.json", index));
  EXPECT_THAT(add_on("soft:gfx942", directory), HasSubstr("names no file beside the index"));
  EXPECT_THAT(add_on("soft:gfx942", scratch->path() / "missing"), HasSubstr("kernels build"));
}

}  // namespace

}  // namespace hipwright::kernels
