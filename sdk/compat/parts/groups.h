// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
#if __has_include(<hip/cooperative_groups/hip_reduce.h>)
#include <hip/cooperative_groups/hip_reduce.h>
#define HIP_COMPAT_HAS_GROUP_REDUCE 1
#else
#define HIP_COMPAT_HAS_GROUP_REDUCE 0
#endif

#if __has_include(<hip/cooperative_groups/hip_scan.h>)
#include <hip/cooperative_groups/hip_scan.h>
#define HIP_COMPAT_HAS_GROUP_SCAN 1
#else
#define HIP_COMPAT_HAS_GROUP_SCAN 0
#endif

namespace hip_compat {

template <class T>
struct plain {
  typedef T type;
};
template <class T>
struct plain<T&> : plain<T> {};
template <class T>
struct plain<T&&> : plain<T> {};
template <class T>
struct plain<const T> : plain<T> {};

// Size of the group, rank of the caller, lane of a rank. For tiles not over the members, which are
// ambiguous in HIP 6.0.
template <unsigned int size, class Parent>
__device__ inline int group_size(const cooperative_groups::thread_block_tile<size, Parent>&) {
  return size;
}
template <unsigned int size, class Parent>
__device__ inline int own_rank(const cooperative_groups::thread_block_tile<size, Parent>&) {
  return lane_id() & static_cast<int>(size - 1);
}
template <unsigned int size, class Parent>
__device__ inline int lane_of_rank(const cooperative_groups::thread_block_tile<size, Parent>&,
                                   int rank) {
  return (lane_id() & ~static_cast<int>(size - 1)) + rank;
}
__device__ inline int group_size(const cooperative_groups::coalesced_group& group) {
  return static_cast<int>(group.size());
}
__device__ inline int own_rank(const cooperative_groups::coalesced_group& group) {
  return static_cast<int>(group.thread_rank());
}
__device__ inline int lane_of_rank(const cooperative_groups::coalesced_group& group, int rank) {
  return group.shfl(lane_id(), rank);
}

// The members shfl, shfl_up, shfl_down and shfl_xor of groups, for any trivially copyable type and
// for variables that only some lanes have set. A thread without a source keeps its own value.
template <unsigned int size, class Parent, class T>
__device__ inline T shfl(const cooperative_groups::thread_block_tile<size, Parent>& tile,
                         HIP_COMPAT_MAYBE_UNSET T value, int rank) {
  return from_lane(value, lane_of_rank(tile, rank & static_cast<int>(size - 1)));
}
template <unsigned int size, class Parent, class T>
__device__ inline T shfl_xor(const cooperative_groups::thread_block_tile<size, Parent>& tile,
                             HIP_COMPAT_MAYBE_UNSET T value, unsigned int lanes) {
  int rank = own_rank(tile) ^ static_cast<int>(lanes);
  return from_lane(value,
                   lane_of_rank(tile, rank < static_cast<int>(size) ? rank : own_rank(tile)));
}
template <class T>
__device__ inline T shfl(const cooperative_groups::coalesced_group& group,
                         HIP_COMPAT_MAYBE_UNSET T value, int rank) {
  return from_lane(value, lane_of_rank(group, rank));
}
template <class Group, class T>
__device__ inline T shfl_up(const Group& group, HIP_COMPAT_MAYBE_UNSET T value,
                            unsigned int delta) {
  int self = own_rank(group);
  bool has_source = delta <= static_cast<unsigned int>(self);
  return from_lane(value, lane_of_rank(group, has_source ? self - static_cast<int>(delta) : self));
}
template <class Group, class T>
__device__ inline T shfl_down(const Group& group, HIP_COMPAT_MAYBE_UNSET T value,
                              unsigned int delta) {
  int self = own_rank(group);
  bool has_source = delta < static_cast<unsigned int>(group_size(group) - self);
  return from_lane(value, lane_of_rank(group, has_source ? self + static_cast<int>(delta) : self));
}

// The members match_any and match_all: ranks with the same bits. HIP's take no bool, char or short.
// Lanes that have exited match nothing.
template <class Group, class T>
__device__ inline unsigned long long match_any(const Group& group, HIP_COMPAT_MAYBE_UNSET T value) {
  const unsigned long long active = __ballot(1);
  unsigned long long ranks = 0;
  for (int rank = 0; rank < group_size(group); ++rank) {
    const int lane = lane_of_rank(group, rank);
    const bool is_same = has_same_bits(value, lane);
    if (is_same && (active >> lane & 1) != 0) ranks |= 1ull << rank;
  }
  return ranks;
}
template <class Group, class T>
__device__ inline unsigned long long match_all(const Group& group, HIP_COMPAT_MAYBE_UNSET T value,
                                               int& pred) {
  const unsigned long long active = __ballot(1);
  const unsigned long long same = match_any(group, value);
  unsigned long long all = 0;
  for (int rank = 0; rank < group_size(group); ++rank)
    all |= (active >> lane_of_rank(group, rank) & 1) << rank;
  pred = same == all;
  return pred != 0 ? all : 0;
}

// Each thread gets op over the values of ranks 0 to its own.
template <class Group, class T, class Op>
__device__ inline T scan(const Group& group, HIP_COMPAT_MAYBE_UNSET T value, Op& op) {
  int size = group_size(group);
  int self = own_rank(group);
  for (int distance = 1; distance < size; distance *= 2) {
    bool has_source = self >= distance;
    T other = from_lane(value, lane_of_rank(group, has_source ? self - distance : self));
    if (has_source) value = op(other, value);
  }
  return value;
}

template <unsigned int size, class Parent, class T, class Op>
__device__ inline T reduce(const cooperative_groups::thread_block_tile<size, Parent>&,
                           HIP_COMPAT_MAYBE_UNSET T value, Op& op) {
  int self = lane_id();
  for (int distance = size / 2; distance != 0; distance /= 2) {
    value = op(value, from_lane(value, self ^ distance));
  }
  return value;
}
template <class T, class Op>
__device__ inline T reduce(const cooperative_groups::coalesced_group& group,
                           HIP_COMPAT_MAYBE_UNSET T value, Op& op) {
  T upto = scan(group, value, op);
  return from_lane(upto, lane_of_rank(group, group_size(group) - 1));
}

// The parent of a static tile of a tile: the block, in which that tile counts. HIP makes static
// tiles of blocks only.
template <unsigned int parent_size>
struct block_of_tiles : cooperative_groups::thread_block {
  __device__ explicit block_of_tiles(const cooperative_groups::thread_block& block)
      : cooperative_groups::thread_block(block) {}
  __device__ static unsigned int thread_rank() {
    return cooperative_groups::thread_block::thread_rank() % parent_size;
  }
  __device__ static unsigned int size() { return parent_size; }
};
// Its constructor is for derived groups.
template <unsigned int size, unsigned int parent_size>
struct tile_of_tile : cooperative_groups::thread_block_tile<size, block_of_tiles<parent_size>> {
  static_assert(size <= parent_size, "a tile is not larger than the tile it is a part of");
  __device__ explicit tile_of_tile(const block_of_tiles<parent_size>& parent)
      : cooperative_groups::thread_block_tile<size, block_of_tiles<parent_size>>(parent) {}
};

}  // namespace hip_compat

namespace cooperative_groups {

#if !HIP_COMPAT_HAS_GROUP_REDUCE

#define HIP_COMPAT_FUNCTOR(name, expression)                                  \
  template <class T>                                                          \
  struct name {                                                               \
    __host__ __device__ T operator()(T a, T b) const { return (expression); } \
  };
HIP_COMPAT_FUNCTOR(plus, a + b)
HIP_COMPAT_FUNCTOR(less, b < a ? b : a)
HIP_COMPAT_FUNCTOR(greater, a < b ? b : a)
HIP_COMPAT_FUNCTOR(bit_and, (a & b))
HIP_COMPAT_FUNCTOR(bit_or, a | b)
HIP_COMPAT_FUNCTOR(bit_xor, a ^ b)
#undef HIP_COMPAT_FUNCTOR

// For static tiles and coalesced groups. All threads of the group must call it, and all get the
// result.
template <class Group, class Value, class Op>
__device__ inline auto reduce(const Group& group, Value&& value, Op&& op)
    -> decltype(op(value, value)) {
  typedef typename hip_compat::plain<Value>::type T;
  static_assert(__is_trivially_copyable(T), "values are copied as bits");
  return hip_compat::reduce(group, static_cast<T>(value), op);
}

#endif

#if !HIP_COMPAT_HAS_GROUP_SCAN

template <class Group, class Value, class Op>
__device__ inline auto inclusive_scan(const Group& group, Value&& value, Op&& op)
    -> decltype(op(value, value)) {
  typedef typename hip_compat::plain<Value>::type T;
  static_assert(__is_trivially_copyable(T), "values are copied as bits");
  return hip_compat::scan(group, static_cast<T>(value), op);
}
// The thread of rank 0 gets T{}.
template <class Group, class Value, class Op>
__device__ inline auto exclusive_scan(const Group& group, Value&& value, Op&& op)
    -> decltype(op(value, value)) {
  typedef typename hip_compat::plain<Value>::type T;
  static_assert(__is_trivially_copyable(T), "values are copied as bits");
  T upto = hip_compat::scan(group, static_cast<T>(value), op);
  int self = hip_compat::own_rank(group);
  T before = hip_compat::from_lane(upto, hip_compat::lane_of_rank(group, self > 0 ? self - 1 : 0));
  return self > 0 ? before : T{};
}
template <class Group, class Value>
__device__ inline typename hip_compat::plain<Value>::type inclusive_scan(const Group& group,
                                                                         Value&& value) {
  return inclusive_scan(group, value, plus<typename hip_compat::plain<Value>::type>());
}
template <class Group, class Value>
__device__ inline typename hip_compat::plain<Value>::type exclusive_scan(const Group& group,
                                                                         Value&& value) {
  return exclusive_scan(group, value, plus<typename hip_compat::plain<Value>::type>());
}

#endif

template <unsigned int size, unsigned int parent_size, class Parent>
__device__ inline thread_block_tile<size, hip_compat::block_of_tiles<parent_size>> tiled_partition(
    const thread_block_tile<parent_size, Parent>&) {
  return hip_compat::tile_of_tile<size, parent_size>(
      hip_compat::block_of_tiles<parent_size>(this_thread_block()));
}

// The threads of the group with the same label. For tiles and coalesced groups.
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group& group,
                                                    HIP_COMPAT_MAYBE_UNSET Label label) {
  hip_compat::lane_bits lanes = 0;
  for (int rank = 0; rank < hip_compat::group_size(group); ++rank) {
    const int lane = hip_compat::lane_of_rank(group, rank);
    if (hip_compat::has_same_bits(label, lane)) lanes |= 1ull << lane;
  }
  return hip_compat::group_of_lanes(lanes);
}

// One thread of the group calls the function. In invoke_one_broadcast, which is for tiles and
// coalesced groups, all get its result.
template <class Group, class F, class... A>
__device__ inline void invoke_one(const Group& group, F&& f, A&&... arguments) {
  if (group.thread_rank() == 0) f(static_cast<A&&>(arguments)...);
}
template <class Group, class F, class... A>
__device__ inline auto invoke_one_broadcast(const Group& group, F&& f, A&&... arguments)
    -> decltype(f(static_cast<A&&>(arguments)...)) {
  typedef typename hip_compat::plain<decltype(f(static_cast<A&&>(arguments)...))>::type T;
  static_assert(__is_trivially_copyable(T), "values are copied as bits");
  union {
    char bytes[sizeof(T)];
    T value;
  } result;
  if (group.thread_rank() == 0) result.value = f(static_cast<A&&>(arguments)...);
  return hip_compat::from_lane(result, hip_compat::lane_of_rank(group, 0)).value;
}

#if !__has_include(<hip/amd_detail/amd_hip_cooperative_groups_memcpy.h>)

// The threads of the group share the copy, which is synchronous; the waits are a barrier of the
// group.
template <class Group, class T>
__device__ inline void memcpy_async(const Group& group, T* dst, const T* src, size_t bytes) {
  auto to = reinterpret_cast<char*>(dst);
  auto from = reinterpret_cast<const char*>(src);
  size_t ranks = group.size();
  size_t whole = alignof(T) >= 4 ? bytes / 4 * 4 : 0;
  for (size_t i = group.thread_rank() * 4; i < whole; i += ranks * 4) {
    __builtin_memcpy(__builtin_assume_aligned(to + i, 4), __builtin_assume_aligned(from + i, 4), 4);
  }
  for (size_t i = whole + group.thread_rank(); i < bytes; i += ranks) to[i] = from[i];
}
template <class Group>
__device__ inline void wait(const Group& group) {
  group.sync();
}
template <unsigned int stages, class Group>
__device__ inline void wait_prior(const Group& group) {
  group.sync();
}

#endif

}  // namespace cooperative_groups
