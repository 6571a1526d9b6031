// SPDX-License-Identifier: MIT
#include "verify/shard.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace hipwright::verify {

namespace {

constexpr const char* kWhat = "invalid shard";

std::optional<unsigned> number_of(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

struct Launcher {
  const char* index;
  const char* count;
};
// Kubernetes sets no count.
constexpr std::array kLaunchers = std::to_array<Launcher>({
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"JOB_COMPLETION_INDEX", "HIPWRIGHT_SHARDS"},
});

Result<unsigned> variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return fail(kWhat, name, "the variable is not set", "Pass --shard 0/4.");
  const auto number = number_of(text);
  if (!number) return fail(kWhat, fmt::format("{}={}", name, text), "not a number");
  return *number;
}

Result<Shard> checked(unsigned index, unsigned count, std::string from) {
  if (index >= count)
    return fail(kWhat, from, fmt::format("no shard {} of {}", index, count),
                "Shards count from 0: --shard 0/4 is the first of four.");
  return Shard{index, count, std::move(from)};
}

// Tasks of srun within jobs of an array; either may be absent.
Result<Shard> shard_of_slurm() {
  Shard shard{0, 1, "SLURM_PROCID"};
  if (std::getenv("SLURM_ARRAY_TASK_ID") != nullptr) {
    HW_TRY(const unsigned id, variable("SLURM_ARRAY_TASK_ID"));
    HW_TRY(const unsigned first, variable("SLURM_ARRAY_TASK_MIN"));
    HW_TRY(const unsigned step, variable("SLURM_ARRAY_TASK_STEP"));
    HW_TRY(shard.count, variable("SLURM_ARRAY_TASK_COUNT"));
    if (id < first || step == 0)
      return fail(kWhat, "SLURM_ARRAY_TASK_ID", "not in the range of the job array");
    shard.index = (id - first) / step;
    shard.from = "SLURM_ARRAY_TASK_ID";
  }
  if (std::getenv("SLURM_PROCID") != nullptr && std::getenv("SLURM_NTASKS") != nullptr) {
    HW_TRY(const unsigned task, variable("SLURM_PROCID"));
    HW_TRY(const unsigned tasks, variable("SLURM_NTASKS"));
    shard.index = shard.index * tasks + task;
    shard.count *= tasks;
  }
  return checked(shard.index, shard.count, shard.from);
}

}  // namespace

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto index = number_of(text.substr(0, slash));
  const auto count =
      slash == std::string_view::npos ? std::nullopt : number_of(text.substr(slash + 1));
  if (!index || !count || *count == 0)
    return fail(kWhat, std::string(text), "expected INDEX/COUNT",
                "Shards count from 0: --shard 0/4 is the first of four.");
  return checked(*index, *count, fmt::format("--shard {}", text));
}

Result<Shard> shard_of_environment() {
  for (const Launcher& each : kLaunchers) {
    if (std::getenv(each.index) == nullptr) continue;
    HW_TRY(const unsigned index, variable(each.index));
    HW_TRY(const unsigned count, variable(each.count));
    return checked(index, count, each.index);
  }
  if (std::getenv("SLURM_PROCID") != nullptr || std::getenv("SLURM_ARRAY_TASK_ID") != nullptr)
    return shard_of_slurm();
  return Shard{};
}

}  // namespace hipwright::verify
