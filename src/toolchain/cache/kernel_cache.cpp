// SPDX-License-Identifier: MIT
#include "toolchain/cache/kernel_cache.h"

#include <utility>

#include "base/file.h"

namespace hipwright::toolchain {

double CacheStatistics::cache_hit_rate_percent() const {
  const std::uint64_t requests = hits() + misses;
  return requests == 0 ? 0.0 : 100.0 * static_cast<double>(hits()) / static_cast<double>(requests);
}

KernelCache::KernelCache(CacheOptions options)
    : options_(std::move(options)),
      memory_(options_.memory_entries),
      disk_(options_.directory.empty()
                ? std::nullopt
                : std::optional<DiskTier>(std::in_place, options_.directory, options_.disk_bytes)) {
}

Result<std::filesystem::path> KernelCache::default_directory() {
  HW_TRY(const std::filesystem::path user, user_cache_directory());
  return user / "kernels";
}

template <class Change>
void KernelCache::count(Change change) {
  const std::lock_guard lock(statistics_mutex_);
  change(statistics_);
}

void KernelCache::degrade(const Error& reason) {
  std::call_once(warned_, [&] {
    if (options_.warn)
      options_.warn({"cannot use the kernel cache", options_.directory.string(), reason.message(),
                     "Until this is fixed, each process compiles its kernels again."});
  });
}

Result<CachedKernel::Pointer> KernelCache::get_or_compile(const CacheRequest& request,
                                                          const CompileFunction& compile) {
  const RequestKey key = make_request_key(request);
  while (true) {
    if (const auto hit = recall(key)) return hit->kernel;

    std::promise<Outcome> promise;
    std::shared_future<Outcome> flight;
    {
      const std::lock_guard lock(flights_mutex_);
      const auto [place, is_new] = flights_.try_emplace(key.material);
      if (is_new)
        place->second = promise.get_future().share();
      else
        flight = place->second;
    }
    if (!flight.valid()) {
      HW_TRY(const CachedResult result, lead(key, compile, std::move(promise)));
      return result.kernel;
    }

    HW_TRY(const CachedResult shared, flight.get());
    // The compile may have begun before a header was changed and this request made.
    if (!shared.includes ||
        IncludeChecker().check(*shared.includes) == IncludeChecker::Verdict::kChanged)
      continue;
    count([&](CacheStatistics& statistics) {
      ++statistics.memory_hits;
      statistics.seconds_saved += shared.kernel->compile_seconds();
    });
    return shared.kernel;
  }
}

// The flight always ends, and its waiters continue.
KernelCache::Outcome KernelCache::lead(const RequestKey& key, const CompileFunction& compile,
                                       std::promise<Outcome> promise) {
  const auto land = [&] {
    const std::lock_guard lock(flights_mutex_);
    flights_.erase(key.material);
  };
  try {
    Outcome outcome = fetch(key, compile);
    land();
    promise.set_value(outcome);
    return outcome;
  } catch (...) {
    land();
    promise.set_exception(std::current_exception());
    throw;
  }
}

std::optional<CachedResult> KernelCache::recall(const RequestKey& key) {
  auto hit = memory_.find(key);
  if (!hit) return std::nullopt;
  IncludeChecker checker;
  const auto verdict = checker.check(*hit->includes);
  if (verdict == IncludeChecker::Verdict::kChanged) return std::nullopt;
  if (verdict == IncludeChecker::Verdict::kSameRestamp) {
    hit->includes = std::make_shared<IncludeSet>(checker.restamped(*hit->includes));
    memory_.put(key, *hit);
  }
  count([&](CacheStatistics& statistics) {
    ++statistics.memory_hits;
    statistics.seconds_saved += hit->kernel->compile_seconds();
  });
  return hit;
}

KernelCache::Outcome KernelCache::fetch(const RequestKey& key, const CompileFunction& compile) {
  // A flight may have landed between this thread's look into memory and its own departure.
  if (const auto hit = recall(key)) return *hit;
  if (!disk_ready()) return compile_and_keep(key, compile);
  if (const auto hit = read_disk(key, false)) return *hit;
  const auto lock = lock_disk(key);
  // Usually the previous holder of the lock has compiled it.
  if (const auto hit = read_disk(key, lock.has_value())) return *hit;
  return compile_and_keep(key, compile);
}

bool KernelCache::disk_ready() {
  if (!disk_) return false;
  const auto ready = disk_->prepare();
  if (!ready) degrade(ready.error());
  return ready.has_value();
}

std::optional<CachedResult> KernelCache::read_disk(const RequestKey& key, bool locked) {
  DiskTier::Lookup found = disk_->find(key);
  if (locked) {
    const std::uint64_t moved = disk_->quarantine(found.damaged);
    count([&](CacheStatistics& statistics) { statistics.quarantined += moved; });
  }
  if (!found.hit) return std::nullopt;
  if (found.restamp && !locked) disk_->restamp(key, *found.hit);
  memory_.put(key, *found.hit);
  count([&](CacheStatistics& statistics) {
    ++statistics.disk_hits;
    statistics.seconds_saved += found.hit->kernel->compile_seconds();
  });
  return found.hit;
}

std::optional<RangeLock> KernelCache::lock_disk(const RequestKey& key) {
  auto lock = disk_->lock(key, options_.patience);
  if (lock) return *std::move(lock);
  degrade(lock.error());
  return std::nullopt;
}

KernelCache::Outcome KernelCache::compile_and_keep(const RequestKey& key,
                                                   const CompileFunction& compile) {
  // A header written a moment ago must not look as if it changed during the compile.
  const std::int64_t started = next_file_clock_tick();
  const auto begin = std::chrono::steady_clock::now();
  const Result<Compiled> compiled = compile();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  count([&](CacheStatistics& statistics) {
    ++statistics.misses;
    statistics.failures += compiled ? 0 : 1;
    statistics.seconds_compiling += seconds;
  });
  if (!compiled) return std::unexpected(compiled.error());

  auto includes =
      compiled->includes_known
          ? capture_includes(compiled->includes, compiled->absent, key.directory, started)
          : Result<IncludeSet>(
                fail("cannot keep the kernel", "", "not all of its includes are known"));
  const std::string material = includes ? entry_material(key, *includes) : std::string();
  CachedResult result{CachedKernel::build(material, compiled->payload, compiled->log, seconds),
                      nullptr};
  if (!includes) {
    count([](CacheStatistics& statistics) { ++statistics.not_kept; });
    return result;
  }
  result.includes = std::make_shared<IncludeSet>(*std::move(includes));
  memory_.put(key, result);
  write_disk(key, result);
  return result;
}

void KernelCache::write_disk(const RequestKey& key, const CachedResult& result) {
  if (!disk_ready()) return;
  const auto stored = disk_->store(key, result);
  if (!stored) return degrade(stored.error());
  count([&](CacheStatistics& statistics) {
    statistics.stored += stored->stored ? 1 : 0;
    statistics.evicted += stored->removed;
  });
}

CacheStatistics KernelCache::statistics() const {
  const std::lock_guard lock(statistics_mutex_);
  return statistics_;
}

DiskUse KernelCache::disk_use() const {
  return disk_ ? disk_->measure() : DiskUse{};
}

Status KernelCache::clear() {
  memory_.clear();
  return disk_ ? disk_->clear() : Status{};
}

}  // namespace hipwright::toolchain
