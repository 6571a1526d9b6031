// SPDX-License-Identifier: MIT
#include "runtime/pool/self_test.h"

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace hipwright::runtime {

namespace {

using device::Done;
using device::Failure;
using device::FailureKind;

constexpr int kRounds = 16;
// Small and large ones: allocators keep them in different ways.
constexpr std::array<std::size_t, 3> kSizes = {4096, 1 << 20, 8 << 20};
// Fills of this much memory keep a stream busy: so many at first, so many at most.
constexpr std::size_t kBusyBytes = 4 << 20;
constexpr unsigned kFirstFills = 8;
constexpr unsigned kMostFills = 256;

struct Piece {
  void* address = nullptr;
  std::size_t size = 0;
  unsigned char byte = 0;
  device::Stream stream = nullptr;
};

class Trial {
 public:
  explicit Trial(device::Device& driver) : driver_(driver) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    for (const Piece& piece : pieces_)
      static_cast<void>(driver_.free_async(piece.address, piece.stream));
    for (device::Stream stream : streams_) {
      static_cast<void>(driver_.synchronize(stream));
      static_cast<void>(driver_.destroy_stream(stream));
    }
  }

  Done run() {
    for (int i = 0; i < 2; ++i) {
      HW_TRY(device::Stream stream, driver_.create_stream(0));
      streams_.push_back(stream);
    }
    HW_CHECK(add(kBusyBytes, streams_[0]));  // stays the first
    for (int round = 0; round < kRounds; ++round) {
      const std::size_t size = kSizes[static_cast<std::size_t>(round) % kSizes.size()];
      // One buffer of each stream lives through the next round, so that its reuse is noticed.
      HW_CHECK(add(size, streams_[0]));
      HW_CHECK(add(size, streams_[1]));
      HW_CHECK(reuse(size));
      HW_CHECK(check());
      while (pieces_.size() > 3) HW_CHECK(drop(1));
    }
    return check();
  }

 private:
  // One stream frees memory with a fill still pending, and the other allocates it at once.
  // If the other one gets it without waiting, the late fill overwrites its bytes. That shows only
  // if the first stream is busy long enough for the other to finish first.
  Done reuse(std::size_t size) {
    const Piece busy = pieces_.front();
    for (;;) {
      for (unsigned i = 0; i < fills_; ++i)
        HW_CHECK(driver_.fill(busy.address, busy.byte, busy.size, busy.stream));
      HW_CHECK(add(size, streams_[0]));
      HW_CHECK(drop(pieces_.size() - 1));
      HW_CHECK(add(size, streams_[1]));
      HW_CHECK(driver_.synchronize(streams_[1]));
      HW_TRY(const bool too_late, driver_.idle(streams_[0]));
      if (!too_late) return {};
      // The device is that fast, or its streams wait for each other: once is enough.
      if (fills_ == 0 || fills_ >= kMostFills) {
        fills_ = 0;
        return {};
      }
      fills_ *= 2;
    }
  }
  Done add(std::size_t size, device::Stream stream) {
    HW_TRY(void* address, driver_.allocate_async(size, stream));
    const auto* begin = static_cast<const std::byte*>(address);
    pieces_.push_back({address, size, ++byte_, stream});
    for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
      const auto* other = static_cast<const std::byte*>(pieces_[i].address);
      if (begin < other + pieces_[i].size && other < begin + size) {
        pieces_.pop_back();
        return broken("the same memory was allocated twice");
      }
    }
    return driver_.fill(address, byte_, size, stream);
  }
  Done drop(std::size_t index) {
    const Piece piece = pieces_[index];
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
    return driver_.free_async(piece.address, piece.stream);
  }
  Done check() {
    // The less busy one first: then, even on a device that works only when waited for, the
    // other's fills come late.
    for (std::size_t i = streams_.size(); i-- > 0;) HW_CHECK(driver_.synchronize(streams_[i]));
    for (const Piece& piece : pieces_) {
      host_.assign(piece.size, static_cast<unsigned char>(~piece.byte));
      HW_CHECK(driver_.copy(host_.data(), piece.address, piece.size, device::Direction::kToHost));
      // All bytes are alike: each equals the next.
      if (host_.front() != piece.byte ||
          std::memcmp(host_.data(), host_.data() + 1, piece.size - 1) != 0)
        return broken(
            fmt::format("a buffer of {} bytes was overwritten by another owner", piece.size));
    }
    return {};
  }
  Done broken(std::string why) const {
    return std::unexpected(Failure(FailureKind::kNotAvailable,
                                   "the stream-ordered allocator failed its self-test",
                                   driver_.id(), std::move(why)));
  }

  device::Device& driver_;
  std::vector<device::Stream> streams_;
  std::vector<Piece> pieces_;
  std::vector<unsigned char> host_;
  unsigned char byte_ = 0;
  unsigned fills_ = kFirstFills;
};

}  // namespace

Done test_stream_ordered_allocator(device::Device& driver) {
  return Trial(driver).run();
}

}  // namespace hipwright::runtime
