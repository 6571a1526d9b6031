// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/collectives/reduce.h"
#include "runtime/collectives/transport.h"

namespace hipwright::runtime {

namespace {

using device::Direction;
using device::Done;

// Per rank, whatever the size of the buffers; a multiple of every type's size.
constexpr std::size_t kChunk = 1 << 20;

// Waits for earlier work of the streams, which may write or read the data.
Done finish(std::span<const Rank> ranks) {
  for (const Rank& rank : ranks) HW_CHECK(rank.driver->synchronize(rank.stream));
  return {};
}

class HostTransport final : public Transport {
 public:
  std::string name() const override { return "host memory"; }

  Done all_reduce(std::span<const Rank> ranks, std::span<void* const> buffers, std::size_t elements,
                  DataType type, Reduction reduction) override {
    HW_CHECK(finish(ranks));
    const std::size_t bytes = elements * size_of(type);
    std::vector<std::vector<std::byte>> parts(ranks.size());
    std::vector<const void*> inputs;
    for (auto& part : parts) {
      part.resize(std::min(bytes, kChunk));
      inputs.push_back(part.data());
    }
    for (std::size_t done = 0; done < bytes; done += kChunk) {
      const std::size_t size = std::min(kChunk, bytes - done);
      for (std::size_t i = 0; i < ranks.size(); ++i)
        HW_CHECK(
            ranks[i].driver->copy(parts[i].data(), at(buffers[i], done), size, Direction::kToHost));
      reduce(type, reduction, inputs, parts[0].data(), size / size_of(type));
      for (std::size_t i = 0; i < ranks.size(); ++i)
        HW_CHECK(ranks[i].driver->copy(at(buffers[i], done), parts[0].data(), size,
                                       Direction::kToDevice));
    }
    return {};
  }

  Done broadcast(std::span<const Rank> ranks, std::span<void* const> buffers, std::size_t bytes,
                 std::size_t root) override {
    HW_CHECK(finish(ranks));
    std::vector<std::byte> part(std::min(bytes, kChunk));
    for (std::size_t done = 0; done < bytes; done += kChunk) {
      const std::size_t size = std::min(kChunk, bytes - done);
      HW_CHECK(
          ranks[root].driver->copy(part.data(), at(buffers[root], done), size, Direction::kToHost));
      for (std::size_t i = 0; i < ranks.size(); ++i)
        if (i != root)
          HW_CHECK(
              ranks[i].driver->copy(at(buffers[i], done), part.data(), size, Direction::kToDevice));
    }
    return {};
  }

  Done all_gather(std::span<const Rank> ranks, std::span<const void* const> send,
                  std::span<void* const> receive, std::size_t bytes) override {
    HW_CHECK(finish(ranks));
    std::vector<std::byte> part(std::min(bytes, kChunk));
    for (std::size_t from = 0; from < ranks.size(); ++from)
      for (std::size_t done = 0; done < bytes; done += kChunk) {
        const std::size_t size = std::min(kChunk, bytes - done);
        const auto* const source = static_cast<const std::byte*>(send[from]) + done;
        HW_CHECK(ranks[from].driver->copy(part.data(), source, size, Direction::kToHost));
        for (std::size_t i = 0; i < ranks.size(); ++i)
          HW_CHECK(ranks[i].driver->copy(at(receive[i], from * bytes + done), part.data(), size,
                                         Direction::kToDevice));
      }
    return {};
  }

  Done check() override { return {}; }

 private:
  static std::byte* at(void* buffer, std::size_t offset) {
    return static_cast<std::byte*>(buffer) + offset;
  }
};

}  // namespace

std::unique_ptr<Transport> make_host_transport() {
  return std::make_unique<HostTransport>();
}

}  // namespace hipwright::runtime
