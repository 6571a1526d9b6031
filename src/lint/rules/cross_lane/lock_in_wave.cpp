// SPDX-License-Identifier: MIT
// The lanes of a wave wait for a lock that one of them holds.
//
// ## What it finds
//
// Two forms of a lock that several lanes of a wave acquire with `atomicCAS` or `atomicExch`: a loop
// that acquires it and holds the guarded section, and a loop that only waits, with the section
// behind it. A section that a single thread of the wave enters is not reported.
//
// ## Why it matters
//
// The lanes of a wave on AMD share one program counter. A lane that has the lock and has left the
// loop waits until all lanes have left it, and the others wait for the lock: the kernel hangs.
// NVIDIA GPUs since Volta schedule lanes independently. A section inside the loop is safe in
// principle, but the compiler knows that it ends the loop and moves it behind the loop.
//
// ## Example
//
// ```cuda
// while (atomicCAS(lock, 0, 1) != 0) {
// }
// *sum += value;
// __threadfence();
// atomicExch(lock, 0);
// ```
//
// ## Use instead
//
// ```cuda
// for (int lane = 0; lane < warpSize; ++lane) {
//   if (threadIdx.x % warpSize != lane) continue;
//   while (atomicCAS(lock, 0, 1) != 0) {
//   }
//   *sum += value;
//   __threadfence();
//   atomicExch(lock, 0);
// }
// ```
//
// `hipwright port` keeps the section in the loop that acquires its lock (HP307).
//
// ## When it is not a bug
//
// - One lane of each wave takes the lock, for a reason that the function does not show.
// - Every lane has a lock of its own.
#include <algorithm>

#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "syntax/cuda/lock_loops.h"
#include "syntax/cuda/ways.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const std::vector<Name> kAcquiring = {Name("atomicCAS"),        Name("atomicCAS_block"),
                                      Name("atomicCAS_system"), Name("atomicExch"),
                                      Name("atomicExch_block"), Name("atomicExch_system")};
const Name kReturn("return");

// threadIdx.x == 0, lane == 0, !tid, is_leader(…), cg::elect_one()
bool chooses_a_thread(const File& file, TokenRange condition) {
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (!is_name(file, at)) continue;
    const std::string_view name = file.text(at);
    if (has_any(name, {"leader", "elect", "thread_rank", "master", "first"})) return true;
    const bool is_thread = name == "threadIdx" || name == "tid" || is_lane_name(name) ||
                           contains_word(name, "thread") || is_thread_number(file, {at, at + 1});
    if (is_thread && file.text(condition).find_first_of("=!%&") != std::string_view::npos)
      return true;
  }
  return false;
}

// Under if (threadIdx.x == 0), or behind if (threadIdx.x != 0) return;
bool is_for_one_thread(const File& file, TokenIndex at) {
  const cu::Function* function = file.function_at(at);
  const auto condition_of = [&](TokenIndex keyword) {
    return TokenRange{keyword + 2, file.partner(keyword + 1)};
  };
  for (const cu::Condition& each : place_of(file, at, function->body.begin - 1).conditions)
    if (each.keyword != cu::kNoToken && file.is(each.keyword + 1, "(") &&
        chooses_a_thread(file, condition_of(each.keyword)))
      return true;
  return std::ranges::any_of(file.occurrences(kReturn), [&](TokenIndex leave) {
    if (leave > at || !function->body.contains(leave)) return false;
    const auto around = place_of(file, leave, function->body.begin - 1).conditions;
    return std::ranges::any_of(around, [&](const cu::Condition& each) {
      return each.keyword != cu::kNoToken && chooses_a_thread(file, condition_of(each.keyword));
    });
  });
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  const auto report = [&](const std::vector<cu::LockLoop>& loops, const char* message) {
    for (const cu::LockLoop& loop : loops) {
      if (check.on_amd(loop.acquiring) == Truth::kNo || is_for_one_thread(file, loop.acquiring))
        continue;
      const bool is_kernel = file.text(TokenRange{file.function_at(loop.keyword)->head.begin,
                                                  file.function_at(loop.keyword)->name})
                                 .find("__global__") != std::string_view::npos;
      // The callers of a function may choose one thread.
      check.report(file.span(loop.acquiring),
                   is_kernel ? sure(check, loop.acquiring, Confidence::kMedium) : Confidence::kLow,
                   message);
    }
  };
  report(cu::waiting_loops(file),
         "the lane that gets this lock waits for the other lanes of its wave, which wait for the "
         "lock");
  report(cu::lock_loops(file),
         "the compiler may move the guarded section behind this loop, where the lanes of a wave "
         "wait for one another");
}

}  // namespace

Rule lock_in_wave() {
  return {.code = "HW206",
          .name = "lock-in-wave",
          .summary = "lanes of one wave wait for a lock that one of them holds",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = kAcquiring,
          .cuda = find};
}

}  // namespace hipwright::lint::rules
