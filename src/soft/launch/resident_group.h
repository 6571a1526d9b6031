// SPDX-License-Identifier: MIT
// A workgroup with the memory it needs to run. Made once, used for many workgroups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "soft/exec/workgroup.h"
#include "soft/launch/launch_plan.h"

namespace hipwright::soft {

// Pages from the host: zeroed, and committed when touched.
class Pages {
 public:
  Pages() = default;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages();
  // At least `size` bytes; growing loses the content. False: the host is out of memory.
  bool reserve(std::uint64_t size);
  // Zero again.
  void clear(std::uint64_t size);
  std::uint8_t* data() const { return data_; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint8_t* data_ = nullptr;
  std::uint64_t size_ = 0;
};

class Resident {
 public:
  Workgroup group;

  // Ready for workgroups of the launch.
  Status attach(const LaunchPlan& plan);
  // Bytes that stay with it between launches.
  std::uint64_t kept_bytes() const { return vectors_.size() + lds_.size() + scratch_.size(); }

 private:
  Pages vectors_, lds_, scratch_;
};

}  // namespace hipwright::soft
