// SPDX-License-Identifier: MIT
// Requests from kernels to the host: printf and assert messages, memory for device malloc.
// Device libraries put a packet into a shared buffer (ockl's hostcall protocol), send an interrupt
// and wait until the host has cleared the packet's ready flag. Here the host is the thread that
// runs the wave: the interrupt serves all waiting packets before the wave's next instruction.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "soft/exec/memory.h"

namespace hipwright::soft::hip {

class Hostcall {
 public:
  explicit Hostcall(Memory& memory) : memory_(memory) {}

  // Addresses for the hidden arguments; made when first asked for. 0: out of memory.
  std::uint64_t buffer();         // hidden_hostcall_buffer
  std::uint64_t heap();           // hidden_heap_v1
  std::uint64_t printf_buffer();  // hidden_printf_buffer

  void serve();
  // Prints what a kernel left in the printf buffer (-mprintf-kind=buffered). `formats` are those
  // of the code object's metadata.
  void drain_printf(const std::vector<std::string>& formats);

  // Whether a kernel has written to standard error since the last call: a failed assertion says
  // so before it traps.
  bool take_complaint() { return complained_.exchange(false); }

  std::uint64_t heap_limit() const { return heap_limit_.load(); }
  void set_heap_limit(std::uint64_t bytes) {
    heap_limit_.store(bytes);
    program_sets_limit_ = true;
  }
  std::uint64_t printf_bytes() const { return printf_bytes_.load(); }
  void set_printf_bytes(std::uint64_t bytes) { printf_bytes_.store(bytes); }

 private:
  struct Block {
    void* memory = nullptr;
    std::uint64_t size = 0;
  };
  void serve_packet(std::uint64_t packet);
  void serve_lane(std::uint32_t service, std::uint64_t* slot);
  void serve_message(std::uint64_t* slot);
  std::uint64_t print(std::span<const std::uint64_t> message);
  std::uint64_t serve_memory(std::uint64_t address, std::uint64_t size);
  std::uint64_t no_memory(std::uint64_t size);

  Memory& memory_;
  std::mutex mutex_;
  std::uint64_t buffer_ = 0, signal_ = 0, heap_ = 0, printf_ = 0;
  std::map<std::uint64_t, std::vector<std::uint64_t>> messages_;  // begun, not ended
  std::uint64_t next_message_ = 1;
  std::map<std::uint64_t, Block> blocks_;
  std::uint64_t block_bytes_ = 0;
  bool ran_out_ = false;  // of memory for blocks, and said so
  std::atomic<std::uint64_t> heap_limit_{std::uint64_t{1} << 32};
  std::atomic<bool> program_sets_limit_{false};
  std::atomic<std::uint64_t> printf_bytes_{std::uint64_t{1} << 22};
  std::uint64_t printf_capacity_ = 0;
  std::atomic<bool> complained_{false};
};

// What printf would print. `words`: the format, zero-terminated and padded to eight bytes, then
// one word per argument; strings lie in line, padded likewise. A message that ends too early is
// printed up to there.
std::string format_message(std::span<const std::uint64_t> words);
// The same with a separate format.
std::string format_arguments(std::string_view format, std::span<const std::uint64_t> arguments);

}  // namespace hipwright::soft::hip
