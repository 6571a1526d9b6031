// SPDX-License-Identifier: MIT
// Cooperative groups as ROCm 6.4 has them: static tiles come from a thread_block only and span at
// most one wave. Votes, matches and binary_partition need HIP_ENABLE_WARP_SYNC_BUILTINS. Since 7.0
// tiles also come from tiles and span at most 64 lanes, and groups have num_threads().
#pragma once

#include <hip/amd_detail/amd_device_functions.h>
#include <hip/amd_detail/amd_hip_runtime.h>
#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/amd_warp_sync_functions.h>
#include <hip/amd_detail/grid_sync.h>
#include <hip/amd_detail/lane_set.h>
#include <hip/amd_detail/trap.h>

#if defined(__clang__) && defined(__HIP__)

#if !defined(__CG_QUALIFIER__)
#define __CG_QUALIFIER__ __device__ __forceinline__
#endif
#if !defined(__CG_STATIC_QUALIFIER__)
#define __CG_STATIC_QUALIFIER__ __device__ static __forceinline__
#endif

#if __HW_ROCM < 700 && __HW_WAVE_SIZE == 32
using lane_mask = unsigned int;
#else
using lane_mask = unsigned long long int;
#endif

namespace cooperative_groups {

namespace internal {

typedef enum {
  cg_invalid,
  cg_multi_grid,
  cg_grid,
  cg_workgroup,
  cg_tiled_group,
  cg_coalesced_group
} group_type;

template <bool answer>
struct truth {
  static constexpr bool value = answer;
};

__CG_STATIC_QUALIFIER__ unsigned int block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__CG_STATIC_QUALIFIER__ unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__CG_STATIC_QUALIFIER__ unsigned int grid_size() {
  return gridDim.x * gridDim.y * gridDim.z * block_size();
}
__CG_STATIC_QUALIFIER__ unsigned int rank_in_grid() {
  unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return block * block_size() + rank_in_block();
}

// The lanes of a wave run in step, so only memory has to be put in order.
__CG_STATIC_QUALIFIER__ void sync_lanes() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
}

// Invalid tile sizes trap unless NDEBUG is defined.
__CG_STATIC_QUALIFIER__ void check_tile_size(unsigned int tile_size) {
#if defined(NDEBUG)
  (void)tile_size;
#else
  bool power_of_2 = tile_size != 0 && (tile_size & (tile_size - 1)) == 0;
  if (!power_of_2 || tile_size > __HW_WAVE_SIZE) __hip_detail::trap();
#endif
}

}  // namespace internal

template <unsigned int size>
using is_power_of_2 = internal::truth<(size & (size - 1)) == 0>;
template <unsigned int size>
using is_valid_wavefront = internal::truth<(size <= (__HW_ROCM < 700 ? __HW_WAVE_SIZE : 64))>;
template <unsigned int size>
using is_valid_tile_size =
    internal::truth<is_power_of_2<size>::value && is_valid_wavefront<size>::value>;
template <typename T>
using is_valid_type = internal::truth<__is_integral(T) || __is_floating_point(T)>;

#if __HW_ROCM < 700
#define __hw_shuffle_type(T) \
  static_assert(is_valid_type<T>::value, "group shuffles take integers and floating point")
#else
#define __hw_shuffle_type(T) static_assert(true, "ROCm 7.0 takes what __shfl takes")
#endif

template <unsigned int size, class ParentCGTy = void>
class thread_block_tile;

// Any group. Derived groups are sliced into this type, so it holds all that they need.
class thread_group {
 protected:
  unsigned int _type;
  unsigned int _size;
  unsigned int _tile_size = 0;  // nominal: the last tile of a block may hold fewer threads
  unsigned int _meta_group_rank = 0;
  unsigned int _meta_group_size = 1;
  unsigned long long _lanes;  // members of a coalesced group

  __CG_QUALIFIER__ thread_group(internal::group_type type, unsigned int size = 0,
                                unsigned long long lanes = 0)
      : _type(type), _size(size), _lanes(lanes) {}

  friend __CG_QUALIFIER__ thread_group this_thread();
  friend class thread_block;

 public:
  __CG_QUALIFIER__ unsigned int size() const { return _size; }
#if __HW_ROCM >= 700
  __CG_QUALIFIER__ unsigned int num_threads() const {
    return _size;
  }
#endif
  __CG_QUALIFIER__ unsigned int cg_type() const {
    return _type;
  }
  __CG_QUALIFIER__ unsigned int thread_rank() const;
  __CG_QUALIFIER__ bool is_valid() const;
  __CG_QUALIFIER__ void sync() const;
};

// All threads of a launch on several devices.
class multi_grid_group : public thread_group {
  friend __CG_QUALIFIER__ multi_grid_group this_multi_grid();

 protected:
  explicit __CG_QUALIFIER__ multi_grid_group(unsigned int size)
      : thread_group(internal::cg_multi_grid, size) {}

 public:
  __CG_QUALIFIER__ unsigned int num_grids() {
    return __hip_detail::launch_sync_record()->num_grids;
  }
  __CG_QUALIFIER__ unsigned int grid_rank() {
    return __hip_detail::launch_sync_record()->grid_rank;
  }
  __CG_QUALIFIER__ unsigned int thread_rank() const {
    auto before = __hip_detail::launch_sync_record()->threads_before;
    return static_cast<unsigned int>(before) + internal::rank_in_grid();
  }
  __CG_QUALIFIER__ bool is_valid() const { return __hip_detail::launch_sync_record() != nullptr; }
  __CG_QUALIFIER__ void sync() const { __hip_detail::multi_grid_barrier(); }
};

__CG_QUALIFIER__ multi_grid_group this_multi_grid() {
  auto threads = __hip_detail::launch_sync_record()->threads_total;
  return multi_grid_group(static_cast<unsigned int>(threads));
}

// All threads of a cooperative launch.
class grid_group : public thread_group {
  friend __CG_QUALIFIER__ grid_group this_grid();

 protected:
  explicit __CG_QUALIFIER__ grid_group(unsigned int size) : thread_group(internal::cg_grid, size) {}

 public:
  __CG_QUALIFIER__ unsigned int thread_rank() const { return internal::rank_in_grid(); }
  __CG_QUALIFIER__ bool is_valid() const { return __hip_detail::launch_sync_record() != nullptr; }
  __CG_QUALIFIER__ void sync() const { __hip_detail::grid_barrier(); }
#if __HW_ROCM < 700
  // The dimensions of a block, not of the grid.
  __CG_QUALIFIER__ dim3 group_dim() const {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
#else
  __CG_QUALIFIER__ dim3 group_dim() const {
    return dim3(gridDim.x, gridDim.y, gridDim.z);
  }
#endif
};

__CG_QUALIFIER__ grid_group this_grid() {
  return grid_group(internal::grid_size());
}

// All threads of the block.
class thread_block : public thread_group {
  friend __CG_QUALIFIER__ thread_block this_thread_block();
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent,
                                                       unsigned int tile_size);
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_block& parent,
                                                       unsigned int tile_size);

 protected:
  explicit __CG_QUALIFIER__ thread_block(unsigned int size)
      : thread_group(internal::cg_workgroup, size) {}

  __CG_QUALIFIER__ thread_group new_tiled_group(unsigned int tile_size) const {
    internal::check_tile_size(tile_size);
    unsigned int first = thread_rank() & ~(tile_size - 1);
    unsigned int left = size() - first;
    thread_group tile(internal::cg_tiled_group, left < tile_size ? left : tile_size);
    tile._tile_size = tile_size;
    tile._meta_group_rank = first / tile_size;
    tile._meta_group_size = (size() + tile_size - 1) / tile_size;
    return tile;
  }

 public:
  __CG_STATIC_QUALIFIER__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __CG_STATIC_QUALIFIER__ dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __CG_STATIC_QUALIFIER__ unsigned int thread_rank() { return internal::rank_in_block(); }
  __CG_STATIC_QUALIFIER__ unsigned int size() { return internal::block_size(); }
#if __HW_ROCM >= 700
  __CG_STATIC_QUALIFIER__ unsigned int num_threads() {
    return internal::block_size();
  }
#endif
  __CG_STATIC_QUALIFIER__ bool is_valid() {
    return true;
  }
  __CG_STATIC_QUALIFIER__ void sync() {
    __syncthreads();
  }
  __CG_QUALIFIER__ dim3 group_dim() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
};

__CG_QUALIFIER__ thread_block this_thread_block() {
  return thread_block(internal::block_size());
}

// A tile whose size is known only at run time.
class tiled_group : public thread_group {
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent,
                                                       unsigned int tile_size);
  friend __CG_QUALIFIER__ tiled_group tiled_partition(const tiled_group& parent,
                                                      unsigned int tile_size);

  __CG_QUALIFIER__ tiled_group new_tiled_group(unsigned int tile_size) const {
    internal::check_tile_size(tile_size);
    if (size() <= tile_size) return *this;
    tiled_group tile(tile_size);
    tile._meta_group_rank = thread_rank() / tile_size;
    tile._meta_group_size = size() / tile_size;
    return tile;
  }

 protected:
  explicit __CG_QUALIFIER__ tiled_group(unsigned int tile_size)
      : thread_group(internal::cg_tiled_group, tile_size) {
    _tile_size = tile_size;
  }

 public:
  __CG_QUALIFIER__ unsigned int size() const { return _tile_size; }
#if __HW_ROCM >= 700
  __CG_QUALIFIER__ unsigned int num_threads() const {
    return _tile_size;
  }
#endif
  __CG_QUALIFIER__ unsigned int thread_rank() const {
    return internal::rank_in_block() & (_tile_size - 1);
  }
  __CG_QUALIFIER__ void sync() const {
    internal::sync_lanes();
  }
};

// Any set of lanes of one wave; ranks follow lane order.
class coalesced_group : public thread_group {
  friend __CG_QUALIFIER__ coalesced_group coalesced_threads();
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent,
                                                       unsigned int tile_size);
  friend __CG_QUALIFIER__ coalesced_group tiled_partition(const coalesced_group& parent,
                                                          unsigned int tile_size);
  friend __CG_QUALIFIER__ coalesced_group binary_partition(const coalesced_group& cgrp, bool pred);
  template <unsigned int fsize, class fparent>
  friend __CG_QUALIFIER__ coalesced_group
  binary_partition(const thread_block_tile<fsize, fparent>& tgrp, bool pred);

  __CG_QUALIFIER__ coalesced_group new_tiled_group(unsigned int tile_size) const {
    if (tile_size == 0 || (tile_size & (tile_size - 1)) != 0) return coalesced_group(0);
    unsigned int tile = thread_rank() / tile_size;
    coalesced_group result(
        static_cast<lane_mask>(__hip_detail::lanes_of_ranks(_lanes, tile * tile_size, tile_size)));
    result._meta_group_rank = tile;
    result._meta_group_size = (size() + tile_size - 1) / tile_size;
    return result;
  }

  template <class T>
  __CG_QUALIFIER__ T value_of_rank(T var, unsigned int rank) const {
    __hw_shuffle_type(T);
    return static_cast<T>(__shfl(var, __hip_detail::lane_of_rank(_lanes, rank)));
  }

 protected:
  explicit __CG_QUALIFIER__ coalesced_group(lane_mask member_mask)
      : thread_group(internal::cg_coalesced_group,
                     static_cast<unsigned int>(__builtin_popcountll(member_mask)), member_mask) {}

 public:
  __CG_QUALIFIER__ unsigned int size() const { return _size; }
#if __HW_ROCM >= 700
  __CG_QUALIFIER__ unsigned int num_threads() const {
    return _size;
  }
#endif
  __CG_QUALIFIER__ unsigned int thread_rank() const {
    return __hip_detail::rank_of_caller(_lanes);
  }
  __CG_QUALIFIER__ void sync() const {
    internal::sync_lanes();
  }
  __CG_QUALIFIER__ unsigned int meta_group_rank() const {
    return _meta_group_rank;
  }
  __CG_QUALIFIER__ unsigned int meta_group_size() const {
    return _meta_group_size;
  }

  // Out-of-range sources of shfl_up and shfl_down give the caller its own value.
  template <class T>
  __CG_QUALIFIER__ T shfl(T var, int srcRank) const {
    return value_of_rank(var, static_cast<unsigned int>(srcRank) % size());
  }
  template <class T>
  __CG_QUALIFIER__ T shfl_down(T var, unsigned int lane_delta) const {
    unsigned int self = thread_rank();
    return value_of_rank(var, lane_delta < size() - self ? self + lane_delta : self);
  }
  template <class T>
  __CG_QUALIFIER__ T shfl_up(T var, unsigned int lane_delta) const {
    unsigned int self = thread_rank();
    return value_of_rank(var, lane_delta <= self ? self - lane_delta : self);
  }

#if defined(__HW_WARP_SYNC)
  // In all returned masks bit N speaks of the thread of rank N.
  __CG_QUALIFIER__ unsigned long long ballot(int pred) const {
    return __hip_detail::ranks_of_lanes(_lanes, __ballot_sync(_lanes, pred));
  }
  __CG_QUALIFIER__ int any(int pred) const {
    return __any_sync(_lanes, pred);
  }
  __CG_QUALIFIER__ int all(int pred) const {
    return __all_sync(_lanes, pred);
  }
  template <typename T>
  __CG_QUALIFIER__ unsigned long long match_any(T value) const {
    return __hip_detail::ranks_of_lanes(_lanes, __match_any_sync(_lanes, value));
  }
  template <typename T>
  __CG_QUALIFIER__ unsigned long long match_all(T value, int& pred) const {
    return __hip_detail::ranks_of_lanes(_lanes, __match_all_sync(_lanes, value, &pred));
  }
#endif
};

// The lanes that are active where this is called.
__CG_QUALIFIER__ coalesced_group coalesced_threads() {
  return coalesced_group(static_cast<lane_mask>(__ballot(1)));
}

__CG_QUALIFIER__ thread_group this_thread() {
  return thread_group(internal::cg_coalesced_group, 1, 1ull << __lane_id());
}

__CG_QUALIFIER__ unsigned int thread_group::thread_rank() const {
  switch (_type) {
    case internal::cg_multi_grid:
      return static_cast<const multi_grid_group*>(this)->thread_rank();
    case internal::cg_grid:
      return internal::rank_in_grid();
    case internal::cg_workgroup:
      return internal::rank_in_block();
    case internal::cg_tiled_group:
      return internal::rank_in_block() & (_tile_size - 1);
    default:
      return __hip_detail::rank_of_caller(_lanes);
  }
}

__CG_QUALIFIER__ bool thread_group::is_valid() const {
  bool whole_launch = _type == internal::cg_multi_grid || _type == internal::cg_grid;
  return !whole_launch || __hip_detail::launch_sync_record() != nullptr;
}

__CG_QUALIFIER__ void thread_group::sync() const {
  switch (_type) {
    case internal::cg_multi_grid:
      __hip_detail::multi_grid_barrier();
      break;
    case internal::cg_grid:
      __hip_detail::grid_barrier();
      break;
    case internal::cg_workgroup:
      __syncthreads();
      break;
    default:
      internal::sync_lanes();
  }
}

template <class CGTy>
__CG_QUALIFIER__ unsigned int group_size(CGTy const& g) {
  return g.size();
}
template <class CGTy>
__CG_QUALIFIER__ unsigned int thread_rank(CGTy const& g) {
  return g.thread_rank();
}
template <class CGTy>
__CG_QUALIFIER__ bool is_valid(CGTy const& g) {
  return g.is_valid();
}
template <class CGTy>
__CG_QUALIFIER__ void sync(CGTy const& g) {
  g.sync();
}

// What all static tiles share.
template <unsigned int tileSize>
class thread_block_tile_base {
  static_assert(is_valid_tile_size<tileSize>::value,
                "a tile is a power of two and at most one wave");

  template <unsigned int fsize, class fparent>
  friend __CG_QUALIFIER__ coalesced_group
  binary_partition(const thread_block_tile<fsize, fparent>& tgrp, bool pred);

  __CG_STATIC_QUALIFIER__ unsigned int first_lane() { return __lane_id() & ~(tileSize - 1); }
  __CG_STATIC_QUALIFIER__ unsigned long long lanes() {
    return (~0ull >> (64 - tileSize)) << first_lane();
  }

 public:
  __CG_STATIC_QUALIFIER__ unsigned int thread_rank() {
    return internal::rank_in_block() & (tileSize - 1);
  }
  __CG_STATIC_QUALIFIER__ unsigned int size() { return tileSize; }
#if __HW_ROCM >= 700
  __CG_STATIC_QUALIFIER__ unsigned int num_threads() {
    return tileSize;
  }
#endif
  __CG_STATIC_QUALIFIER__ void sync() {
    internal::sync_lanes();
  }

  template <class T>
  __CG_QUALIFIER__ T shfl(T var, int srcRank) const {
    __hw_shuffle_type(T);
    return static_cast<T>(__shfl(var, srcRank, tileSize));
  }
  template <class T>
  __CG_QUALIFIER__ T shfl_down(T var, unsigned int lane_delta) const {
    __hw_shuffle_type(T);
    return static_cast<T>(__shfl_down(var, lane_delta, tileSize));
  }
  template <class T>
  __CG_QUALIFIER__ T shfl_up(T var, unsigned int lane_delta) const {
    __hw_shuffle_type(T);
    return static_cast<T>(__shfl_up(var, lane_delta, tileSize));
  }
  template <class T>
  __CG_QUALIFIER__ T shfl_xor(T var, unsigned int laneMask) const {
    __hw_shuffle_type(T);
    return static_cast<T>(__shfl_xor(var, static_cast<int>(laneMask), tileSize));
  }

#if defined(__HW_WARP_SYNC)
  // In all returned masks bit N speaks of the thread of rank N.
  __CG_QUALIFIER__ unsigned long long ballot(int pred) const {
    return __ballot_sync(lanes(), pred) >> first_lane();
  }
  __CG_QUALIFIER__ int any(int pred) const {
    return __any_sync(lanes(), pred);
  }
  __CG_QUALIFIER__ int all(int pred) const {
    return __all_sync(lanes(), pred);
  }
  template <typename T>
  __CG_QUALIFIER__ unsigned long long match_any(T value) const {
    return __match_any_sync(lanes(), value) >> first_lane();
  }
  template <typename T>
  __CG_QUALIFIER__ unsigned long long match_all(T value, int& pred) const {
    return __match_all_sync(lanes(), value, &pred) >> first_lane();
  }
#endif
};

// A tile that remembers its parent in its type.
template <unsigned int size_, class ParentCGTy>
class thread_block_tile : public thread_block_tile_base<size_>, public tiled_group {
  template <unsigned int fsize, class fparent>
  friend __CG_QUALIFIER__ thread_block_tile<fsize, fparent> tiled_partition(const fparent& g);

 protected:
  __CG_QUALIFIER__ thread_block_tile(const ParentCGTy&) : tiled_group(size_) {}

 public:
  using thread_block_tile_base<size_>::size;
#if __HW_ROCM >= 700
  using thread_block_tile_base<size_>::num_threads;
#endif
  using thread_block_tile_base<size_>::sync;
  using thread_block_tile_base<size_>::thread_rank;
  __CG_STATIC_QUALIFIER__ unsigned int meta_group_rank() {
    return ParentCGTy::thread_rank() / size_;
  }
  __CG_STATIC_QUALIFIER__ unsigned int meta_group_size() {
    return (ParentCGTy::size() + size_ - 1) / size_;
  }
};

// A tile of any parent.
template <unsigned int size_>
class thread_block_tile<size_, void> : public thread_block_tile_base<size_>, public tiled_group {
 public:
  template <class ParentCGTy>
  __CG_QUALIFIER__ thread_block_tile(const thread_block_tile<size_, ParentCGTy>& g)
      : tiled_group(size_) {
    _meta_group_rank = g.meta_group_rank();
    _meta_group_size = g.meta_group_size();
  }

  using thread_block_tile_base<size_>::size;
#if __HW_ROCM >= 700
  using thread_block_tile_base<size_>::num_threads;
#endif
  using thread_block_tile_base<size_>::sync;
  using thread_block_tile_base<size_>::thread_rank;
  __CG_QUALIFIER__ unsigned int meta_group_rank() const {
    return _meta_group_rank;
  }
  __CG_QUALIFIER__ unsigned int meta_group_size() const {
    return _meta_group_size;
  }
};

__CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent, unsigned int tile_size) {
  switch (parent.cg_type()) {
    case internal::cg_tiled_group:
      return static_cast<const tiled_group&>(parent).new_tiled_group(tile_size);
    case internal::cg_coalesced_group:
      return static_cast<const coalesced_group&>(parent).new_tiled_group(tile_size);
    default:
      return static_cast<const thread_block&>(parent).new_tiled_group(tile_size);
  }
}
__CG_QUALIFIER__ thread_group tiled_partition(const thread_block& parent, unsigned int tile_size) {
  return parent.new_tiled_group(tile_size);
}
__CG_QUALIFIER__ tiled_group tiled_partition(const tiled_group& parent, unsigned int tile_size) {
  return parent.new_tiled_group(tile_size);
}
__CG_QUALIFIER__ coalesced_group tiled_partition(const coalesced_group& parent,
                                                 unsigned int tile_size) {
  return parent.new_tiled_group(tile_size);
}

namespace internal {
template <unsigned int size, class Parent>
struct can_hold_tiles : truth<__is_same(Parent, thread_block)> {};
template <unsigned int size, unsigned int parent_size, class Grandparent>
struct can_hold_tiles<size, thread_block_tile<parent_size, Grandparent>>
    : truth<(size <= parent_size)> {};
}  // namespace internal

template <unsigned int size, class ParentCGTy>
__CG_QUALIFIER__ thread_block_tile<size, ParentCGTy> tiled_partition(const ParentCGTy& g) {
  static_assert(is_valid_tile_size<size>::value, "a tile is a power of two and at most one wave");
#if __HW_ROCM < 700
  static_assert(__is_same(ParentCGTy, thread_block),
                "in ROCm 6.4 static tiles can be made of a thread_block only");
#else
  static_assert(internal::can_hold_tiles<size, ParentCGTy>::value,
                "static tiles are made of a thread_block or a tile that is not smaller");
#endif
  return thread_block_tile<size, ParentCGTy>(g);
}

#if defined(__HW_WARP_SYNC)
// The threads of the group that passed the same predicate as the caller.
__CG_QUALIFIER__ coalesced_group binary_partition(const coalesced_group& cgrp, bool pred) {
  auto yes = __ballot_sync(cgrp._lanes, pred);
  return coalesced_group(static_cast<lane_mask>(pred ? yes : cgrp._lanes ^ yes));
}
template <unsigned int size, class parent>
__CG_QUALIFIER__ coalesced_group binary_partition(const thread_block_tile<size, parent>& tgrp,
                                                  bool pred) {
  auto yes = __ballot_sync(tgrp.lanes(), pred);
  return coalesced_group(static_cast<lane_mask>(pred ? yes : tgrp.lanes() ^ yes));
}
#endif

#undef __hw_shuffle_type

}  // namespace cooperative_groups

#endif
