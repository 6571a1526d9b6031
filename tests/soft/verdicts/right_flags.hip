// SPDX-License-Identifier: MIT
// Right programs that order memory with atomics and fences: flags, locks, look-back, barriers of
// their own, in every scope and order that suffices.
#include "cases.h"

namespace {

// Workgroup 0 writes a[0…127] and tells; the others wait and read.
template <class Tell, class Wait>
DEVICE void pass(int* a, int* c, Tell tell, Wait wait) {
  const int i = threadIdx.x;
  if (blockIdx.x == 0) {
    a[i] = i + 1;
    __syncthreads();
    if (i == 0) tell();
  } else {
    if (i == 0) wait();
    __syncthreads();
    c[blockIdx.x * 128 + i] = a[127 - i];
  }
}

KERNEL(store_release_agent) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, AGENT); },
       [&] { while (LOAD(b, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(store_release_system) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, SYSTEM); },
       [&] { while (LOAD(b, ACQUIRE, SYSTEM) == 0) PAUSE; });
}
KERNEL(store_seq_cst_agent) {
  pass(a, c, [&] { STORE(b, 1, SEQ_CST, AGENT); },
       [&] { while (LOAD(b, SEQ_CST, AGENT) == 0) PAUSE; });
}
KERNEL(store_seq_cst_system) {
  pass(a, c, [&] { STORE(b, 1, SEQ_CST, SYSTEM); },
       [&] { while (LOAD(b, SEQ_CST, SYSTEM) == 0) PAUSE; });
}
KERNEL(mixed_wider_scopes) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, SYSTEM); },
       [&] { while (LOAD(b, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(relaxed_between_fences) {
  pass(a, c,
       [&] {
         __threadfence();
         STORE(b, 1, RELAXED, AGENT);
       },
       [&] {
         while (LOAD(b, RELAXED, AGENT) == 0) PAUSE;
         __threadfence();
       });
}
KERNEL(relaxed_between_system_fences) {
  pass(a, c,
       [&] {
         __threadfence_system();
         STORE(b, 1, RELAXED, SYSTEM);
       },
       [&] {
         while (LOAD(b, RELAXED, SYSTEM) == 0) PAUSE;
         __threadfence_system();
       });
}
KERNEL(fence_then_acquire_load) {
  pass(a, c,
       [&] {
         __threadfence();
         STORE(b, 1, RELAXED, AGENT);
       },
       [&] { while (LOAD(b, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(fences_on_both_sides_of_everyone) {
  const int i = threadIdx.x;
  if (blockIdx.x == 0) {
    a[i] = i;
    __threadfence();
    __syncthreads();
    if (i == 0) atomicExch(b, 1);
  } else {
    if (i == 0)
      while (atomicAdd(b, 0) == 0) PAUSE;
    __syncthreads();
    __threadfence();
    c[blockIdx.x * 128 + i] = a[127 - i];
  }
}
KERNEL(volatile_flag) {
  volatile int* flag = b;
  pass(a, c,
       [&] {
         __threadfence();
         *flag = 1;
       },
       [&] {
         while (*flag == 0) PAUSE;
         __threadfence();
       });
}
KERNEL(exchange_flag) {
  pass(a, c,
       [&] {
         __threadfence();
         atomicExch(b, 1);
       },
       [&] {
         while (atomicAdd(b, 0) == 0) PAUSE;
         __threadfence();
       });
}
KERNEL(compare_and_swap_flag) {
  pass(a, c,
       [&] {
         __threadfence();
         atomicCAS(b, 0, 1);
       },
       [&] {
         while (atomicCAS(b, 1, 1) != 1) PAUSE;
         __threadfence();
       });
}
KERNEL(exchange_acq_rel) {
  pass(a, c, [&] { __hip_atomic_exchange(b, 1, ACQ_REL, AGENT); },
       [&] { while (__hip_atomic_fetch_or(b, 0, ACQ_REL, AGENT) == 0) PAUSE; });
}
KERNEL(fetch_add_release) {
  pass(a, c, [&] { __hip_atomic_fetch_add(b, 5, RELEASE, AGENT); },
       [&] { while (__hip_atomic_fetch_add(b, 0, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(builtin_atomics) {
  pass(a, c, [&] { __atomic_store_n(b, 1, RELEASE); },
       [&] { while (__atomic_load_n(b, ACQUIRE) == 0) PAUSE; });
}
KERNEL(scoped_builtins) {
  pass(a, c, [&] { __scoped_atomic_store_n(b, 1, RELEASE, __MEMORY_SCOPE_DEVICE); },
       [&] { while (__scoped_atomic_load_n(b, ACQUIRE, __MEMORY_SCOPE_DEVICE) == 0) PAUSE; });
}
KERNEL(byte_flag) {
  unsigned char* flag = reinterpret_cast<unsigned char*>(b) + 1;
  pass(a, c, [&] { STORE(flag, 1, RELEASE, AGENT); },
       [&] { while (LOAD(flag, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(short_flag) {
  unsigned short* flag = reinterpret_cast<unsigned short*>(b) + 1;
  pass(a, c, [&] { STORE(flag, 1, RELEASE, AGENT); },
       [&] { while (LOAD(flag, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(long_flag) {
  auto* flag = reinterpret_cast<unsigned long long*>(b);
  pass(a, c, [&] { STORE(flag, 1ULL << 40, RELEASE, AGENT); },
       [&] { while (LOAD(flag, ACQUIRE, AGENT) == 0) PAUSE; });
}
KERNEL(checked_without_waiting) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else {
    c[blockIdx.x] = LOAD(b, ACQUIRE, AGENT) ? a[0] : -1;
  }
}
KERNEL(waits_a_while) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
    return;
  }
  int tries = 0, seen = 0;
  while ((seen = LOAD(b, RELAXED, AGENT)) == 0 && ++tries < 1000) PAUSE;
  if (!seen) return;
  __threadfence();
  c[blockIdx.x] = a[0];
}
// 0 releases; 1 adds without order, which continues the release; 2 acquires from 1.
KERNEL(release_sequence) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else if (blockIdx.x == 1) {
    while (LOAD(b, RELAXED, AGENT) != 1) PAUSE;
    __hip_atomic_fetch_add(b, 1, RELAXED, AGENT);
  } else {
    while (LOAD(b, ACQUIRE, AGENT) != 2) PAUSE;
    c[blockIdx.x] = a[0];
  }
}
// 0 to 1 to 2: what 2 reads, 0 wrote.
KERNEL(passed_on) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  if (me == 0) a[0] = 7;
  if (me > 0)
    while (LOAD(&b[me - 1], ACQUIRE, AGENT) == 0) PAUSE;
  c[me] = a[0];
  STORE(&b[me], 1, RELEASE, AGENT);
}
// Only atomics touch the data: no order is needed.
KERNEL(relaxed_data) {
  STORE(&a[threadIdx.x], static_cast<int>(blockIdx.x), RELAXED, AGENT);
  c[blockIdx.x * 128 + threadIdx.x] = LOAD(&a[127 - threadIdx.x], RELAXED, AGENT);
}
// Value and flag in one word.
KERNEL(packed_message) {
  auto* word = reinterpret_cast<unsigned long long*>(b);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    STORE(word, (77ULL << 32) | 1, RELAXED, AGENT);
    return;
  }
  unsigned long long seen;
  while (((seen = LOAD(word, RELAXED, AGENT)) & 1) == 0) PAUSE;
  c[blockIdx.x] = static_cast<int>(seen >> 32);
}
KERNEL(block_flag_in_shared_memory) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    STORE(&flag, 1, RELEASE, GROUP);
  } else if (threadIdx.x == 64) {
    while (LOAD(&flag, ACQUIRE, GROUP) == 0) PAUSE;
    c[0] = value;
  }
}
KERNEL(block_fences_in_shared_memory) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    __threadfence_block();
    STORE(&flag, 1, RELAXED, GROUP);
  } else if (threadIdx.x == 64) {
    while (LOAD(&flag, RELAXED, GROUP) == 0) PAUSE;
    __threadfence_block();
    c[0] = value;
  }
}
KERNEL(volatile_block_flag) {
  __shared__ volatile int flag;
  __shared__ int value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 64) {
    while (flag == 0) PAUSE;
    __threadfence_block();
    c[0] = value;
  }
}
KERNEL(shared_flag_seen_once) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    STORE(&flag, 1, RELEASE, GROUP);
  } else if (threadIdx.x == 64 && LOAD(&flag, ACQUIRE, GROUP)) {
    c[0] = value;
  }
}
KERNEL(block_flag_in_global_memory) {
  if (threadIdx.x == 0) {
    a[blockIdx.x] = 7;
    STORE(&b[blockIdx.x], 1, RELEASE, GROUP);
  } else if (threadIdx.x == 64) {
    while (LOAD(&b[blockIdx.x], ACQUIRE, GROUP) == 0) PAUSE;
    c[blockIdx.x] = a[blockIdx.x];
  }
}
// Data in shared memory, flag in global memory, one workgroup.
KERNEL(flag_elsewhere) {
  __shared__ int value;
  if (threadIdx.x == 0) {
    value = 7;
    STORE(&b[blockIdx.x], 1, RELEASE, GROUP);
  } else if (threadIdx.x == 64) {
    while (LOAD(&b[blockIdx.x], ACQUIRE, GROUP) == 0) PAUSE;
    c[blockIdx.x] = value;
  }
}
KERNEL(producer_and_consumer_waves) {
  __shared__ int full[4], line[4][32];
  const int lane = threadIdx.x % 64;
  if (lane >= 32) return;
  if (threadIdx.x < 4) full[threadIdx.x] = 0;
  __syncthreads();
#pragma nounroll
  for (int i = 0; i < 16; ++i) {
    const int slot = i % 4;
    if (threadIdx.x < 64) {
      if (lane == 0)
        while (LOAD(&full[slot], ACQUIRE, GROUP) != 0) PAUSE;
      __builtin_amdgcn_wave_barrier();
      __builtin_amdgcn_fence(ACQUIRE, "workgroup");
      line[slot][lane] = i * lane;
      __builtin_amdgcn_fence(RELEASE, "workgroup");
      __builtin_amdgcn_wave_barrier();
      if (lane == 0) STORE(&full[slot], 1, RELEASE, GROUP);
    } else {
      if (lane == 0)
        while (LOAD(&full[slot], ACQUIRE, GROUP) != 1) PAUSE;
      __builtin_amdgcn_wave_barrier();
      __builtin_amdgcn_fence(ACQUIRE, "workgroup");
      c[i * 32 + lane] = line[slot][lane];
      __builtin_amdgcn_fence(RELEASE, "workgroup");
      __builtin_amdgcn_wave_barrier();
      if (lane == 0) STORE(&full[slot], 0, RELEASE, GROUP);
    }
  }
}
KERNEL(ring_between_workgroups) {
  if (threadIdx.x != 0 || blockIdx.x > 1) return;
  int *head = b, *tail = b + 32;
  if (blockIdx.x == 0) {
    for (int i = 0; i < 20; ++i) {
      while (i - LOAD(tail, ACQUIRE, AGENT) >= 4) PAUSE;
      a[i % 4] = i;
      STORE(head, i + 1, RELEASE, AGENT);
    }
  } else {
    for (int i = 0; i < 20; ++i) {
      while (LOAD(head, ACQUIRE, AGENT) <= i) PAUSE;
      c[i] = a[i % 4];
      STORE(tail, i + 1, RELEASE, AGENT);
    }
  }
}
// Every workgroup needs the sum of those before it.
KERNEL(look_back) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  int before = 0;
  if (me > 0) {
    while (LOAD(&b[me - 1], ACQUIRE, AGENT) == 0) PAUSE;
    before = a[me - 1];
  }
  a[me] = before + me;
  STORE(&b[me], 1, RELEASE, AGENT);
  c[me] = before;
}
// Aggregates first, prefixes later; status and value in one word.
KERNEL(decoupled_look_back) {
  if (threadIdx.x != 0) return;
  auto* status = reinterpret_cast<unsigned long long*>(b);
  const int me = blockIdx.x;
  const unsigned long long mine = me + 1;
  STORE(&status[me], (mine << 2) | (me == 0 ? 2 : 1), RELAXED, AGENT);
  unsigned long long before = 0;
  for (int i = me - 1; i >= 0; --i) {
    unsigned long long seen;
    while (((seen = LOAD(&status[i], RELAXED, AGENT)) & 3) == 0) PAUSE;
    before += seen >> 2;
    if ((seen & 3) == 2) break;
  }
  if (me != 0) STORE(&status[me], ((before + mine) << 2) | 2, RELAXED, AGENT);
  c[me] = static_cast<int>(before);
}
// Separate arrays: aggregate, prefix, state.
KERNEL(look_back_with_arrays) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  int *aggregate = a, *prefix = a + 1024;
  aggregate[me] = me;
  STORE(&b[me], 1, RELEASE, AGENT);
  int before = 0;
  for (int i = me - 1; i >= 0; --i) {
    int state;
    while ((state = LOAD(&b[i], ACQUIRE, AGENT)) == 0) PAUSE;
    if (state == 2) {
      before += prefix[i];
      break;
    }
    before += aggregate[i];
  }
  prefix[me] = before + me;
  STORE(&b[me], 2, RELEASE, AGENT);
  c[me] = before;
}
KERNEL(last_workgroup) {
  __shared__ bool last;
  a[blockIdx.x * 128 + threadIdx.x] = blockIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(b, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * 128; i += 128) sum += a[i];
  c[threadIdx.x] = sum;
}
KERNEL(last_workgroup_by_increment) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    a[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicInc(reinterpret_cast<unsigned*>(b), gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) c[threadIdx.x] = a[threadIdx.x];
}
KERNEL(last_workgroup_acq_rel) {
  if (threadIdx.x != 0) return;
  a[blockIdx.x] = blockIdx.x;
  if (__hip_atomic_fetch_add(b, 1, ACQ_REL, AGENT) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += a[i];
  c[0] = sum;
}
KERNEL(ticket_lock) {
  if (threadIdx.x != 0) return;
  const int ticket = __hip_atomic_fetch_add(&b[0], 1, RELAXED, AGENT);
  while (LOAD(&b[1], ACQUIRE, AGENT) != ticket) PAUSE;
  a[0] += 3;
  STORE(&b[1], ticket + 1, RELEASE, AGENT);
}
KERNEL(spin_lock) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(b, 0, 1) != 0) PAUSE;
  __threadfence();
  a[0] += 3;
  __threadfence();
  atomicExch(b, 0);
}
KERNEL(spin_lock_with_orders) {
  if (threadIdx.x != 0) return;
  int expected = 0;
  while (!__hip_atomic_compare_exchange_strong(b, &expected, 1, ACQUIRE, RELAXED, AGENT)) {
    expected = 0;
    PAUSE;
  }
  a[0] += 3;
  STORE(b, 0, RELEASE, AGENT);
}
KERNEL(test_then_set_lock) {
  if (threadIdx.x != 0) return;
  for (;;) {
    while (LOAD(b, RELAXED, AGENT) != 0) PAUSE;
    if (__hip_atomic_exchange(b, 1, ACQUIRE, AGENT) == 0) break;
  }
  a[0] += 3;
  STORE(b, 0, RELEASE, AGENT);
}
// One lane after the other: lanes that wait for each other would never end.
KERNEL(lock_by_every_lane) {
  for (unsigned turn = 0; turn < 64; ++turn) {
    if (threadIdx.x % 64 != turn) continue;
    while (atomicCAS(b, 0, 1) != 0) PAUSE;
    __threadfence();
    a[0] += 1;
    __threadfence();
    atomicExch(b, 0);
  }
}
KERNEL(lock_in_shared_memory) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  if (threadIdx.x % 64 == 0) {
    while (__hip_atomic_exchange(&lock, 1, ACQUIRE, GROUP) != 0) PAUSE;
    sum += 3;
    STORE(&lock, 0, RELEASE, GROUP);
  }
  __syncthreads();
  if (threadIdx.x == 0) c[blockIdx.x] = sum;
}
KERNEL(lock_per_bucket) {
  if (threadIdx.x % 64 != 0) return;
  const int bucket = (blockIdx.x * 7 + threadIdx.x / 64) % 3;
  while (atomicCAS(&b[bucket], 0, 1) != 0) PAUSE;
  __threadfence();
  a[bucket * 2] += 1;
  a[bucket * 2 + 1] += 2;
  __threadfence();
  atomicExch(&b[bucket], 0);
}
// The data of a sequence lock are atomics.
KERNEL(sequence_lock) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 4; ++i) {
      STORE(b, 2 * i - 1, RELAXED, AGENT);
      __threadfence();
      STORE(&a[0], i, RELAXED, AGENT);
      STORE(&a[1], i, RELAXED, AGENT);
      STORE(b, 2 * i, RELEASE, AGENT);
    }
    return;
  }
  int x, y, before, after;
  do {
    before = LOAD(b, ACQUIRE, AGENT);
    x = LOAD(&a[0], RELAXED, AGENT);
    y = LOAD(&a[1], RELAXED, AGENT);
    __threadfence();
    after = LOAD(b, RELAXED, AGENT);
  } while (before != after || before % 2 != 0);
  c[blockIdx.x] = x - y;
}
KERNEL(readers_and_writers) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 2 == 0) {
    int expected = 0;
    while (!__hip_atomic_compare_exchange_strong(b, &expected, -1, ACQUIRE, RELAXED, AGENT)) expected = 0;
    a[0] += 1;
    STORE(b, 0, RELEASE, AGENT);
  } else {
    for (int seen = LOAD(b, RELAXED, AGENT);;) {
      if (seen < 0) seen = LOAD(b, RELAXED, AGENT);
      else if (__hip_atomic_compare_exchange_strong(b, &seen, seen + 1, ACQUIRE, RELAXED, AGENT)) break;
    }
    c[blockIdx.x] = a[0];
    __hip_atomic_fetch_sub(b, 1, RELEASE, AGENT);
  }
}
DEVICE void own_grid_barrier(int* count, int* phase) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const int now = LOAD(phase, RELAXED, AGENT);
    __threadfence();
    if (atomicAdd(count, 1) == static_cast<int>(gridDim.x) - 1) {
      __threadfence();
      STORE(count, 0, RELAXED, AGENT);
      STORE(phase, now + 1, RELEASE, AGENT);
    } else {
      while (LOAD(phase, ACQUIRE, AGENT) == now) PAUSE;
    }
    __threadfence();
  }
  __syncthreads();
}
KERNEL(grid_barrier_of_its_own) {
  const unsigned n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  int *from = a, *to = c;
  for (int round = 0; round < 3; ++round) {
    to[i] = from[(i + 200) % n] + 1;
    own_grid_barrier(b, b + 1);
    int* const other = from;
    from = to;
    to = other;
  }
}
KERNEL(counting_grid_barrier) {
  const unsigned n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    a[((round + 1) % 2) * 1024 + i] = a[(round % 2) * 1024 + (i + 130) % n] + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(b, 1);
      while (atomicAdd(b, 0) < static_cast<int>(gridDim.x) * (round + 1)) PAUSE;
    }
    __syncthreads();
    __threadfence();
  }
}
// Push onto a list, taken whole by the last workgroup.
KERNEL(list_of_nodes) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x + 1;
  a[me] = me * me;
  int head = LOAD(b, RELAXED, AGENT);
  do {
    a[512 + me] = head;
  } while (!__hip_atomic_compare_exchange_strong(b, &head, me, RELEASE, RELAXED, AGENT));
  if (__hip_atomic_fetch_add(b + 1, 1, ACQ_REL, AGENT) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (int node = LOAD(b, ACQUIRE, AGENT); node != 0; node = a[512 + node]) sum += a[node];
  c[0] = sum;
}
KERNEL(union_find) {
  const int i = blockIdx.x * 128 + threadIdx.x, j = (i * 7 + 3) % 512;
  const auto root = [&](int x) {
    for (int parent; (parent = LOAD(&a[x], RELAXED, AGENT)) != 0; x = parent - 1) {}
    return x;
  };
  for (;;) {
    int x = root(i), y = root(j);
    if (x == y) break;
    if (x < y) {
      const int t = x;
      x = y;
      y = t;
    }
    if (atomicCAS(&a[x], 0, y + 1) == 0) break;
  }
}
// Whoever wins a slot owns its value; values are read by the next kernel.
KERNEL(hash_table) {
  const int key = (blockIdx.x * 128 + threadIdx.x) * 3 + 1;
  for (unsigned slot = key * 2654435761u % 1024;; slot = (slot + 1) % 1024) {
    const int seen = atomicCAS(&b[slot], 0, key);
    if (seen != 0 && seen != key) continue;
    a[slot] = key * 10;
    break;
  }
}
KERNEL(work_counter) {
  __shared__ int task;
  for (;;) {
    if (threadIdx.x == 0) task = atomicAdd(b, 1);
    __syncthreads();
    const int mine = task;
    __syncthreads();
    if (mine >= 12) break;
    c[mine * 128 + threadIdx.x] = mine;
  }
}
KERNEL(initialised_once) {
  // 0: nobody, 1: under way, 2: done.
  if (threadIdx.x % 64 != 0) return;
  int expected = 0;
  if (__hip_atomic_compare_exchange_strong(b, &expected, 1, ACQUIRE, ACQUIRE, AGENT)) {
    a[0] = 42;
    STORE(b, 2, RELEASE, AGENT);
  } else {
    while (LOAD(b, ACQUIRE, AGENT) != 2) PAUSE;
  }
  c[blockIdx.x * 2 + threadIdx.x / 64] = a[0];
}
KERNEL(wave_scope_flag) {
  // Lanes of one wave: the program order of the wave suffices.
  __shared__ int line[64];
  if (threadIdx.x >= 32) return;
  STORE(&line[threadIdx.x], static_cast<int>(threadIdx.x), RELEASE, WAVE);
  __builtin_amdgcn_wave_barrier();
  c[threadIdx.x] = LOAD(&line[31 - threadIdx.x], ACQUIRE, WAVE);
}
KERNEL(float_maximum_by_swaps) {
  int seen = LOAD(b, RELAXED, AGENT);
  const float mine = static_cast<float>(blockIdx.x * 128 + threadIdx.x);
  while (__int_as_float(seen) < mine) {
    const int found = atomicCAS(b, seen, __float_as_int(mine));
    if (found == seen) break;
    seen = found;
  }
}
KERNEL(float_maximum_begun_plainly) {
  // The usual loop: the first value may be stale, the swap finds out.
  int seen = *b, assumed;
  const float mine = static_cast<float>(blockIdx.x * 128 + threadIdx.x);
  do {
    assumed = seen;
    if (__int_as_float(assumed) >= mine) break;
    seen = atomicCAS(b, assumed, __float_as_int(mine));
  } while (seen != assumed);
}

#define EACH(name, groups) {#name, "right", name, groups, 128}
const Case kCases[] = {
    EACH(store_release_agent, 4), EACH(store_release_system, 4), EACH(store_seq_cst_agent, 4),
    EACH(store_seq_cst_system, 4), EACH(mixed_wider_scopes, 4), EACH(relaxed_between_fences, 4),
    EACH(relaxed_between_system_fences, 4), EACH(fence_then_acquire_load, 4),
    EACH(fences_on_both_sides_of_everyone, 4), EACH(volatile_flag, 4), EACH(exchange_flag, 4),
    EACH(compare_and_swap_flag, 4), EACH(exchange_acq_rel, 4), EACH(fetch_add_release, 4),
    EACH(builtin_atomics, 4), EACH(scoped_builtins, 4), EACH(byte_flag, 4), EACH(short_flag, 4),
    EACH(long_flag, 4), EACH(checked_without_waiting, 4), EACH(waits_a_while, 4),
    EACH(release_sequence, 3), EACH(passed_on, 4), EACH(relaxed_data, 4), EACH(packed_message, 4),
    EACH(block_flag_in_shared_memory, 1), EACH(block_fences_in_shared_memory, 1),
    EACH(volatile_block_flag, 1), EACH(shared_flag_seen_once, 1),
    EACH(block_flag_in_global_memory, 2), EACH(flag_elsewhere, 2),
    EACH(producer_and_consumer_waves, 1), EACH(ring_between_workgroups, 2), EACH(look_back, 6),
    EACH(decoupled_look_back, 6), EACH(look_back_with_arrays, 6), EACH(last_workgroup, 5),
    EACH(last_workgroup_by_increment, 5), EACH(last_workgroup_acq_rel, 5), EACH(ticket_lock, 5),
    EACH(spin_lock, 5), EACH(spin_lock_with_orders, 5), EACH(test_then_set_lock, 5),
    EACH(lock_by_every_lane, 2), EACH(lock_in_shared_memory, 2), EACH(lock_per_bucket, 4),
    EACH(sequence_lock, 4), EACH(readers_and_writers, 4), EACH(grid_barrier_of_its_own, 4),
    EACH(counting_grid_barrier, 4), EACH(list_of_nodes, 5), EACH(union_find, 4),
    EACH(hash_table, 3), EACH(work_counter, 4), EACH(initialised_once, 4),
    EACH(wave_scope_flag, 1), EACH(float_maximum_by_swaps, 3),
    EACH(float_maximum_begun_plainly, 3),
};

}  // namespace

int main(int count, char** words) { return run_table(kCases, count, words); }
