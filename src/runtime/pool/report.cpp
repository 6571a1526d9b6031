// SPDX-License-Identifier: MIT
// Statistics, the snapshot and the message of an allocation that cannot be served.
#include <algorithm>

#include <fmt/format.h>

#include "base/json.h"
#include "runtime/pool/human_bytes.h"
#include "runtime/pool/pool.h"

namespace hipwright::runtime {

namespace {

double mb(std::uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

std::string_view to_string(BlockState state) {
  switch (state) {
    case BlockState::kFree:
      return "free";
    case BlockState::kLive:
      return "live";
    case BlockState::kWaiting:
      return "waiting";
    case BlockState::kLost:
      return "lost";
  }
  bug("a block without a state", __FILE__, __LINE__);
}

std::string_view kind_of(const Segment& segment) {
  switch (segment.source) {
    case Source::kPool:
      return segment.small ? "small" : "large";
    case Source::kDevice:
      return "unpooled";
    case Source::kStreamOrdered:
      return "stream-ordered";
  }
  bug("a segment without a source", __FILE__, __LINE__);
}

Json json_of(const PoolBlock& block) {
  Json json{{"offset", block.address - block.segment->address},
            {"bytes", block.size},
            {"state", to_string(block.state)},
            {"stream", block.arena->stream.name()}};
  if (block.state != BlockState::kLive) return json;
  json["requested_bytes"] = block.requested;
  json["purpose"] = block.purpose->name;
  json["serial"] = block.serial;
  json["file"] = block.where.file_name();
  json["line"] = block.where.line();
  json["function"] = block.where.function_name();
  return json;
}

Json json_of(const Group& group) {
  Json segments = Json::array();
  for (const auto& segment : group.segments) {
    Json blocks = Json::array();
    for (const PoolBlock* block = segment->first; block != nullptr; block = block->after)
      blocks.push_back(json_of(*block));
    segments.push_back({{"address", fmt::format("{}", fmt::ptr(segment->address))},
                        {"bytes", segment->size},
                        {"kind", kind_of(*segment)},
                        {"blocks", std::move(blocks)}});
  }
  return {{"pool", group.shared() ? "shared" : fmt::format("private {}", group.number)},
          {"segments", std::move(segments)}};
}

std::string buffers(std::uint64_t count) {
  return fmt::format("{} buffer{}", count, count == 1 ? "" : "s");
}

double fragmentation(std::uint64_t kept, std::uint64_t largest) {
  return kept == 0 ? 0 : 1 - static_cast<double>(largest) / static_cast<double>(kept);
}

}  // namespace

template <class Function>
void Pool::for_each_block(Function function) const {
  const auto visit = [&](const Group& group) {
    for (const auto& segment : group.segments)
      for (const PoolBlock* block = segment->first; block != nullptr; block = block->after)
        function(*block);
  };
  visit(shared_);
  for (const auto& group : private_) visit(*group);
}

std::uint64_t Pool::largest_free_block() const {
  std::uint64_t largest = 0;
  for_each_block([&](const PoolBlock& block) {
    if (block.state == BlockState::kFree) largest = std::max<std::uint64_t>(largest, block.size);
  });
  return largest;
}

device::Outcome<MemoryStats> Pool::statistics() {
  HW_TRY(const device::MemoryInfo info, driver_->memory_info());
  const std::lock_guard lock(mutex_);
  const Counters& now = counters_;
  MemoryStats stats{
      .total_mb = mb(info.total_bytes),
      .free_mb = mb(info.free_bytes),
      .allocated_mb = mb(now.allocated),
      .reserved_mb = mb(now.reserved),
      .peak_allocated_mb = mb(now.peak_allocated),
      .peak_reserved_mb = mb(now.peak_reserved),
      .limit_mb = mb(limit_),
      .fragmentation = fragmentation(now.reserved - now.allocated, largest_free_block()),
      .allocations = now.allocations,
      .hits = now.hits,
      .device_allocations = now.device_allocations,
      .device_frees = now.device_frees,
      .oom_retries = now.oom_retries,
      .live_buffers = now.live};
  if (now.allocations > 0)
    stats.hit_rate_percent =
        100.0 * static_cast<double>(now.hits) / static_cast<double>(now.allocations);
  return stats;
}

std::vector<AllocationSummary> Pool::summary() {
  std::vector<AllocationSummary> rows;
  {
    const std::lock_guard lock(mutex_);
    for (const Purpose& purpose : purposes_.all())
      if (purpose.allocations > 0)
        rows.push_back({.purpose = purpose.name,
                        .live_buffers = purpose.live,
                        .allocated_mb = mb(purpose.bytes),
                        .peak_mb = mb(purpose.peak_bytes),
                        .allocations = purpose.allocations});
  }
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
    return a.allocated_mb != b.allocated_mb ? a.allocated_mb > b.allocated_mb
                                            : a.peak_mb > b.peak_mb;
  });
  return rows;
}

std::vector<Leak> Pool::live_allocations() {
  std::vector<std::pair<std::uint64_t, Leak>> found;
  {
    const std::lock_guard lock(mutex_);
    for_each_block([&](const PoolBlock& block) {
      if (block.state != BlockState::kLive) return;
      found.emplace_back(block.serial, Leak{.purpose = block.purpose->name,
                                            .bytes = block.requested,
                                            .file = block.where.file_name(),
                                            .line = block.where.line(),
                                            .function = block.where.function_name(),
                                            .address = block.address});
    });
  }
  std::ranges::sort(found, {}, &std::pair<std::uint64_t, Leak>::first);
  std::vector<Leak> leaks;
  for (auto& [serial, leak] : found) leaks.push_back(std::move(leak));
  return leaks;
}

std::string Pool::snapshot() {
  const std::lock_guard lock(mutex_);
  Json pools = Json::array({json_of(shared_)});
  for (const auto& group : private_) pools.push_back(json_of(*group));
  return json_text({{"device", driver_->id()},
                    {"allocated_bytes", counters_.allocated},
                    {"reserved_bytes", counters_.reserved},
                    {"keep_bytes", options_.keep_bytes},
                    {"limit_bytes", limit_},
                    {"pools", std::move(pools)}});
}

device::Failure Pool::out_of_memory(const PoolRequest& request, std::size_t size,
                                    const device::Failure& cause, bool captured) {
  const Counters& now = counters_;
  const std::uint64_t kept = now.reserved - now.allocated;
  const std::uint64_t largest = largest_free_block();
  std::string text =
      fmt::format("cannot allocate {} for '{}' on {}: {}", human_bytes(request.bytes),
                  request.purpose, driver_->id(), cause.why);
  if (!cause.code_name.empty()) text += fmt::format(" ({}, {})", cause.code_name, cause.code);
  text += fmt::format("\n  requested  {} ({} bytes)", human_bytes(request.bytes), request.bytes);
  text += fmt::format("\n  allocated  {} in {}", human_bytes(now.allocated), buffers(now.live));
  text += fmt::format("\n  reserved   {} in device segments", human_bytes(now.reserved));
  text += fmt::format("\n  cached     {}, the largest free block {}, fragmentation {:.0f} %",
                      human_bytes(kept), human_bytes(largest), 100 * fragmentation(kept, largest));
  text += fmt::format("\n  limit      {} (max_memory_fraction {})", human_bytes(limit_),
                      options_.max_fraction);
  std::uint64_t others = 0;
  if (const auto info = driver_->memory_info()) {
    const std::uint64_t used = info->total_bytes - std::min(info->free_bytes, info->total_bytes);
    others = used - std::min(used, now.reserved);
    text += fmt::format("\n  device     {} free of {}; {} are not this pool's",
                        human_bytes(info->free_bytes), human_bytes(info->total_bytes),
                        human_bytes(others));
  }
  std::vector<const Purpose*> holders;
  for (const Purpose& purpose : purposes_.all())
    if (purpose.live > 0) holders.push_back(&purpose);
  std::ranges::stable_sort(holders, std::ranges::greater(), &Purpose::bytes);
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(holders.size(), kShown); ++i)
    text +=
        fmt::format("\n  {} '{}' {} in {}", i == 0 ? "held by   " : "          ", holders[i]->name,
                    human_bytes(holders[i]->bytes), buffers(holders[i]->live));

  device::Failure failure = cause;
  failure.kind = device::FailureKind::kMemory;
  failure.device = driver_->id();
  failure.why = std::move(text);
  if (size > limit_)
    failure.advice =
        "The request exceeds the limit: split the work, or raise max_memory_fraction if the device "
        "is large enough.";
  else if (captured)
    failure.advice =
        "Cached memory cannot be released during a capture: call empty_cache() before it.";
  else if (kept > 0 && !options_.oom_protection)
    failure.advice = "Set enable_oom_protection to release cached memory first.";
  else if (kept >= size)
    failure.advice =
        "Enough is cached, but in pieces between live buffers: allocate long-lived buffers first.";
  else if (size <= limit_ - std::min(limit_, now.reserved) && others > limit_ / 4)
    failure.advice = "Another process or library holds the device's memory: find and stop it.";
  else
    failure.advice =
        "Free buffers (get_leak_report() lists them with their call sites), reduce the batch "
        "size, or raise max_memory_fraction.";
  return failure;
}

}  // namespace hipwright::runtime
