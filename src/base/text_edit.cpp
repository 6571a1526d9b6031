// SPDX-License-Identifier: MIT
#include "base/text_edit.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/visible.h"

namespace hipwright {

bool overlap(const TextEdit& a, const TextEdit& b) {
  if (a.span.size() == 0 && b.span.size() == 0) return a.span.begin == b.span.begin;
  if (a.span.size() == 0) return b.span.begin < a.span.begin && a.span.begin < b.span.end;
  if (b.span.size() == 0) return a.span.begin < b.span.begin && b.span.begin < a.span.end;
  return a.span.begin < b.span.end && b.span.begin < a.span.end;
}

Result<std::string> apply_edits(std::string_view text, std::span<const TextEdit> edits) {
  std::vector<TextEdit> sorted(edits.begin(), edits.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const TextEdit& a, const TextEdit& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end < b.span.end;
  });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());

  std::size_t grown = text.size();
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const TextEdit& edit = sorted[i];
    if (edit.span.begin > edit.span.end || edit.span.end > text.size())
      return fail("cannot apply an edit", fmt::format("{}..{}", edit.span.begin, edit.span.end),
                  fmt::format("the text has {} bytes", text.size()));
    if (i > 0 && overlap(sorted[i - 1], edit)) {
      const LineIndex lines(text);
      return fail("cannot apply two edits",
                  fmt::format("line {} and line {}", lines.position(sorted[i - 1].span.begin).line,
                              lines.position(edit.span.begin).line),
                  "they overlap");
    }
    grown += edit.replacement.size();
  }

  std::string result;
  result.reserve(grown);
  std::size_t copied = 0;
  for (const TextEdit& edit : sorted) {
    result.append(text, copied, edit.span.begin - copied);
    result += edit.replacement;
    copied = edit.span.end;
  }
  return result.append(text, copied);
}

namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// A run of lines [a_begin, a_end) replaced by [b_begin, b_end).
struct Change {
  std::size_t a_begin, a_end, b_begin, b_end;
};

// Myers' greedy O(ND) search. Past `kMostEdits` differing lines the middle is reported as one
// change: a diff that long is not read line by line, and memory stays bounded.
class LineDiff {
 public:
  LineDiff(std::span<const std::string_view> a, std::span<const std::string_view> b)
      : a_(a), b_(b) {}

  std::vector<Change> changes() {
    std::size_t head = 0;
    while (head < a_.size() && head < b_.size() && a_[head] == b_[head]) ++head;
    std::size_t tail = 0;
    while (tail < a_.size() - head && tail < b_.size() - head &&
           a_[a_.size() - 1 - tail] == b_[b_.size() - 1 - tail])
      ++tail;
    offset_ = head;
    a_ = a_.subspan(head, a_.size() - head - tail);
    b_ = b_.subspan(head, b_.size() - head - tail);
    if (a_.empty() && b_.empty()) return {};
    if (!search()) return {{head, head + a_.size(), head, head + b_.size()}};
    return backtrack();
  }

 private:
  static constexpr long kMostEdits = 2000;

  // Fills trace_[d] with the furthest x on each diagonal -d..d after d edits.
  bool search() {
    const long n = static_cast<long>(a_.size());
    const long m = static_cast<long>(b_.size());
    for (long d = 0; d <= kMostEdits; ++d) {
      std::vector<long> row(static_cast<std::size_t>(2 * d + 1), 0);
      for (long k = -d; k <= d; k += 2) {
        long x = d == 0 ? 0 : start(d, k);
        while (x < n && x - k < m &&
               a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(x - k)])
          ++x;
        row[static_cast<std::size_t>(k + d)] = x;
        if (x >= n && x - k >= m) {
          trace_.push_back(std::move(row));
          return true;
        }
      }
      trace_.push_back(std::move(row));
    }
    return false;
  }

  long furthest(long d, long k) const {
    return trace_[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)];
  }
  bool goes_down(long d, long k) const {
    return k == -d || (k != d && furthest(d - 1, k - 1) < furthest(d - 1, k + 1));
  }
  long start(long d, long k) const {
    return goes_down(d, k) ? furthest(d - 1, k + 1) : furthest(d - 1, k - 1) + 1;
  }

  std::vector<Change> backtrack() const {
    std::vector<Change> found;
    long x = static_cast<long>(a_.size());
    long y = static_cast<long>(b_.size());
    for (long d = static_cast<long>(trace_.size()) - 1; d > 0; --d) {
      const long k = x - y;
      const bool down = goes_down(d, k);
      const long from_k = down ? k + 1 : k - 1;
      x = furthest(d - 1, from_k);
      y = x - from_k;
      const std::size_t ax = offset_ + static_cast<std::size_t>(x);
      const std::size_t by = offset_ + static_cast<std::size_t>(y);
      const Change step{ax, ax + (down ? 0 : 1), by, by + (down ? 1 : 0)};
      if (!found.empty() && found.back().a_begin == step.a_end &&
          found.back().b_begin == step.b_end) {
        found.back().a_begin = step.a_begin;
        found.back().b_begin = step.b_begin;
      } else {
        found.push_back(step);
      }
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  std::span<const std::string_view> a_, b_;
  std::size_t offset_ = 0;
  std::vector<std::vector<long>> trace_;
};

void append_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (line.empty() || line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  const std::size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  constexpr std::size_t kContext = 3;
  const std::vector<std::string_view> a = split_lines(before);
  const std::vector<std::string_view> b = split_lines(after);
  const std::vector<Change> changes = LineDiff(a, b).changes();
  if (changes.empty()) return {};

  // A tab ends a name with spaces, which patch would otherwise cut at the first one.
  const char* const end = path.find(' ') == std::string_view::npos ? "" : "\t";
  std::string out = fmt::format("--- {}{}\n+++ {}{}\n", patch_name(fmt::format("a/{}", path)), end,
                                patch_name(fmt::format("b/{}", path)), end);
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;
    while (last + 1 < changes.size() &&
           changes[last + 1].a_begin - changes[last].a_end <= 2 * kContext)
      ++last;
    const std::size_t lead = std::min(kContext, changes[first].a_begin);
    const std::size_t a_begin = changes[first].a_begin - lead;
    const std::size_t b_begin = changes[first].b_begin - lead;
    const std::size_t trail = std::min(kContext, a.size() - changes[last].a_end);
    const std::size_t a_end = changes[last].a_end + trail;
    const std::size_t b_end = changes[last].b_end + trail;
    out += fmt::format("@@ -{} +{} @@\n", range(a_begin, a_end), range(b_begin, b_end));
    std::size_t at = a_begin;
    for (std::size_t i = first; i <= last; ++i) {
      for (; at < changes[i].a_begin; ++at) append_line(out, ' ', a[at]);
      for (; at < changes[i].a_end; ++at) append_line(out, '-', a[at]);
      for (std::size_t j = changes[i].b_begin; j < changes[i].b_end; ++j)
        append_line(out, '+', b[j]);
    }
    for (; at < a_end; ++at) append_line(out, ' ', a[at]);
    first = last + 1;
  }
  return out;
}

}  // namespace hipwright
