// SPDX-License-Identifier: MIT
// Included files are part of what a kernel is made from.
#include <gmock/gmock.h>

#include "paths.h"
#include "toolchain/cache/manifest.h"
#include "toolchain/cache_fixture.h"

namespace hipwright::toolchain {
namespace {

using Verdict = IncludeChecker::Verdict;

// A file that was there long before this test: its stamp is settled.
const fs::path kOldFile = tests_folder() / "CMakeLists.txt";

TEST_F(CacheTest, AChangedIncludeCompilesAgainAndARestoredOneDoesNot) {
  const CacheRequest request = request_for("#include \"a.h\"");
  product.includes = {write_header("a.h", "1")};
  product.payload = "from 1";
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ((*ask_anew(request))->payload(), "from 1");
  EXPECT_EQ(compiles, 1);

  write_header("a.h", "2");
  product.payload = "from 2";
  EXPECT_EQ((*ask_anew(request))->payload(), "from 2");
  EXPECT_EQ(compiles, 2);

  write_header("a.h", "1");
  EXPECT_EQ((*ask_anew(request))->payload(), "from 1");
  EXPECT_EQ(compiles, 2);
}

TEST_F(CacheTest, MemoryToldOfAChangedIncludeCompilesAgain) {
  KernelCache cache(options());
  const CacheRequest request = request_for("#include \"a.h\"");
  product.includes = {write_header("a.h", "1")};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(cache.get_or_compile(request, compiler()));
  EXPECT_EQ(compiles, 1);
  write_header("a.h", "2");  // the same size
  ASSERT_TRUE(cache.get_or_compile(request, compiler()));
  EXPECT_EQ(compiles, 2);
}

TEST_F(CacheTest, ADeletedIncludeCompilesAgain) {
  const CacheRequest request = request_for("#include \"a.h\"");
  product.includes = {write_header("a.h", "1")};
  ASSERT_TRUE(ask_anew(request));
  fs::remove(product.includes[0]);
  product.includes = {};
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(compiles, 2);
}

TEST_F(CacheTest, TouchingAnIncludeDoesNotCompile) {
  const CacheRequest request = request_for("#include \"a.h\"");
  product.includes = {write_header("a.h", "1")};
  ASSERT_TRUE(ask_anew(request));
  fs::last_write_time(product.includes[0], fs::file_time_type::clock::now());
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(compiles, 1);
}

TEST_F(CacheTest, AnIncludeChangedDuringTheCompileIsNotKept) {
  const CacheRequest request = request_for("#include \"a.h\"");
  const fs::path header = write_header("a.h", "1");
  KernelCache cache(options());
  const auto compile = [&]() -> Result<Compiled> {
    ++compiles;
    if (compiles == 1) write_header("a.h", "2");  // after the compiler has read "1"
    return Compiled{.payload = "from 1", .includes = {header}};
  };
  ASSERT_TRUE(cache.get_or_compile(request, compile));
  EXPECT_EQ(cache.statistics().not_kept, 1u);
  EXPECT_TRUE(files_in(entries()).empty());
  ASSERT_TRUE(cache.get_or_compile(request, compile));
  EXPECT_EQ(compiles, 2);
}

TEST_F(CacheTest, AnIncludeThatAppearsEarlierInTheSearchPathCompilesAgain) {
  const CacheRequest request = request_for("#include <lib/a.h>");
  const fs::path found = write_header("second/lib/a.h", "1");
  const fs::path base = folder_.path() / "include";
  product.includes = {found};
  product.absent = shadowing_paths({found}, {base / "first", base / "second"});
  ASSERT_TRUE(ask_anew(request));
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(compiles, 1);
  product.includes = {write_header("first/lib/a.h", "2")};
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(compiles, 2);
}

TEST_F(CacheTest, ShadowingPathsAreTheShortestThatAreMissing) {
  const fs::path base = folder_.path() / "include";
  const fs::path one = write_header("c/hip/one.h", "");
  const fs::path two = write_header("c/hip/two.h", "");
  const fs::path plain = write_header("c/plain.h", "");
  write_header("b/hip/other.h", "");
  EXPECT_THAT(shadowing_paths({one, two, plain}, {base / "a", base / "b/", base / "c"}),
              testing::ElementsAre(base / "a", base / "b/hip/one.h", base / "b/hip/two.h",
                                   base / "b/plain.h"));
  EXPECT_TRUE(shadowing_paths({one}, {base / "c", base / "a"}).empty());
}

TEST_F(CacheTest, RelativeIncludesBelongToTheFolderOfTheRequest) {
  CacheRequest request = request_for("#include \"a.h\"");
  for (const char* project : {"one", "two"}) {
    const fs::path header = write_header(std::string(project) + "/a.h", project);
    request.directory = header.parent_path();
    product.includes = {"a.h"};
    product.payload = project;
    ASSERT_TRUE(ask_anew(request));
    EXPECT_EQ((*ask_anew(request))->payload(), project);
  }
  EXPECT_EQ(compiles, 2);
  request.directory.clear();
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(last.not_kept, 1u);
}

TEST_F(CacheTest, AlternativesAreBounded) {
  const CacheRequest request = request_for("#include \"a.h\"");
  const int states = static_cast<int>(Manifest::kMaxAlternatives) + 4;
  for (int i = 0; i < states; ++i) {
    product.includes = {write_header("a.h", std::to_string(i))};
    ASSERT_TRUE(ask_anew(request));
  }
  const auto manifest = decode_manifest(*read_file(files_in(manifests()).at(0)));
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->alternatives.size(), Manifest::kMaxAlternatives);
  write_header("a.h", std::to_string(states - 2));
  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(compiles, states);
}

// A stamp may stand for the content only when any later write must have changed it.
TEST_F(CacheTest, AStampIsTrustedOnlyWhenItWasSettled) {
  const auto truth = capture_includes({kOldFile}, {}, {}, file_clock_now());
  ASSERT_TRUE(truth) << truth.error().message();
  ASSERT_TRUE(truth->files[0].settled);
  EXPECT_EQ(IncludeChecker().check(*truth), Verdict::kSame);

  IncludeSet other_content = *truth;
  other_content.files[0].content = hash128("something else");
  EXPECT_EQ(IncludeChecker().check(other_content), Verdict::kSame) << "the stamp was enough";
  other_content.files[0].settled = false;
  EXPECT_EQ(IncludeChecker().check(other_content), Verdict::kChanged) << "the file was read";

  const fs::path header = write_header("a.h", "1");
  const auto fresh = capture_includes({header}, {}, {}, file_clock_now());
  ASSERT_TRUE(fresh);
  EXPECT_FALSE(fresh->files[0].settled);
}

TEST_F(CacheTest, AHeaderWrittenJustBeforeTheCompileDoesNotKeepTheResultOut) {
  for (int round = 0; round < 20; ++round) {
    const fs::path header = folder_.path() / ("fresh" + std::to_string(round) + ".h");
    ASSERT_TRUE(write_file_atomic(header, "1"));
    product.includes = {header};
    const CacheRequest request = request_for("round " + std::to_string(round));
    ASSERT_TRUE(ask_anew(request));
    ASSERT_TRUE(ask_anew(request));
    EXPECT_EQ(compiles, round + 1);
  }
}

TEST_F(CacheTest, AReadIncludeIsRestampedSoThatTheNextLookupNeedNotReadIt) {
  const CacheRequest request = request_for("#include \"CMakeLists.txt\"");
  product.includes = {kOldFile};
  ASSERT_TRUE(ask_anew(request));
  const fs::path path = files_in(manifests()).at(0);
  auto manifest = decode_manifest(*read_file(path));
  ASSERT_TRUE(manifest);
  manifest->alternatives[0].includes.files[0].settled = false;
  manifest->alternatives[0].includes.files[0].stamp.modified_ns = 0;
  ASSERT_TRUE(write_file_atomic(path, encode_manifest(*manifest)));

  ASSERT_TRUE(ask_anew(request));
  EXPECT_EQ(compiles, 1);
  manifest = decode_manifest(*read_file(path));
  ASSERT_TRUE(manifest);
  EXPECT_TRUE(manifest->alternatives[0].includes.files[0].settled);
  EXPECT_NE(manifest->alternatives[0].includes.files[0].stamp.modified_ns, 0);
}

}  // namespace
}  // namespace hipwright::toolchain
