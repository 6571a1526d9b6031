// SPDX-License-Identifier: MIT
// Planted bugs of all other kinds: barriers, waits, bounds, alignment, values that nobody wrote,
// registers and arguments that the kernel does not have, streams.
#include <sys/mman.h>

#include "cases.h"

namespace {

// Barriers and races within a workgroup.
KERNEL(no_barrier_after_writing) {
  __shared__ int line[128];
  line[threadIdx.x] = a[threadIdx.x];
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(no_barrier_before_overwriting) {
  __shared__ int tile[128];
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[threadIdx.x] = a[round * 128 + threadIdx.x] + round;
    __syncthreads();
    sum += tile[127 - threadIdx.x];
  }
  c[threadIdx.x] = sum;
}
KERNEL(double_buffer_wrong_half) {
  __shared__ int line[2][128];
  const int i = threadIdx.x;
  line[0][i] = line[1][i] = a[i];
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    line[round % 2][i] = line[round % 2][127 - i] + 1;
    __syncthreads();
  }
  c[i] = line[0][i];
}
KERNEL(reduction_without_barriers) {
  __shared__ int part[256];
  const int i = threadIdx.x;
  part[i] = a[i] + i;
  part[i + 128] = a[i];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2)
    if (i < step) part[i] += part[i + step];
  if (i == 0) c[0] = part[0];
}
KERNEL(scan_in_one_buffer) {
  __shared__ int line[128];
  const int i = threadIdx.x;
  line[i] = 1;
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (i >= step) line[i] += line[i - step];
    __syncthreads();
  }
  c[i] = line[i];
}
KERNEL(two_writers_of_shared_memory) {
  __shared__ int word;
  word = threadIdx.x / 64 + 1;
  __syncthreads();
  c[threadIdx.x] = word;
}
KERNEL(lanes_write_one_address) {
  __shared__ int word;
  if (threadIdx.x < 16) word = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = word;
}
KERNEL(transpose_without_barrier) {
  __shared__ int tile[16][17];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int row = y; row < 16; row += 8) tile[row][x] = a[row * 16 + x];
  for (int row = y; row < 16; row += 8) c[row * 16 + x] = tile[x][row];
}
KERNEL(histogram_without_atomics) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[(threadIdx.x / 16) % 8] += 1 + a[threadIdx.x];
  bins[threadIdx.x / 64] += threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 8) c[threadIdx.x] = bins[threadIdx.x];
}
KERNEL(global_histogram_without_atomics) {
  if (threadIdx.x == 0) c[blockIdx.x % 2] += 1;
}
KERNEL(stencil_in_place) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  a[i] = a[i + 1] + a[i] + i;
}
KERNEL(neighbour_in_global_memory) {
  a[threadIdx.x] = threadIdx.x;
  c[threadIdx.x] = a[127 - threadIdx.x];
}
KERNEL(two_workgroups_write_one_word) {
  if (threadIdx.x == 0) c[0] = blockIdx.x + 1;
}
KERNEL(word_over_byte) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    a[0] = 0x01020304;
  else
    reinterpret_cast<unsigned char*>(a)[2] = 9;
}
KERNEL(barrier_for_part_of_a_wave) {
  if (threadIdx.x % 2 == 0) __syncthreads();
  c[threadIdx.x] = 1;
}
KERNEL(barrier_for_one_wave) {
  __shared__ int line[128];
  line[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64) __syncthreads();
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(barrier_in_a_lane_loop) {
  for (unsigned i = 0; i <= threadIdx.x % 4; ++i) __syncthreads();
  c[threadIdx.x] = 1;
}
KERNEL(barrier_skipped_by_bounds) {
  __shared__ int line[128];
  if (threadIdx.x < 100) {
    line[threadIdx.x] = threadIdx.x;
    __syncthreads();
    c[threadIdx.x] = line[99 - threadIdx.x];
  }
  c[threadIdx.x + 128] = 1;
}

// Bounds.
KERNEL(read_past_the_end) { c[threadIdx.x] = a[kInts - 100 + threadIdx.x]; }
KERNEL(write_past_the_end) { c[kInts - 127 + threadIdx.x] = 1; }
KERNEL(write_before_the_beginning) { c[static_cast<int>(threadIdx.x) - 1] = 1; }
KERNEL(far_outside) { c[(1ULL << 33) + threadIdx.x] = 1; }
KERNEL(wide_load_over_the_end) {
  int4 value;
  __builtin_memcpy(&value, reinterpret_cast<char*>(a + kInts - 4) + 4, sizeof value);
  c[threadIdx.x] = value.x + value.w;
}
KERNEL(null_pointer) {
  int* nothing = nullptr;
  asm volatile("" : "+v"(nothing));
  nothing[threadIdx.x] = 1;
}
KERNEL(null_member) {
  int* nothing = nullptr;
  asm volatile("" : "+v"(nothing));
  c[threadIdx.x] = nothing[100];
}
KERNEL(atomic_past_the_end) { atomicAdd(&c[kInts + threadIdx.x], 1); }
KERNEL(shared_memory_overrun) {
  __shared__ int line[64];
  int* p = line;
  asm volatile("" : "+v"(p));
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = p[threadIdx.x % 64];
}
KERNEL(dynamic_shared_memory_overrun) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = dynamic[0];
}
__device__ __attribute__((noinline)) void fill_line(int* line, int count) {
  for (int i = 0; i < count; ++i) line[i] = i;
}
KERNEL(private_array_overrun) {
  int line[4];
  int count = 4 + (a[0] + 1) * 5000;
  fill_line(line, count);
  c[threadIdx.x] = line[threadIdx.x % 4];
}
// A function of its own: a finding is reported once for each instruction.
__device__ __attribute__((noinline)) void fill_five(int* line, int count) {
  for (int i = 0; i < count; ++i) line[i] = -i;
}
KERNEL(private_array_off_by_one) {
  int line[5];
  fill_five(line, 6 + a[0]);
  c[threadIdx.x] = line[threadIdx.x % 5];
}
__device__ __attribute__((noinline)) int endless(int n) {
  int line[16];
  for (int i = 0; i < 16; ++i) line[i] = n + i;
  asm volatile("" : : "v"(&line[n & 15]) : "memory");
  return n < 0 ? n : endless(n + 1) + line[n & 15];
}
KERNEL(endless_recursion) { c[threadIdx.x] = endless(a[0]); }
__constant__ int kTable[4] = {1, 2, 3, 4};
KERNEL(write_to_constants) {
  int* table = const_cast<int*>(kTable);
  asm volatile("" : "+v"(table));
  table[threadIdx.x % 4] = 1;
}
KERNEL(misaligned_atomic) { atomicAdd(reinterpret_cast<int*>(reinterpret_cast<char*>(c) + 2), 1); }
KERNEL(misaligned_long_atomic) { atomicAdd(reinterpret_cast<unsigned long long*>(c + 1), 1ULL); }
KERNEL(misaligned_shared_atomic) {
  __shared__ int words[4];
  if (threadIdx.x < 4) words[threadIdx.x] = 0;
  __syncthreads();
  char* p = reinterpret_cast<char*>(words) + 1;
  asm volatile("" : "+v"(p));
  atomicAdd(reinterpret_cast<int*>(p), 1);
}
KERNEL(heap_overflow) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  if (mine) mine[4 + a[0]] = 1;
  c[threadIdx.x] = mine ? mine[3 + a[1]] : 0;
  free(mine);
}
KERNEL(heap_use_after_free) {
  if (threadIdx.x != 0) return;
  int* volatile keep = static_cast<int*>(malloc(64));
  int* mine = keep;
  mine[0] = 5;
  free(mine);
  c[0] = *static_cast<volatile int*>(keep);
}
KERNEL(heap_underrun) {
  if (threadIdx.x != 0) return;
  int* mine = static_cast<int*>(malloc(64));
  if (mine) static_cast<volatile int*>(mine)[-1 + a[0]] = 1;
  free(mine);
}
KERNEL(heap_freed_twice) {
  if (threadIdx.x != 0) return;
  void* volatile mine = malloc(64);
  free(mine);
  free(mine);
}

__device__ int* kept;
KERNEL(block_of_an_earlier_launch) {
  if (threadIdx.x != 0) return;
  if (a[0] == 0) {
    kept = new int[8];
    kept[0] = a[0] = 1;
    delete[] kept;
  }
  c[0] = static_cast<volatile int*>(kept)[1];
}
KERNEL(new_array_overflow) {
  if (threadIdx.x != 0) return;
  char* text = new char[20];
  for (int i = 0; i <= 20 + a[0]; ++i) static_cast<volatile char*>(text)[i] = static_cast<char>(i);
  c[0] = text[a[1]];
  delete[] text;
}

// Values that nobody wrote.
KERNEL(shared_memory_never_written) {
  __shared__ int line[128];
  int* p = line;
  asm volatile("" : "+v"(p));
  c[threadIdx.x] = p[threadIdx.x];
}
KERNEL(shared_memory_half_written) {
  __shared__ int line[128];
  if (threadIdx.x < 100) line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(unwritten_index) {
  __shared__ int line[128];
  if (threadIdx.x < 64) line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  c[line[127 - threadIdx.x] & 127] = 1;
}
KERNEL(unwritten_condition) {
  __shared__ int line[128];
  if (threadIdx.x < 64) line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (line[127 - threadIdx.x] == 5) c[threadIdx.x] = a[threadIdx.x];
}
KERNEL(private_array_half_written) {
  int line[16];
  fill_line(line, 8 + a[0]);
  c[threadIdx.x] = line[(threadIdx.x + a[1]) % 16];
}
KERNEL(unwritten_register) {
  int value;
  asm volatile("v_mov_b32 %0, v57" : "=v"(value));
  c[threadIdx.x] = value;
}

// Waits, as hand-written code forgets them.
#if defined(__GFX12__)
#define DS_STORE "ds_store_b32 %0, %1\n"
#define DS_LOAD "ds_load_b32 %0, %1\n"
#define BARRIER "s_barrier_signal -1\ns_barrier_wait -1\n"
#define GLOBAL_STORE "global_store_b32 %0, %1, off\n"
#define GLOBAL_LOAD "global_load_b32 %0, %1, off\n"
#define ATOMIC_RETURN "global_atomic_add_u32 %0, %1, %2, off th:TH_ATOMIC_RETURN\n"
#define SCALAR_LOAD "s_load_b32 %0, %1, 0x0\n"
#define WRONG_WAIT "s_wait_dscnt 0\n"
#define WAIT_LOAD "s_wait_loadcnt 0\n"
#define WAIT_ONE "s_wait_loadcnt 1\n"
#elif defined(__GFX11__)
#define DS_STORE "ds_store_b32 %0, %1\n"
#define DS_LOAD "ds_load_b32 %0, %1\n"
#define BARRIER "s_barrier\n"
#define GLOBAL_STORE "global_store_b32 %0, %1, off\n"
#define GLOBAL_LOAD "global_load_b32 %0, %1, off\n"
#define ATOMIC_RETURN "global_atomic_add_u32 %0, %1, %2, off glc\n"
#define SCALAR_LOAD "s_load_b32 %0, %1, 0x0\n"
#define WRONG_WAIT "s_waitcnt lgkmcnt(0)\n"
#define WAIT_LOAD "s_waitcnt vmcnt(0)\n"
#define WAIT_ONE "s_waitcnt vmcnt(1)\n"
#else
#define DS_STORE "ds_write_b32 %0, %1\n"
#define DS_LOAD "ds_read_b32 %0, %1\n"
#define BARRIER "s_barrier\n"
#define GLOBAL_STORE "global_store_dword %0, %1, off\n"
#define GLOBAL_LOAD "global_load_dword %0, %1, off\n"
#if !defined(__gfx942__) && !defined(__gfx950__)
#define ATOMIC_RETURN "global_atomic_add %0, %1, %2, off glc\n"
#else
#define ATOMIC_RETURN "global_atomic_add %0, %1, %2, off sc0\n"
#endif
#define SCALAR_LOAD "s_load_dword %0, %1, 0x0\n"
#define WRONG_WAIT "s_waitcnt lgkmcnt(0)\n"
#define WAIT_LOAD "s_waitcnt vmcnt(0)\n"
#define WAIT_ONE "s_waitcnt vmcnt(1)\n"
#endif
typedef __attribute__((address_space(3))) int SharedInt;
DEVICE unsigned shared_address(int* p) { return (unsigned)(unsigned long long)(SharedInt*)p; }

KERNEL(no_wait_before_the_barrier) {
  __shared__ int line[128];
  asm volatile(DS_STORE BARRIER ::"v"(shared_address(&line[threadIdx.x])), "v"(threadIdx.x) : "memory");
  c[threadIdx.x] = line[127 - threadIdx.x];
}
KERNEL(no_wait_for_global_stores_before_the_barrier) {
  asm volatile(GLOBAL_STORE BARRIER ::"v"(&a[threadIdx.x]), "v"(threadIdx.x) : "memory");
  c[threadIdx.x] = a[127 - threadIdx.x];
}
KERNEL(no_wait_for_a_load) {
  int value;
  asm volatile(GLOBAL_LOAD "v_lshlrev_b32 %0, 1, %0" : "=&v"(value) : "v"(&a[threadIdx.x]) : "memory");
  asm volatile(WAIT_LOAD ::: "memory");
  c[threadIdx.x] = value;
}
KERNEL(no_wait_for_shared_memory) {
  __shared__ int line[128];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int value;
  asm volatile(DS_LOAD "v_lshlrev_b32 %0, 1, %0" : "=&v"(value) : "v"(shared_address(&line[threadIdx.x])) : "memory");
  c[threadIdx.x] = value;
}
KERNEL(no_wait_for_a_scalar_load) {
  int value;
  asm volatile(SCALAR_LOAD "s_lshl_b32 %0, %0, 1" : "=&s"(value) : "s"(a) : "memory", "scc");
  c[threadIdx.x] = value;
}
KERNEL(no_wait_for_an_atomic) {
  int old;
  asm volatile(ATOMIC_RETURN "v_lshlrev_b32 %0, 1, %0" : "=&v"(old) : "v"(&b[threadIdx.x]), "v"(1) : "memory");
  c[threadIdx.x] = old;
}
KERNEL(wait_for_another_counter) {
  int value;
  asm volatile(GLOBAL_LOAD WRONG_WAIT "v_lshlrev_b32 %0, 1, %0" : "=&v"(value) : "v"(&a[threadIdx.x]) : "memory");
  c[threadIdx.x] = value;
}
KERNEL(wait_that_leaves_one) {
  int value;
  asm volatile(GLOBAL_LOAD WAIT_ONE "v_lshlrev_b32 %0, 1, %0" : "=&v"(value) : "v"(&a[threadIdx.x]) : "memory");
  c[threadIdx.x] = value;
}
KERNEL(address_from_a_load_in_flight) {
  int value;
  asm volatile(GLOBAL_LOAD : "=&v"(value) : "v"(a) : "memory");
  c[value & 127] = 1;
}
KERNEL(store_of_a_load_in_flight) {
  int value;
  asm volatile(GLOBAL_LOAD : "=&v"(value) : "v"(&a[threadIdx.x]) : "memory");
  asm volatile(GLOBAL_STORE ::"v"(&c[threadIdx.x]), "v"(value) : "memory");
}
#if defined(__gfx942__) || defined(__gfx950__)
template <bool kBarrier>
DEVICE void direct_load(int* a, int* c) {
  __shared__ int line[128];
  const unsigned first = __builtin_amdgcn_readfirstlane(shared_address(&line[threadIdx.x]));
  asm volatile("s_mov_b32 m0, %0\nglobal_load_lds_dword %1, off" ::"s"(first), "v"(a + threadIdx.x) : "memory");
  if (kBarrier) asm volatile("s_barrier" ::: "memory");
  int value;
  asm volatile("ds_read_b32 %0, %1\ns_waitcnt lgkmcnt(0)" : "=v"(value)
               : "v"(shared_address(&line[kBarrier ? 127 - threadIdx.x : threadIdx.x])) : "memory");
  c[threadIdx.x] = value;
}
#else
template <bool kBarrier>
DEVICE void direct_load(int*, int*) {}
#endif
KERNEL(no_wait_for_a_load_to_shared_memory) { direct_load<false>(a, c); }
KERNEL(no_wait_for_a_load_to_shared_memory_before_the_barrier) { direct_load<true>(a, c); }
KERNEL(register_not_declared) {
  // The compiler is not told of v200.
  int value;
  asm volatile("v_mov_b32 v200, 7\nv_mov_b32 %0, v200" : "=v"(value));
  c[threadIdx.x] = value;
}
KERNEL(past_the_kernel_arguments) {
  typedef __attribute__((address_space(4))) const int ConstantInt;
  ConstantInt* arguments = (ConstantInt*)__builtin_amdgcn_kernarg_segment_ptr();
  int value;
  asm volatile("s_nop 0" : "+s"(arguments));
  value = arguments[200];
  c[threadIdx.x] = value;
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
// A kernel of its own for each case, whose name is the case's.
#define FILL(name) __global__ void name(int* to, int value, int count) { \
  const int i = blockIdx.x * blockDim.x + threadIdx.x;                   \
  if (i < count) to[i] = value + i;                                      \
}
FILL(use_after_free)
FILL(memory_of_the_host)
FILL(unregistered_memory)
FILL(unmapped_memory)
FILL(freed_in_stream_order)
FILL(stack_of_the_host)
FILL(mapping_taken_away)
FILL(streams_write_without_event)
FILL(streams_read_without_event)
FILL(event_before_the_kernel)
FILL(wait_for_another_event)
FILL(fill_beside_a_kernel)
FILL(copy_beside_a_kernel)
FILL(null_stream_beside_nonblocking)
FILL(event_only_one_way)
FILL(copy_of_a_buffer_being_written)
FILL(third_stream_not_joined)

void use_after_free_host() {
  int* x = ints();
  MUST(hipFree(x));
  use_after_free<<<1, 128>>>(x, 1, 128);
}
void memory_of_the_host_host() {
  int* x = static_cast<int*>(std::malloc(4096));
  memory_of_the_host<<<1, 128>>>(x, 1, 128);
  static_cast<void>(hipDeviceSynchronize());
  std::free(x);
}
void stack_of_the_host_host() {
  int x[128] = {};
  stack_of_the_host<<<1, 128>>>(x, 1, 128);
  static_cast<void>(hipDeviceSynchronize());
}
void unregistered_memory_host() {
  int* x = static_cast<int*>(std::aligned_alloc(4096, 4096));
  MUST(hipHostRegister(x, 4096, hipHostRegisterDefault));
  MUST(hipHostUnregister(x));
  unregistered_memory<<<1, 128>>>(x, 1, 128);
  static_cast<void>(hipDeviceSynchronize());
  std::free(x);
}
void unmapped_memory_host() {
  void* x = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MUST(hipHostRegister(x, 8192, hipHostRegisterDefault));
  munmap(x, 8192);
  unmapped_memory<<<1, 128>>>(static_cast<int*>(x), 1, 128);
  static_cast<void>(hipDeviceSynchronize());
}
void freed_in_stream_order_host() {
  hipStream_t stream;
  MUST(hipStreamCreate(&stream));
  int* x = nullptr;
  MUST(hipMallocAsync(&x, 4096, stream));
  MUST(hipFreeAsync(x, stream));
  freed_in_stream_order<<<1, 128, 0, stream>>>(x, 1, 128);
}
void mapping_taken_away_host() {
  int* x = nullptr;
  MUST(hipHostMalloc(&x, 4096));
  MUST(hipHostFree(x));
  mapping_taken_away<<<1, 128>>>(x, 1, 128);
}
struct Two {
  hipStream_t first, second;
  int *x = ints(), *y = ints();
  hipEvent_t event, other;
  Two() {
    for (hipStream_t* each : {&first, &second}) MUST(hipStreamCreateWithFlags(each, hipStreamNonBlocking));
    for (hipEvent_t* each : {&event, &other}) MUST(hipEventCreate(each));
    MUST(hipDeviceSynchronize());
  }
  ~Two() {
    MUST(hipDeviceSynchronize());
    MUST(hipFree(x));
    MUST(hipFree(y));
  }
};
void streams_write_without_event_host() {
  const Two t;
  fill<<<2, 128, 0, t.first>>>(t.x, 1, 256);
  streams_write_without_event<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void streams_read_without_event_host() {
  const Two t;
  add<<<2, 128, 0, t.first>>>(t.x, t.y, 256);
  streams_read_without_event<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void event_before_the_kernel_host() {
  const Two t;
  MUST(hipEventRecord(t.event, t.first));
  fill<<<2, 128, 0, t.first>>>(t.x, 1, 256);
  MUST(hipStreamWaitEvent(t.second, t.event, 0));
  event_before_the_kernel<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void wait_for_another_event_host() {
  const Two t;
  MUST(hipEventRecord(t.other, t.first));
  fill<<<2, 128, 0, t.first>>>(t.x, 1, 256);
  MUST(hipEventRecord(t.event, t.first));
  MUST(hipStreamWaitEvent(t.second, t.other, 0));
  wait_for_another_event<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void fill_beside_a_kernel_host() {
  const Two t;
  MUST(hipMemsetAsync(t.x, 0, 1024, t.first));
  fill_beside_a_kernel<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void copy_beside_a_kernel_host() {
  const Two t;
  MUST(hipMemcpyAsync(t.y, t.x, 1024, hipMemcpyDeviceToDevice, t.first));
  copy_beside_a_kernel<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void null_stream_beside_nonblocking_host() {
  const Two t;
  fill<<<2, 128>>>(t.x, 1, 256);
  null_stream_beside_nonblocking<<<2, 128, 0, t.second>>>(t.x, 2, 256);
}
void event_only_one_way_host() {
  // The second round overwrites what the first one may still read.
  const Two t;
  fill<<<2, 128, 0, t.first>>>(t.x, 1, 256);
  MUST(hipEventRecord(t.event, t.first));
  MUST(hipStreamWaitEvent(t.second, t.event, 0));
  add<<<2, 128, 0, t.second>>>(t.x, t.y, 256);
  event_only_one_way<<<2, 128, 0, t.first>>>(t.x, 2, 256);
}

void copy_of_a_buffer_being_written_host() {
  const Two t;
  copy_of_a_buffer_being_written<<<2, 128, 0, t.first>>>(t.x, 2, 256);
  MUST(hipMemcpyAsync(t.y, t.x, 1024, hipMemcpyDeviceToDevice, t.second));
}
void third_stream_not_joined_host() {
  const Two t;
  hipStream_t third;
  MUST(hipStreamCreateWithFlags(&third, hipStreamNonBlocking));
  fill<<<1, 128, 0, t.first>>>(t.x, 1, 128);
  fill<<<1, 128, 0, third>>>(t.x + 128, 1, 128);
  MUST(hipEventRecord(t.event, t.first));
  MUST(hipStreamWaitEvent(t.second, t.event, 0));
  third_stream_not_joined<<<2, 128, 0, t.second>>>(t.x, 2, 256);
  MUST(hipStreamDestroy(third));
}

constexpr const char kLds[] = "lds-race";
constexpr const char kWait[] = "missing-wait";
constexpr const char kBounds[] = "out-of-bounds";
constexpr const char kStreams[] = "stream-race";
#define ONE(name, verdict) {#name, verdict, name, 1, 128}
#define SOME(name, verdict) {#name, verdict, name, 4, 128}
#define HOST(name, verdict) {#name, verdict, nullptr, 1, 1, 0, name##_host}
const Case kCases[] = {
    ONE(no_barrier_after_writing, kLds), ONE(no_barrier_before_overwriting, kLds),
    ONE(double_buffer_wrong_half, kLds), ONE(reduction_without_barriers, kLds), ONE(scan_in_one_buffer, kLds),
    ONE(two_writers_of_shared_memory, kLds), ONE(lanes_write_one_address, "lane-conflict"),
    ONE(transpose_without_barrier, kLds), ONE(histogram_without_atomics, "lds-race lane-conflict"),
    SOME(global_histogram_without_atomics, "grid-race"), SOME(stencil_in_place, "grid-race global-race"),
    ONE(neighbour_in_global_memory, "global-race"), SOME(two_workgroups_write_one_word, "grid-race"),
    SOME(word_over_byte, "grid-race"), ONE(barrier_for_part_of_a_wave, "barrier-divergence"),
    ONE(barrier_for_one_wave, "barrier-divergence barrier-stuck lds-race"),
    ONE(barrier_in_a_lane_loop, "barrier-divergence"), ONE(barrier_skipped_by_bounds, "barrier-divergence"),
    ONE(read_past_the_end, kBounds), ONE(write_past_the_end, kBounds), ONE(write_before_the_beginning, kBounds),
    ONE(far_outside, kBounds), ONE(wide_load_over_the_end, kBounds), ONE(null_pointer, "null-pointer"),
    ONE(null_member, "null-pointer"), ONE(atomic_past_the_end, kBounds),
    ONE(shared_memory_overrun, "lds-overrun"),
    {"dynamic_shared_memory_overrun", "lds-overrun", dynamic_shared_memory_overrun, 1, 128, 128},
    ONE(private_array_overrun, "scratch-overrun"), ONE(private_array_off_by_one, "scratch-overrun"),
    ONE(endless_recursion, "scratch-overrun"), ONE(write_to_constants, "read-only"),
    ONE(misaligned_atomic, "misaligned-atomic"), ONE(misaligned_long_atomic, "misaligned-atomic"),
    ONE(misaligned_shared_atomic, "misaligned-atomic"), ONE(heap_overflow, "heap-overflow"),
    ONE(heap_use_after_free, "use-after-free"), ONE(heap_underrun, "heap-overflow"),
    ONE(heap_freed_twice, "double-free"), ONE(shared_memory_never_written, "uninitialised-store"),
    ONE(shared_memory_half_written, "uninitialised-store"), ONE(unwritten_index, "uninitialised-address"),
    ONE(unwritten_condition, "uninitialised-branch uninitialised-store"),
    ONE(private_array_half_written, "uninitialised-store"), ONE(unwritten_register, "uninitialised-store unallocated-register"),
    ONE(no_wait_before_the_barrier, kWait), ONE(no_wait_for_global_stores_before_the_barrier, kWait),
    ONE(no_wait_for_a_load, kWait), ONE(no_wait_for_shared_memory, kWait), ONE(no_wait_for_a_scalar_load, kWait),
    ONE(no_wait_for_an_atomic, kWait), ONE(wait_for_another_counter, kWait), ONE(wait_that_leaves_one, kWait),
    ONE(address_from_a_load_in_flight, kWait), ONE(store_of_a_load_in_flight, kWait),
    ONE(no_wait_for_a_load_to_shared_memory, "missing-wait on gfx94"),
    ONE(no_wait_for_a_load_to_shared_memory_before_the_barrier, "missing-wait on gfx94"),
    ONE(register_not_declared, "unallocated-register"), ONE(past_the_kernel_arguments, "kernel-arguments"),
    HOST(use_after_free, "use-after-free"), HOST(memory_of_the_host, kBounds), HOST(stack_of_the_host, kBounds),
    HOST(unregistered_memory, "out-of-bounds use-after-free"), HOST(unmapped_memory, "out-of-bounds use-after-free"),
    HOST(freed_in_stream_order, "use-after-free"), HOST(mapping_taken_away, "use-after-free"),
    HOST(streams_write_without_event, kStreams), HOST(streams_read_without_event, kStreams),
    HOST(event_before_the_kernel, kStreams), HOST(wait_for_another_event, kStreams),
    HOST(fill_beside_a_kernel, kStreams), HOST(copy_beside_a_kernel, kStreams),
    HOST(null_stream_beside_nonblocking, kStreams), HOST(event_only_one_way, kStreams),
    HOST(copy_of_a_buffer_being_written, kStreams), HOST(third_stream_not_joined, kStreams),
    ONE(block_of_an_earlier_launch, "use-after-free"), ONE(new_array_overflow, "heap-overflow"),
};

}  // namespace

int main(int count, char** words) { return run_table(kCases, count, words); }
