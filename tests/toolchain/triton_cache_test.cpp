// SPDX-License-Identifier: MIT
#include "toolchain/code_object/triton_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/file.h"
#include "base/json.h"
#include "paths.h"
#include "toolchain/code_object/find.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A directory as Triton writes it, with code objects of the fixture in it.
class TritonCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const fs::path fixture = tests_folder() / "fixtures/inspect/axpy.hipfb";
    auto images = find_code_objects(Bytes(*read_file(fixture)), "fixture");
    ASSERT_TRUE(images);
    for (const DeviceImage& image : *images) code_[image.target] = std::string(image.bytes.view());
  }

  fs::path add(const std::string& folder, const std::string& target, const std::string& metadata) {
    const fs::path where = root() / folder;
    EXPECT_TRUE(make_directories(where));
    EXPECT_TRUE(write_file_atomic(where / "matmul.hsaco", code_[target]));
    EXPECT_TRUE(write_file_atomic(where / "matmul.json", metadata));
    return where / "matmul.hsaco";
  }
  const fs::path& root() const { return folder_->path(); }

  Result<TemporaryDirectory> folder_ = TemporaryDirectory::create();
  std::map<std::string, std::string> code_;
};

TEST_F(TritonCacheTest, LaunchTimeSharedMemoryCountsAndOptionsAreShown) {
  add("A", "gfx942", R"({"num_warps": 4, "num_stages": 2, "waves_per_eu": 0, "shared": 0})");
  add("B", "gfx942",
      R"({"num_warps": 8, "num_stages": 3, "waves_per_eu": 2, "matrix_instr_nonkdim": 16,
          "kpack": 1, "shared": 65536})");
  const auto cache = read_triton_cache(root());
  ASSERT_TRUE(cache) << cache.error().message();
  ASSERT_EQ(cache->kernels.size(), 4U);  // two in each
  const TritonKernel& plain = cache->kernels[0];
  const TritonKernel& with_lds = cache->kernels[1];
  EXPECT_EQ(plain.configuration(), "num_warps=4 num_stages=2");
  EXPECT_EQ(with_lds.configuration(),
            "num_warps=8 num_stages=3 waves_per_eu=2 matrix_instr_nonkdim=16");
  EXPECT_EQ(plain.resources.lds_bytes, 0U);
  EXPECT_EQ(with_lds.resources.lds_bytes, 65536U);
  EXPECT_GT(plain.resources.occupancy->by_lds, with_lds.resources.occupancy->by_lds);

  const std::string text = triton_table(cache->kernels, false);
  EXPECT_THAT(text, HasSubstr("gfx942: 4 kernels"));
  EXPECT_THAT(text, HasSubstr("num_warps=8 num_stages=3 waves_per_eu=2 matrix_instr_nonkdim=16"));
  const Json json = triton_json("cache", cache->kernels);
  EXPECT_EQ(json["images"][0]["kernels"][1]["triton"]["waves_per_eu"], 2);
  EXPECT_EQ(json["images"][0]["kernels"][1]["lds_bytes"], 65536);
}

TEST_F(TritonCacheTest, TargetsHaveTablesOfTheirOwn) {
  add("A", "gfx942", R"({"num_warps": 4, "num_stages": 2})");
  add("B", "gfx1100", R"({"num_warps": 4, "num_stages": 2})");
  const std::string text = triton_table(read_triton_cache(root())->kernels, false);
  EXPECT_THAT(text, HasSubstr("gfx942: 2 kernels"));
  EXPECT_THAT(text, HasSubstr("gfx1100: 2 kernels"));
}

TEST_F(TritonCacheTest, VariantsAreComparedWithTheirOrigin) {
  add("cache/HASH", "gfx942", R"({"num_warps": 4, "num_stages": 2, "shared": 1024})");
  add("out/HASH/num_stages=3", "gfx942",
      R"({"num_warps": 4, "num_stages": 3, "shared": 65536, "hipwright_variant": "num_stages=3"})");
  add("out/HASH/waves_per_eu=2", "gfx942",
      R"({"num_warps": 4, "num_stages": 2, "shared": 1024, "hipwright_variant": "waves_per_eu=2"})");
  add("out/OTHER/num_stages=1", "gfx942",
      R"({"num_warps": 4, "num_stages": 1, "shared": 1, "hipwright_variant": "num_stages=1"})");
  const auto kernels = read_triton_cache(root() / "cache")->kernels;
  const auto variants = read_triton_cache(root() / "out")->kernels;
  const std::string text = triton_changes(kernels, variants);
  EXPECT_THAT(text, HasSubstr("num_stages=3: LDS 1024 -> 65536, occupancy"));
  EXPECT_THAT(text, HasSubstr("1 option without effect"));
  EXPECT_THAT(text, Not(HasSubstr("num_stages=1")));
}

TEST_F(TritonCacheTest, DamagedFilesAreErrorsAndOthersAreRead) {
  const fs::path damaged = add("A", "gfx942", R"({"num_warps": 4})");
  ASSERT_TRUE(write_file_atomic(damaged, "not a code object"));
  add("B", "gfx942", "{");
  add("C", "gfx942", R"({"num_warps": 4, "num_stages": "two", "shared": -1, "kpack": 1e99})");
  add("D", "gfx942", R"({"name": "another tool's"})");
  const auto cache = read_triton_cache(root());
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->errors.size(), 2U);
  ASSERT_EQ(cache->kernels.size(), 2U);
  EXPECT_EQ(cache->kernels[0].configuration(), "num_warps=4");
}

TEST_F(TritonCacheTest, DirectoriesWithoutKernelsSayWhatIsExpected) {
  const auto none = read_triton_cache(root());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message(), HasSubstr("~/.triton/cache"));
}

}  // namespace
}  // namespace hipwright::toolchain
