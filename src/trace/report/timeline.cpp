// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "trace/report/html.h"

namespace hipwright::trace {

namespace {

constexpr std::size_t kMostEvents = 60'000;
constexpr int kDeepest = 6;
// After the categories of kernels.
constexpr std::size_t kHostCall = kCategories, kHostOp = kCategories + 1;

struct Mark {
  Interval time;
  std::uint32_t name;
  std::size_t colour;
  int depth;
};

struct Row {
  std::string title;
  std::vector<Mark> marks;
};

class Builder {
 public:
  explicit Builder(const Trace& trace) : trace_(trace) {}

  std::string json() {
    gpu_rows();
    host_rows();
    keep_longest();
    Nanoseconds first = 0, last = 0;
    bool is_first = true;
    for (const Row& row : rows_)
      for (const Mark& mark : row.marks) {
        first = is_first ? mark.time.begin : std::min(first, mark.time.begin);
        last = is_first ? mark.time.end : std::max(last, mark.time.end);
        is_first = false;
      }
    std::string rows;
    for (Row& row : rows_) {
      if (row.marks.empty()) continue;
      rows += fmt::format("{}{{\"title\":{},\"events\":[{}]}}", rows.empty() ? "" : ",",
                          quoted(row.title), numbers(row, first));
    }
    std::string colours, titles;
    for (const Category category : all_categories()) {
      colours += fmt::format("\"{}\",", colour_of(category));
      titles += fmt::format("\"{}\",", title_of(category));
    }
    return fmt::format(
        "{{\"span\":{},\"omitted\":{},\"colours\":[{}\"#5f7186\",\"#7d8ea1\"],\"titles\":[{}\"host "
        "call\",\"host operation\"],\"names\":[{}],\"rows\":[{}]}}",
        std::max<Nanoseconds>(last - first, 1), omitted_, colours, titles, fmt::join(names_, ","),
        rows);
  }

 private:
  static std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void gpu_rows() {
    const std::vector<Category> categories = categories_of(trace_);
    std::map<std::uint32_t, Row> streams;
    for (std::size_t i = 0; i < trace_.gpu.size(); ++i) {
      const GpuEvent& event = trace_.gpu[i];
      streams[event.stream].marks.push_back(
          {event.time, event.name, static_cast<std::size_t>(categories[i]), 0});
    }
    for (auto& [stream, row] : streams) {
      row.title = fmt::format("GPU {}, stream {}", trace_.streams[stream].device,
                              trace_.streams[stream].number);
      rows_.push_back(std::move(row));
    }
  }

  void host_rows() {
    std::map<std::uint32_t, Row> threads;
    std::vector<int> depth(trace_.ops.size(), 0);
    for (std::size_t i = 0; i < trace_.ops.size(); ++i) {
      const Op& op = trace_.ops[i];
      depth[i] = op.parent == kNone ? 0 : depth[op.parent] + 1;
      if (depth[i] < kDeepest)
        threads[op.thread].marks.push_back({op.time, op.name, kHostOp, depth[i]});
    }
    for (const HostCall& call : trace_.calls) {
      const int own = call.op == kNone ? 0 : depth[call.op] + 1;
      if (own < kDeepest)
        threads[call.thread].marks.push_back({call.time, call.name, kHostCall, own});
    }
    for (auto& [thread, row] : threads) {
      row.title = fmt::format("host thread {}", trace_.threads[thread].thread);
      std::ranges::stable_sort(row.marks, {}, [](const Mark& mark) { return mark.time.begin; });
      rows_.push_back(std::move(row));
    }
  }

  void keep_longest() {
    std::vector<Nanoseconds> lengths;
    for (const Row& row : rows_)
      for (const Mark& mark : row.marks) lengths.push_back(mark.time.length());
    if (lengths.size() <= kMostEvents) return;
    std::ranges::nth_element(lengths, lengths.begin() + kMostEvents, std::ranges::greater());
    const Nanoseconds shortest = lengths[kMostEvents];
    for (Row& row : rows_)
      omitted_ += std::erase_if(row.marks,
                                [&](const Mark& mark) { return mark.time.length() <= shortest; });
  }

  std::string numbers(const Row& row, Nanoseconds first) {
    std::string out;
    Nanoseconds before = first;
    for (const Mark& mark : row.marks) {
      fmt::format_to(std::back_inserter(out), "{}{},{},{},{},{}", out.empty() ? "" : ",",
                     mark.time.begin - before, mark.time.length(), name(mark.name), mark.colour,
                     mark.depth);
      before = mark.time.begin;
    }
    return out;
  }

  std::size_t name(std::uint32_t id) {
    const auto [place, is_new] = numbers_.emplace(id, names_.size());
    if (is_new) names_.push_back(quoted(short_name(trace_.text(id))));
    return place->second;
  }

  const Trace& trace_;
  std::vector<Row> rows_;
  std::vector<std::string> names_;
  std::map<std::uint32_t, std::size_t> numbers_;
  std::size_t omitted_ = 0;
};

}  // namespace

std::string timeline_json(const Trace& trace) {
  return Builder(trace).json();
}

}  // namespace hipwright::trace
