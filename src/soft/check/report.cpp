// SPDX-License-Identifier: MIT
#include "soft/check/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/json.h"
#include "toolchain/code_object/demangle.h"
#include "toolchain/code_object/producer.h"

namespace hipwright::soft {

namespace {

using u64 = std::uint64_t;

// Distinct lines that the lanes of one access touch.
u64 lines_touched(const Access& access, unsigned line) {
  std::array<u64, 128> lines;
  unsigned count = 0;
  for (u64 rest = access.mask; rest != 0; rest &= rest - 1) {
    const u64 begin = access.addresses[std::countr_zero(rest)];
    const u64 first = begin / line, last = (begin + access.bytes - 1) / line;
    for (const u64 each : {first, last})
      if (count == 0 || lines[count - 1] != each) lines[count++] = each;
  }
  std::sort(lines.begin(), lines.begin() + count);
  return static_cast<u64>(std::unique(lines.begin(), lines.begin() + count) - lines.begin());
}

// Lanes go through LDS in groups that could use every bank once; each bank serves one dword at a
// time, and one dword for all lanes that want it.
struct Passes {
  u64 needed = 0, taken = 0;
};
Passes lds_passes(const Access& access, unsigned banks) {
  const unsigned dwords = std::max(access.bytes / 4, 1U);
  const unsigned lanes_at_once = std::max(32U / dwords, 1U);
  Passes passes;
  for (unsigned base = 0; base < 64; base += lanes_at_once) {
    std::array<std::array<u64, 64>, 64> wanted;  // bank, entries
    std::array<std::uint8_t, 64> count{};
    u64 group = access.mask >> base;
    if (lanes_at_once < 64) group &= (u64{1} << lanes_at_once) - 1;
    if (group == 0) continue;
    for (; group != 0; group &= group - 1) {
      const u64 address =
          access.addresses[base + static_cast<unsigned>(std::countr_zero(group))] / 4;
      for (unsigned i = 0; i < dwords; ++i) {
        const u64 dword = address + i;
        auto& entries = wanted[dword % banks];
        std::uint8_t& size = count[dword % banks];
        if (size < 64 &&
            std::find(entries.begin(), entries.begin() + size, dword) == entries.begin() + size)
          entries[size++] = dword;
      }
    }
    ++passes.needed;
    passes.taken += *std::ranges::max_element(count);
  }
  return passes;
}

unsigned line_bytes_of(Isa isa) {
  return isa <= Isa::kGfx90a ? 64 : 128;
}

Json json_of(const KernelCounts::Traffic& traffic) {
  return {{"accesses", traffic.accesses},
          {"bytes", traffic.bytes},
          {"lines", traffic.lines},
          {"lines_per_access", traffic.accesses ? static_cast<double>(traffic.lines) /
                                                      static_cast<double>(traffic.accesses)
                                                : 0.0}};
}

double share(u64 part, u64 whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json json_of(const KernelCounts& kernel) {
  Json instructions = Json::object();
  u64 total = 0;
  for (unsigned i = 0; i < kOpClasses; ++i) {
    total += kernel.instructions[i];
    if (kernel.instructions[i])
      instructions[std::string(name_of(static_cast<OpClass>(i)))] = kernel.instructions[i];
  }
  Json exact = Json::array(), approximate = Json::array();
  for (const auto& [name, op] : kernel.operations) {
    if (op.fidelity == Fidelity::kExact)
      exact.push_back({{"operation", name}, {"count", op.count}});
    else
      approximate.push_back({{"operation", name}, {"count", op.count}, {"bound", op.bound}});
  }
  Json uses = Json::array();
  for (const auto& [key, use] : kernel.approximate_uses)
    uses.push_back({{"instruction", use.place.instruction},
                    {"location", use.place.location},
                    {"source", use.place.source},
                    {"decides", use.branch ? "branch" : "address"},
                    {"count", use.count}});
  const Residency& occupancy = kernel.occupancy;
  return {{"kernel", kernel.name},
          {"target", kernel.target},
          {"producer", kernel.producer},
          {"wave_size", kernel.wave_size},
          {"vgprs", kernel.vgprs},
          {"sgprs", kernel.sgprs},
          {"lds_bytes", kernel.lds_bytes},
          {"scratch_bytes_per_lane", kernel.scratch_bytes},
          {"occupancy",
           {{"threads_per_workgroup", occupancy.threads},
            {"unit", occupancy.unit},
            {"workgroups_per_unit", occupancy.workgroups},
            {"waves_per_unit", occupancy.waves},
            {"waves_per_simd", occupancy.per_simd()},
            {"max_waves_per_simd", occupancy.max_per_simd},
            {"limited_by", occupancy.limits}}},
          {"launches", kernel.launches},
          {"workgroups", kernel.workgroups},
          {"waves", kernel.waves},
          {"instructions", {{"total", total}, {"by_class", instructions}}},
          {"active_lane_share", share(kernel.vector_lanes, kernel.vector_lane_slots)},
          {"global",
           {{"line_bytes", kernel.line_bytes},
            {"loads", json_of(kernel.global[0])},
            {"stores", json_of(kernel.global[1])},
            {"atomics", json_of(kernel.global[2])}}},
          {"scalar_bytes", kernel.scalar_bytes},
          {"scratch_accesses", kernel.scratch_accesses},
          {"lds",
           {{"accesses", kernel.lds_accesses},
            {"bytes", kernel.lds_bytes_moved},
            {"passes", kernel.lds_passes},
            {"bank_conflicts", kernel.lds_conflicts}}},
          {"fidelity",
           {{"exact", exact}, {"approximate", approximate}, {"approximate_values_decide", uses}}}};
}

std::string text_of(const KernelCounts& kernel) {
  std::string text = fmt::format("{} ({}, wave{})\n", kernel.name, kernel.target, kernel.wave_size);
  text += fmt::format(
      "  {} launches, {} workgroups, {} waves; {} VGPRs, {} SGPRs, {} bytes of LDS, "
      "{} bytes of scratch per lane\n",
      kernel.launches, kernel.workgroups, kernel.waves, kernel.vgprs, kernel.sgprs,
      kernel.lds_bytes, kernel.scratch_bytes);
  if (kernel.occupancy.simds != 0)
    text += fmt::format("  occupancy: {}\n", text_of(kernel.occupancy));
  text += "  instructions:";
  for (unsigned i = 0; i < kOpClasses; ++i)
    if (kernel.instructions[i])
      text += fmt::format(" {} {}", name_of(static_cast<OpClass>(i)), kernel.instructions[i]);
  text += fmt::format("\n  active lanes: {:.1f}%\n",
                      100 * share(kernel.vector_lanes, kernel.vector_lane_slots));
  constexpr std::string_view kKinds[] = {"loads", "stores", "atomics"};
  for (unsigned i = 0; i < 3; ++i)
    if (const auto& traffic = kernel.global[i]; traffic.accesses)
      text += fmt::format("  global {}: {} bytes in {} accesses, {:.2f} lines of {} bytes each\n",
                          kKinds[i], traffic.bytes, traffic.accesses,
                          share(traffic.lines, traffic.accesses), kernel.line_bytes);
  if (kernel.lds_accesses)
    text += fmt::format("  LDS: {} bytes in {} accesses, {} passes, {} of them bank conflicts\n",
                        kernel.lds_bytes_moved, kernel.lds_accesses, kernel.lds_passes,
                        kernel.lds_conflicts);
  u64 exact = 0;
  std::string approximate;
  for (const auto& [name, op] : kernel.operations) {
    if (op.fidelity == Fidelity::kExact)
      exact += op.count;
    else
      approximate += fmt::format("    {} × {}{}\n", name, op.count,
                                 op.bound.empty() ? "" : fmt::format(" (within {})", op.bound));
  }
  text += fmt::format("  fidelity: {} instructions exact{}\n", exact,
                      approximate.empty() ? "" : ", and approximate:");
  text += approximate;
  for (const auto& [key, use] : kernel.approximate_uses)
    text += fmt::format("    an approximate value decides {}: {} {} {}\n",
                        use.branch ? "a branch" : "an address", use.place.instruction,
                        use.place.location, use.place.source);
  return text;
}

}  // namespace

std::string text_of(const Residency& occupancy) {
  return fmt::format(
      "{:g} of {} waves per SIMD, {} workgroups of {} threads per {}; limited by {}",
      occupancy.per_simd(), occupancy.max_per_simd, occupancy.workgroups, occupancy.threads,
      occupancy.unit,
      occupancy.limits.empty() ? "nothing" : fmt::format("{}", fmt::join(occupancy.limits, ", ")));
}

std::string_view name_of(OpClass kind) {
  constexpr std::string_view kNames[kOpClasses] = {
      "scalar", "scalar-memory",  "branch",  "wait",       "message",
      "vector", "transcendental", "matrix",  "cross-lane", "lds",
      "global", "flat",           "scratch", "buffer",     "image"};
  return kNames[static_cast<unsigned>(kind)];
}

void KernelCounts::add(const KernelCounts& other) {
  if (occupancy.simds == 0 ||
      (other.occupancy.simds != 0 && other.occupancy.waves < occupancy.waves))
    occupancy = other.occupancy;
  launches += other.launches;
  workgroups += other.workgroups;
  waves += other.waves;
  for (unsigned i = 0; i < kOpClasses; ++i) instructions[i] += other.instructions[i];
  vector_lanes += other.vector_lanes;
  vector_lane_slots += other.vector_lane_slots;
  for (unsigned i = 0; i < global.size(); ++i) {
    global[i].accesses += other.global[i].accesses;
    global[i].bytes += other.global[i].bytes;
    global[i].lines += other.global[i].lines;
  }
  scalar_bytes += other.scalar_bytes;
  scratch_accesses += other.scratch_accesses;
  lds_accesses += other.lds_accesses;
  lds_bytes_moved += other.lds_bytes_moved;
  lds_passes += other.lds_passes;
  lds_conflicts += other.lds_conflicts;
  for (const auto& [op, count] : other.operations) {
    OpCount& mine = operations[op];
    mine.fidelity = count.fidelity;
    mine.bound = count.bound;
    mine.count += count.count;
  }
  for (const auto& [key, use] : other.approximate_uses) {
    const auto [found, inserted] = approximate_uses.try_emplace(key, use);
    if (!inserted) found->second.count += use.count;
  }
}

void Report::add(const KernelCounts& counts) {
  const std::lock_guard lock(mutex_);
  const auto [found, inserted] = kernels_.try_emplace(counts.target + ' ' + counts.name, counts);
  if (!inserted) found->second.add(counts);
}

std::vector<KernelCounts> Report::kernels() const {
  const std::lock_guard lock(mutex_);
  std::vector<KernelCounts> all;
  for (const auto& [name, counts] : kernels_) all.push_back(counts);
  return all;
}

std::string Report::text() const {
  std::string text;
  for (const KernelCounts& kernel : kernels()) text += text_of(kernel) + '\n';
  return text;
}

Json Report::json() const {
  Json json = Json::array();
  for (const KernelCounts& kernel : kernels()) json.push_back(json_of(kernel));
  return json;
}

void Tally::begin(const Workgroup& group) {
  ++counts_.workgroups;
  for (const Wave& wave : group.waves) {
    counts_.waves += wave.state != WaveState::kEnded;
    counts_.wave_size = wave.lanes;
    isa_ = wave.isa;
    counts_.line_bytes = line_bytes_of(wave.isa);
  }
}

void Tally::before(const Wave& wave, const Inst& inst) {
  ++counts_.instructions[static_cast<unsigned>(inst.op->kind)];
  ++operations_[inst.op];
  switch (inst.op->kind) {
    case OpClass::kVector:
    case OpClass::kTranscendental:
    case OpClass::kCrossLane:
    case OpClass::kLds:
    case OpClass::kGlobal:
    case OpClass::kFlat:
    case OpClass::kScratch:
    case OpClass::kBuffer:
    case OpClass::kImage:
      counts_.vector_lanes += static_cast<u64>(std::popcount(wave.exec));
      counts_.vector_lane_slots += wave.lanes;
      break;
    default:
      break;
  }
}

void Tally::access(const Wave& wave, const Access& access) {
  const u64 bytes = u64{access.bytes} * static_cast<u64>(std::popcount(access.mask));
  if (access.scalar) {
    counts_.scalar_bytes += access.bytes;
    return;
  }
  switch (access.space) {
    case Space::kGlobal: {
      auto& traffic = counts_.global[static_cast<unsigned>(access.kind)];
      ++traffic.accesses;
      traffic.bytes += bytes;
      traffic.lines += lines_touched(access, counts_.line_bytes);
      return;
    }
    case Space::kLds: {
      const Passes passes = lds_passes(access, wave.isa == Isa::kGfx950 ? 64 : 32);
      ++counts_.lds_accesses;
      counts_.lds_bytes_moved += bytes;
      counts_.lds_passes += passes.taken;
      counts_.lds_conflicts += passes.taken - passes.needed;
      return;
    }
    case Space::kScratch:
      ++counts_.scratch_accesses;
      return;
  }
}

void Tally::approximate_use(const Wave& wave, const Inst& inst, bool branch) {
  const auto [found, inserted] = counts_.approximate_uses.try_emplace({inst.address, branch});
  if (inserted) found->second = {.place = place_of(wave, inst), .branch = branch, .count = 0};
  ++found->second.count;
}

KernelCounts Tally::take(const LaunchRequest* request, bool first_of_launch) {
  for (const auto& [op, count] : operations_) {
    OpCount& mine = counts_.operations[std::string(op->name)];
    mine = {.count = count, .fidelity = fidelity_on(*op, isa_), .bound = std::string(op->bound)};
  }
  operations_.clear();
  counts_.launches = first_of_launch ? 1 : 0;
  if (request && request->kernel && request->kernel->info) {
    const auto& info = *request->kernel->info;
    counts_.name = toolchain::demangle(info.name);
    counts_.wave_size = request->kernel->wave_size;
    if (request->kernel->image) {
      const toolchain::CodeObject& object = request->kernel->image->object();
      counts_.target = object.target().id();
      const std::uint64_t threads = u64{request->block[0]} * request->block[1] * request->block[2];
      counts_.occupancy =
          residency(*request->kernel, *object.target().info, threads, request->dynamic_lds);
      counts_.producer = producer_of(object);
    }
    counts_.vgprs = info.descriptor.allocated_vgprs;
    counts_.sgprs = info.descriptor.allocated_sgprs;
    counts_.lds_bytes = u64{info.descriptor.group_segment_fixed_size} + request->dynamic_lds;
    counts_.scratch_bytes = info.descriptor.private_segment_fixed_size;
  }
  KernelCounts result = std::move(counts_);
  counts_ = {};
  return result;
}

}  // namespace hipwright::soft
