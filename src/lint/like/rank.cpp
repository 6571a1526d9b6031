// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "lint/like/reach.h"
#include "lint/like/search.h"

namespace hipwright::lint::like {

namespace {

// The share of the score that the surroundings contribute.
constexpr float kNearbyPart = 0.08F;

}  // namespace

void Search::gather(Found& found) {
  // A shape that occurs everywhere counts less.
  std::vector<std::size_t> counts(shapes_.size());
  for (const File& file : files_)
    for (const Place& place : file.places) ++counts[place.shape];
  std::vector<float> factor(shapes_.size());
  float most = 0;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    factor[i] = reach_[i] / (1 + 0.1F * std::log2(1.0F + static_cast<float>(counts[i])));
    if (counts[i] > 0) most = std::max(most, factor[i]);
  }
  BuiltFacts built(request_.lint);
  for (File& file : files_) {
    found.statistics.files += 1;
    found.statistics.bytes += file.bytes;
    found.fixed += file.fixed;
    if (!file.why_not.empty())
      found.notes.push_back({file.path, "not read: " + file.why_not, file.is_unread});
    for (Place& place : file.places)
      place.score = place.likeness * factor[place.shape] / std::max(most, 1e-6F) *
                    (1 - kNearbyPart + kNearbyPart * place.nearby);
    std::stable_sort(file.places.begin(), file.places.end(),
                     [](const Place& a, const Place& b) { return a.score > b.score; });
    std::vector<Place> kept;
    for (Place& place : file.places) {
      if (place.score < request_.least_score) continue;
      const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const Place& other) {
        return other.position.line <= place.end.line && place.position.line <= other.end.line;
      });
      if (is_known) continue;
      if (file.language == project::Language::kCuda)
        place.on_amd = place.on_amd & built.on_amd(file.project_path);
      kept.push_back(std::move(place));
    }
    for (Place& place : kept) {
      if (place.on_amd == syntax::Truth::kNo && !request_.all_platforms) {
        ++found.unreachable;
        continue;
      }
      found.places.push_back(std::move(place));
    }
  }
  std::stable_sort(found.places.begin(), found.places.end(),
                   [](const Place& a, const Place& b) { return a.score > b.score; });
  found.shapes = std::move(shapes_);
}

}  // namespace hipwright::lint::like
