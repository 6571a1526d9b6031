// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/counted.h"
#include "trace/advice/rules.h"
#include "trace/analysis/idle.h"

namespace hipwright::trace {

namespace {

bool is_under_graph(const Facts& facts, const Gap& gap) {
  return gap.knows_call &&
         is_graph_launch(facts.trace.text(facts.trace.calls[facts.trace.gpu[gap.next].call].name));
}

// Idle time that capturing would remove: before kernels that the host launches one by one.
struct Launching {
  Nanoseconds time = 0;
  std::size_t gaps = 0;
};
Launching launching(const Facts& facts) {
  Launching out;
  for (const DeviceTime& device : facts.summary.devices)
    for (const Gap& gap : device.gaps)
      if (gap.knows_call && gap.time.length() < kLargeGap && !is_under_graph(facts, gap)) {
        out.time += gap.time.length();
        ++out.gaps;
      }
  return out;
}

// A large gap under a single launch call, or before it: not the number of launches is the cause.
Nanoseconds stalled(const Facts& facts, bool waits_for_gpu, std::string& longest,
                    std::size_t& gaps) {
  Nanoseconds sum = 0, most = 0;
  for (const Stall& stall : facts.summary.stalls) {
    if (stall.is_sync != waits_for_gpu || !stall.is_known) continue;
    sum += stall.time;
    gaps += stall.gaps;
    if (stall.time > most)
      most = stall.time, longest = fmt::format("{:.3f} ms in {}: {}", ms(stall.time),
                                               counted(stall.gaps, "gap"), stall.cause);
  }
  if (waits_for_gpu) return sum;
  for (const DeviceTime& device : facts.summary.devices)
    for (const Gap& gap : device.gaps)
      if (gap.launch >= kLargeGap) {
        sum += gap.launch;
        ++gaps;
        if (gap.launch > most)
          most = gap.launch,
          longest =
              fmt::format("{:.3f} ms from the begin of {} to its first kernel", ms(gap.launch),
                          facts.trace.text(facts.trace.calls[facts.trace.gpu[gap.next].call].name));
      }
  return sum;
}

// What the longest waits of unknown cause end with.
std::vector<std::string> kernels_after_unknown_idle(const Facts& facts) {
  std::map<std::uint32_t, std::pair<Nanoseconds, std::size_t>> by_name;
  for (const DeviceTime& device : facts.summary.devices)
    for (const Gap& gap : device.gaps) {
      if (gap.knows_call) continue;
      auto& [time, count] = by_name[facts.trace.gpu[gap.next].name];
      time += gap.time.length();
      ++count;
    }
  std::vector<std::pair<std::uint32_t, std::pair<Nanoseconds, std::size_t>>> sorted(by_name.begin(),
                                                                                    by_name.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [](const auto& each) { return each.second.first; });
  std::vector<std::string> out;
  for (const auto& [name, use] : sorted)
    if (out.size() < 3)
      out.push_back(fmt::format("{:.3f} ms in {} before {}", ms(use.first),
                                counted(use.second, "gap"), short_name(facts.trace.text(name))));
  return out;
}

}  // namespace

std::optional<Advice> host_stall(const Facts& facts) {
  std::string longest;
  std::size_t gaps = 0;
  const Nanoseconds time = stalled(facts, false, longest, gaps);
  if (gaps == 0) return std::nullopt;
  Advice advice{.code = "host-stall",
                .title = "Find out what the host does while the GPU waits",
                .step = "1: profile"};
  advice.bound = time;
  advice.expected = part(time, 0.8);
  advice.figures =
      fmt::format("The GPU waits {} in {} of 100 µs and more for a host that is busy elsewhere.",
                  share(facts, time), counted(gaps, "gap"));
  advice.evidence = {longest};
  advice.next =
      "profile the host in that part (`py-spy record`, torch.profiler with `with_stack=True`); if "
      "it "
      "is start or warm-up, leave it out: `hipwright trace summary --from SECONDS`";
  return advice;
}

// Idle time before events without a host call: its cause is not in the trace.
std::optional<Advice> unknown_idle(const Facts& facts) {
  const Nanoseconds time = facts.summary.idle.unknown;
  if (time == 0) return std::nullopt;
  Advice advice{.code = "unknown-idle",
                .title = "Record the host's calls, too: the trace does not show why the GPU waits",
                .step = "1: profile"};
  advice.bound = time;
  advice.expected = part(time, 0.5);
  advice.figures = fmt::format(
      "The GPU waits {} before events without a host call; {:.3f} ms "
      "of all idle time is in {} of 100 µs and more, the rest in {} shorter ones.",
      share(facts, time), ms(facts.summary.idle.large),
      counted(facts.summary.idle.large_gaps, "gap"), facts.summary.idle.small_gaps);
  advice.evidence = kernels_after_unknown_idle(facts);
  advice.next = facts.summary.format.starts_with("rocprof")
                    ? "`rocprofv3 --hip-runtime-trace --kernel-trace --memory-copy-trace "
                      "--output-format json -- COMMAND`"
                    : "`hipwright trace record -- COMMAND` records host and GPU";
  return advice;
}

std::optional<Advice> graph_capture(const Facts& facts) {
  const Launching launches = launching(facts);
  if (launches.gaps < 10) return std::nullopt;
  Advice advice{.code = "graph-capture",
                .title = "Capture the step in a graph, after torch.compile(mode=\"default\")",
                .step = "9: graph capture"};
  advice.bound = launches.time;
  advice.expected = part(launches.time, 0.9);
  advice.figures = fmt::format(
      "The GPU waits {} in {} below 100 µs for kernels that the host launches one by one; {} "
      "kernels, {} under graphs.",
      share(facts, launches.time), counted(launches.gaps, "gap"), facts.summary.kernel_events,
      facts.summary.launches.graph_kernels);
  const Evidence kernels = events_where(
      facts, [](std::string_view, Category category) { return category != Category::kCopy; });
  advice.evidence = kernels.lines(2);
  advice.next =
      "`hipwright lint --select HW6 PATH` names what breaks a capture; then `torch.cuda.graph()` "
      "around the step, with static inputs";
  return advice;
}

std::optional<Advice> host_synchronisation(const Facts& facts) {
  std::string longest;
  std::size_t gaps = 0;
  const Nanoseconds time = stalled(facts, true, longest, gaps);
  if (gaps == 0) return std::nullopt;
  Advice advice{.code = "host-sync",
                .title = "Remove synchronisations between host and GPU",
                .step = "9: graph capture"};
  advice.bound = time;
  advice.expected = part(time, 0.7);
  advice.figures = fmt::format(
      "After waiting for the GPU the host starts {} of 100 µs and more, {:.3f} ms in all.",
      counted(gaps, "gap"), ms(time));
  advice.evidence = {longest};
  for (const Synchronisation& sync : facts.summary.syncs)
    if (advice.evidence.size() < 4)
      advice.evidence.push_back(
          fmt::format("{} x {}, {:.3f} ms on the host", sync.count, sync.name, ms(sync.time)));
  advice.next =
      "`hipwright lint --select HW602,HW603 PATH` finds `.item()`, `.cpu()` and `synchronize()`; "
      "keep the values on the GPU";
  return advice;
}

std::optional<Advice> communication(const Facts& facts) {
  const Nanoseconds exposed = facts.summary.exclusive(Category::kCommunication);
  if (exposed == 0) return std::nullopt;
  const Evidence kernels = of_category(facts, Category::kCommunication);
  return advice_on(
      kernels, exposed, {.bound = 1, .expected = 0.6},
      {.code = "communication",
       .title = "Find the straggler, then overlap communication with computation",
       .step = "1: profile",
       .figures = fmt::format(
           "Communication takes {:.3f} ms, {} of it while nothing else runs. A collective that "
           "waits for a slower rank looks the same as a slow network.",
           ms(kernels.time()), share(facts, exposed)),
       .next = "record every rank and run `hipwright trace export --perfetto merged.json "
               "RANK_FILES…`, which names the straggler; then gradient buckets (`bucket_cap_mb`), "
               "prefetch of FSDP, or a stream of its own"});
}

std::optional<Advice> exposed_copies(const Facts& facts) {
  const Nanoseconds exposed = facts.summary.exclusive(Category::kCopy);
  const Evidence kernels = of_category(facts, Category::kCopy);
  return advice_on(
      kernels, exposed, {.bound = 1, .expected = 0.6},
      {.code = "exposed-copies",
       .title = "Remove copies and fills, or run them beside kernels",
       .step = "2: unnecessary work",
       .figures =
           fmt::format("{} take {} while no kernel runs.",
                       counted(kernels.count(), "copy or fill operation"), share(facts, exposed)),
       .next = "copy from pinned memory with `non_blocking=True`, allocate once and reuse, use "
               "`torch.empty` where every element is written"});
}

}  // namespace hipwright::trace
