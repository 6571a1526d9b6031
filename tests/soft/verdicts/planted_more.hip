// SPDX-License-Identifier: MIT
// A second set of planted bugs: queues, caches, persistent loops, mixed widths, device symbols,
// instruction sequences without waits, graphs and pools.
#include <hip/hip_cooperative_groups.h>

#include <initializer_list>

#include "cases.h"

namespace {

namespace cg = cooperative_groups;

// Orders between workgroups.
KERNEL(queue_slot_told_without_release) {
  // b[0]: next slot; b[64 + slot]: whether it is full.
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 2 == 0) {
    const int slot = atomicAdd(b, 1);
    a[slot] = blockIdx.x + 100;
    STORE(&b[64 + slot], 1, RELAXED, AGENT);
  } else {
    const int slot = blockIdx.x / 2;
    while (LOAD(&b[64 + slot], ACQUIRE, AGENT) == 0) PAUSE;
    c[slot] = a[slot];
  }
}
KERNEL(reader_unlocks_without_release) {
  // b: -1 while written, else the number of readers.
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 0) {
    int seen = LOAD(b, RELAXED, AGENT);
    do {
      while (seen < 0) seen = LOAD(b, RELAXED, AGENT);
    } while (!__hip_atomic_compare_exchange_strong(b, &seen, seen + 1, ACQUIRE, RELAXED, AGENT));
    c[blockIdx.x] = a[0];
    __hip_atomic_fetch_add(b, -1, RELAXED, AGENT);
    __hip_atomic_fetch_add(b + 1, 1, RELAXED, AGENT);
  } else {
    while (LOAD(b + 1, RELAXED, AGENT) != static_cast<int>(gridDim.x) - 1) PAUSE;
    int free = 0;
    while (!__hip_atomic_compare_exchange_strong(b, &free, -1, ACQUIRE, RELAXED, AGENT)) free = 0;
    a[0] = 9;
    STORE(b, 0, RELEASE, AGENT);
  }
}
KERNEL(turn_seen_without_acquire) {
  if (threadIdx.x != 0) return;
  const int ticket = __hip_atomic_fetch_add(b, 1, RELAXED, AGENT);
  while (LOAD(b + 1, RELAXED, AGENT) != ticket) PAUSE;
  a[0] += ticket;
  STORE(b + 1, ticket + 1, RELEASE, AGENT);
}
KERNEL(versions_without_order) {
  // A sequence lock whose data are plain and whose counter orders nothing.
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    __hip_atomic_fetch_add(b, 1, RELAXED, AGENT);
    a[0] = a[1] = 7;
    __hip_atomic_fetch_add(b, 1, RELAXED, AGENT);
  } else {
    while (LOAD(b, RELAXED, AGENT) != 2) PAUSE;
    c[blockIdx.x] = a[0] + a[1];
  }
}
KERNEL(sense_barrier_without_order) {
  const int n = gridDim.x;
  for (int round = 1; round <= 3; ++round) {
    a[blockIdx.x * 128 + threadIdx.x] = round;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (__hip_atomic_fetch_add(b, 1, RELAXED, AGENT) == round * n - 1) STORE(b + 1, round, RELAXED, AGENT);
      while (LOAD(b + 1, RELAXED, AGENT) < round) PAUSE;
    }
    __syncthreads();
    c[blockIdx.x * 128 + threadIdx.x] += a[(blockIdx.x + 1) % n * 128 + threadIdx.x];
  }
}
KERNEL(distance_read_plainly) {
  // Shortest paths: one relaxes with atomicMin, another one reads without atomics.
  if (threadIdx.x != 0) return;
  const int next = (blockIdx.x + 1) % gridDim.x;
  const int mine = a[blockIdx.x] + 100 - static_cast<int>(blockIdx.x);
  atomicMin(&a[next], -mine);
}
KERNEL(parent_stored_plainly) {
  // Breadth first: several parents claim one child without atomics.
  const int child = threadIdx.x / 4;
  if (a[child] == 0) a[child] = blockIdx.x * 128 + threadIdx.x + 1;
}
KERNEL(histogram_added_plainly) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) c[threadIdx.x] += bins[threadIdx.x];
}
KERNEL(slot_taken_plainly) {
  if (threadIdx.x == 0) a[b[0]++] = blockIdx.x;
}
KERNEL(half_of_a_long_atomic) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(b), 1ULL);
  else
    b[1] = blockIdx.x;
}
KERNEL(counter_added_for_the_block) { __hip_atomic_fetch_add(&b[threadIdx.x % 8], 1, RELAXED, GROUP); }
KERNEL(once_without_acquire) {
  // The first one makes the table, the others see only that it was made.
  if (threadIdx.x != 0) return;
  if (atomicCAS(b, 0, 1) == 0) {
    a[0] = 42;
    STORE(b, 2, RELEASE, AGENT);
  } else {
    while (LOAD(b, RELAXED, AGENT) != 2) PAUSE;
    c[blockIdx.x] = a[0];
  }
}
KERNEL(stolen_without_fence) {
  // A deque: the owner pushes without a release, the others steal from its top.
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < 4; ++i) {
      a[i] = i * i + 1;
      STORE(b, i + 1, RELAXED, AGENT);
    }
  } else {
    for (int taken = 0; taken < 4;) {
      int top = LOAD(b + 1, RELAXED, AGENT);
      taken = top;
      if (top >= LOAD(b, RELAXED, AGENT)) continue;
      const int value = a[top];
      if (__hip_atomic_compare_exchange_strong(b + 1, &top, top + 1, SEQ_CST, RELAXED, AGENT)) c[top] = value;
    }
  }
}
KERNEL(released_one_acquired_another) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 5;
    STORE(b, 1, RELEASE, AGENT);
    STORE(b + 1, 1, RELAXED, AGENT);
  } else {
    while (LOAD(b + 1, ACQUIRE, AGENT) == 0) PAUSE;
    c[blockIdx.x] = a[0];
  }
}
KERNEL(byte_flag_told_plainly) {
  auto* const flag = reinterpret_cast<volatile unsigned char*>(b);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 5;
    *flag = 1;
  } else {
    while (*flag == 0) PAUSE;
    c[blockIdx.x] = a[0];
  }
}
KERNEL(far_behind_in_a_large_buffer) {
  // Each workgroup writes its part, the last word of which belongs to the next one, too.
  int* const part = a + blockIdx.x * 1024;
  for (int i = threadIdx.x; i <= 1024; i += 128) part[i] = blockIdx.x + 1;
}

// Within a workgroup.
KERNEL(work_index_overwritten) {
  __shared__ int work;
  for (;;) {
    if (threadIdx.x == 0) work = atomicAdd(b, 1);
    __syncthreads();
    if (work >= 6) return;
    c[work * 128 + threadIdx.x] = work;
  }
}
KERNEL(stage_overwritten_before_it_was_read) {
  __shared__ int stage[64];
  const int lane = threadIdx.x % 64;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x < 64) stage[lane] = a[i * 64 + lane] + i;
    __syncthreads();
    if (threadIdx.x >= 64) c[i * 64 + lane] = stage[63 - lane];
  }
}
KERNEL(partial_sums_without_barrier) {
  __shared__ int sums[4];
  int sum = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor(sum, step, 32);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  if (threadIdx.x == 0) c[0] = sums[0] + sums[1] + sums[2] + sums[3];
}
KERNEL(arrays_that_overlap) {
  extern __shared__ int dynamic[];
  int* const keys = dynamic;
  int* const values = dynamic + 96;  // of 128 keys
  keys[threadIdx.x] = threadIdx.x;
  values[threadIdx.x] = -static_cast<int>(threadIdx.x);
  __syncthreads();
  c[threadIdx.x] = keys[threadIdx.x] + values[threadIdx.x];
}
KERNEL(second_barrier_of_a_product) {
  __shared__ int x[8][16], y[16][8];
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    x[row][column] = a[tile * 128 + threadIdx.x];
    y[column][row] = b[tile * 128 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += x[row][k] * y[k][column % 8];
  }
  c[threadIdx.x] = sum;
}
KERNEL(counted_then_read_at_once) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) atomicAdd(&count, 1);
  c[threadIdx.x] = count;
}
KERNEL(tile_sync_instead_of_block) {
  __shared__ int line[128];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  line[threadIdx.x] = threadIdx.x;
  tile.sync();
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(byte_beside_a_word) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0x10203040;
  if (threadIdx.x == 64) reinterpret_cast<volatile char*>(&word)[1] = 7;
  __syncthreads();
  c[threadIdx.x] = word;
}
KERNEL(rows_of_a_scan) {
  // In global memory, with a barrier of the wave only.
  int* const line = a + blockIdx.x * 128;
  line[threadIdx.x] = threadIdx.x;
  for (int step = 1; step < 128; step *= 2) {
    const int left = static_cast<int>(threadIdx.x) >= step ? line[threadIdx.x - step] : 0;
    __builtin_amdgcn_wave_barrier();
    line[threadIdx.x] += left;
  }
}
KERNEL(one_wave_does_a_round_less) {
  __shared__ int line[128];
  line[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < (threadIdx.x < 64 ? 3 : 2); ++i) {
    line[(threadIdx.x + 64) % 128] += i + 1;
    __syncthreads();
  }
  c[threadIdx.x] = line[threadIdx.x];
}
KERNEL(barrier_by_cases) {
  switch (threadIdx.x % 3) {
    case 0: __syncthreads(); break;
    case 1: c[threadIdx.x] = 1; __syncthreads(); break;
    default: c[threadIdx.x] = 2;
  }
}

// Bounds.
__device__ int table[16];
KERNEL(device_table_overrun) {
  table[threadIdx.x % 16 + 16 + a[0]] = 1;
  c[threadIdx.x] = table[(threadIdx.x + a[1]) % 16];
}
__constant__ int coefficients[6] = {1, 2, 3, 4, 5, 6};
KERNEL(constant_table_overrun) { c[threadIdx.x] = coefficients[threadIdx.x % 2 + 6 + a[0]]; }
KERNEL(array_on_the_stack_overrun) {
  volatile int line[37];
  for (int i = 0; i < 37; ++i) line[i] = a[i];
  const int last = 37 + a[0];
  line[last] = 5;
  c[threadIdx.x] = line[a[1] + 1];
}
KERNEL(pair_over_the_end) {
  c[threadIdx.x] = static_cast<int>(reinterpret_cast<const short2*>(a)[kInts - 1].x) +
                   static_cast<int>(*reinterpret_cast<const long long*>(&a[kInts - 1 + a[0]]) >> 32);
}
KERNEL(one_block_into_the_next) {
  // All lanes allocate, so that the blocks lie side by side.
  int* const mine = static_cast<int*>(malloc(4 * sizeof(int)));
  if (!mine) return;
  mine[4 + a[0]] = threadIdx.x;
  c[threadIdx.x] = mine[4 + a[1]];
}
KERNEL(freed_in_the_middle) {
  if (threadIdx.x != 0) return;
  char* const block = static_cast<char*>(malloc(256));
  if (!block) return;
  char* volatile middle = block + 64;
  free(middle);
}
KERNEL(read_by_all_after_delete) {
  __shared__ int* volatile line;
  if (threadIdx.x == 0) {
    line = new int[128];
    for (int i = 0; i < 128; ++i) line[i] = i;
    delete[] line;
  }
  __syncthreads();
  c[threadIdx.x] = line[threadIdx.x];
}
KERNEL(shared_array_before_its_beginning) {
  __shared__ int line[128];
  int* p = line;
  asm volatile("" : "+v"(p));
  p[static_cast<int>(threadIdx.x) - 1] = 1;
  __syncthreads();
  c[threadIdx.x] = p[threadIdx.x / 2];
}

// Alignment.
KERNEL(misaligned_swap) {
  atomicCAS(reinterpret_cast<unsigned long long*>(reinterpret_cast<char*>(c) + 4), 0ULL, 1ULL);
}
KERNEL(misaligned_float_atomic) { unsafeAtomicAdd(reinterpret_cast<float*>(reinterpret_cast<char*>(c) + 6), 1.0F); }

// Values that nobody wrote.
KERNEL(sum_that_nobody_set_to_zero) {
  __shared__ int sum;
  atomicAdd(&sum, static_cast<int>(threadIdx.x));
  __syncthreads();
  c[threadIdx.x] = sum;
}
KERNEL(edge_of_a_tile_not_loaded) {
  __shared__ int tile[130];
  tile[threadIdx.x + 1] = a[threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2];
}
KERNEL(vector_registers_not_declared) {
  asm volatile("v_mov_b32 v220, 7\nv_mov_b32 v221, v220" ::);
  c[threadIdx.x] = 1;
}

// Waits.
#if defined(__GFX12__)
#define LDS_ADD "ds_add_rtn_u32 %0, %1, %2\n"
#define FLAT_LOAD "flat_load_b32 %0, %1\n"
#define TWO_SCALARS "s_load_b32 %0, %2, 0x0\ns_load_b32 %1, %2, 0x4\ns_wait_kmcnt 1\n"
#define DS_PAIR "ds_load_2addr_b32 %0, %1 offset1:1\n"
#define DS_STORE "ds_store_b32 %0, %1\n"
#define WAIT_LOADS "s_wait_loadcnt 0\n"
#define BARRIER "s_barrier_signal -1\ns_barrier_wait -1\n"
#elif defined(__GFX11__)
#define LDS_ADD "ds_add_rtn_u32 %0, %1, %2\n"
#define FLAT_LOAD "flat_load_b32 %0, %1\n"
#define TWO_SCALARS "s_load_b32 %0, %2, 0x0\ns_load_b32 %1, %2, 0x4\ns_waitcnt lgkmcnt(1)\n"
#define DS_PAIR "ds_load_2addr_b32 %0, %1 offset1:1\n"
#define DS_STORE "ds_store_b32 %0, %1\n"
#define WAIT_LOADS "s_waitcnt vmcnt(0)\n"
#define BARRIER "s_barrier\n"
#else
#define LDS_ADD "ds_add_rtn_u32 %0, %1, %2\n"
#define FLAT_LOAD "flat_load_dword %0, %1\n"
#define TWO_SCALARS "s_load_dword %0, %2, 0x0\ns_load_dword %1, %2, 0x4\ns_waitcnt lgkmcnt(1)\n"
#define DS_PAIR "ds_read2_b32 %0, %1 offset1:1\n"
#define DS_STORE "ds_write_b32 %0, %1\n"
#define WAIT_LOADS "s_waitcnt vmcnt(0)\n"
#define BARRIER "s_barrier\n"
#endif
typedef __attribute__((address_space(3))) int SharedInt;
DEVICE unsigned shared_address(int* p) { return (unsigned)(unsigned long long)(SharedInt*)p; }

KERNEL(no_wait_for_a_permutation) {
  int value;
  asm volatile("ds_bpermute_b32 %0, %1, %2\nv_lshlrev_b32 %0, 1, %0" : "=&v"(value) : "v"(0), "v"(threadIdx.x));
  c[threadIdx.x] = value;
}
KERNEL(no_wait_for_an_old_value) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int old;
  asm volatile(LDS_ADD "v_lshlrev_b32 %0, 1, %0" : "=&v"(old) : "v"(shared_address(&sum)), "v"(1) : "memory");
  c[threadIdx.x] = old;
}
KERNEL(no_wait_for_a_flat_load) {
  int value;
  asm volatile(FLAT_LOAD "v_lshlrev_b32 %0, 1, %0" : "=&v"(value) : "v"(&a[threadIdx.x]) : "memory");
  c[threadIdx.x] = value;
}
KERNEL(one_of_two_scalar_loads) {
  // Scalar loads return in any order: a count of one says nothing.
  int first, second;
  asm volatile(TWO_SCALARS "s_lshl_b32 %0, %0, 1" : "=&s"(first), "=&s"(second) : "s"(a) : "memory", "scc");
  c[threadIdx.x] = first;
}
KERNEL(no_wait_for_a_pair) {
  __shared__ int line[128];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  long long pair;
  asm volatile(DS_PAIR : "=&v"(pair) : "v"(shared_address(&line[threadIdx.x / 2])) : "memory");
  c[threadIdx.x] = static_cast<int>(pair);
}
KERNEL(wait_for_loads_before_the_barrier) {
  // The store to shared memory is counted elsewhere.
  __shared__ int line[128];
  asm volatile(DS_STORE WAIT_LOADS BARRIER ::"v"(shared_address(&line[threadIdx.x])), "v"(threadIdx.x) : "memory");
  c[threadIdx.x] = line[127 - threadIdx.x];
}

// Host programs.
#define FILL(name) __global__ void name(int* to, int value, int count) { \
  const int i = blockIdx.x * blockDim.x + threadIdx.x;                   \
  if (i < count) to[i] = value + i;                                      \
}
FILL(fill)
FILL(odd_bytes_of_an_allocation)
FILL(managed_memory_overrun)
FILL(memory_of_a_pool_overrun)
FILL(old_pointer_after_a_new_allocation)
FILL(rows_copied_beside_a_kernel)
FILL(symbol_copied_beside_a_kernel)
FILL(freed_in_another_stream)
FILL(graph_beside_a_kernel)
FILL(nodes_without_an_edge)
FILL(event_of_the_wrong_stream)
FILL(fork_that_does_not_join)
FILL(event_recorded_too_early_in_a_loop)
FILL(row_below_the_last)

void odd_bytes_of_an_allocation_host() {
  void* x = nullptr;
  MUST(hipMalloc(&x, 500));
  odd_bytes_of_an_allocation<<<1, 128>>>(static_cast<int*>(x), 1, 126);
}
void managed_memory_overrun_host() {
  int* x = nullptr;
  MUST(hipMallocManaged(&x, 1000));
  managed_memory_overrun<<<2, 128>>>(x, 1, 251);
}
void memory_of_a_pool_overrun_host() {
  hipStream_t stream;
  MUST(hipStreamCreate(&stream));
  int* x = nullptr;
  MUST(hipMallocAsync(&x, 400, stream));
  memory_of_a_pool_overrun<<<1, 128, 0, stream>>>(x, 1, 101);
}
void old_pointer_after_a_new_allocation_host() {
  int* x = ints(256);
  MUST(hipFree(x));
  int* y = ints(256);
  old_pointer_after_a_new_allocation<<<1, 128>>>(x, 1, 128);
  static_cast<void>(hipDeviceSynchronize());
  static_cast<void>(hipFree(y));
}
void row_below_the_last_host() {
  hipPitchedPtr x;
  MUST(hipMalloc3D(&x, make_hipExtent(400, 4, 2)));
  row_below_the_last<<<1, 100>>>(reinterpret_cast<int*>(static_cast<char*>(x.ptr) + 8 * x.pitch), 1, 100);
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
    static_cast<void>(hipDeviceSynchronize());
    static_cast<void>(hipFree(x));
    static_cast<void>(hipFree(y));
  }
};
void rows_copied_beside_a_kernel_host() {
  const Two t;
  MUST(hipMemcpy2DAsync(t.y, 64, t.x, 128, 64, 8, hipMemcpyDeviceToDevice, t.first));
  rows_copied_beside_a_kernel<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
__device__ int symbol[256];
void symbol_copied_beside_a_kernel_host() {
  const Two t;
  void* address = nullptr;
  MUST(hipGetSymbolAddress(&address, HIP_SYMBOL(symbol)));
  MUST(hipMemcpyToSymbolAsync(HIP_SYMBOL(symbol), t.y, sizeof symbol, 0, hipMemcpyDeviceToDevice, t.first));
  symbol_copied_beside_a_kernel<<<2, 128, 0, t.second>>>(static_cast<int*>(address), 2, 256);
}
void freed_in_another_stream_host() {
  const Two t;
  int* x = nullptr;
  MUST(hipMallocAsync(&x, 1024, t.first));
  MUST(hipEventRecord(t.event, t.first));
  MUST(hipStreamWaitEvent(t.second, t.event, 0));
  MUST(hipFreeAsync(x, t.first));
  freed_in_another_stream<<<2, 128, 0, t.second>>>(x, 2, 256);
}
// The kernels write the same array and have no edge between them.
hipGraphExec_t graph_of(int* x, std::initializer_list<void (*)(int*, int, int)> kernels) {
  hipGraph_t graph;
  MUST(hipGraphCreate(&graph, 0));
  int value = 1, count = 256;
  void* arguments[] = {&x, &value, &count};
  for (const auto kernel : kernels) {
    hipKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(kernel);
    parameters.gridDim = dim3(2);
    parameters.blockDim = dim3(128);
    parameters.kernelParams = arguments;
    hipGraphNode_t node;
    MUST(hipGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
    ++value;
  }
  hipGraphExec_t made;
  MUST(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  return made;
}
void graph_beside_a_kernel_host() {
  const Two t;
  MUST(hipGraphLaunch(graph_of(t.x, {fill}), t.first));
  graph_beside_a_kernel<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void nodes_without_an_edge_host() {
  const Two t;
  MUST(hipGraphLaunch(graph_of(t.x, {fill, nodes_without_an_edge}), t.first));
}
void event_of_the_wrong_stream_host() {
  const Two t;
  fill<<<2, 128, 0, t.first>>>(t.x, 1, 256);
  MUST(hipEventRecord(t.event, t.second));
  MUST(hipStreamWaitEvent(t.second, t.event, 0));
  event_of_the_wrong_stream<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void fork_that_does_not_join_host() {
  const Two t;
  MUST(hipEventRecord(t.event, t.first));
  MUST(hipStreamWaitEvent(t.second, t.event, 0));
  fill<<<2, 128, 0, t.second>>>(t.x, 1, 256);
  fork_that_does_not_join<<<2, 128, 0, t.first>>>(t.x, 2, 256);
}
void event_recorded_too_early_in_a_loop_host() {
  const Two t;
  for (int round = 0; round < 3; ++round) {
    MUST(hipEventRecord(t.event, t.first));
    fill<<<1, 128, 0, t.first>>>(t.x + round * 128, round, 128);
    MUST(hipStreamWaitEvent(t.second, t.event, 0));
    event_recorded_too_early_in_a_loop<<<1, 128, 0, t.second>>>(t.x + round * 128, round, 128);
  }
}
__global__ void phases_without_grid_sync(int* a, int*, int* c) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  a[i] = i;
  cg::this_thread_block().sync();
  c[i] = a[(i + 128) % (gridDim.x * 128)];
}
void phases_without_grid_sync_host() {
  const Two t;
  int* z = ints();
  int *x = t.x, *y = t.y;
  void* arguments[] = {&x, &y, &z};
  MUST(hipLaunchCooperativeKernel(reinterpret_cast<void*>(phases_without_grid_sync), dim3(4), dim3(128), arguments, 0, nullptr));
}
__global__ void last_word_of_a_buffer(int* x, int count) {
  // All write all of it, but for each workgroup's last stride.
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) x[i] = i;
  if (threadIdx.x == 0) x[count - 1] = blockIdx.x;
}
void last_word_of_a_buffer_host() {
  const int count = 1 << 20;
  int* x = ints(count);
  last_word_of_a_buffer<<<64, 256>>>(x, count);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
}
struct Weights {
  int of[5];
};
__global__ void past_an_argument_by_value(int* to, Weights weights) { to[threadIdx.x] = weights.of[5 + to[1]]; }
void past_an_argument_by_value_host() {
  const Two t;
  past_an_argument_by_value<<<1, 1>>>(t.x, {{1, 2, 3, 4, 5}});
}

constexpr const char kGrid[] = "grid-race";
constexpr const char kShared[] = "lds-race";
constexpr const char kWait[] = "missing-wait";
constexpr const char kBounds[] = "out-of-bounds";
constexpr const char kStreams[] = "stream-race";
#define GRID(name, groups) {#name, kGrid, name, groups, 128}
#define ONE(name, verdict) {#name, verdict, name, 1, 128}
#define HOST(name, verdict) {#name, verdict, nullptr, 1, 1, 0, name##_host}
const Case kCases[] = {
    GRID(queue_slot_told_without_release, 6), GRID(reader_unlocks_without_release, 4),
    GRID(turn_seen_without_acquire, 5), GRID(versions_without_order, 4), GRID(sense_barrier_without_order, 4),
    GRID(distance_read_plainly, 5), GRID(parent_stored_plainly, 4), GRID(histogram_added_plainly, 4),
    GRID(slot_taken_plainly, 5), GRID(half_of_a_long_atomic, 3), GRID(counter_added_for_the_block, 4),
    GRID(once_without_acquire, 4), GRID(stolen_without_fence, 3), GRID(released_one_acquired_another, 3),
    GRID(byte_flag_told_plainly, 3), GRID(far_behind_in_a_large_buffer, 4), ONE(work_index_overwritten, kShared),
    ONE(stage_overwritten_before_it_was_read, kShared), ONE(partial_sums_without_barrier, kShared),
    {"arrays_that_overlap", kShared, arrays_that_overlap, 1, 128, 1024},
    ONE(second_barrier_of_a_product, kShared), ONE(counted_then_read_at_once, kShared),
    ONE(tile_sync_instead_of_block, kShared), ONE(byte_beside_a_word, kShared), ONE(rows_of_a_scan, "global-race"),
    ONE(one_wave_does_a_round_less, kShared), ONE(barrier_by_cases, "barrier-divergence"),
    ONE(device_table_overrun, kBounds), ONE(constant_table_overrun, kBounds),
    ONE(array_on_the_stack_overrun, "scratch-overrun"), ONE(pair_over_the_end, kBounds),
    ONE(freed_in_the_middle, "double-free"), ONE(one_block_into_the_next, "heap-overflow"), ONE(read_by_all_after_delete, "use-after-free"),
    ONE(shared_array_before_its_beginning, "lds-overrun out-of-bounds"),
    ONE(misaligned_swap, "misaligned-atomic"), ONE(misaligned_float_atomic, "misaligned-atomic"),
    ONE(sum_that_nobody_set_to_zero, "uninitialised-store"), ONE(edge_of_a_tile_not_loaded, "uninitialised-store"),
    ONE(vector_registers_not_declared, "unallocated-register"),
    ONE(no_wait_for_a_permutation, kWait), ONE(no_wait_for_an_old_value, kWait), ONE(no_wait_for_a_flat_load, kWait),
    ONE(one_of_two_scalar_loads, kWait), ONE(no_wait_for_a_pair, kWait), ONE(wait_for_loads_before_the_barrier, kWait),
    HOST(odd_bytes_of_an_allocation, kBounds), HOST(managed_memory_overrun, kBounds),
    HOST(memory_of_a_pool_overrun, kBounds), HOST(old_pointer_after_a_new_allocation, "use-after-free"),
    HOST(row_below_the_last, kBounds), HOST(rows_copied_beside_a_kernel, kStreams),
    HOST(symbol_copied_beside_a_kernel, kStreams), HOST(freed_in_another_stream, "use-after-free stream-race"),
    HOST(graph_beside_a_kernel, kStreams), HOST(nodes_without_an_edge, kStreams),
    HOST(event_of_the_wrong_stream, kStreams), HOST(fork_that_does_not_join, kStreams),
    HOST(event_recorded_too_early_in_a_loop, kStreams), HOST(phases_without_grid_sync, kGrid),
    HOST(last_word_of_a_buffer, kGrid), HOST(past_an_argument_by_value, "kernel-arguments"),
};

}  // namespace

int main(int count, char** words) { return run_table(kCases, count, words); }
