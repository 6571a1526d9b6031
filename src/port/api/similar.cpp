// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <tuple>

#include "base/edit_distance.h"
#include "port/api/api.h"

namespace hipwright::port::api {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

constexpr std::size_t kFar = 1000;

// 0 is the same name in different case; then typos; then names that contain the word, the shortest
// first. kFar: nothing in common.
std::size_t distance(const std::string& wanted, const std::string& name) {
  if (name.empty()) return kFar;
  if (name == wanted) return 0;
  std::size_t best = kFar;
  // Two typos turn a short word into any other short word.
  const std::size_t tolerated = std::clamp<std::size_t>(wanted.size() / 4, 1, 4);
  const std::size_t longer = std::max(wanted.size(), name.size());
  if (longer - std::min(wanted.size(), name.size()) <= tolerated) {
    const std::size_t edits = edit_distance(wanted, name);
    if (edits <= tolerated) best = 10 * edits;
  }
  if (wanted.size() >= 3 && name.find(wanted) != std::string::npos)
    best = std::min(best, 50 + name.size() - wanted.size());
  return best;
}

}  // namespace

std::vector<const Entry*> find_hip(std::string_view hip_name) {
  std::vector<const Entry*> result;
  for (const Entry& entry : all())
    if (entry.mapped() && entry.hip == hip_name) result.push_back(&entry);
  return result;
}

std::vector<const Entry*> similar(std::string_view name, std::size_t most) {
  struct Near {
    std::size_t distance;
    const Entry* entry;
  };
  const std::string wanted = lower(name);
  std::vector<Near> near;
  for (const Entry& entry : all()) {
    std::size_t best = distance(wanted, lower(entry.cuda));
    if (entry.hip != entry.cuda) best = std::min(best, distance(wanted, lower(entry.hip)) + 1);
    if (best < kFar) near.push_back({best, &entry});
  }
  // Of two equally close names, the runtime's is more likely.
  std::ranges::sort(near, {}, [](const Near& each) {
    return std::tuple(each.distance, each.entry->library, each.entry);
  });
  std::vector<const Entry*> result;
  for (const Near& each : near) {
    if (result.size() == most) break;
    result.push_back(each.entry);
  }
  return result;
}

}  // namespace hipwright::port::api
