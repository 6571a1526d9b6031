// SPDX-License-Identifier: MIT
// The free blocks of one stream: best fit in constant time for small ones, in logarithmic time for
// large ones, without heap allocations once warm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "runtime/pool/block.h"

namespace hipwright::runtime {

// One list per size: a small segment has 4096 possible ones. Two levels of bits say which lists
// have a block, so the smallest that fits is found with two bit scans.
class SmallBins {
 public:
  PoolBlock* best_fit(std::size_t size) const {
    const std::size_t bin = bin_of(size);
    const std::uint64_t here = filled_[bin / 64] >> (bin % 64);
    if (here != 0) return heads_[bin + count_zeros(here)];
    const std::size_t next_word = bin / 64 + 1;
    if (next_word == kWords) return nullptr;
    const std::uint64_t later = words_ >> next_word;
    if (later == 0) return nullptr;
    const std::size_t word = next_word + count_zeros(later);
    return heads_[word * 64 + count_zeros(filled_[word])];
  }
  void insert(PoolBlock* block) {
    const std::size_t bin = bin_of(block->size);
    block->bin_before = nullptr;
    block->bin_after = heads_[bin];
    if (block->bin_after != nullptr) block->bin_after->bin_before = block;
    heads_[bin] = block;
    filled_[bin / 64] |= std::uint64_t{1} << (bin % 64);
    words_ |= std::uint64_t{1} << (bin / 64);
  }
  void remove(PoolBlock* block) {
    if (block->bin_after != nullptr) block->bin_after->bin_before = block->bin_before;
    if (block->bin_before != nullptr) {
      block->bin_before->bin_after = block->bin_after;
      return;
    }
    const std::size_t bin = bin_of(block->size);
    heads_[bin] = block->bin_after;
    if (heads_[bin] != nullptr) return;
    filled_[bin / 64] &= ~(std::uint64_t{1} << (bin % 64));
    if (filled_[bin / 64] == 0) words_ &= ~(std::uint64_t{1} << (bin / 64));
  }

 private:
  static constexpr std::size_t kBins = kSmallSegment / kGranule;
  static constexpr std::size_t kWords = kBins / 64;
  static_assert(kWords == 64);

  static std::size_t bin_of(std::size_t size) { return size / kGranule - 1; }
  static std::size_t count_zeros(std::uint64_t bits) {
    return static_cast<std::size_t>(__builtin_ctzll(bits));
  }

  std::uint64_t words_ = 0;
  std::array<std::uint64_t, kWords> filled_{};
  std::array<PoolBlock*, kBins> heads_{};
};

// Sorted by size. Nodes of the set are kept when a block leaves, for the next that comes.
class LargeBins {
 public:
  PoolBlock* best_fit(std::size_t size) const {
    const auto found = blocks_.lower_bound(size);
    return found == blocks_.end() ? nullptr : *found;
  }
  void insert(PoolBlock* block) {
    if (spare_.empty()) {
      blocks_.insert(block);
      return;
    }
    spare_.back().value() = block;
    blocks_.insert(std::move(spare_.back()));
    spare_.pop_back();
  }
  void remove(PoolBlock* block) { spare_.push_back(blocks_.extract(block)); }

 private:
  struct BySize {
    using is_transparent = void;
    // Of equal ones the lowest: high addresses stay free and merge.
    bool operator()(const PoolBlock* a, const PoolBlock* b) const {
      return a->size != b->size ? a->size < b->size : a->address < b->address;
    }
    bool operator()(const PoolBlock* a, std::size_t size) const { return a->size < size; }
    bool operator()(std::size_t size, const PoolBlock* a) const { return size < a->size; }
  };
  using Blocks = std::set<PoolBlock*, BySize>;
  Blocks blocks_;
  std::vector<Blocks::node_type> spare_;
};

class FreeBlocks {
 public:
  // The smallest block of at least `size` bytes; it stays in.
  PoolBlock* best_fit(std::size_t size, bool small) const {
    return small ? small_.best_fit(size) : large_.best_fit(size);
  }
  void insert(PoolBlock* block) {
    block->segment->small ? small_.insert(block) : large_.insert(block);
  }
  void remove(PoolBlock* block) {
    block->segment->small ? small_.remove(block) : large_.remove(block);
  }

 private:
  SmallBins small_;
  LargeBins large_;
};

}  // namespace hipwright::runtime
