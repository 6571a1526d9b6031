// SPDX-License-Identifier: MIT
#include "soft/hip/hostcall.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "soft/hip/api.h"

namespace hipwright::soft::hip {

namespace {

// The layouts that device libraries know.
struct Header {
  std::uint64_t next;
  std::uint64_t active;  // lanes
  std::uint32_t service;
  std::uint32_t control;  // bit 0: ready, the host has not answered yet
};
using Slot = std::uint64_t[8];
struct Payload {
  Slot slots[64];
};
struct Buffer {
  std::uint64_t headers, payloads, doorbell, free_stack, ready_stack, index_mask;
};
// An HSA signal, as far as a kernel looks: with a mailbox it sends the interrupt.
struct Signal {
  std::uint64_t kind;
  std::uint64_t value;
  std::uint64_t mailbox;
  std::uint32_t event;
  std::uint32_t unused;
  std::uint64_t padding[4];
  std::uint64_t mail;  // ours: what the mailbox points to
};

// Every wave that is on its way through a call holds one packet.
constexpr std::uint64_t kPackets = 8192;
static_assert(std::has_single_bit(kPackets));
constexpr std::uint64_t kHeadersAt = 64;
constexpr std::uint64_t kPayloadsAt = (kHeadersAt + kPackets * sizeof(Header) + 63) / 64 * 64;
constexpr std::uint64_t kBufferBytes = kPayloadsAt + kPackets * sizeof(Payload);
constexpr std::uint64_t kHeapBytes = 1 << 18;
constexpr std::uint64_t kSlabBytes = 1 << 21;     // slabs are found by rounding addresses down
constexpr std::size_t kLongestMessage = 1 << 17;  // words

enum Service : std::uint32_t { kFunctionCall = 1, kPrintf = 2, kDeviceMemory = 3 };

template <class T>
T* at(std::uint64_t address) {
  return reinterpret_cast<T*>(address);
}

}  // namespace

std::uint64_t Hostcall::buffer() {
  const std::lock_guard lock(mutex_);
  if (buffer_) return buffer_;
  const auto memory = memory_.allocate(kBufferBytes, MemoryKind::kInternal);
  const auto signal = memory_.allocate(sizeof(Signal), MemoryKind::kInternal);
  if (!memory || !signal) return 0;
  signal_ = *signal;
  *at<Signal>(signal_) = {.mailbox = signal_ + offsetof(Signal, mail), .event = 1};
  auto* buffer = at<Buffer>(*memory);
  *buffer = {.headers = *memory + kHeadersAt,
             .payloads = *memory + kPayloadsAt,
             .doorbell = signal_,
             .free_stack = 0,
             .ready_stack = 0,
             .index_mask = kPackets - 1};
  // Entries are packet numbers under a tag that counts uses. 0 is the end of a list, so that
  // packet 0 starts with tag 1.
  auto* headers = at<Header>(buffer->headers);
  std::uint64_t top = 0;
  for (std::uint64_t i = 0; i < kPackets; ++i) {
    headers[i] = {.next = top};
    top = i == 0 ? kPackets : i;
  }
  buffer->free_stack = top;
  return buffer_ = *memory;
}

std::uint64_t Hostcall::heap() {
  const std::lock_guard lock(mutex_);
  if (heap_) return heap_;
  // All zero is an empty heap; it asks for slabs as it grows.
  const auto memory = memory_.allocate(kHeapBytes, MemoryKind::kInternal);
  if (!memory) return 0;
  std::memset(at<void>(*memory), 0, kHeapBytes);
  return heap_ = *memory;
}

std::uint64_t Hostcall::printf_buffer() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t wanted = printf_bytes_.load();
  if (printf_ && printf_capacity_ != wanted) {
    static_cast<void>(memory_.release(printf_));
    printf_ = 0;
  }
  if (!printf_) {
    const auto memory = memory_.allocate(wanted + 8, MemoryKind::kInternal);
    if (!memory) return 0;
    printf_ = *memory;
    printf_capacity_ = wanted;
    at<std::uint32_t>(printf_)[0] = 0;
    at<std::uint32_t>(printf_)[1] = static_cast<std::uint32_t>(wanted);
  }
  return printf_;
}

void Hostcall::serve() {
  const std::lock_guard lock(mutex_);
  if (!buffer_) return;
  std::atomic_ref<std::uint64_t> ready(at<Buffer>(buffer_)->ready_stack);
  std::uint64_t packet = ready.exchange(0, std::memory_order_acquire);
  // The list is newest first; a kernel that damaged it must not keep the host here.
  std::vector<std::uint64_t> packets;
  while (packet && packets.size() < kPackets) {
    packets.push_back(packet & (kPackets - 1));
    packet = at<Header>(buffer_ + kHeadersAt)[packets.back()].next;
  }
  while (!packets.empty()) {
    serve_packet(packets.back());
    packets.pop_back();
  }
}

void Hostcall::serve_packet(std::uint64_t packet) {
  Header& header = at<Header>(buffer_ + kHeadersAt)[packet];
  Payload& payload = at<Payload>(buffer_ + kPayloadsAt)[packet];
  for (std::uint64_t lanes = header.active; lanes; lanes &= lanes - 1)
    serve_lane(header.service, payload.slots[std::countr_zero(lanes)]);
  std::atomic_ref<std::uint32_t>(header.control).fetch_and(~1U, std::memory_order_release);
}

void Hostcall::serve_lane(std::uint32_t service, std::uint64_t* slot) {
  switch (service) {
    case kPrintf:
      serve_message(slot);
      break;
    case kDeviceMemory:
      slot[0] = serve_memory(slot[0], slot[1]);
      break;
    default:
      // A call of a host function by address is one of them: a wrong kernel could jump anywhere.
      notify({.kind = EventKind::kUnsupportedApi,
              .text = "a kernel requested host service " + std::to_string(service) +
                      ", which the software GPU does not provide",
              .api = "host service " + std::to_string(service)});
      slot[0] = slot[1] = 0;
  }
}

// Messages come in pieces of up to seven words. The descriptor in word 0 has flags for the first
// (bit 0) and the last piece (bit 1), the number of words (bits 5 to 7) and, after the first, the
// message's number (bits 8 and up), which the answer hands out.
void Hostcall::serve_message(std::uint64_t* slot) {
  const std::uint64_t descriptor = slot[0];
  const bool first = descriptor & 1, last = descriptor & 2;
  const std::uint64_t length = descriptor >> 5 & 7;
  const std::uint64_t number = first ? next_message_++ : descriptor >> 8;
  if (first) messages_[number] = {};
  const auto message = messages_.find(number);
  if (message == messages_.end()) {
    slot[0] = ~0ULL;
    return;
  }
  if (message->second.size() < kLongestMessage)
    message->second.insert(message->second.end(), slot + 1, slot + 1 + length);
  if (!last) {
    slot[0] = (descriptor & 0xfe) | number << 8;
    return;
  }
  slot[0] = print(message->second);
  messages_.erase(message);
}

// Word 0: bit 0 is set for standard error.
std::uint64_t Hostcall::print(std::span<const std::uint64_t> message) {
  if (message.empty() || message[0] > 1) return ~0ULL;
  const std::string text = format_message(message.subspan(1));
  std::FILE* stream = message[0] ? stderr : stdout;
  if (message[0]) complained_ = true;
  std::fwrite(text.data(), 1, text.size(), stream);
  return text.size();
}

// A limit that the program sets is its own affair; another one may change its results.
std::uint64_t Hostcall::no_memory(std::uint64_t size) {
  if (std::exchange(ran_out_, true)) return 0;
  notify({.kind = program_sets_limit_ ? EventKind::kMessage : EventKind::kLimit,
          .text = fmt::format("malloc in a kernel returned null: {} more bytes for the device "
                              "heap, which has {} of at most {}",
                              size, block_bytes_, heap_limit_.load())});
  return 0;
}

// Device malloc: an address to give back, or 0 and a size to get.
std::uint64_t Hostcall::serve_memory(std::uint64_t address, std::uint64_t size) {
  if (address) {
    const auto block = blocks_.find(address);
    if (block == blocks_.end()) {
      say("a kernel freed an address that device malloc did not return");
      return 0;
    }
    static_cast<void>(memory_.unregister(address));
    std::free(block->second.memory);
    block_bytes_ -= block->second.size;
    blocks_.erase(block);
    return 0;
  }
  if (size == 0) return 0;
  if (size > heap_limit_ || block_bytes_ > heap_limit_ - size) return no_memory(size);
  // Slabs lie at multiples of their size, larger blocks at multiples of a page: that is how
  // free() on the device tells them apart.
  const std::uint64_t alignment = size == kSlabBytes ? kSlabBytes : 4096;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) return no_memory(size);
  const auto begin = reinterpret_cast<std::uint64_t>(memory);
  if (!memory_.register_range(begin, size, MemoryKind::kInternal)) {
    std::free(memory);
    return no_memory(size);
  }
  blocks_[begin] = {memory, size};
  block_bytes_ += size;
  return begin;
}

// Two words of 32 bits, bytes used and capacity, then records: a control word (bit 0: standard
// error; bit 1: the format's hash follows instead of the format; bits 2 and up: bytes of the
// record) and the data.
void Hostcall::drain_printf(const std::vector<std::string>& formats) {
  const std::lock_guard lock(mutex_);
  if (!printf_) return;
  std::atomic_ref<std::uint32_t> used(at<std::uint32_t>(printf_)[0]);
  const std::uint32_t bytes =
      std::min<std::uint32_t>(used.exchange(0), static_cast<std::uint32_t>(printf_capacity_));
  // "0:0:HASH,format"
  std::unordered_map<std::uint64_t, std::string_view> by_hash;
  for (const std::string& entry : formats) {
    const std::size_t hash = entry.rfind(':', entry.find(','));
    const std::size_t comma = entry.find(',');
    if (hash != std::string::npos && comma != std::string::npos)
      by_hash[std::strtoull(entry.c_str() + hash + 1, nullptr, 16)] =
          std::string_view(entry).substr(comma + 1);
  }
  const auto* data = at<const std::uint8_t>(printf_ + 8);
  std::uint32_t at_byte = 0;
  while (at_byte + 4 <= bytes) {
    std::uint32_t control = 0;
    std::memcpy(&control, data + at_byte, 4);
    const std::uint32_t size = control >> 2;
    if (size < 4 || size > bytes - at_byte) break;
    std::vector<std::uint64_t> words((size - 4 + 7) / 8);
    std::memcpy(words.data(), data + at_byte + 4, size - 4);
    std::string text;
    if (!(control & 2)) {
      text = format_message(words);
    } else if (!words.empty() && by_hash.contains(words[0])) {
      text = format_arguments(by_hash[words[0]], std::span(words).subspan(1));
    }
    if (control & 1) complained_ = true;
    std::fwrite(text.data(), 1, text.size(), control & 1 ? stderr : stdout);
    at_byte += size;
  }
}

}  // namespace hipwright::soft::hip
