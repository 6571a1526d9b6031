// SPDX-License-Identifier: MIT
// A part of a sweep, for one of several machines or processes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::verify {

struct Shard {
  unsigned index = 0, count = 1;
  std::string from;  // "--shard", "OMPI_COMM_WORLD_RANK"; empty: the default

  bool has(std::size_t item) const { return item % count == index; }
};

// "1/4": the second of four.
Result<Shard> parse_shard(std::string_view text);
// From the launcher's environment: Open MPI, Slurm (srun and job arrays), PMI, Kubernetes indexed
// jobs (which do not set a count: HIPWRIGHT_SHARDS). Without any, one shard of one.
Result<Shard> shard_of_environment();

}  // namespace hipwright::verify
