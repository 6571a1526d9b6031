// SPDX-License-Identifier: MIT
#include "github/profile/profile.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "github/contest/contest.h"

namespace hipwright::github {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Profiles, TheShippedOnesAreWhole) {
  const auto profiles = Profiles::load("");
  ASSERT_TRUE(profiles) << profiles.error().message();
  EXPECT_GE(profiles->all().size(), 5U);
  for (const Profile& profile : profiles->all()) {
    SCOPED_TRACE(profile.repository);
    EXPECT_FALSE(profile.rocm_paths.empty());
    EXPECT_FALSE(profile.ping_review.empty());
    if (!profile.title.empty()) {
      const Pattern title(profile.title.c_str());
      EXPECT_FALSE(title.match(profile.title_example).empty());
      EXPECT_FALSE(title.match(profile.rocm_title + "what it does").empty());
      EXPECT_TRUE(title.match("").empty());
    }
    for (const std::string& text : {profile.ping_review, profile.ping_merge, profile.ping_stale})
      EXPECT_THAT(text, HasSubstr("{people}"));
  }
}

TEST(Profiles, TheNearestNameWins) {
  const auto profiles = Profiles::load("").value();
  EXPECT_EQ(profiles.of({"vllm-project", "vllm"}).repository, "vllm-project/vllm");
  EXPECT_EQ(profiles.of({"ROCm", "aiter"}).repository, "ROCm/*");
  EXPECT_EQ(profiles.of({"some", "thing"}).repository, "*");
  EXPECT_TRUE(profiles.of({"ROCm", "aiter"}).is_rocm_path("any/file.py"));
  EXPECT_TRUE(profiles.of({"vllm-project", "vllm"}).is_rocm_path("csrc/rocm/attention.cu"));
  EXPECT_TRUE(profiles.of({"vllm-project", "vllm"})
                  .is_rocm_path("vllm/v1/attention/backends/mla/rocm_aiter_mla.py"));
  EXPECT_FALSE(profiles.of({"vllm-project", "vllm"}).is_rocm_path("csrc/attention/paged.cu"));
}

TEST(Profiles, TitlesAboutAmd) {
  for (const char* title : {"[ROCm] x", "HIP: x", "[Bugfix][Hardware][AMD] x", "x on gfx942",
                            "Enable AITER's MLA", "Tune MI300X shapes"})
    EXPECT_TRUE(names_amd(title)) << title;
  for (const char* title : {"Fix the chip's relationship", "Shipping", "gamdalf", "MI", "gfx"})
    EXPECT_FALSE(names_amd(title)) << title;
}

TEST(Profiles, AFileOfTheUserChangesWhatItSays) {
  const auto folder = TemporaryDirectory::create().value();
  std::ofstream(folder.path() / "a.toml")
      << "repository = \"vllm-project/vllm\"\nping-days = 14\nreviewers = [\"me\"]\n";
  std::ofstream(folder.path() / "b.toml")
      << "repository = \"my/*\"\nlabels = [{ any = [\"x\"] }]\n";
  std::ofstream(folder.path() / "c.toml") << "repository = \"ROCm/aiter\"\nping-days = 3\n";
  const auto profiles = Profiles::load(folder.path()).value();
  const Profile& vllm = profiles.of({"vllm-project", "vllm"});
  EXPECT_EQ(vllm.ping_days, 14U);
  EXPECT_EQ(vllm.reviewers, std::vector<std::string>{"me"});
  EXPECT_FALSE(vllm.required_checks.empty());
  EXPECT_EQ(profiles.of({"my", "own"}).labels.size(), 1U);
  EXPECT_EQ(profiles.of({"ROCm", "aiter"}).ping_days, 3U) << "a name comes before ROCm/*";
}

TEST(Profiles, MistakesNameTheLine) {
  const auto message = [](const char* text) {
    Profile profile;
    const auto read = read_profile(text, "p.toml", profile);
    return read ? std::string() : read.error().message();
  };
  EXPECT_THAT(message("repository = \"a/b\"\nreviewer = [\"x\"]"), HasSubstr("p.toml:2"));
  EXPECT_THAT(message("repository = \"a/b\"\nreviewer = [\"x\"]"), HasSubstr("reviewers"));
  EXPECT_THAT(message("repository = \"a/b\"\nping-days = 0"), HasSubstr("p.toml:2"));
  EXPECT_THAT(message("repository = \"a/b\"\ntitle = '('"), HasSubstr("regular expression"));
  EXPECT_THAT(message("title = 'x'"), HasSubstr("names no repository"));
  EXPECT_THAT(message("repository = \"a/b\"\nci = [{ start = \"x\", strat = \"y\" }]"),
              HasSubstr("strat"));
  EXPECT_THAT(message("= x"), HasSubstr("p.toml:1"));
}

TEST(Contest, TheShippedOneIsReadAndMistakesAreNot) {
  const auto shipped = shipped_contest();
  ASSERT_TRUE(shipped) << shipped.error().message();
  EXPECT_EQ(shipped->target, 10U);
  EXPECT_FALSE(read_contest("name = \"x\"", "c.toml"));
  EXPECT_FALSE(read_contest("repositories = [\"a\"]", "c.toml"));
  EXPECT_FALSE(read_contest("repositories = [\"a/b\"]\nsince = \"yesterday\"", "c.toml"));
}

TEST(Contest, CountsWhatIsAboutRocm) {
  EXPECT_EQ(read_contest("repositories = [\"a/b\"]\ntarget = 1", "c.toml").value().target, 1U);
  EXPECT_FALSE(read_contest("repositories = [\"a/b\"]\ntarget = 0", "c.toml"));
  const Contest contest = read_contest("repositories = [\"a/b\"]", "c.toml").value();
  const Profiles profiles = Profiles::load({}).value();
  std::vector<Judged> all(2);
  for (Judged& each : all) {
    each.pull_request.id = {{"a", "b"}, 1};
    each.assessment.state = State::kMerged;
    each.pull_request.files = {{"a.cpp", 1, 1}};
  }
  all[0].pull_request.title = "[ROCm] fix warp size";
  all[1].pull_request.title = "fix a word";
  const Standing standing = standing_of(contest, all, profiles);
  EXPECT_EQ(standing.counted, 1U);
  ASSERT_EQ(standing.merged.size(), 2U);
  EXPECT_EQ(standing.merged[0].why_not, "");
  EXPECT_NE(standing.merged[1].why_not, "");
}

}  // namespace
}  // namespace hipwright::github
