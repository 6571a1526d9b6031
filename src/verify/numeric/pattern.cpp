// SPDX-License-Identifier: MIT
#include "verify/numeric/pattern.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hipwright::verify {

namespace {

constexpr double kDescribed = 0.95;    // of the wrong elements
constexpr double kReallyWrong = 0.9;   // of the elements named
constexpr double kOftenWrong = 0.25;   // of the elements named as the only wrong ones
constexpr std::size_t kNoChance = 16;  // this many errors are not in one half by chance

// Words for a kind of group.
struct Words {
  std::string one, many;
  std::string of;         // " of every wave"; where one alone is named
  bool has_ends = false;  // "the first block", "the last block"
};

// Groups in ascending order, and whether (nearly) all of each is wrong.
struct Groups {
  std::vector<std::int64_t> keys;
  std::vector<bool> is_bad;
  std::size_t bad = 0;
  bool are_large = true;  // each has two elements or more

  std::int64_t first_bad() const { return keys[position(true)]; }
  std::size_t position(bool wanted) const {
    return static_cast<std::size_t>(std::ranges::find(is_bad, wanted) - is_bad.begin());
  }
  std::size_t last_position(bool wanted) const {
    std::size_t i = is_bad.size();
    while (i-- > 0 && is_bad[i] != wanted) {
    }
    return i;
  }
};

// The elements that were compared, each with its index in the tensor.
class Elements {
 public:
  Elements(const std::vector<bool>& is_wrong, std::span<const std::int64_t> indices)
      : is_wrong_(is_wrong), indices_(indices) {
    wrong_ = static_cast<std::size_t>(std::ranges::count(is_wrong, true));
  }
  std::size_t count() const { return is_wrong_.size(); }
  std::size_t wrong() const { return wrong_; }
  bool is_wrong(std::size_t i) const { return is_wrong_[i]; }
  std::int64_t index(std::size_t i) const {
    return indices_.empty() ? static_cast<std::int64_t>(i) : indices_[i];
  }

  // Groups by a key below `keys`. Empty if the wrong groups do not cover the wrong elements, or if
  // all groups are wrong.
  template <class Key>
  std::optional<Groups> grouped(std::int64_t keys, std::size_t at_most, Key&& key_of) const {
    std::vector<std::size_t> wrong(static_cast<std::size_t>(keys)), all(wrong.size());
    const std::size_t end = std::min(count(), at_most);
    std::size_t wrong_here = 0;
    for (std::size_t i = 0; i < end; ++i) {
      const auto key = static_cast<std::size_t>(key_of(index(i)));
      ++all[key];
      if (is_wrong_[i]) ++wrong[key], ++wrong_here;
    }
    Groups groups;
    std::size_t described = 0;
    for (std::size_t key = 0; key < all.size(); ++key) {
      if (all[key] == 0) continue;
      const bool is_bad =
          static_cast<double>(wrong[key]) >= kReallyWrong * static_cast<double>(all[key]);
      groups.keys.push_back(static_cast<std::int64_t>(key));
      groups.is_bad.push_back(is_bad);
      groups.are_large &= all[key] > 1;
      if (!is_bad) continue;
      ++groups.bad;
      described += wrong[key];
    }
    const bool is_described =
        static_cast<double>(described) >= kDescribed * static_cast<double>(wrong_here);
    if (!is_described || groups.bad == 0 || groups.bad == groups.keys.size()) return std::nullopt;
    return groups;
  }

 private:
  const std::vector<bool>& is_wrong_;
  std::span<const std::int64_t> indices_;
  std::size_t wrong_ = 0;
};

// "every odd lane", "every 4th lane from 3 on", "every lane with lane % 8 >= 4".
std::string periodic(const Groups& groups, const Words& words) {
  const std::size_t seen = groups.keys.size();
  for (std::int64_t period = 2; period <= static_cast<std::int64_t>(seen) / 2; ++period) {
    std::vector<int> residues(static_cast<std::size_t>(period), -1);
    const bool fits =
        std::ranges::all_of(std::views::iota(std::size_t{0}, seen), [&](std::size_t i) {
          int& residue = residues[static_cast<std::size_t>(groups.keys[i] % period)];
          if (residue == -1) residue = groups.is_bad[i] ? 1 : 0;
          return residue == (groups.is_bad[i] ? 1 : 0);
        });
    if (!fits) continue;
    const auto bad = std::ranges::count(residues, 1);
    const auto first = std::ranges::find(residues, 1) - residues.begin();
    if (period == 2)
      return fmt::format("every {} {} is wrong", first == 1 ? "odd" : "even", words.one);
    if (bad == 1)
      return fmt::format("every {} with {} % {} == {} is wrong", words.one, words.one, period,
                         first);
    if (bad == period - first)
      return fmt::format("every {} with {} % {} >= {} is wrong", words.one, words.one, period,
                         first);
    if (first == 0 &&
        std::all_of(residues.begin(), residues.begin() + bad, [](int r) { return r == 1; }))
      return fmt::format("every {} with {} % {} < {} is wrong", words.one, words.one, period, bad);
    return {};
  }
  return {};
}

std::string one_group(const Groups& groups, const Words& words, bool wanted) {
  const std::size_t at = groups.position(wanted);
  if (words.has_ends && at == 0) return fmt::format("the first {}", words.one);
  if (words.has_ends && at + 1 == groups.keys.size()) return fmt::format("the last {}", words.one);
  return fmt::format("{} {}", words.one, groups.keys[at]);
}

std::string described(const Groups& groups, const Words& words) {
  const std::size_t seen = groups.keys.size(), bad = groups.bad;
  const std::size_t first = groups.position(true), last = groups.last_position(true);
  if (bad == 1) {
    if (!groups.are_large && !words.has_ends) return {};
    return one_group(groups, words, true) + words.of + " is wrong";
  }
  if (bad == seen - 1 && seen > 2)
    return fmt::format("every {} but {} is wrong", words.one, one_group(groups, words, false));
  const bool is_run = last - first + 1 == bad;
  if (is_run && last + 1 == seen)
    return fmt::format("every {} >= {} is wrong", words.one, groups.keys[first]);
  if (is_run && first == 0)
    return fmt::format("every {} < {} is wrong", words.one, groups.keys[last] + 1);
  if (is_run)
    return fmt::format("{} {}-{}{} are wrong", words.many, groups.keys[first], groups.keys[last],
                       words.of);
  if (std::string text = periodic(groups, words); !text.empty()) return text;
  if (bad > 4 || !groups.are_large) return {};
  std::vector<std::int64_t> list;
  for (std::size_t i = 0; i < seen; ++i)
    if (groups.is_bad[i]) list.push_back(groups.keys[i]);
  return fmt::format("{} {}{} are wrong", words.many, fmt::join(list, ", "), words.of);
}

std::string threads_pattern(const Elements& elements, const Layout& layout, std::int64_t size) {
  const std::int64_t wave = layout.wave_size, block = layout.block_size;
  const auto all = elements.count();
  const auto thread = [&](std::int64_t i) { return block != 0 ? i % block : i; };
  if (wave > 1)
    if (const auto groups =
            elements.grouped(wave, all, [&](std::int64_t i) { return thread(i) % wave; }))
      if (std::string text = described(*groups, {"lane", "lanes", " of every wave"}); !text.empty())
        return text;
  if (block <= 1 || block >= size) return {};
  if (const auto groups = elements.grouped(block, all, thread))
    if (std::string text = described(*groups, {"thread", "threads", " of every block"});
        !text.empty())
      return text;
  const std::int64_t blocks = (size - 1) / block + 1;
  if (const auto groups = elements.grouped(blocks, all, [&](std::int64_t i) { return i / block; }))
    return described(*groups, {"block", "blocks", "", true});
  return {};
}

// If half a wave is ignored, many of its results may be right by chance, but no other lane is
// wrong.
std::string half_pattern(const Elements& elements, const Layout& layout) {
  const std::int64_t wave = layout.wave_size, block = layout.block_size;
  if (wave < 32 || elements.wrong() < kNoChance) return {};
  std::size_t all[2] = {}, wrong[2] = {};
  for (std::size_t i = 0; i < elements.count(); ++i) {
    const std::int64_t index = elements.index(i), thread = block != 0 ? index % block : index;
    const std::size_t half = thread % wave >= wave / 2 ? 1 : 0;
    ++all[half];
    wrong[half] += elements.is_wrong(i) ? 1 : 0;
  }
  const std::size_t bad = wrong[0] == 0 ? 1 : 0;
  if (wrong[1 - bad] != 0 ||
      static_cast<double>(wrong[bad]) < kOftenWrong * static_cast<double>(all[bad]))
    return {};
  return fmt::format("only lanes {} {} are wrong: {} of their {} elements", bad == 1 ? ">=" : "<",
                     wave / 2, wrong[bad], all[bad]);
}

std::string axes_pattern(const Elements& elements, const Shape& shape) {
  if (shape.size() < 2) return {};
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    if (shape[axis] < 2) continue;
    Words words{"column", "columns", "", false};
    if (axis + 1 != shape.size()) words = {"row", "rows", "", false};
    if (shape.size() > 2) words.of = fmt::format(" (dimension {})", axis);
    const auto key = [&](std::int64_t i) { return i / stride % shape[axis]; };
    const auto groups = elements.grouped(shape[axis], elements.count(), key);
    if (!groups) continue;
    std::string text = described(*groups, words);
    if (text.empty()) continue;
    if (!words.of.empty() && !text.ends_with(")") && text.find(words.of) == std::string::npos)
      text += words.of;
    return text;
  }
  return {};
}

std::string ends_pattern(const Elements& elements, std::int64_t size) {
  std::size_t first = 0, last = elements.count() - 1;
  while (!elements.is_wrong(first)) ++first;
  while (!elements.is_wrong(last)) --last;
  const auto run = static_cast<double>(last - first + 1);
  if (elements.wrong() < 2 || static_cast<double>(elements.wrong()) < kDescribed * run) return {};
  if (last + 1 == elements.count())
    return fmt::format("the last {} elements are wrong", size - elements.index(first));
  if (first == 0) return fmt::format("the first {} elements are wrong", elements.index(last) + 1);
  if (elements.wrong() < 4) return {};
  return fmt::format("elements {} to {} are wrong", elements.index(first), elements.index(last));
}

std::string period_pattern(const Elements& elements) {
  constexpr std::size_t kEnough = std::size_t{1} << 20;
  for (const std::int64_t period :
       {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 3, 6, 12, 24, 48, 96, 192}) {
    if (static_cast<std::size_t>(period) * 2 > elements.count()) continue;
    const auto groups =
        elements.grouped(period, kEnough, [&](std::int64_t i) { return i % period; });
    if (!groups) continue;
    if (period == 2)
      return fmt::format("every {} index is wrong", groups->first_bad() == 1 ? "odd" : "even");
    const Words words{"index", "indices", fmt::format(" of every {}", period)};
    const std::string text = described(*groups, words);
    if (text.empty()) continue;
    // Of a group of `period`, except where the sentence says so itself.
    return text.find(words.of) != std::string::npos || text.find('%') != std::string::npos
               ? text
               : text.substr(0, text.find(" is wrong")) + words.of + " is wrong";
  }
  return {};
}

}  // namespace

std::string pattern_of(const std::vector<bool>& is_wrong, std::span<const std::int64_t> indices,
                       const Shape& shape, const Layout& layout) {
  const Elements elements(is_wrong, indices);
  if (elements.wrong() == 0 || elements.count() < 2) return {};
  if (elements.wrong() == elements.count()) return "all elements are wrong";
  if (elements.wrong() < 2) return {};
  std::int64_t size = 1;
  for (const std::int64_t dimension : shape) size *= dimension;
  std::string text = threads_pattern(elements, layout, size);
  if (text.empty()) text = half_pattern(elements, layout);
  if (text.empty()) text = axes_pattern(elements, shape);
  if (text.empty()) text = ends_pattern(elements, size);
  if (text.empty()) text = period_pattern(elements);
  const auto share = static_cast<double>(elements.wrong()) / static_cast<double>(elements.count());
  return text.empty() && share >= kDescribed ? "almost all elements are wrong" : text;
}

std::string common_factor(const Values& expected, const Values& actual,
                          const std::vector<bool>& is_wrong) {
  if (!is_float(expected.type)) return {};
  double factor = 0;
  std::size_t wrong = 0, seen = 0;
  for (std::size_t i = 0; i < is_wrong.size(); ++i) {
    if (!is_wrong[i]) continue;
    ++wrong;
    const double want = expected.at(i), have = actual.at(i);
    if (!std::isfinite(want) || !std::isfinite(have) || want == 0) continue;
    const double ratio = have / want;
    if (seen++ == 0) factor = ratio;
    if (std::abs(ratio - factor) > 1e-6 * std::abs(factor)) return {};
  }
  // Zeros have other causes, and two elements may share a factor by chance.
  if (seen < 3 || factor == 0 ||
      static_cast<double>(seen) < kDescribed * static_cast<double>(wrong))
    return {};
  const bool is_eighth = expected.type == DataType::kF8E4M3 || expected.type == DataType::kF8E5M2;
  return fmt::format("each wrong value is {:.6g} times the expected one{}", factor,
                     is_eighth && (factor == 2 || factor == 0.5)
                         ? ", as when AMD's fnuz 8-bit floats (gfx940 family) are read as OCP's or "
                           "the other way round"
                         : "");
}

}  // namespace hipwright::verify
