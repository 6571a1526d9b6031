// SPDX-License-Identifier: MIT
// Planted bugs in code that orders memory with atomics and fences: every release, acquire, scope
// and lock that can be missing.
#include "cases.h"

namespace {

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
DEVICE void await_relaxed(int* flag) { while (LOAD(flag, RELAXED, AGENT) == 0) PAUSE; }
DEVICE void await_acquire(int* flag) { while (LOAD(flag, ACQUIRE, AGENT) == 0) PAUSE; }

KERNEL(store_without_release) {
  pass(a, c, [&] { STORE(b, 1, RELAXED, AGENT); }, [&] { await_acquire(b); });
}
KERNEL(system_store_without_release) {
  pass(a, c, [&] { STORE(b, 1, RELAXED, SYSTEM); },
       [&] { while (LOAD(b, ACQUIRE, SYSTEM) == 0) PAUSE; });
}
KERNEL(load_without_acquire) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, AGENT); }, [&] { await_relaxed(b); });
}
KERNEL(neither_release_nor_acquire) {
  pass(a, c, [&] { STORE(b, 1, RELAXED, AGENT); }, [&] { await_relaxed(b); });
}
KERNEL(block_fence_before_the_store) {
  pass(a, c,
       [&] {
         __threadfence_block();
         STORE(b, 1, RELAXED, AGENT);
       },
       [&] { await_acquire(b); });
}
KERNEL(block_fence_after_the_load) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, AGENT); },
       [&] {
         await_relaxed(b);
         __threadfence_block();
       });
}
KERNEL(release_of_the_workgroup_only) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, GROUP); }, [&] { await_acquire(b); });
}
KERNEL(acquire_of_the_workgroup_only) {
  pass(a, c, [&] { STORE(b, 1, RELEASE, AGENT); },
       [&] { while (LOAD(b, ACQUIRE, GROUP) == 0) PAUSE; });
}
KERNEL(fence_after_the_store) {
  pass(a, c,
       [&] {
         STORE(b, 1, RELAXED, AGENT);
         __threadfence();
       },
       [&] { await_acquire(b); });
}
KERNEL(volatile_flag_without_fences) {
  volatile int* flag = b;
  pass(a, c, [&] { *flag = 1; }, [&] { while (*flag == 0) PAUSE; });
}
KERNEL(volatile_flag_without_writer_fence) {
  volatile int* flag = b;
  pass(a, c, [&] { *flag = 1; },
       [&] {
         while (*flag == 0) PAUSE;
         __threadfence();
       });
}
KERNEL(exchange_without_fence) {
  pass(a, c, [&] { atomicExch(b, 1); },
       [&] {
         while (atomicAdd(b, 0) == 0) PAUSE;
         __threadfence();
       });
}
KERNEL(swap_without_fence) {
  pass(a, c, [&] { atomicCAS(b, 0, 1); },
       [&] {
         while (atomicCAS(b, 1, 1) != 1) PAUSE;
         __threadfence();
       });
}
KERNEL(exchange_seen_without_fence) {
  pass(a, c,
       [&] {
         __threadfence();
         atomicExch(b, 1);
       },
       [&] { while (atomicAdd(b, 0) == 0) PAUSE; });
}
KERNEL(plain_flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    __threadfence();
    b[0] = 1;
  } else if (b[0] != 0) {
    c[blockIdx.x] = a[0];
  }
}
KERNEL(told_too_early) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    STORE(b, 1, RELEASE, AGENT);
    a[0] = 7;
  } else {
    await_acquire(b);
    c[blockIdx.x] = a[0];
  }
}
KERNEL(read_too_early) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else {
    const int value = static_cast<volatile int*>(a)[0] + a[0];
    await_acquire(b);
    c[blockIdx.x] = value;
  }
}
KERNEL(wrote_after_telling) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
    a[1] = 8;
  } else {
    await_acquire(b);
    c[blockIdx.x] = a[0] + a[1];
  }
}
KERNEL(told_before_others_were_done) {
  const int i = threadIdx.x;
  if (blockIdx.x == 0) {
    a[i] = i + 1;  // no barrier: thread 0 speaks for itself
    if (i == 0) STORE(b, 1, RELEASE, AGENT);
  } else {
    if (i == 0) await_acquire(b);
    __syncthreads();
    c[blockIdx.x * 128 + i] = a[127 - i];
  }
}
KERNEL(others_did_not_wait) {
  const int i = threadIdx.x;
  if (blockIdx.x == 0) {
    a[i] = i + 1;
    __syncthreads();
    if (i == 0) STORE(b, 1, RELEASE, AGENT);
  } else {
    if (i == 0) await_acquire(b);
    c[blockIdx.x * 128 + i] = a[127 - i];
  }
}
KERNEL(wrong_flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    STORE(b + 1, 1, RELEASE, AGENT);
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else {
    await_acquire(b + 1);
    c[blockIdx.x] = a[0];
  }
}
KERNEL(flag_seen_once_without_acquire) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else {
    int seen = 0;
    for (int i = 0; i < 2000 && !seen; ++i) seen = LOAD(b, RELAXED, AGENT);
    c[blockIdx.x] = seen ? a[0] : -1;
  }
}
KERNEL(broken_chain) {
  // 0 releases to 1; 1 passes on without acquire.
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else if (blockIdx.x == 1) {
    await_relaxed(b);
    STORE(b + 1, 1, RELEASE, AGENT);
  } else {
    await_acquire(b + 1);
    c[blockIdx.x] = a[0];
  }
}
KERNEL(release_replaced_by_a_relaxed_store) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 7;
    STORE(b, 1, RELEASE, AGENT);
  } else if (blockIdx.x == 1) {
    while (LOAD(b, RELAXED, AGENT) != 1) PAUSE;
    STORE(b, 2, RELAXED, AGENT);
  } else {
    while (LOAD(b, RELAXED, AGENT) != 2) PAUSE;  // not ACQUIRE: that may see 1, and is then in order
    if (LOAD(b, ACQUIRE, AGENT) == 2) c[blockIdx.x] = a[0];
  }
}
KERNEL(shared_flag_without_fence) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = a[0];
    STORE(&flag, 1, RELAXED, GROUP);
  } else if (threadIdx.x == 64) {
    while (LOAD(&flag, RELAXED, GROUP) == 0) PAUSE;
    c[0] = value;
  }
}
KERNEL(shared_flag_of_a_wave_only) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = a[0];
    STORE(&flag, 1, RELEASE, WAVE);
  } else if (threadIdx.x == 64) {
    while (LOAD(&flag, ACQUIRE, WAVE) == 0) PAUSE;
    c[0] = value;
  }
}
KERNEL(plain_shared_flag) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = a[0];
    flag = 1;
  } else if (threadIdx.x == 64 && flag) {
    c[0] = value;
  }
}
KERNEL(look_back_without_release) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  int before = 0;
  if (me > 0) {
    await_acquire(&b[me - 1]);
    before = a[me - 1];
  }
  a[me] = before + me;
  STORE(&b[me], 1, RELAXED, AGENT);
  c[me] = before;
}
KERNEL(look_back_without_acquire) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  int before = 0;
  if (me > 0) {
    await_relaxed(&b[me - 1]);
    before = a[me - 1];
  }
  a[me] = before + me;
  STORE(&b[me], 1, RELEASE, AGENT);
  c[me] = before;
}
KERNEL(last_workgroup_without_writer_fence) {
  __shared__ bool last;
  a[blockIdx.x * 128 + threadIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(b, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * 128; i += 128) sum += a[i];
  c[threadIdx.x] = sum;
}
KERNEL(last_workgroup_without_reader_fence) {
  __shared__ bool last;
  a[blockIdx.x * 128 + threadIdx.x] = blockIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = __hip_atomic_fetch_add(b, 1, RELEASE, AGENT) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * 128; i += 128) sum += a[i];
  c[threadIdx.x] = sum;
}
KERNEL(last_workgroup_without_barrier) {
  __shared__ bool last;
  a[blockIdx.x * 128 + threadIdx.x] = blockIdx.x;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(b, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * 128; i += 128) sum += a[i];
  c[threadIdx.x] = sum;
}
KERNEL(last_workgroup_block_fence) {
  __shared__ bool last;
  a[blockIdx.x * 128 + threadIdx.x] = blockIdx.x;
  __threadfence_block();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(b, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * 128; i += 128) sum += a[i];
  c[threadIdx.x] = sum;
}
KERNEL(lock_released_without_fence) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(b, 0, 1) != 0) PAUSE;
  __threadfence();
  a[0] += 3;
  atomicExch(b, 0);
}
KERNEL(lock_released_by_a_relaxed_store) {
  if (threadIdx.x != 0) return;
  int expected = 0;
  while (!__hip_atomic_compare_exchange_strong(b, &expected, 1, ACQUIRE, RELAXED, AGENT)) expected = 0;
  a[0] += 3;
  STORE(b, 0, RELAXED, AGENT);
}
KERNEL(lock_taken_without_fence) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(b, 0, 1) != 0) PAUSE;
  a[0] += 3;
  __threadfence();
  atomicExch(b, 0);
}
KERNEL(lock_with_block_fences) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(b, 0, 1) != 0) PAUSE;
  __threadfence_block();
  a[0] += 3;
  __threadfence_block();
  atomicExch(b, 0);
}
KERNEL(lock_of_the_workgroup_only) {
  if (threadIdx.x != 0) return;
  while (__hip_atomic_exchange(b, 1, ACQUIRE, GROUP) != 0) PAUSE;
  a[0] += 3;
  STORE(b, 0, RELEASE, GROUP);
}
KERNEL(two_locks) {
  if (threadIdx.x != 0) return;
  int* const lock = b + blockIdx.x % 2;
  while (atomicCAS(lock, 0, 1) != 0) PAUSE;
  __threadfence();
  a[0] += 3;
  __threadfence();
  atomicExch(lock, 0);
}
KERNEL(one_without_the_lock) {
  if (threadIdx.x != 0) return;
  const bool locks = blockIdx.x != 1;
  if (locks) {
    while (atomicCAS(b, 0, 1) != 0) PAUSE;
    __threadfence();
  }
  a[0] += 3;
  if (locks) {
    __threadfence();
    atomicExch(b, 0);
  }
}
KERNEL(reader_without_the_lock) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    c[0] = a[0];
    return;
  }
  while (atomicCAS(b, 0, 1) != 0) PAUSE;
  __threadfence();
  a[0] += 3;
  __threadfence();
  atomicExch(b, 0);
}
KERNEL(written_after_unlocking) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(b, 0, 1) != 0) PAUSE;
  __threadfence();
  const int value = a[0];
  __threadfence();
  atomicExch(b, 0);
  a[0] = value + 3;
}
KERNEL(lock_in_shared_memory_without_release) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  if (threadIdx.x % 64 == 0) {
    while (__hip_atomic_exchange(&lock, 1, ACQUIRE, GROUP) != 0) PAUSE;
    sum += 3;
    STORE(&lock, 0, RELAXED, GROUP);
  }
  __syncthreads();
  if (threadIdx.x == 0) c[blockIdx.x] = sum;
}
KERNEL(ticket_lock_without_release) {
  if (threadIdx.x != 0) return;
  const int ticket = atomicAdd(&b[0], 1);
  while (LOAD(&b[1], ACQUIRE, AGENT) != ticket) PAUSE;
  a[0] += 3;
  STORE(&b[1], ticket + 1, RELAXED, AGENT);
}
KERNEL(grid_barrier_without_fences) {
  const unsigned n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(b, 1);
    while (atomicAdd(b, 0) < static_cast<int>(gridDim.x)) PAUSE;
  }
  __syncthreads();
  c[i] = a[(i + 130) % n];
}
KERNEL(grid_barrier_one_arrives_early) {
  const unsigned n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  a[i] = i;
  __threadfence();  // no __syncthreads() before thread 0 arrives
  if (threadIdx.x == 0) {
    atomicAdd(b, 1);
    while (atomicAdd(b, 0) < static_cast<int>(gridDim.x)) PAUSE;
  }
  __syncthreads();
  __threadfence();
  c[i] = a[(i + 130) % n];
}
KERNEL(counter_of_the_workgroup_only) {
  // The counter is everybody's, the atomics are each workgroup's own.
  __hip_atomic_fetch_add(b, 1, RELAXED, GROUP);
}
KERNEL(counter_of_the_wave_only) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  __hip_atomic_fetch_add(&count, 1, RELAXED, WAVE);
  __syncthreads();
  c[threadIdx.x] = count;
}
KERNEL(ring_without_back_pressure_order) {
  if (threadIdx.x != 0 || blockIdx.x > 1) return;
  int *head = b, *tail = b + 32;
  if (blockIdx.x == 0) {
    for (int i = 0; i < 12; ++i) {
      while (i - LOAD(tail, ACQUIRE, AGENT) >= 4) PAUSE;
      a[i % 4] = i;
      STORE(head, i + 1, RELAXED, AGENT);
    }
  } else {
    for (int i = 0; i < 12; ++i) {
      while (LOAD(head, ACQUIRE, AGENT) <= i) PAUSE;
      c[i] = a[i % 4];
      STORE(tail, i + 1, RELEASE, AGENT);
    }
  }
}
KERNEL(list_pushed_without_release) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x + 1;
  a[me] = me;
  int head = LOAD(b, RELAXED, AGENT);
  do {
    a[512 + me] = head;
  } while (!__hip_atomic_compare_exchange_strong(b, &head, me, RELAXED, RELAXED, AGENT));
  if (__hip_atomic_fetch_add(b + 1, 1, RELAXED, AGENT) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (int node = LOAD(b, ACQUIRE, AGENT); node != 0; node = a[512 + node]) sum += a[node];
  c[0] = sum;
}
KERNEL(atomic_here_plain_there) {
  if (blockIdx.x == 0)
    atomicAdd(b, 1);
  else if (threadIdx.x == 0)
    c[blockIdx.x] = *b;
}
KERNEL(atomic_here_plain_store_there) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    *b = 5;
  else
    atomicAdd(b, 1);
}
KERNEL(initialised_twice) {
  if (threadIdx.x != 0) return;
  // Looked at without atomics: two may initialise, and nobody waits.
  if (b[0] == 0) {
    a[0] = 42 + blockIdx.x;
    b[0] = 1;
  }
  c[blockIdx.x] = a[0];
}
KERNEL(count_then_publish_relaxed) {
  // The last one reads what the others counted in, without an acquire.
  if (threadIdx.x != 0) return;
  a[blockIdx.x] = blockIdx.x;
  if (__hip_atomic_fetch_add(b, 1, RELEASE, AGENT) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += a[i];
  c[0] = sum;
}

constexpr const char kGrid[] = "grid-race";
constexpr const char kShared[] = "lds-race missing-wait";
#define GRID(name, groups) {#name, kGrid, name, groups, 128}
#define SHARED(name) {#name, kShared, name, 1, 128}
const Case kCases[] = {
    GRID(store_without_release, 4), GRID(system_store_without_release, 4), GRID(load_without_acquire, 4),
    GRID(neither_release_nor_acquire, 4), GRID(block_fence_before_the_store, 4),
    GRID(block_fence_after_the_load, 4), GRID(release_of_the_workgroup_only, 4),
    GRID(acquire_of_the_workgroup_only, 4), GRID(fence_after_the_store, 4),
    GRID(volatile_flag_without_fences, 4), GRID(volatile_flag_without_writer_fence, 4),
    GRID(exchange_without_fence, 4), GRID(swap_without_fence, 4), GRID(exchange_seen_without_fence, 4),
    GRID(plain_flag, 4), GRID(told_too_early, 4), GRID(read_too_early, 4), GRID(wrote_after_telling, 4),
    GRID(told_before_others_were_done, 4), GRID(others_did_not_wait, 4), GRID(wrong_flag, 4),
    GRID(flag_seen_once_without_acquire, 4), GRID(broken_chain, 3),
    GRID(release_replaced_by_a_relaxed_store, 3), SHARED(shared_flag_without_fence),
    SHARED(shared_flag_of_a_wave_only), SHARED(plain_shared_flag), GRID(look_back_without_release, 6),
    GRID(look_back_without_acquire, 6), GRID(last_workgroup_without_writer_fence, 5),
    GRID(last_workgroup_without_reader_fence, 5), GRID(last_workgroup_without_barrier, 5),
    GRID(last_workgroup_block_fence, 5), GRID(lock_released_without_fence, 5),
    GRID(lock_released_by_a_relaxed_store, 5), GRID(lock_taken_without_fence, 5),
    GRID(lock_with_block_fences, 5), GRID(lock_of_the_workgroup_only, 5), GRID(two_locks, 5),
    GRID(one_without_the_lock, 5), GRID(reader_without_the_lock, 5), GRID(written_after_unlocking, 5),
    SHARED(lock_in_shared_memory_without_release), GRID(ticket_lock_without_release, 5),
    GRID(grid_barrier_without_fences, 4), GRID(grid_barrier_one_arrives_early, 4),
    GRID(counter_of_the_workgroup_only, 3), SHARED(counter_of_the_wave_only),
    GRID(ring_without_back_pressure_order, 2), GRID(list_pushed_without_release, 5),
    GRID(atomic_here_plain_there, 3), GRID(atomic_here_plain_store_there, 3), GRID(initialised_twice, 4),
    GRID(count_then_publish_relaxed, 5),
};

}  // namespace

int main(int count, char** words) { return run_table(kCases, count, words); }
