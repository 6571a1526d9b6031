// SPDX-License-Identifier: MIT
// A second set of right programs: queues, deques, mutual exclusion without locks, pipelines of
// waves, persistent loops, unions and padding, device heaps, graphs and pools.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>

#include <initializer_list>

#include "cases.h"

namespace {

namespace cg = cooperative_groups;

// A bounded queue of several producers and consumers; b[64 + slot] is the slot's sequence number.
KERNEL(queue_with_sequence_numbers) {
  constexpr int kSlots = 4;
  int *const head = b, *const tail = b + 1, *const sequence = b + 64;
  if (threadIdx.x != 0) return;
  if (blockIdx.x < 2) {
    for (int i = 0; i < 6; ++i) {
      const int ticket = __hip_atomic_fetch_add(tail, 1, RELAXED, AGENT);
      const int slot = ticket % kSlots, round = ticket / kSlots;
      while (LOAD(&sequence[slot], ACQUIRE, AGENT) != 2 * round) PAUSE;
      a[slot] = ticket;
      STORE(&sequence[slot], 2 * round + 1, RELEASE, AGENT);
    }
  } else {
    for (int i = 0; i < 6; ++i) {
      const int ticket = __hip_atomic_fetch_add(head, 1, RELAXED, AGENT);
      const int slot = ticket % kSlots, round = ticket / kSlots;
      while (LOAD(&sequence[slot], ACQUIRE, AGENT) != 2 * round + 1) PAUSE;
      c[ticket] = a[slot];
      STORE(&sequence[slot], 2 * round + 2, RELEASE, AGENT);
    }
  }
}
// Thieves take from the top, the owner pushes at the bottom.
KERNEL(stolen_with_fences) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      a[i] = i * i + 1;
      __threadfence();
      STORE(b, i + 1, RELAXED, AGENT);
    }
  } else {
    for (int taken = 0; taken < 4;) {
      int top = LOAD(b + 1, ACQUIRE, AGENT);
      taken = top;
      __threadfence();
      if (top >= LOAD(b, ACQUIRE, AGENT)) continue;
      const int value = a[top];
      if (__hip_atomic_compare_exchange_strong(b + 1, &top, top + 1, SEQ_CST, RELAXED, AGENT)) c[top] = value;
    }
  }
}
// Peterson's lock: two workgroups, sequential consistency, no read-modify-write.
KERNEL(mutual_exclusion_of_two) {
  if (threadIdx.x != 0 || blockIdx.x > 1) return;
  const int me = blockIdx.x, other = 1 - me;
  for (int i = 0; i < 3; ++i) {
    STORE(&b[me], 1, SEQ_CST, AGENT);
    STORE(&b[2], other, SEQ_CST, AGENT);
    while (LOAD(&b[other], SEQ_CST, AGENT) == 1 && LOAD(&b[2], SEQ_CST, AGENT) == other) PAUSE;
    a[0] += me + 1;
    STORE(&b[me], 0, SEQ_CST, AGENT);
  }
}
KERNEL(sense_barrier) {
  const int n = gridDim.x;
  for (int round = 1; round <= 3; ++round) {
    a[(round % 2) * 4096 + blockIdx.x * 128 + threadIdx.x] = round;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (__hip_atomic_fetch_add(b, 1, ACQ_REL, AGENT) == round * n - 1)
        STORE(b + 1, round, RELEASE, AGENT);
      else
        while (LOAD(b + 1, ACQUIRE, AGENT) < round) PAUSE;
    }
    __syncthreads();
    c[blockIdx.x * 128 + threadIdx.x] += a[(round % 2) * 4096 + (blockIdx.x + 1) % n * 128 + threadIdx.x];
  }
}
KERNEL(made_once) {
  if (threadIdx.x != 0) return;
  if (LOAD(b, ACQUIRE, AGENT) != 2) {
    int nobody = 0;
    if (__hip_atomic_compare_exchange_strong(b, &nobody, 1, RELAXED, RELAXED, AGENT)) {
      a[0] = 42;
      STORE(b, 2, RELEASE, AGENT);
    } else {
      while (LOAD(b, ACQUIRE, AGENT) != 2) PAUSE;
    }
  }
  c[blockIdx.x] = a[0];
}
KERNEL(readers_unlock_with_release) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 0) {
    int seen = LOAD(b, RELAXED, AGENT);
    do {
      while (seen < 0) seen = LOAD(b, RELAXED, AGENT);
    } while (!__hip_atomic_compare_exchange_strong(b, &seen, seen + 1, ACQUIRE, RELAXED, AGENT));
    c[blockIdx.x] = a[0];
    __hip_atomic_fetch_add(b, -1, RELEASE, AGENT);
  } else {
    for (int i = 0; i < 3; ++i) {
      int free = 0;
      while (!__hip_atomic_compare_exchange_strong(b, &free, -1, ACQUIRE, RELAXED, AGENT)) free = 0;
      a[0] += 9;
      STORE(b, 0, RELEASE, AGENT);
    }
  }
}
// Shortest paths: every access to a distance is atomic.
KERNEL(distances_relaxed_atomically) {
  const int n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    const int mine = LOAD(&a[i], RELAXED, AGENT);
    atomicMin(&a[(i + 7) % n], mine - 1);
  }
}
KERNEL(parents_claimed_atomically) {
  const int child = threadIdx.x / 4;
  atomicCAS(&a[child], 0, blockIdx.x * 128 + threadIdx.x + 1);
}
KERNEL(histogram_added_atomically) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16 && bins[threadIdx.x]) atomicAdd(&c[threadIdx.x], bins[threadIdx.x]);
}
// One slot for each workgroup, taken by an atomic.
KERNEL(slots_taken_atomically) {
  __shared__ int first;
  if (threadIdx.x == 0) first = atomicAdd(b, 128);
  __syncthreads();
  a[first + threadIdx.x] = blockIdx.x;
}
KERNEL(persistent_workgroups) {
  __shared__ int work;
  for (;;) {
    if (threadIdx.x == 0) work = atomicAdd(b, 1);
    __syncthreads();
    const int mine = work;
    __syncthreads();
    if (mine >= 12) return;
    c[mine * 128 + threadIdx.x] = mine;
  }
}
// Waves as stages: full and empty counters in shared memory.
KERNEL(pipeline_of_waves) {
  __shared__ int stage[2][64], full, empty;
  if (threadIdx.x == 0) full = empty = 0;
  __syncthreads();
  const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
  const int waves = 64 / __builtin_amdgcn_wavefrontsize();
  for (int i = 0; i < 6; ++i) {
    if (wave == 0) {
      while (LOAD(&empty, ACQUIRE, GROUP) < (i - 1) * waves) PAUSE;
      stage[i % 2][lane] = i * 64 + lane;
      if (lane % __builtin_amdgcn_wavefrontsize() == 0) __hip_atomic_fetch_add(&full, 1, RELEASE, GROUP);
    } else {
      while (LOAD(&full, ACQUIRE, GROUP) < (i + 1) * waves) PAUSE;
      c[i * 64 + lane] = stage[i % 2][63 - lane];
      if (lane % __builtin_amdgcn_wavefrontsize() == 0) __hip_atomic_fetch_add(&empty, 1, RELEASE, GROUP);
    }
  }
}
KERNEL(own_block_counters) {
  // Each workgroup has counters of its own: its scope suffices.
  int* const mine = &b[blockIdx.x * 8];
  __hip_atomic_fetch_add(&mine[threadIdx.x % 8], 1, RELAXED, GROUP);
  __syncthreads();
  if (threadIdx.x < 8) c[blockIdx.x * 8 + threadIdx.x] = mine[threadIdx.x];
}
KERNEL(value_and_state_in_one_word) {
  auto* const words = reinterpret_cast<unsigned long long*>(b);
  if (threadIdx.x != 0) return;
  unsigned before = 0;
  if (blockIdx.x > 0) {
    unsigned long long word;
    while (((word = LOAD(&words[blockIdx.x - 1], RELAXED, AGENT)) >> 32) == 0) PAUSE;
    before = static_cast<unsigned>(word);
  }
  STORE(&words[blockIdx.x], 1ULL << 32 | (before + blockIdx.x), RELAXED, AGENT);
  c[blockIdx.x] = static_cast<int>(before);
}
KERNEL(system_fence_and_flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 3;
    __threadfence_system();
    atomicExch_system(b, 1);
  } else {
    while (atomicAdd_system(b, 0) == 0) PAUSE;
    __threadfence_system();
    c[blockIdx.x] = a[0];
  }
}

// Within a workgroup.
KERNEL(arrays_side_by_side) {
  extern __shared__ int dynamic[];
  int* const keys = dynamic;
  auto* const bytes = reinterpret_cast<unsigned char*>(dynamic + 128);
  auto* const halves = reinterpret_cast<__half*>(bytes + 128);
  keys[threadIdx.x] = threadIdx.x;
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  halves[threadIdx.x] = __float2half(static_cast<float>(threadIdx.x));
  __syncthreads();
  const int i = 127 - threadIdx.x;
  c[threadIdx.x] = keys[i] + bytes[i] + static_cast<int>(__half2float(halves[i]));
}
KERNEL(product_of_tiles) {
  __shared__ int x[8][16], y[16][8];
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    x[row][column] = a[tile * 128 + threadIdx.x];
    y[column][row] = b[tile * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += x[row][k] * y[k][column % 8];
    __syncthreads();
  }
  c[threadIdx.x] = sum;
}
KERNEL(last_warp_without_barriers) {
  // Lanes of one wave advance together; volatile keeps the order of the accesses.
  __shared__ int sums[128];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 64) sums[threadIdx.x] += sums[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile int* const line = sums;
    int sum = line[threadIdx.x] + line[threadIdx.x + 32];
    line[threadIdx.x] = sum;
    for (int step = 16; step > 0; step /= 2) {
      const int other = threadIdx.x < static_cast<unsigned>(step) ? line[threadIdx.x + step] : 0;
      sum += other;
      line[threadIdx.x] = sum;
    }
    if (threadIdx.x == 0) c[0] = line[0];
  }
}
KERNEL(tiles_of_eight) {
  __shared__ int line[128];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  line[threadIdx.x] = threadIdx.x;
  tile.sync();
  int sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum += line[threadIdx.x / 8 * 8 + i];
  c[threadIdx.x] = sum + tile.shfl(sum, 3);
}
KERNEL(waves_that_leave_in_turn) {
  __shared__ int line[128];
  const unsigned wave = threadIdx.x / 64;
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[127 - threadIdx.x];
  if (wave == 1) return;
  __syncthreads();
  line[threadIdx.x] = 0;
}
KERNEL(barriers_of_a_uniform_loop) {
  __shared__ int line[2][128];
  line[0][threadIdx.x] = threadIdx.x;
  const int rounds = 3 + a[0];
  for (int i = 0; i < rounds; ++i) {
    __syncthreads();
    if (i == 7) break;
    line[(i + 1) % 2][threadIdx.x] = line[i % 2][127 - threadIdx.x] + 1;
  }
  __syncthreads();
  c[threadIdx.x] = line[rounds % 2][threadIdx.x];
}

// Padding, unions, parts of values.
struct Tagged {
  char kind;
  double value;
  short rest;
};
KERNEL(tagged_values_through_shared_memory) {
  __shared__ Tagged line[128];
  Tagged mine;
  mine.kind = static_cast<char>(threadIdx.x);
  mine.value = threadIdx.x;
  mine.rest = 3;
  line[threadIdx.x] = mine;
  __syncthreads();
  auto* const to = reinterpret_cast<Tagged*>(c);
  to[threadIdx.x] = line[127 - threadIdx.x];
}
union Word {
  unsigned whole;
  unsigned char bytes[4];
  _Float16 halves[2];
};
KERNEL(bytes_of_a_union) {
  __shared__ Word line[32];
  line[threadIdx.x / 4].bytes[threadIdx.x % 4] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 32) c[threadIdx.x] = static_cast<int>(line[threadIdx.x].whole);
}
struct Flags {
  unsigned low : 3, middle : 11, high : 9;
};
KERNEL(bit_fields_updated) {
  Flags flags;
  flags.low = threadIdx.x & 7;
  flags.high = threadIdx.x;
  flags.middle = flags.low + flags.high;
  c[threadIdx.x] = static_cast<int>(flags.low + flags.middle + flags.high);
}
KERNEL(three_floats_each) {
  struct Three { float x, y, z; };
  __shared__ Three points[128];
  points[threadIdx.x] = {1.0F * threadIdx.x, 2.0F, 3.0F};
  __syncthreads();
  const Three p = points[127 - threadIdx.x];
  reinterpret_cast<Three*>(c)[threadIdx.x] = {p.z, p.y, p.x};
}
KERNEL(pairs_of_halves_added) {
  unsafeAtomicAdd(&reinterpret_cast<__half2*>(c)[threadIdx.x % 4], __floats2half2_rn(1.0F, 2.0F));
}

// Tables and memory of the device.
__device__ int table[16];
__constant__ int coefficients[6] = {1, 2, 3, 4, 5, 6};
KERNEL(tables_to_their_ends) {
  if (blockIdx.x == 0 && threadIdx.x < 16) table[threadIdx.x] = coefficients[threadIdx.x % 6];
  c[blockIdx.x * 128 + threadIdx.x] = coefficients[(threadIdx.x + a[0]) % 6];
}
struct Node {
  Node* next;
  int value;
};
__device__ Node* head;
// A list to which all add; the last one to come walks along it and frees it.
KERNEL(list_of_the_device_heap) {
  if (threadIdx.x % 32 != 0) return;
  Node* const mine = new Node;
  if (!mine) return;
  mine->value = threadIdx.x;
  mine->next = LOAD(&head, RELAXED, AGENT);
  while (!__hip_atomic_compare_exchange_strong(&head, &mine->next, mine, RELEASE, RELAXED, AGENT)) PAUSE;
  if (__hip_atomic_fetch_add(b, 1, ACQ_REL, AGENT) != static_cast<int>(gridDim.x) * 4 - 1) return;
  int sum = 0;
  for (Node* node = LOAD(&head, ACQUIRE, AGENT); node;) {
    sum += node->value;
    Node* const next = node->next;
    delete node;
    node = next;
  }
  STORE(&head, static_cast<Node*>(nullptr), RELAXED, AGENT);
  c[0] = sum;
}
KERNEL(arrays_of_every_size) {
  for (int size = 1; size < 200; size = size * 2 + 1) {
    auto* const bytes = static_cast<unsigned char*>(malloc(size));
    if (!bytes) continue;
    for (int i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i);
    c[threadIdx.x] += bytes[size - 1];
    free(bytes);
  }
}
KERNEL(array_on_the_stack_to_its_end) {
  volatile int line[37];
  for (int i = 0; i < 37; ++i) line[i] = a[i];
  line[36 + a[0]] = 5;
  c[threadIdx.x] = line[36 + a[1]];
}
__device__ __attribute__((noinline)) int sum_of(const int* line, int count) {
  volatile int copy[9];
  for (int i = 0; i < 9; ++i) copy[i] = i < count ? line[i] : 0;
  return copy[count - 1] + copy[8];
}
KERNEL(arrays_of_several_frames) {
  int line[5];
  for (int i = 0; i < 5; ++i) line[i] = a[i] + i;
  c[threadIdx.x] = sum_of(line, 5 + a[0]) + sum_of(line, 1 + a[1]);
}

// Host programs.
__global__ void fill(int* to, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = value + i;
}
__global__ void add(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i];
}
struct Two {
  hipStream_t first, second;
  int *x = ints(), *y = ints();
  hipEvent_t event;
  Two() {
    for (hipStream_t* each : {&first, &second}) MUST(hipStreamCreateWithFlags(each, hipStreamNonBlocking));
    MUST(hipEventCreate(&event));
    MUST(hipDeviceSynchronize());
  }
  ~Two() {
    MUST(hipDeviceSynchronize());
    MUST(hipFree(x));
    MUST(hipFree(y));
    for (hipStream_t each : {first, second}) MUST(hipStreamDestroy(each));
  }
  void second_behind_first() const {
    MUST(hipEventRecord(event, first));
    MUST(hipStreamWaitEvent(second, event, 0));
  }
};
void rows_copied_behind_a_kernel() {
  const Two t;
  fill<<<2, 128, 0, t.first>>>(t.x, 2, 256);
  t.second_behind_first();
  MUST(hipMemcpy2DAsync(t.y, 64, t.x, 128, 64, 8, hipMemcpyDeviceToDevice, t.second));
}
void other_rows_copied_beside_a_kernel() {
  const Two t;
  // Columns 0 to 15 of rows of 32 are copied from y + 16 on, the kernel writes what lies before.
  MUST(hipMemcpy2DAsync(t.x + 256, 64, t.y + 16, 128, 64, 8, hipMemcpyDeviceToDevice, t.first));
  fill<<<1, 16, 0, t.second>>>(t.y, 2, 16);
}
void freed_behind_an_event() {
  const Two t;
  int* x = nullptr;
  MUST(hipMallocAsync(&x, 1024, t.first));
  t.second_behind_first();
  fill<<<2, 128, 0, t.second>>>(x, 2, 256);
  MUST(hipEventRecord(t.event, t.second));
  MUST(hipStreamWaitEvent(t.first, t.event, 0));
  MUST(hipFreeAsync(x, t.first));
}
void captured_fork_and_join() {
  const Two t;
  MUST(hipStreamBeginCapture(t.first, hipStreamCaptureModeGlobal));
  fill<<<2, 128, 0, t.first>>>(t.x, 1, 256);
  t.second_behind_first();
  add<<<2, 128, 0, t.second>>>(t.x, t.y, 256);
  add<<<2, 128, 0, t.first>>>(t.x, t.y + 256, 256);
  MUST(hipEventRecord(t.event, t.second));
  MUST(hipStreamWaitEvent(t.first, t.event, 0));
  add<<<2, 128, 0, t.first>>>(t.y, t.x, 256);
  hipGraph_t graph;
  MUST(hipStreamEndCapture(t.first, &graph));
  hipGraphExec_t made;
  MUST(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) MUST(hipGraphLaunch(made, t.first));
  t.second_behind_first();
  fill<<<2, 128, 0, t.second>>>(t.x, 1, 256);
}
void nodes_with_an_edge() {
  const Two t;
  hipGraph_t graph;
  MUST(hipGraphCreate(&graph, 0));
  int *x = t.x, value = 1, count = 256;
  void* arguments[] = {&x, &value, &count};
  hipKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(fill);
  parameters.gridDim = dim3(2);
  parameters.blockDim = dim3(128);
  parameters.kernelParams = arguments;
  hipGraphNode_t nodes[3], last;
  MUST(hipGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &parameters));
  MUST(hipGraphAddEmptyNode(&nodes[1], graph, &nodes[0], 1));
  value = 2;
  MUST(hipGraphAddKernelNode(&nodes[2], graph, &nodes[1], 1, &parameters));
  x = t.y;
  MUST(hipGraphAddKernelNode(&last, graph, nullptr, 0, &parameters));
  hipGraphExec_t made;
  MUST(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  MUST(hipGraphLaunch(made, t.first));
  MUST(hipGraphLaunch(made, t.first));
}
void ends_of_odd_allocations() {
  for (int bytes : {4, 20, 500, 1000, 4100}) {
    int *x = nullptr, *y = nullptr;
    MUST(hipMalloc(&x, bytes));
    MUST(hipMallocManaged(&y, bytes));
    fill<<<bytes / 512 + 1, 128>>>(x, 1, bytes / 4);
    fill<<<bytes / 512 + 1, 128>>>(y, 1, bytes / 4);
    MUST(hipDeviceSynchronize());
    y[bytes / 4 - 1] += 1;
    MUST(hipFree(x));
    MUST(hipFree(y));
  }
}
__global__ void two_phases(int* a, int* b, int* c) {
  const unsigned n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    a[i] = b[i] + round;
    cg::this_grid().sync();
    c[i] += a[(i + 128) % n];
    cg::this_grid().sync();
  }
}
void phases_with_grid_sync() {
  const Two t;
  int *x = t.x, *y = t.y, *z = ints();
  void* arguments[] = {&x, &y, &z};
  MUST(hipLaunchCooperativeKernel(reinterpret_cast<void*>(two_phases), dim3(4), dim3(128), arguments, 0, nullptr));
  MUST(hipDeviceSynchronize());
  MUST(hipFree(z));
}
__global__ void strides(int* x, int count) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) x[i] = i;
}
void large_buffer() {
  const int count = 1 << 20;
  int* x = ints(count);
  strides<<<64, 256>>>(x, count);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
}
struct Weights {
  int of[40];
};
__global__ void weigh(int* to, Weights weights) { to[threadIdx.x] = weights.of[threadIdx.x % 40]; }
void argument_by_value() {
  const Two t;
  Weights weights;
  for (int& each : weights.of) each = 3;
  weigh<<<1, 128>>>(t.x, weights);
}

#define EACH(name, groups) {#name, "right", name, groups, 128}
#define HOST(name) {#name, "right", nullptr, 1, 1, 0, name}
const Case kCases[] = {
    EACH(queue_with_sequence_numbers, 4), EACH(stolen_with_fences, 3), EACH(mutual_exclusion_of_two, 2),
    EACH(sense_barrier, 4), EACH(made_once, 4), EACH(readers_unlock_with_release, 4),
    EACH(distances_relaxed_atomically, 3), EACH(parents_claimed_atomically, 4), EACH(histogram_added_atomically, 4),
    EACH(slots_taken_atomically, 4), EACH(persistent_workgroups, 4), EACH(pipeline_of_waves, 1),
    EACH(own_block_counters, 4), EACH(value_and_state_in_one_word, 5), EACH(system_fence_and_flag, 4),
    {"arrays_side_by_side", "right", arrays_side_by_side, 1, 128, 128 * 7}, EACH(product_of_tiles, 2),
    EACH(last_warp_without_barriers, 1), EACH(tiles_of_eight, 1), EACH(waves_that_leave_in_turn, 1),
    EACH(barriers_of_a_uniform_loop, 1), EACH(tagged_values_through_shared_memory, 1), EACH(bytes_of_a_union, 1),
    EACH(bit_fields_updated, 1), EACH(three_floats_each, 1), EACH(pairs_of_halves_added, 3),
    EACH(tables_to_their_ends, 3), EACH(list_of_the_device_heap, 3), EACH(arrays_of_every_size, 1),
    EACH(array_on_the_stack_to_its_end, 1), EACH(arrays_of_several_frames, 1), HOST(rows_copied_behind_a_kernel),
    HOST(other_rows_copied_beside_a_kernel), HOST(freed_behind_an_event), HOST(captured_fork_and_join),
    HOST(nodes_with_an_edge), HOST(ends_of_odd_allocations), HOST(phases_with_grid_sync), HOST(large_buffer),
    HOST(argument_by_value),
};

}  // namespace

int main(int count, char** words) { return run_table(kCases, count, words); }
