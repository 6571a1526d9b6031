// SPDX-License-Identifier: MIT
// Right programs that are easily called wrong: barriers, waves in lockstep, cooperative groups,
// padding, unions, bit-fields, atomics of every kind, device memory, streams.
#include <hip/hip_cooperative_groups.h>

#include <atomic>

#include "cases.h"

namespace cg = cooperative_groups;

namespace {

KERNEL(double_buffer) {
  __shared__ int line[2][128];
  const int i = threadIdx.x;
  int sum = 0;
  line[0][i] = a[i];
  __syncthreads();
  for (int round = 0; round < 6; ++round) {
    line[(round + 1) % 2][i] = line[round % 2][(i + 70) % 128] + 1;
    __syncthreads();
    sum += line[(round + 1) % 2][127 - i];
  }
  c[i] = sum;
}
KERNEL(tiles_with_two_barriers) {
  __shared__ int tile[128];
  const int i = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[i] = a[round * 128 + i];
    __syncthreads();
    sum += tile[127 - i] * tile[(i + 64) % 128];
    __syncthreads();
  }
  c[i] = sum;
}
KERNEL(tree_reduction) {
  __shared__ int part[128];
  const int i = threadIdx.x;
  part[i] = a[i];
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (i < step) part[i] += part[i + step];
    __syncthreads();
  }
  if (i == 0) c[0] = part[0];
}
KERNEL(wave_synchronous_tail) {
  __shared__ int part[128];
  const int i = threadIdx.x;
  part[i] = a[i];
  __syncthreads();
  for (int step = 64; step > 16; step /= 2) {
    if (i < step) part[i] += part[i + step];
    __syncthreads();
  }
  // One wave from here, whatever its size.
  if (i < 32) {
    volatile int* mine = part;
    int sum = mine[i];
    for (int step = 16; step > 0; step /= 2) {
      if (i < step) mine[i] = sum = sum + mine[i + step];
      __builtin_amdgcn_wave_barrier();
    }
  }
  if (i == 0) c[0] = part[0];
}
KERNEL(scan_with_two_buffers) {
  __shared__ int line[2][128];
  const int i = threadIdx.x;
  int now = 0;
  line[0][i] = 1;
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    line[1 - now][i] = line[now][i] + (i >= step ? line[now][i - step] : 0);
    now = 1 - now;
    __syncthreads();
  }
  c[i] = line[now][i];
}
KERNEL(bitonic_sort) {
  __shared__ int line[256];
  const int i = threadIdx.x;
  line[i] = (i * 37) % 256;
  line[i + 128] = (i * 91) % 256;
  for (int size = 2; size <= 256; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int at = 2 * i - (i & (step - 1));
      const bool up = (at & size) == 0;
      if ((line[at] > line[at + step]) == up) {
        const int t = line[at];
        line[at] = line[at + step];
        line[at + step] = t;
      }
    }
  __syncthreads();
  c[i] = line[i];
  c[i + 128] = line[i + 128];
}
KERNEL(transpose_with_padding) {
  __shared__ int tile[16][17];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int row = y; row < 16; row += 8) tile[row][x] = a[row * 16 + x];
  __syncthreads();
  for (int row = y; row < 16; row += 8) c[row * 16 + x] = tile[x][row];
}
KERNEL(dynamic_shared_memory) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = dynamic[127 - threadIdx.x];
}
KERNEL(early_return_of_lanes) {
  __shared__ int line[128];
  if (threadIdx.x >= 100) return;
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[99 - threadIdx.x];
}
KERNEL(early_return_of_a_wave) {
  __shared__ int line[64];
  if (threadIdx.x >= 64) return;
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[63 - threadIdx.x];
}
// A wave that has done its work returns; hardware waits for those that are left.
KERNEL(early_return_after_work) {
  __shared__ int line[64];
  if (threadIdx.x >= 64) {
    c[threadIdx.x] = 1;
    return;
  }
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[63 - threadIdx.x];
}
KERNEL(barriers_in_a_uniform_branch) {
  __shared__ int line[128];
  line[threadIdx.x] = threadIdx.x;
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    c[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
  } else {
    c[blockIdx.x * 128 + threadIdx.x] = line[threadIdx.x];
    __syncthreads();
  }
}
KERNEL(barriers_after_divergence) {
  __shared__ int line[128];
  int steps = threadIdx.x + 1;
  for (int n = 0; steps > 1 && n < 40; ++n) steps = steps % 2 ? 3 * steps + 1 : steps / 2;
  line[threadIdx.x] = steps;
  __syncthreads();
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(counting_barriers) {
  const int n = __syncthreads_count(threadIdx.x % 3 == 0);
  const int all = __syncthreads_and(n > 0), some = __syncthreads_or(threadIdx.x == 5);
  c[threadIdx.x] = n + all + some;
}
KERNEL(wave_shuffles) {
  int value = a[threadIdx.x] + threadIdx.x;
  for (int step = warpSize / 2; step > 0; step /= 2) value += __shfl_down(value, step);
  if (threadIdx.x % warpSize == 0) c[threadIdx.x / warpSize] = value;
}
KERNEL(ballot_compaction) {
  const bool keep = (threadIdx.x * 7) % 3 == 0;
  const unsigned long long votes = __ballot(keep);
  const int lane = threadIdx.x % warpSize;
  int base = 0;
  if (lane == 0) base = atomicAdd(b, __popcll(votes));
  base = __shfl(base, 0);
  if (keep) c[base + __popcll(votes & ((1ULL << lane) - 1))] = threadIdx.x;
}
KERNEL(block_group) {
  __shared__ int line[128];
  const auto block = cg::this_thread_block();
  line[block.thread_rank()] = block.thread_rank();
  block.sync();
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(tile_of_32) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int value = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) value += tile.shfl_down(value, step);
  tile.sync();
  if (tile.thread_rank() == 0) c[threadIdx.x / 32] = value;
}
KERNEL(tile_in_shared_memory) {
  __shared__ int line[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  line[threadIdx.x] = threadIdx.x;
  tile.sync();
  c[threadIdx.x] = line[(threadIdx.x & ~15) | (15 - threadIdx.x % 16)];
}
KERNEL(coalesced_counter) {
  if (threadIdx.x % 3 != 0) return;
  const auto group = cg::coalesced_threads();
  int base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(b, group.size());
  base = group.shfl(base, 0);
  c[base + group.thread_rank()] = threadIdx.x;
}
KERNEL(grid_sync) {
  const auto grid = cg::this_grid();
  const unsigned n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x;
  int *from = a, *to = c;
  for (int round = 0; round < 3; ++round) {
    to[i] = from[(i + 200) % n] + 1;
    grid.sync();
    int* const other = from;
    from = to;
    to = other;
  }
}

struct Padded {
  char tag;
  int value;
  short tail;
};
union Both {
  float real;
  unsigned bits;
  unsigned char bytes[4];
};
struct Fields {
  unsigned low : 5, middle : 11;
  unsigned char flag : 1, kind : 3;
};
struct Tagged {
  int tag;
  union {
    int one;
    long long two;
  } u;
};
struct Narrow {
  unsigned id : 20;
  unsigned : 0;
  unsigned count : 3;
};

KERNEL(padding_in_global_memory) {
  Padded mine;
  mine.tag = 'x';
  mine.value = threadIdx.x;
  mine.tail = 3;
  reinterpret_cast<Padded*>(c)[threadIdx.x] = mine;
}
KERNEL(padding_through_shared_memory) {
  __shared__ Padded line[128];
  line[threadIdx.x].tag = 'x';
  line[threadIdx.x].value = threadIdx.x;
  line[threadIdx.x].tail = 1;
  __syncthreads();
  reinterpret_cast<Padded*>(c)[threadIdx.x] = line[127 - threadIdx.x];
}
__device__ __attribute__((noinline)) Padded make_padded(int i) {
  Padded made;
  made.tag = static_cast<char>(i);
  made.value = i;
  made.tail = 2;
  return made;
}
KERNEL(padding_by_value) {
  Padded some[4];
  for (int i = 0; i < 4; ++i) some[i] = make_padded(threadIdx.x + i);
  reinterpret_cast<Padded*>(c)[threadIdx.x] = some[a[0] + threadIdx.x % 4];
}
KERNEL(padding_copied_as_bytes) {
  Padded mine;
  mine.tag = 'x';
  mine.value = threadIdx.x;
  mine.tail = 9;
  __builtin_memcpy(reinterpret_cast<Padded*>(c) + threadIdx.x, &mine, sizeof mine);
}
KERNEL(part_of_a_union) {
  Tagged mine;
  mine.tag = 1;
  mine.u.one = threadIdx.x;
  reinterpret_cast<Tagged*>(c)[threadIdx.x] = mine;
}
KERNEL(union_as_other_type) {
  Both both;
  both.real = threadIdx.x * 0.5f;
  c[threadIdx.x] = both.bits + both.bytes[3];
}
KERNEL(bit_fields) {
  Fields mine;
  mine.low = threadIdx.x % 32;
  mine.middle = threadIdx.x * 3;
  mine.flag = threadIdx.x & 1;
  mine.kind = 5;
  reinterpret_cast<Fields*>(c)[threadIdx.x] = mine;
}
KERNEL(bit_fields_in_shared_memory) {
  __shared__ Fields line[128];
  line[threadIdx.x].low = threadIdx.x % 32;
  line[threadIdx.x].middle = 77;
  line[threadIdx.x].flag = 1;
  line[threadIdx.x].kind = 2;
  __syncthreads();
  c[threadIdx.x] = line[127 - threadIdx.x].low + line[127 - threadIdx.x].middle;
}
KERNEL(bit_fields_with_gaps) {
  Narrow mine;
  mine.id = threadIdx.x;
  mine.count = 3;
  reinterpret_cast<Narrow*>(c)[threadIdx.x] = mine;
}
KERNEL(neighbouring_bytes) {
  __shared__ unsigned char line[128];
  line[(threadIdx.x * 5) % 128] = threadIdx.x;
  reinterpret_cast<unsigned char*>(b)[(threadIdx.x * 3) % 128] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[threadIdx.x] + reinterpret_cast<unsigned char*>(b)[127 - threadIdx.x];
}
KERNEL(neighbouring_halves) {
  __shared__ short line[128];
  line[(threadIdx.x * 65) % 128] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(neighbours_of_other_workgroups) {
  reinterpret_cast<unsigned char*>(c)[threadIdx.x * gridDim.x + blockIdx.x] = threadIdx.x;
}

KERNEL(histogram) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += 128) atomicAdd(&bins[(i * 7) % 64], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&c[threadIdx.x], bins[threadIdx.x]);
}
KERNEL(every_integer_atomic) {
  const int i = threadIdx.x;
  auto* u = reinterpret_cast<unsigned*>(c);
  atomicAdd(&c[0], i);
  atomicSub(&c[1], i);
  atomicMin(&c[2], -i);
  atomicMax(&c[3], i);
  atomicAnd(&u[4], ~(1u << i % 32));
  atomicOr(&u[5], 1u << i % 32);
  atomicXor(&u[6], 1u << i % 32);
  atomicInc(&u[7], 50);
  atomicDec(&u[8], 50);
  atomicExch(&c[9], i);
  atomicCAS(&c[10], 0, i);
}
KERNEL(every_long_atomic) {
  auto* u = reinterpret_cast<unsigned long long*>(c);
  const unsigned long long i = threadIdx.x;
  atomicAdd(&u[0], i);
  atomicMin(&u[1], i);
  atomicMax(&u[2], i << 33);
  atomicAnd(&u[3], ~i);
  atomicOr(&u[4], i << 20);
  atomicXor(&u[5], i);
  atomicExch(&u[6], i);
  atomicCAS(&u[7], 0ULL, i);
}
KERNEL(every_float_atomic) {
  auto* f = reinterpret_cast<float*>(c);
  auto* d = reinterpret_cast<double*>(c + 64);
  const float x = threadIdx.x * 0.25f;
  atomicAdd(&f[0], x);
  unsafeAtomicAdd(&f[1], x);
  safeAtomicAdd(&f[2], x);
  atomicMin(&f[3], -x);
  atomicMax(&f[4], x);
  atomicAdd(&d[0], static_cast<double>(x));
  unsafeAtomicAdd(&d[1], static_cast<double>(x));
}
KERNEL(float_atomics_in_shared_memory) {
  __shared__ float sums[4];
  __shared__ double wide[2];
  if (threadIdx.x < 4) sums[threadIdx.x] = 0;
  if (threadIdx.x < 2) wide[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x % 4], 1.0f);
  atomicMax(&sums[0], 5.0f);
  atomicAdd(&wide[threadIdx.x % 2], 1.0);
  __syncthreads();
  if (threadIdx.x < 4) c[threadIdx.x] = static_cast<int>(sums[threadIdx.x]);
  if (threadIdx.x < 2) c[4 + threadIdx.x] = static_cast<int>(wide[threadIdx.x]);
}
KERNEL(atomics_of_every_scope) {
  atomicAdd_system(&c[0], 1);
  atomicAdd(&c[1], 1);
  __hip_atomic_fetch_add(&c[2], 1, SEQ_CST, SYSTEM);
  __hip_atomic_fetch_add(&c[3], 1, ACQ_REL, AGENT);
  __hip_atomic_fetch_add(&c[4 + blockIdx.x], 1, RELAXED, GROUP);
  __hip_atomic_fetch_max(&c[16 + blockIdx.x * 2 + threadIdx.x / 64], 1, RELAXED, AGENT);
}
KERNEL(plain_before_and_after_atomics) {
  __shared__ int count;
  if (threadIdx.x == 64) count = 100;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  c[threadIdx.x] = count;
  __syncthreads();
  if (threadIdx.x == 0) count = 0;
}
KERNEL(atomics_then_plain_in_global_memory) {
  if (threadIdx.x == 0) b[blockIdx.x] = 10;
  __syncthreads();
  atomicAdd(&b[blockIdx.x], 1);
  __syncthreads();
  c[blockIdx.x * 128 + threadIdx.x] = b[blockIdx.x];
}
KERNEL(global_memory_within_a_workgroup) {
  int* const mine = a + blockIdx.x * 128;
  for (int round = 0; round < 3; ++round) {
    mine[threadIdx.x] = threadIdx.x + round;
    __syncthreads();
    c[blockIdx.x * 128 + threadIdx.x] += mine[127 - threadIdx.x];
    __syncthreads();
  }
}
KERNEL(many_readers) {
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += a[i * 8];
  c[blockIdx.x * 128 + threadIdx.x] = sum;
}

__device__ __attribute__((noinline)) int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL(recursion) { c[threadIdx.x] = fibonacci(threadIdx.x % 7); }
KERNEL(local_arrays) {
  int line[20];
  for (int i = 0; i < 20; ++i) line[i] = i * threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 20; ++i) sum += line[(i * 7 + a[i]) % 20];
  c[threadIdx.x] = sum;
}
KERNEL(device_memory) {
  int* mine = static_cast<int*>(malloc(16 * sizeof(int)));
  if (!mine) return;
  for (int i = 0; i < 16; ++i) mine[i] = i;
  c[threadIdx.x] = mine[threadIdx.x % 16];
  free(mine);
}
// One thread allocates for all, another one frees.
KERNEL(shared_device_memory) {
  __shared__ int* line;
  if (threadIdx.x == 0) line = static_cast<int*>(malloc(128 * sizeof(int)));
  __syncthreads();
  if (line) line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (line) c[threadIdx.x] = line[127 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 64) free(line);
}
KERNEL(device_printf) {
  if (threadIdx.x == 0) printf("workgroup %d says %s\n", static_cast<int>(blockIdx.x), "hello");
}
struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
KERNEL(virtual_call) {
  const Square square(threadIdx.x);
  const Shape* shape = &square;
  asm volatile("" : "+v"(shape));
  c[threadIdx.x] = shape->area();
}
__constant__ int kTable[16] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int global_counter;
KERNEL(constants_and_globals) {
  if (threadIdx.x == 0) atomicAdd(&global_counter, 1);
  c[threadIdx.x] = kTable[(threadIdx.x + a[0]) % 16];
}

#if defined(__GFX12__)
#define DS_STORE "ds_store_b32 %0, %1\n"
#define LDS_WAIT "s_wait_dscnt 0\n"
#define STORES_WAIT "s_wait_storecnt 0\n"
#define BARRIER "s_barrier_signal -1\ns_barrier_wait -1\n"
#define GLOBAL_STORE "global_store_b32 %0, %1, off\n"
#elif defined(__GFX11__)
#define DS_STORE "ds_store_b32 %0, %1\n"
#define LDS_WAIT "s_waitcnt lgkmcnt(0)\n"
#define STORES_WAIT "s_waitcnt_vscnt null, 0x0\n"
#define BARRIER "s_barrier\n"
#define GLOBAL_STORE "global_store_b32 %0, %1, off\n"
#else
#define DS_STORE "ds_write_b32 %0, %1\n"
#define LDS_WAIT "s_waitcnt lgkmcnt(0)\n"
#if defined(__GFX10__)
#define STORES_WAIT "s_waitcnt_vscnt null, 0x0\n"
#else
#define STORES_WAIT "s_waitcnt vmcnt(0)\n"
#endif
#define BARRIER "s_barrier\n"
#define GLOBAL_STORE "global_store_dword %0, %1, off\n"
#endif
typedef __attribute__((address_space(3))) int SharedInt;
DEVICE unsigned shared_address(int* p) { return (unsigned)(unsigned long long)(SharedInt*)p; }

KERNEL(waits_by_hand) {
  __shared__ int line[128];
  asm volatile(DS_STORE LDS_WAIT BARRIER ::"v"(shared_address(&line[threadIdx.x])), "v"(threadIdx.x) : "memory");
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(store_waits_by_hand) {
  asm volatile(GLOBAL_STORE STORES_WAIT BARRIER ::"v"(&a[threadIdx.x]), "v"(threadIdx.x) : "memory");
  c[threadIdx.x] = a[127 - threadIdx.x];
}
// What libraries write for shared memory alone.
KERNEL(barrier_for_shared_memory_only) {
  __shared__ int line[128];
  line[threadIdx.x] = threadIdx.x;
  asm volatile(LDS_WAIT BARRIER ::: "memory");
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(fence_and_bare_barrier) {
  __shared__ int line[128];
  line[threadIdx.x] = threadIdx.x;
  a[threadIdx.x] = threadIdx.x;
  __builtin_amdgcn_fence(RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(ACQUIRE, "workgroup");
  c[threadIdx.x] = line[127 - threadIdx.x] + a[127 - threadIdx.x];
}
KERNEL(nontemporal_accesses) {
  const int value = __builtin_nontemporal_load(&a[threadIdx.x]);
  __builtin_nontemporal_store(value + 1, &c[threadIdx.x]);
}

// Whole programs: streams, events, graphs, memory of the host.
__global__ void fill(int* to, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = value + i;
}
__global__ void add(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += from[i];
}
struct Streams {
  hipStream_t first, second;
  explicit Streams(unsigned flags = hipStreamNonBlocking) {
    MUST(hipStreamCreateWithFlags(&first, flags));
    MUST(hipStreamCreateWithFlags(&second, flags));
  }
  ~Streams() {
    MUST(hipStreamDestroy(first));
    MUST(hipStreamDestroy(second));
  }
};
void streams_with_an_event() {
  const Streams s;
  int *x = ints(), *y = ints();
  hipEvent_t event;
  MUST(hipEventCreate(&event));
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipEventRecord(event, s.first));
  MUST(hipStreamWaitEvent(s.second, event, 0));
  add<<<4, 128, 0, s.second>>>(x, y, 512);
  MUST(hipDeviceSynchronize());
  MUST(hipEventDestroy(event));
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void streams_with_two_events() {
  const Streams s;
  int *x = ints(), *y = ints();
  hipEvent_t ready, done;
  MUST(hipEventCreate(&ready));
  MUST(hipEventCreate(&done));
  for (int round = 0; round < 3; ++round) {
    fill<<<4, 128, 0, s.first>>>(x, round, 512);
    MUST(hipEventRecord(ready, s.first));
    MUST(hipStreamWaitEvent(s.second, ready, 0));
    add<<<4, 128, 0, s.second>>>(x, y, 512);
    MUST(hipEventRecord(done, s.second));
    MUST(hipStreamWaitEvent(s.first, done, 0));
  }
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void streams_with_halves() {
  const Streams s;
  int* x = ints();
  fill<<<2, 128, 0, s.first>>>(x, 1, 256);
  fill<<<2, 128, 0, s.second>>>(x + 256, 2, 256);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
}
void streams_that_only_read() {
  const Streams s;
  int *x = ints(), *y = ints(), *z = ints();
  add<<<2, 128, 0, s.first>>>(x, y, 256);
  add<<<2, 128, 0, s.second>>>(x, z, 256);
  MUST(hipDeviceSynchronize());
  for (int* each : {x, y, z}) MUST(hipFree(each));
}
void streams_with_a_wait_between() {
  const Streams s;
  int *x = ints(), *y = ints();
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipStreamSynchronize(s.first));
  add<<<4, 128, 0, s.second>>>(x, y, 512);
  MUST(hipStreamSynchronize(s.second));
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void streams_behind_the_null_stream() {
  const Streams s(hipStreamDefault);
  int *x = ints(), *y = ints();
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  add<<<4, 128>>>(x, y, 512);
  add<<<4, 128, 0, s.second>>>(y, x, 512);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void event_waited_for_by_the_host() {
  const Streams s;
  int *x = ints(), *y = ints();
  hipEvent_t event;
  MUST(hipEventCreate(&event));
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipEventRecord(event, s.first));
  MUST(hipEventSynchronize(event));
  add<<<4, 128, 0, s.second>>>(x, y, 512);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void event_polled_by_the_host() {
  const Streams s;
  int *x = ints(), *y = ints();
  hipEvent_t event;
  MUST(hipEventCreate(&event));
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipEventRecord(event, s.first));
  while (hipEventQuery(event) == hipErrorNotReady) {}
  add<<<4, 128, 0, s.second>>>(x, y, 512);
  while (hipStreamQuery(s.second) == hipErrorNotReady) {}
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void copies_in_one_stream() {
  const Streams s;
  int *x = ints(), *y = ints(), *host = nullptr;
  MUST(hipHostMalloc(&host, 512 * sizeof(int)));
  for (int i = 0; i < 512; ++i) host[i] = i;
  MUST(hipMemcpyAsync(x, host, 2048, hipMemcpyHostToDevice, s.first));
  add<<<4, 128, 0, s.first>>>(x, y, 512);
  MUST(hipMemcpyAsync(host, y, 2048, hipMemcpyDeviceToHost, s.first));
  MUST(hipStreamSynchronize(s.first));
  MUST(hipHostFree(host));
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void blocking_copy_after_a_kernel() {
  int *x = ints(), host[512];
  fill<<<4, 128>>>(x, 1, 512);
  MUST(hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost));
  MUST(hipFree(x));
}
void graph_of_two_branches() {
  const Streams s;
  int *x = ints(), *y = ints();
  hipEvent_t fork, join;
  MUST(hipEventCreate(&fork));
  MUST(hipEventCreate(&join));
  hipGraph_t graph;
  hipGraphExec_t ready;
  MUST(hipStreamBeginCapture(s.first, hipStreamCaptureModeGlobal));
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipEventRecord(fork, s.first));
  MUST(hipStreamWaitEvent(s.second, fork, 0));
  add<<<4, 128, 0, s.second>>>(x, y, 512);
  MUST(hipEventRecord(join, s.second));
  MUST(hipStreamWaitEvent(s.first, join, 0));
  fill<<<4, 128, 0, s.first>>>(x, 2, 512);
  MUST(hipStreamEndCapture(s.first, &graph));
  MUST(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  MUST(hipGraphLaunch(ready, s.first));
  MUST(hipGraphLaunch(ready, s.first));
  MUST(hipStreamSynchronize(s.first));
  MUST(hipGraphExecDestroy(ready));
  MUST(hipGraphDestroy(graph));
  MUST(hipFree(x));
  MUST(hipFree(y));
}
void memory_of_a_stream() {
  const Streams s;
  int* x = nullptr;
  MUST(hipMallocAsync(&x, 2048, s.first));
  fill<<<4, 128, 0, s.first>>>(x, 1, 512);
  MUST(hipFreeAsync(x, s.first));
  MUST(hipMallocAsync(&x, 2048, s.first));
  fill<<<4, 128, 0, s.first>>>(x, 2, 512);
  MUST(hipFreeAsync(x, s.first));
  MUST(hipStreamSynchronize(s.first));
}
void registered_memory() {
  int* memory = static_cast<int*>(std::aligned_alloc(4096, 8192));
  MUST(hipHostRegister(memory, 8192, hipHostRegisterDefault));
  int* device = nullptr;
  MUST(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), memory, 0));
  fill<<<16, 128>>>(device, 1, 2048);
  MUST(hipDeviceSynchronize());
  MUST(hipHostUnregister(memory));
  std::free(memory);
}
void managed_memory() {
  int* memory = nullptr;
  MUST(hipMallocManaged(&memory, 2048));
  memory[0] = 5;
  fill<<<4, 128>>>(memory, 1, 512);
  MUST(hipDeviceSynchronize());
  memory[1] = memory[0];
  add<<<4, 128>>>(memory, memory, 512);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(memory));
}
void memory_reused_after_a_free() {
  for (int i = 0; i < 20; ++i) {
    int* x = ints(300);
    fill<<<3, 128>>>(x, i, 300);
    MUST(hipFree(x));
  }
}
// Both streams write to the buffer, in the order that the host's function decides.
void streams_ordered_by_a_callback() {
  const Streams s;
  int* x = ints();
  std::atomic<bool> done{false};
  fill<<<2, 128, 0, s.first>>>(x, 1, 256);
  MUST(hipLaunchHostFunc(s.first, [](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }, &done));
  while (!done) {}
  fill<<<2, 128, 0, s.second>>>(x, 2, 256);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
}
void streams_ordered_by_a_value() {
  const Streams s;
  int* x = ints();
  unsigned* flag = reinterpret_cast<unsigned*>(ints(1));
  fill<<<2, 128, 0, s.first>>>(x, 1, 256);
  MUST(hipStreamWriteValue32(s.first, flag, 1, 0));
  MUST(hipStreamWaitValue32(s.second, flag, 1, hipStreamWaitValueEq));
  fill<<<2, 128, 0, s.second>>>(x, 2, 256);
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
  MUST(hipFree(flag));
}
// What comes before the first event comes before the third stream, too.
void streams_in_a_chain() {
  const Streams s, more;
  int *x = ints(), *y = ints();
  hipEvent_t one, two;
  MUST(hipEventCreate(&one));
  MUST(hipEventCreate(&two));
  fill<<<2, 128, 0, s.first>>>(x, 1, 256);
  MUST(hipEventRecord(one, s.first));
  MUST(hipStreamWaitEvent(s.second, one, 0));
  add<<<2, 128, 0, s.second>>>(y, y, 256);
  MUST(hipEventRecord(two, s.second));
  MUST(hipStreamWaitEvent(more.first, two, 0));
  MUST(hipEventDestroy(one));
  MUST(hipMemsetAsync(x, 0, 1024, more.first));
  MUST(hipStreamSynchronize(more.first));
  fill<<<2, 128, 0, more.second>>>(x, 2, 256);
  MUST(hipMemcpyAsync(y, x, 1024, hipMemcpyDeviceToDevice, more.second));
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
  MUST(hipFree(y));
}
__device__ int* passed_on[2];
// Allocated here, used and freed by another launch; of several sizes, exactly to their ends.
__global__ void blocks_made() {
  for (int i = 0; i < 2; ++i) {
    passed_on[i] = new int[5 + i * 1000];
    for (int j = 0; j < 5 + i * 1000; ++j) passed_on[i][j] = j;
  }
}
__global__ void blocks_used(int* c) {
  for (int i = 0; i < 2; ++i) {
    c[i] = passed_on[i][4 + i * 1000];
    delete[] passed_on[i];
  }
}
void blocks_of_two_launches() {
  int* x = ints();
  for (int round = 0; round < 3; ++round) {
    blocks_made<<<1, 1>>>();
    blocks_used<<<1, 1>>>(x);
  }
  MUST(hipDeviceSynchronize());
  MUST(hipFree(x));
}
void cooperative_launch() {
  int *x = ints(), *y = ints(), *z = ints();
  void* arguments[] = {&x, &y, &z};
  MUST(hipLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sync), dim3(4), dim3(128), arguments, 0, nullptr));
  MUST(hipDeviceSynchronize());
  for (int* each : {x, y, z}) MUST(hipFree(each));
}

#define EACH(name, groups) {#name, "right", name, groups, 128}
#define HOST(name) {#name, "right", nullptr, 1, 1, 0, name}
const Case kCases[] = {
    EACH(double_buffer, 1), EACH(tiles_with_two_barriers, 1), EACH(tree_reduction, 1),
    EACH(wave_synchronous_tail, 1), EACH(scan_with_two_buffers, 1), EACH(bitonic_sort, 1),
    EACH(transpose_with_padding, 1), {"dynamic_shared_memory", "right", dynamic_shared_memory, 2, 128, 512},
    EACH(early_return_of_lanes, 1), EACH(early_return_of_a_wave, 1), EACH(early_return_after_work, 1),
    EACH(barriers_in_a_uniform_branch, 3), EACH(barriers_after_divergence, 1), EACH(counting_barriers, 1),
    EACH(wave_shuffles, 1), EACH(ballot_compaction, 1), EACH(block_group, 1), EACH(tile_of_32, 1),
    EACH(tile_in_shared_memory, 1), EACH(coalesced_counter, 1), EACH(padding_in_global_memory, 1),
    EACH(padding_through_shared_memory, 1), EACH(padding_by_value, 1), EACH(padding_copied_as_bytes, 1),
    EACH(part_of_a_union, 1), EACH(union_as_other_type, 1), EACH(bit_fields, 1),
    EACH(bit_fields_in_shared_memory, 1), EACH(bit_fields_with_gaps, 1), EACH(neighbouring_bytes, 1),
    EACH(neighbouring_halves, 1), EACH(neighbours_of_other_workgroups, 4), EACH(histogram, 3),
    EACH(every_integer_atomic, 2), EACH(every_long_atomic, 2), EACH(every_float_atomic, 2),
    EACH(float_atomics_in_shared_memory, 1), EACH(atomics_of_every_scope, 3),
    EACH(plain_before_and_after_atomics, 1), EACH(atomics_then_plain_in_global_memory, 3),
    EACH(global_memory_within_a_workgroup, 3), EACH(many_readers, 4), EACH(recursion, 1),
    EACH(local_arrays, 1), EACH(device_memory, 2), EACH(shared_device_memory, 2), EACH(device_printf, 2),
    EACH(virtual_call, 1), EACH(constants_and_globals, 2), EACH(waits_by_hand, 1),
    EACH(store_waits_by_hand, 1), EACH(barrier_for_shared_memory_only, 1), EACH(fence_and_bare_barrier, 1),
    EACH(nontemporal_accesses, 1), HOST(streams_with_an_event), HOST(streams_with_two_events),
    HOST(streams_with_halves), HOST(streams_that_only_read), HOST(streams_with_a_wait_between),
    HOST(streams_behind_the_null_stream), HOST(event_waited_for_by_the_host), HOST(event_polled_by_the_host),
    HOST(copies_in_one_stream), HOST(blocking_copy_after_a_kernel), HOST(graph_of_two_branches),
    HOST(memory_of_a_stream), HOST(registered_memory), HOST(managed_memory), HOST(memory_reused_after_a_free),
    HOST(cooperative_launch), HOST(streams_ordered_by_a_callback), HOST(streams_ordered_by_a_value),
    HOST(streams_in_a_chain), HOST(blocks_of_two_launches),
};

}  // namespace

int main(int count, char** words) { return run_table(kCases, count, words); }
