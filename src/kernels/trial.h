// SPDX-License-Identifier: MIT
// One run of an operation on a problem: operands in memory, the call, and whether the results are
// right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hipwright/kernels.h"
#include "hipwright/memory.h"
#include "kernels/op.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

// Host memory of one operand, gaps included.
struct Storage {
  Operand operand;
  std::int64_t stride = 0, offset = 0;  // elements
  std::string bytes;

  verify::Values values() const;  // without gaps
};

// Inputs of the seed's; outputs and gaps have a pattern that no result has.
std::vector<Storage> initial_storage(const Op& op, const Problem& problem, std::uint64_t seed);

// The operands on a device, each in memory of its own that ends where the operand ends.
class Trial {
 public:
  Trial(const Op& op, const Problem& problem, Kernels& kernels, AMDMemoryManager& memory,
        const std::vector<Storage>& storage);
  void submit(const Stream& stream = {});
  std::vector<Storage> results();  // waits

 private:
  const Op& op_;
  const Problem problem_;
  Kernels& kernels_;
  HIPUtilities utilities_;
  std::vector<Storage> storage_;
  std::vector<DeviceBuffer> buffers_;
  std::vector<Matrix> matrices_;
};

// Empty if `actual` has the outputs of `expected` within the tolerance of each, and nothing else
// was written; otherwise what differs.
std::string difference(const Op& op, const Problem& problem, const std::vector<Storage>& expected,
                       const std::vector<Storage>& actual);

}  // namespace hipwright::kernels
