// SPDX-License-Identifier: MIT
// A tree of planted bugs, sixteen kinds: lines that end in "like: KIND" are the places that the
// fix of that kind must lead to; everything else must not come before them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>

#include "base/file.h"
#include "lint/like/like.h"
#include "paths.h"

namespace hipwright::lint::like {
namespace {

namespace fs = std::filesystem;

const fs::path kTree = tests_folder() / "lint/like";

struct Wanted {
  std::string path;
  std::uint32_t line;
};

std::vector<Wanted> wanted(const std::string& kind) {
  std::vector<Wanted> list;
  for (const auto& entry : fs::recursive_directory_iterator(kTree)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    std::string line;
    for (std::uint32_t number = 1; std::getline(file, line); ++number)
      if (line.ends_with("like: " + kind))
        list.push_back({entry.path().lexically_relative(kTree).generic_string(), number});
  }
  return list;
}

std::vector<std::string> kinds() {
  std::vector<std::string> list;
  for (const auto& entry : fs::directory_iterator(kTree))
    list.push_back(entry.path().filename().string());
  std::sort(list.begin(), list.end());
  return list;
}

Found search(const std::string& kind) {
  const auto text = read_file(kTree / kind / "fix.patch");
  EXPECT_TRUE(text);
  const auto patch = read_patch(*text, "fix.patch");
  EXPECT_TRUE(patch) << patch.error().message();
  // The rules' own findings are not what is measured.
  Request request{.lint = {.root = kTree, .select = {"HW003"}}, .patch = *patch, .limit = 0};
  auto found = find_like(request);
  EXPECT_TRUE(found) << found.error().message();
  return found ? *std::move(found) : Found{};
}

bool is_at(const Place& place, const Wanted& wanted) {
  return place.path == wanted.path && place.position.line <= wanted.line &&
         wanted.line <= place.end.line + 1;
}

class Planted : public testing::TestWithParam<std::string> {};

TEST_P(Planted, AreFoundAndComeFirst) {
  const std::vector<Wanted> planted = wanted(GetParam());
  ASSERT_FALSE(planted.empty());
  const Found found = search(GetParam());
  std::set<std::size_t> hit;
  std::string first_ones;
  for (std::size_t i = 0; i < std::min(planted.size(), found.places.size()); ++i) {
    const Place& place = found.places[i];
    first_ones += place.path + ":" + std::to_string(place.position.line) + " ";
    for (std::size_t w = 0; w < planted.size(); ++w)
      if (is_at(place, planted[w])) hit.insert(w);
  }
  EXPECT_EQ(hit.size(), planted.size()) << "the first ones are: " << first_ones;
}

TEST_P(Planted, TheFixedPlaceIsNotAmongThem) {
  for (const Place& place : search(GetParam()).places)
    EXPECT_NE(
        fs::path(place.path).parent_path().string() + "/" + fs::path(place.path).stem().string(),
        GetParam() + "/fixed")
        << place.position.line;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Planted, testing::ValuesIn(kinds()),
                         [](const auto& each) { return each.param; });

// Over all kinds: nearly all places, and little that is very like and is none.
TEST(PlantedTree, RecallAndPrecision) {
  std::size_t planted = 0, found_ones = 0, sure = 0, right = 0;
  for (const std::string& kind : kinds()) {
    const std::vector<Wanted> list = wanted(kind);
    planted += list.size();
    const Found found = search(kind);
    for (const Wanted& each : list)
      found_ones += std::any_of(found.places.begin(), found.places.end(),
                                [&](const Place& place) { return is_at(place, each); });
    for (const Place& place : found.places) {
      if (place.score < 0.7F) continue;
      ++sure;
      right += std::any_of(list.begin(), list.end(),
                           [&](const Wanted& each) { return is_at(place, each); });
    }
  }
  RecordProperty("recall", std::to_string(found_ones) + "/" + std::to_string(planted));
  RecordProperty("precision", std::to_string(right) + "/" + std::to_string(sure));
  EXPECT_GE(static_cast<double>(found_ones) / static_cast<double>(planted), 0.95);
  EXPECT_GE(static_cast<double>(right) / static_cast<double>(sure), 0.8);
}

}  // namespace
}  // namespace hipwright::lint::like
