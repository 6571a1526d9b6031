// SPDX-License-Identifier: MIT
// Everything that is known of a trace, in numbers. docs/commands/trace.md defines each of them.
#pragma once

#include <string>
#include <vector>

#include "trace/analysis/busy.h"
#include "trace/analysis/flops.h"
#include "trace/peaks.h"
#include "trace/trace.h"

namespace hipwright::trace {

struct KernelUse {
  std::uint32_t name = 0;
  Category category = Category::kOther;
  GpuKind kind = GpuKind::kKernel;
  std::size_t count = 0;
  Nanoseconds sum = 0, shortest = 0, longest = 0;
};

struct OpUse {
  std::uint32_t name = 0, shapes = 0, types = 0, arguments = 0;
  std::size_t calls = 0, kernels = 0;
  Nanoseconds gpu = 0;                   // sum of the durations of its kernels
  std::vector<std::uint32_t> names;      // of its kernels, at most a few
  Category category = Category::kOther;  // of the longest of them
  std::optional<Work> work;              // of one call
  std::optional<GemmShape> gemm;
  std::optional<double> roofline;  // share of what the device could do at most
  bool is_memory_bound = false;

  double seconds() const { return static_cast<double>(gpu) * 1e-9; }
  double flops_per_second() const;
  double bytes_per_second() const;
};

// An operation of the trace as its work is computed from.
OpCall op_call(const Trace& trace, const Op& op);

// What a device's peak rates allow; nothing where the rate of the type is not known.
struct LeastTime {
  double seconds = 0;
  bool is_memory_bound = true;
};
std::optional<LeastTime> least_time(const Work& work, std::string_view type, const Peaks& peaks);

// What the host did in large gaps.
struct Stall {
  Nanoseconds time = 0;
  std::size_t gaps = 0;
  std::string cause;     // "hipGraphLaunch", "aten::item", or what followed
  bool is_sync = false;  // the host waited for the GPU
  bool is_known = true;  // false: the trace has no call for what follows
};

struct Idle {
  Nanoseconds total = 0;
  Nanoseconds launch = 0;            // launch overhead
  Nanoseconds in_graph = 0;          // of that, between kernels of one graph launch
  Nanoseconds host = 0;              // the host had not yet called for the next kernel
  Nanoseconds unknown = 0;           // before events without a known call
  Nanoseconds small = 0, large = 0;  // by the length of the gap
  std::size_t small_gaps = 0, large_gaps = 0;
};
constexpr Nanoseconds kLargeGap = 100'000;

struct Launches {
  std::size_t calls = 0;  // that launch kernels or graphs
  std::size_t graph_calls = 0;
  std::size_t graph_kernels = 0;
  Nanoseconds graph_time = 0;  // of these kernels
  Nanoseconds call_time = 0;   // on the host, in these calls
};

struct Synchronisation {
  std::string name;
  std::size_t count = 0;
  Nanoseconds time = 0;
};

struct HostOp {
  std::uint32_t name = 0, shapes = 0, types = 0;
  std::size_t calls = 0;
  Nanoseconds self = 0;  // without the operations in it
};

struct HistogramBin {
  Nanoseconds from = 0, to = 0;  // to 0: no limit
  std::size_t count = 0;
  Nanoseconds time = 0;
};

struct Summary {
  std::string file, format;
  int rank = -1, world_size = 0;
  std::vector<std::string> notes;
  bool is_complete = true;

  std::vector<DeviceTime> devices;
  std::vector<std::string> device_names;  // of `devices`
  std::optional<Peaks> peaks;             // of the device with the most work
  std::string device;                     // its name

  // Sums over the devices.
  Nanoseconds span = 0, busy = 0;
  std::array<CategoryTime, kCategories> categories{};
  Idle idle;
  Launches launches;
  std::vector<Stall> stalls;  // most time first
  std::vector<Synchronisation> syncs;
  std::vector<HistogramBin> histogram;
  std::vector<KernelUse> kernels;  // most time first
  std::vector<OpUse> ops;          // most GPU time first
  std::vector<HostOp> host_ops;    // most time first; only of traces without GPU events
  std::size_t events = 0, kernel_events = 0;
  bool has_calls = false, has_ops = false, has_shapes = false;

  Nanoseconds exclusive(Category category) const {
    return categories[static_cast<std::size_t>(category)].exclusive;
  }
  const CategoryTime& of(Category category) const {
    return categories[static_cast<std::size_t>(category)];
  }
};

Summary summarize(const Trace& trace);

}  // namespace hipwright::trace
