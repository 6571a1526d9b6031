// SPDX-License-Identifier: MIT
#include "github/find/find.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/terminal.h"
#include "base/visible.h"
#include "base/words.h"
#include "lint/rule.h"

namespace hipwright::github {

namespace {

using WordSet = std::set<std::string>;

// "_" joins words; plurals count as their singular.
WordSet words_of(std::string_view text) {
  WordSet words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    std::string low = lowered(word);
    if (low.size() > 3 && low.ends_with('s')) low.pop_back();
    if (low.size() > 2) words.insert(std::move(low));
    word.clear();
  }
  return words;
}

struct RuleWords {
  const lint::Rule* rule;
  WordSet words;  // of its name
};

// A word that many rules have says little.
class RuleIndex {
 public:
  RuleIndex() {
    for (const lint::Rule& rule : lint::all_rules()) {
      if (rule.area() == lint::Area::kWorkflow || rule.area() == lint::Area::kSuppression) continue;
      rules_.push_back({&rule, words_of(rule.name)});
      for (const std::string& word : rules_.back().words) ++uses_[word];
    }
  }

  double weight(const std::string& word) const {
    const auto uses = uses_.find(word);
    return uses == uses_.end() ? 0 : std::log(static_cast<double>(rules_.size()) / uses->second);
  }

  // The rules with at least two of their words, or one that is theirs alone and long.
  std::vector<std::pair<double, const lint::Rule*>> matching(const WordSet& words) const {
    constexpr double kLeast = 5;
    std::vector<std::pair<double, const lint::Rule*>> found;
    for (const RuleWords& each : rules_) {
      double score = 0;
      unsigned count = 0;
      for (const std::string& word : each.words)
        if (words.contains(word)) score += weight(word), ++count;
      if (count >= 2 && score >= kLeast) found.emplace_back(score, each.rule);
    }
    std::ranges::stable_sort(found, std::ranges::greater(),
                             [](const auto& each) { return each.first; });
    return found;
  }

 private:
  std::vector<RuleWords> rules_;
  std::map<std::string, double> uses_;
};

}  // namespace

std::vector<Candidate> rank(const std::vector<Summary>& all, const Profiles& profiles) {
  constexpr std::size_t kMostRules = 3;
  constexpr double kLabel = 1, kTitle = 1, kPath = 1;
  const RuleIndex index;
  std::vector<Candidate> found;
  for (const Summary& each : all) {
    const Profile& profile = profiles.of(each.id.repository);
    Candidate candidate{.summary = each};
    for (const std::string& label : each.labels)
      if (std::ranges::any_of(profile.rocm_labels,
                              [&](const auto& pattern) { return matches_name(pattern, label); })) {
        candidate.why.push_back("label " + label);
        candidate.score += kLabel;
        break;
      }
    for (const std::string_view word : {"rocm", "amd", "hip", "gfx", "mi300", "mi350", "wave64"})
      if (contains_word(each.title, word)) {
        candidate.why.push_back(fmt::format("title says {}", word));
        candidate.score += kTitle;
        break;
      }
    for (const std::string& path : each.files)
      if (profile.is_rocm_path(path)) {
        candidate.why.push_back("changes " + path);
        candidate.score += kPath;
        break;
      }
    if (candidate.why.empty()) continue;
    for (const auto& [score, rule] : index.matching(words_of(each.title)))
      if (candidate.rules.size() < kMostRules) {
        candidate.rules.push_back(fmt::format("{} {}", rule->code, rule->name));
        if (candidate.rules.size() == 1) candidate.score += score;
      }
    found.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Candidate::score);
  return found;
}

std::string candidates_text(const std::vector<Candidate>& all, bool colour) {
  if (all.empty()) return "nothing found\n";
  std::string text;
  for (const Candidate& each : all) {
    text += fmt::format("{}  {}\n", paint(each.summary.id.text(), Colour::kBold, colour),
                        visible(each.summary.title));
    if (!each.rules.empty())
      text += fmt::format("  the linter knows: {}\n", fmt::join(each.rules, ", "));
    text += fmt::format("  {}; {}\n", visible(fmt::format("{}", fmt::join(each.why, ", "))),
                        each.summary.url);
  }
  return text;
}

Json candidates_json(const std::vector<Candidate>& all) {
  Json list = Json::array();
  for (const Candidate& each : all)
    list.push_back({{"repository", each.summary.id.repository.text()},
                    {"number", each.summary.id.number},
                    {"kind", each.summary.is_pull_request ? "pull request" : "issue"},
                    {"title", each.summary.title},
                    {"url", each.summary.url},
                    {"score", each.score},
                    {"rules", each.rules},
                    {"why", each.why}});
  return {{"candidates", std::move(list)}};
}

}  // namespace hipwright::github
