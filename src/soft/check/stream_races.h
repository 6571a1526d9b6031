// SPDX-License-Identifier: MIT
// Data races between streams: two operations touch the same bytes, one of them writes, and nothing
// orders them (no event, no wait of the host, no null stream). The runtime says what comes before
// an operation; which bytes it touches is remembered until the host has waited for everything.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "soft/check/findings.h"
#include "soft/check/race_memory.h"
#include "soft/exec/access.h"

namespace hipwright::soft {

class StreamRaces {
 public:
  // How many operations of each stream come before, by the stream's number.
  using Clock = std::vector<std::uint32_t>;

  explicit StreamRaces(Findings& findings) : findings_(findings) {}

  // Without a second stream there is nothing to find, and nothing is remembered.
  void enable() { enabled_ = true; }
  bool enabled() const { return enabled_; }

  // The operation that is `before[stream]`-th of its stream begins; `what` names it in messages.
  std::uint32_t begin(std::uint32_t stream, Clock before, std::string what, std::string kernel);
  // What a copy or fill touches.
  void touch(std::uint32_t operation, std::uint64_t begin, std::uint64_t size, bool writes,
             const Memory& memory);
  // What a kernel touches in global memory.
  void access(std::uint32_t operation, const Wave& wave, const Inst& inst, const Access& access,
              bool atomic);
  // The memory is no longer what it was.
  void forget(std::uint64_t begin, std::uint64_t size);
  // All operations have ended and come before everything that follows.
  void forget_all();

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Operation {
    std::uint32_t stream = 0, index = 0;
    Clock before;
    std::string what, kernel;
  };
  // One operation's access to four bytes of memory.
  struct Mark {
    std::uint32_t operation = 0;  // 0: none
    std::uint8_t bytes = 0;       // bit mask
    bool atomic = false;
  };
  struct Cell {
    Mark write;
    std::array<Mark, 2> read;  // of two streams
  };
  struct Page {
    std::mutex mutex;
    std::array<Cell, kPageBytes / 4> cells;
  };
  // The access that is checked.
  struct Now {
    const Operation* operation = nullptr;
    Mark mark;
    bool writes = false;
    std::uint64_t address = 0;
    const Memory* memory = nullptr;
    const Wave* wave = nullptr;  // of a kernel
    const Inst* inst = nullptr;
    const Access* access = nullptr;
    unsigned lane = 0;
  };

  const Operation& operation(std::uint32_t number) const;
  bool is_ordered(const Mark& earlier, const Now& now) const;
  std::shared_ptr<Page> page(std::uint64_t number);
  // Bytes begin … begin + size of one access.
  void visit(Now& now, std::uint64_t begin, std::uint64_t size);
  void visit(Cell& cell, const Now& now);
  void report(const Now& now, const Mark& earlier, bool earlier_writes);

  Findings& findings_;
  std::atomic<bool> enabled_{false};
  mutable std::shared_mutex operations_mutex_;
  std::deque<Operation> operations_;  // number 1 is the first
  std::mutex pages_mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Page>> pages_;
  const std::size_t most_pages_ = most_race_pages(kPageBytes, sizeof(Page));
  bool is_full_ = false;
};

}  // namespace hipwright::soft
