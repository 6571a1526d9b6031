// SPDX-License-Identifier: MIT
#include "trace/export/merge.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/table.h"
#include "trace/analysis/busy.h"

namespace hipwright::trace {

namespace {

using Collectives = std::vector<Interval>;

Collectives gpu_collectives(const Trace& trace) {
  const std::vector<Category> categories = categories_of(trace);
  Collectives out;
  for (std::size_t i = 0; i < trace.gpu.size(); ++i)
    if (categories[i] == Category::kCommunication) out.push_back(trace.gpu[i].time);
  return out;
}

// Of PyTorch's backends that communicate on the host.
Collectives host_collectives(const Trace& trace) {
  Collectives out;
  for (const Op& op : trace.ops) {
    const std::string& name = trace.text(op.name);
    if (op.is_annotation && (name.starts_with("gloo:") || name.starts_with("mpi:")))
      out.push_back(op.time);
  }
  std::ranges::sort(out, {}, &Interval::begin);
  return out;
}

// Those on the GPUs if every rank has some, else those on the hosts.
std::vector<Collectives> collectives(const std::vector<Trace>& traces) {
  std::vector<Collectives> out;
  for (const auto of : {gpu_collectives, host_collectives}) {
    out.clear();
    for (const Trace& trace : traces) out.push_back(of(trace));
    if (std::ranges::none_of(out, &Collectives::empty)) return out;
  }
  return out;
}

Nanoseconds median(std::vector<Nanoseconds> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Who was last to each collective, on the common clock.
void count_waiting(const std::vector<Collectives>& all, Merge& merge) {
  for (std::size_t i = 0; i < merge.collectives; ++i) {
    Nanoseconds latest = std::numeric_limits<Nanoseconds>::min(), second = latest;
    std::size_t last = 0;
    for (std::size_t r = 0; r < all.size(); ++r) {
      const Nanoseconds begin = all[r][i].begin - merge.ranks[r].offset;
      if (begin > latest) {
        second = latest;
        latest = begin;
        last = r;
      } else {
        second = std::max(second, begin);
      }
    }
    ++merge.ranks[last].last;
    merge.ranks[last].held_up += latest - second;
    for (std::size_t r = 0; r < all.size(); ++r) {
      merge.ranks[r].in_collectives += all[r][i].length();
      merge.ranks[r].waited +=
          std::min(latest - (all[r][i].begin - merge.ranks[r].offset), all[r][i].length());
    }
  }
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Perfetto {
 public:
  void rank(const Trace& trace, const RankUse& use, int index) {
    const int gpu = 2 * index, host = 2 * index + 1;
    name("process_name", gpu, 0, fmt::format("rank {} GPU", use.rank));
    name("process_name", host, 0, fmt::format("rank {} host", use.rank));
    for (std::size_t i = 0; i < trace.streams.size(); ++i)
      name("thread_name", gpu, i,
           fmt::format("device {} stream {}", trace.streams[i].device, trace.streams[i].number));
    for (std::size_t i = 0; i < trace.threads.size(); ++i)
      name("thread_name", host, i, fmt::format("thread {}", trace.threads[i].thread));
    // Calls and kernels of different ranks keep apart.
    const std::int64_t first = std::int64_t{index} << 40;
    for (const GpuEvent& event : trace.gpu) {
      const char* category = event.kind == GpuKind::kKernel ? "kernel"
                             : event.kind == GpuKind::kCopy ? "gpu_memcpy"
                                                            : "gpu_memset";
      span(trace, event.name, category, gpu, event.stream, event.time, use.offset,
           fmt::format("\"device\":{},\"stream\":{}{}", index, event.stream,
                       correlation(event.correlation, first)));
    }
    for (const HostCall& call : trace.calls) {
      std::string arguments = correlation(call.correlation, first);
      if (!arguments.empty()) arguments.erase(0, 1);
      span(trace, call.name, "cuda_runtime", host, call.thread, call.time, use.offset, arguments);
    }
    for (const Op& op : trace.ops)
      span(trace, op.name, op.is_annotation ? "user_annotation" : "cpu_op", host, op.thread,
           op.time, use.offset, "");
  }
  std::string finish() { return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" + out_ + "\n]}\n"; }

 private:
  static std::string correlation(std::int64_t number, std::int64_t first) {
    return number < 0 ? std::string() : fmt::format(",\"correlation\":{}", first + number);
  }
  void name(const char* what, int process, std::size_t thread, const std::string& value) {
    out_ += fmt::format(
        "{}{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}",
        out_.empty() ? "\n" : ",\n", what, process, thread, quoted(value));
  }
  void span(const Trace& trace, std::uint32_t id, const char* category, int process,
            std::uint32_t thread, const Interval& time, Nanoseconds offset,
            const std::string& arguments) {
    const Nanoseconds begin = time.begin - offset;
    out_ += fmt::format(
        "{}{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{}{}.{:03},"
        "\"dur\":{}.{:03},"
        "\"args\":{{{}}}}}",
        out_.empty() ? "\n" : ",\n", category, quoted(trace.text(id)), process, thread,
        begin < 0 ? "-" : "", std::abs(begin) / 1000, std::abs(begin) % 1000, time.length() / 1000,
        time.length() % 1000, arguments);
  }
  std::string out_;
};

}  // namespace

Merge merge_ranks(const std::vector<Trace>& traces) {
  Merge merge;
  for (std::size_t i = 0; i < traces.size(); ++i)
    merge.ranks.push_back({.rank = traces[i].rank >= 0 ? traces[i].rank : static_cast<int>(i),
                           .file = traces[i].file});
  if (traces.size() < 2) return merge;
  const std::vector<Collectives> all = collectives(traces);
  merge.collectives =
      std::ranges::min(all, {}, [](const auto& each) { return each.size(); }).size();
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].size() != merge.collectives)
      merge.notes.push_back(fmt::format("{} has {}, another rank {}: the first {} are compared",
                                        merge.ranks[r].file, counted(all[r].size(), "collective"),
                                        merge.collectives, merge.collectives));
  if (merge.collectives == 0) {
    merge.notes.push_back("no collectives that all ranks have: the clocks are taken as they are");
    return merge;
  }
  for (std::size_t r = 1; r < all.size(); ++r) {
    std::vector<Nanoseconds> differences;
    for (std::size_t i = 0; i < merge.collectives; ++i)
      differences.push_back(all[r][i].end - all[0][i].end);
    merge.ranks[r].offset = median(std::move(differences));
  }
  count_waiting(all, merge);
  return merge;
}

std::string perfetto_json(const std::vector<Trace>& traces, const Merge& merge) {
  Perfetto out;
  for (std::size_t i = 0; i < traces.size(); ++i)
    out.rank(traces[i], merge.ranks[i], static_cast<int>(i));
  return out.finish();
}

std::string merge_text(const Merge& merge, bool colour) {
  std::string out;
  const auto ms = [](Nanoseconds time) {
    return fmt::format("{:.3f}", static_cast<double>(time) * 1e-6);
  };
  if (merge.collectives > 0) {
    Table table({">rank", ">clock (ms)", ">in collectives (ms)", ">waited (ms)", ">came last",
                 ">held up others (ms)", "file"});
    for (const RankUse& rank : merge.ranks)
      table.add({std::to_string(rank.rank), ms(rank.offset), ms(rank.in_collectives),
                 ms(rank.waited), fmt::format("{} of {}", rank.last, merge.collectives),
                 ms(rank.held_up), rank.file});
    out += table.text(colour);
    const auto straggler = std::ranges::max_element(merge.ranks, {}, &RankUse::held_up);
    Nanoseconds waited = 0, inside = 0;
    for (const RankUse& rank : merge.ranks) waited += rank.waited, inside += rank.in_collectives;
    if (inside > 0 && straggler->held_up > 0)
      out += fmt::format(
          "straggler: rank {} came last to {} and held up the others by {} ms; {:.0f}% of the time "
          "in collectives is waiting for the last rank\n",
          straggler->rank, counted(straggler->last, "collective"), ms(straggler->held_up),
          100 * static_cast<double>(waited) / static_cast<double>(inside));
  }
  for (const std::string& note : merge.notes) out += "note: " + note + "\n";
  return out;
}

}  // namespace hipwright::trace
