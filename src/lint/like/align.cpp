// SPDX-License-Identifier: MIT
#include "lint/like/align.h"

#include <algorithm>
#include <unordered_map>

namespace hipwright::lint::like {

namespace {

// Cost of tokens that a place has and the shape lacks, as a fraction of an average element. Whole
// brackets cost once.
constexpr float kOpenGap = 0.3F, kGapToken = 0.08F, kGapBracket = 0.3F;
// Another statement between two of the shape; there is none inside a statement.
constexpr float kGapBreak = 1.2F, kNever = 1e6F;
// A variable may match a whole expression elsewhere.
constexpr float kExpressionFactor = 0.1F;
// Something is already present where the fix inserted something.
constexpr float kJointFactor = 4;
// Fraction of an element's weight, in a statement of common words.
constexpr float kAverageWeight = 0.6F;

float likeness_of_names(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j])
      ++common, ++i, ++j;
    else if (a[i] < b[j])
      ++i;
    else
      ++j;
  }
  return a.empty() || b.empty()
             ? 0
             : 2.0F * static_cast<float>(common) / static_cast<float>(a.size() + b.size());
}

class Aligner {
 public:
  Aligner(const std::vector<Element>& elements, float total, const Numbered& file, Range window)
      : elements_(elements),
        total_(total),
        file_(file),
        window_(window),
        width_(window.size() + 1),
        best_((elements.size() + 1) * width_, 0),
        steps_((elements.size() + 1) * width_, 0),
        shares_(window.size()),
        scale_(std::clamp(total / (kAverageWeight *
                                   static_cast<float>(std::max<std::size_t>(elements.size(), 1))),
                          1.0F, 4.0F)),
        has_breaks_(std::any_of(elements.begin(), elements.end(), [](const Element& element) {
          return element.kind == Kind::kBreak;
        })) {
    number_spellings();
  }

  std::vector<Alignment> run(float least) {
    fill();
    return gather(least);
  }

 private:
  // How a cell was reached: by a pair, by skipping the element, or by a gap of so many tokens.
  using Step = std::uint32_t;
  static constexpr Step kSkip = 0, kPair = ~0U;

  const Token& token(std::size_t j) const { return file_.stream.tokens[window_.begin + j]; }
  std::uint32_t word(std::size_t j) const { return file_.words[window_.begin + j]; }

  // The distinct spellings in the window, so that names are compared once.
  void number_spellings() {
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    local_.resize(window_.size());
    for (std::size_t j = 0; j < window_.size(); ++j) {
      const std::uint32_t spelling = file_.spellings[window_.begin + j];
      const auto [at, is_new] =
          numbers.emplace(spelling, static_cast<std::uint32_t>(spellings_.size()));
      if (is_new) spellings_.push_back(spelling);
      local_[j] = at->second;
    }
    alike_.resize(spellings_.size());
  }

  // The fraction of the element's weight that each token of the window matches.
  void set_shares(const Element& element) {
    if (element.kind == Kind::kName)
      for (std::size_t i = 0; i < spellings_.size(); ++i)
        alike_[i] = likeness_of_names(element.parts, file_.parts[spellings_[i]]);
    for (std::size_t j = 0; j < window_.size(); ++j) shares_[j] = share(element, j);
  }

  float share(const Element& element, std::size_t j) const {
    const Kind other = token(j).kind;
    const bool is_same = element.word == word(j);
    switch (element.kind) {
      case Kind::kBreak:
        return other == Kind::kBreak ? 1 : 0;
      case Kind::kPunct:
      case Kind::kKeyword:
        return other == element.kind && is_same ? 1 : 0;
      case Kind::kNumber:
      case Kind::kString:
        if (other == element.kind) return is_same ? 1 : element.is_changed ? 0 : 0.3F;
        return other == Kind::kName && !element.is_changed ? 0.2F : 0;
      case Kind::kName:
        break;
    }
    if (other != Kind::kName) {
      const bool is_value = other == Kind::kNumber || other == Kind::kString;
      return element.is_free && is_value ? 0.3F : 0;
    }
    if (is_same) return 1;
    const float alike = alike_[local_[j]];
    if (!element.is_free) return element.is_changed ? 0.6F * alike : 0.1F + 0.6F * alike;
    return element.is_changed ? 0.5F + 0.5F * alike : 0.6F + 0.4F * alike;
  }

  float gap_cost(std::size_t j, float factor) const {
    if (token(j).kind == Kind::kBreak) return has_breaks_ ? kGapBreak * scale_ : kNever;
    return kGapToken * factor;
  }

  // The relative cost of a gap after the first `i` elements.
  float gap_factor(std::size_t i) const {
    if (elements_[i].is_joint) return kJointFactor * scale_;
    const bool is_expression = elements_[i - 1].is_free || elements_[i].is_free;
    return is_expression ? kExpressionFactor * scale_ : scale_;
  }

  void fill() {
    for (std::size_t i = 1; i <= elements_.size(); ++i) {
      set_shares(elements_[i - 1]);
      fill_pairs(i);
      if (i < elements_.size()) fill_gaps(i);
    }
  }

  void fill_pairs(std::size_t i) {
    const float weight = elements_[i - 1].weight;
    float* const row = &best_[i * width_];
    const float* const above = row - width_;
    Step* const steps = &steps_[i * width_];
    row[0] = above[0];
    for (std::size_t j = 1; j < width_; ++j) {
      const float share = shares_[j - 1];
      const float paired = share > 0 ? above[j - 1] + share * weight : -1e9F;
      steps[j] = paired > above[j] ? kPair : kSkip;
      row[j] = std::max(paired, above[j]);
    }
  }

  void fill_gaps(std::size_t i) {
    float* const row = &best_[i * width_];
    Step* const steps = &steps_[i * width_];
    const float factor = gap_factor(i);
    float running = -1e9F;  // the best gap that ends here
    std::uint32_t length = 0;
    for (std::size_t j = 1; j < width_; ++j) {
      const float cost = gap_cost(j - 1, factor);
      running -= cost;
      ++length;
      if (const float opened = row[j - 1] - kOpenGap * factor - cost; opened > running) {
        running = opened;
        length = 1;
      }
      const std::uint32_t partner = token(j - 1).partner;
      if (partner != kNone && partner >= window_.begin && partner < window_.begin + j - 1) {
        const std::size_t open = partner - window_.begin;
        if (const float jumped = row[open] - (kOpenGap + kGapBracket) * factor; jumped > running) {
          running = jumped;
          length = static_cast<std::uint32_t>(j - open);
        }
      }
      if (running > row[j]) {
        row[j] = running;
        steps[j] = length;
      }
    }
  }

  std::vector<Alignment> gather(float least) {
    const float* const last = &best_[elements_.size() * width_];
    std::vector<std::uint32_t> ends;
    for (std::uint32_t j = 1; j < width_; ++j)
      if (last[j] >= least * total_ && steps_[elements_.size() * width_ + j] == kPair)
        ends.push_back(j);
    // An end whose last elements are missing scores the same as the one before it, so ends in a
    // pair are tried first.
    for (std::uint32_t j = 1; j < width_; ++j)
      if (last[j] >= least * total_ && steps_[elements_.size() * width_ + j] == kSkip)
        ends.push_back(j);
    std::stable_sort(ends.begin(), ends.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return last[a] > last[b]; });
    std::vector<Alignment> found;
    for (const std::uint32_t end : ends) {
      if (is_taken(found, end - 1)) continue;
      Alignment next = trace(end);
      if (next.likeness < least || next.range.empty()) continue;
      if (is_taken(found, next.range.begin) || is_taken(found, next.range.end - 1)) continue;
      found.push_back(std::move(next));
    }
    std::stable_sort(found.begin(), found.end(), [](const Alignment& a, const Alignment& b) {
      return a.likeness > b.likeness;
    });
    return found;
  }

  bool is_taken(const std::vector<Alignment>& found, std::uint32_t at) const {
    return std::any_of(found.begin(), found.end(),
                       [&](const Alignment& each) { return each.range.contains(at); });
  }

  Alignment trace(std::uint32_t end) const {
    Alignment result;
    result.partners.assign(elements_.size(), kNone);
    std::size_t i = elements_.size(), j = end;
    result.range = {kNone, 0};
    while (i > 0) {
      const Step step = steps_[i * width_ + j];
      if (step == kPair) {
        --i;
        --j;
        const auto at = window_.begin + static_cast<std::uint32_t>(j);
        result.partners[i] = at;
        result.range.begin = at;
        result.range.end = std::max(result.range.end, at + 1);
      } else if (step == kSkip) {
        --i;
      } else {
        j -= step;
      }
    }
    if (result.range.begin == kNone) return {};
    const float value = best_[elements_.size() * width_ + end] - inconsistency(result.partners);
    result.likeness = total_ > 0 ? value / total_ : 0;
    result.changed_share =
        share_of(result.partners, [](const Element& element) { return element.is_changed; });
    result.exact_share = share_of(result.partners, is_exact_part);
    return result;
  }

  // A variable that occurs twice in the shape must be the same one here, too.
  float inconsistency(const std::vector<std::uint32_t>& partners) const {
    float lost = 0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const Element& element = elements_[i];
      const std::uint32_t first = partners[element.same_as];
      if (!element.is_free || element.same_as == i || partners[i] == kNone || first == kNone)
        continue;
      if (file_.stream.of(partners[i]) != file_.stream.of(first)) lost += 0.5F * element.weight;
    }
    return lost;
  }

  // The fraction of some elements' weight that matches exactly here.
  template <class Select>
  float share_of(const std::vector<std::uint32_t>& partners, const Select& select) const {
    float all = 0, kept = 0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (elements_[i].is_free || !select(elements_[i])) continue;
      all += elements_[i].weight;
      if (partners[i] != kNone && file_.words[partners[i]] == elements_[i].word)
        kept += elements_[i].weight;
    }
    return all > 0 ? kept / all : 1;
  }

  const std::vector<Element>& elements_;
  const float total_;
  const Numbered& file_;
  const Range window_;
  const std::size_t width_;
  std::vector<float> best_;
  std::vector<Step> steps_;
  std::vector<float> shares_;                     // of the row that is being filled
  std::vector<std::uint32_t> local_, spellings_;  // of each token: which of the spellings
  std::vector<float> alike_;                      // of each spelling: to the element's name
  const float scale_;                             // rare words weigh more, and so must mismatches
  const bool has_breaks_;
};

}  // namespace

bool is_exact_part(const Element& element) {
  return element.kind != Kind::kBreak && (element.kind != Kind::kPunct || element.weight > 0.25F);
}

std::vector<Alignment> align(const std::vector<Element>& elements, float total,
                             const Numbered& file, Range window, float least) {
  if (elements.empty() || window.empty()) return {};
  return Aligner(elements, total, file, window).run(least);
}

}  // namespace hipwright::lint::like
