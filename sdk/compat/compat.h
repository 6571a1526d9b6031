// SPDX-License-Identifier: MIT
// CUDA device functions that HIP does not declare. Written by hipwright; part of the ported
// tree.
//
// Use: include it instead of the HIP runtime header, before other HIP headers. It needs only HIP,
// from ROCm 5.2 on. With NVCC it is empty; host code built by another compiler gets only
// the runtime header, the operators, the vectors and rtc.
//
// Lane masks are 64 bits wide on every AMD GPU, even with 32-lane waves. A 32-bit mask does not
// compile: 0xffffffff would silently exclude lanes 32 to 63 of a 64-lane wave. Write
// 0xffffffffffffffffull, or an unsigned long long variable.
//
// A template loses overload resolution against a plain function of the same signature. Everything
// here is a template, so that a later HIP release that declares the name takes precedence.
//
//   masks      __shfl_sync and variants, __ballot_sync, __any_sync, __all_sync, __match_any_sync,
//              __match_all_sync, __activemask      HIP's own if it has them (6.2, 7.0)
//   wave       __syncwarp, __reduce_{add,min,max,and,or,xor}_sync      HIP's own since 7.0
//   dot        __dp4a, __dp2a_lo, __dp2a_hi
//   SIMD       halfwords (...2) or bytes (...4) in one word: __vadd __vaddss __vaddus __vsub
//              __vsubss __vsubus __vneg __vnegss __vabs __vabsss __vabsdiffs __vabsdiffu __vavgs
//              __vavgu __vhaddu __vmaxs __vmaxu __vmins __vminu __vsads __vsadu, and __vcmp and
//              __vset with eq ne gts ges lts les gtu geu ltu leu
//   memory     __ldca __ldcg __ldcs __ldcv __ldlu __stwb __stcg __stcs __stwt, __pipeline_*,
//              __isGlobal __isShared __isLocal, __cvta_generic_to_shared __cvta_shared_to_generic
//   atomics    atomic*_block, atomicInc_system, atomicDec_system, 16-bit atomicCAS, atomicAdd on
//              half, bfloat16, float2 and float4
//   numbers    hip_compat::fmul_rn, half2int_rn, float2ll_rz, hne and others that HIP computes
//   differently,
//              __hmax2 and __hmin2 of half
//   vectors    hip_compat::double4, long4, longlong4 and siblings: with CUDA's alignment
//   fp8        hip_compat::fp8_e4m3, fp8_e5m2 and their vectors of two and four: CUDA's formats
//   control    __trap, __brkpt, __nanosleep, __prof_trigger, __assume, __grid_constant__,
//              hip_compat::keep_in_loop
//   callbacks  CUDART_CB, CUDARTAPI, CUDA_CB, CUDAAPI
//   integers   umin umax llmin llmax ullmin ullmax; min, max and __ffsll of all types
//   host math  rsqrt rcbrt sinpi cospi sincospi normcdf normcdfinv erfinv erfcinv erfcx, and their
//              float versions, in host code
//   warp32     the same functions for programs with 32-lane warps: see there. With
//              HIP_COMPAT_WARPS_OF_32 defined, CUDA's names with 32-bit masks mean these
//   rtc        hip_compat::compile_program: hiprtc with NVRTC's options, also in host code of other
//              compilers
//   in_place   hip_compat::in_place, create_in_place: a library's descriptor in the program's
//              memory
//   textures   hip_compat::linear_texture, linear_texture_object: over linear memory, without the
//              texture instructions that some GPUs lack
//   operators  HIP_COMPAT_OWN_OPERATOR and variants: a program's operators take precedence over
//              HIP's
//   groups     cooperative_groups::reduce, inclusive_scan, exclusive_scan, memcpy_async,
//              wait, wait_prior, invoke_one, invoke_one_broadcast, labeled_partition,
//              tiles of tiles, and the functors plus, less, greater, bit_and, bit_or, bit_xor
#pragma once

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)
// HIP's vector types have component-wise operators, but the program defines its own, for example
// for complex numbers. The program's operator is a function, and these call it. HIP's * and / take
// their second operand by const reference: a non-const operand matches these better; for a const
// one the compiler reports an ambiguity. `a * float2(b)` resolves it.
#define HIP_COMPAT_OWN_OPERATOR(vector, sign, function)                                           \
  inline __host__ __device__ auto operator sign(vector a, vector& b)->decltype(function(a, b)) {  \
    return function(a, b);                                                                        \
  }                                                                                               \
  inline __host__ __device__ auto operator sign(vector a, vector&& b)->decltype(function(a, b)) { \
    return function(a, b);                                                                        \
  }                                                                                               \
  inline __host__ __device__ auto operator sign(const vector& a, const vector& b)                 \
      ->decltype(function(a, b)) {                                                                \
    return function(a, b);                                                                        \
  }
// HIP's own functions assign temporaries: those keep HIP's operators.
#define HIP_COMPAT_OWN_ASSIGNMENT(vector, sign, function)                                         \
  inline __host__ __device__ auto operator sign(vector& a, vector& b)->decltype(function(a, b)) { \
    return function(a, b);                                                                        \
  }                                                                                               \
  inline __host__ __device__ auto operator sign(vector& a, const vector& b)                       \
      ->decltype(function(a, b)) {                                                                \
    return function(a, b);                                                                        \
  }
// With a scalar, HIP's are templates, which match 2 and 0.5 better than a function of float does.
#define HIP_COMPAT_OWN_BY_SCALAR(vector, sign, function)                                           \
  template <class S, class = typename std::enable_if<std::is_convertible<S, double>::value>::type> \
  inline __host__ __device__ auto operator sign(vector a, S b)->decltype(function(a, b)) {         \
    return function(a, b);                                                                         \
  }
#define HIP_COMPAT_OWN_OF_SCALAR(vector, sign, function)                                           \
  template <class S, class = typename std::enable_if<std::is_convertible<S, double>::value>::type> \
  inline __host__ __device__ auto operator sign(S a, vector b)->decltype(function(a, b)) {         \
    return function(a, b);                                                                         \
  }
#if !defined(__HIPCC_RTC__)

#if !defined(__HIP__) || !defined(__clang__)
#include <hip/hip_runtime.h>
#endif

// ------------------------------------------------------------------------------------------ rtc

namespace hip_compat {

// NVRTC's options as those of hiprtc, which are clang's. An architecture is dropped: hiprtc
// compiles for the current device.
class rtc_options {
 public:
  rtc_options(int count, const char* const* options)
      : words_(new const char*[3 * static_cast<unsigned>(count > 0 ? count : 0) + 1]), count_(0) {
    for (int i = 0; i < count; ++i)
      if (add(options[i], i + 1 < count ? options[i + 1] : nullptr)) ++i;
  }
  rtc_options(const rtc_options&) = delete;
  rtc_options& operator=(const rtc_options&) = delete;
  ~rtc_options() { delete[] words_; }

  const char** words() { return words_; }
  int count() const { return count_; }

 private:
  struct rule {
    const char* name;  // without dashes
    bool has_value;    // behind '=', or in the next option
    bool keeps_value;
    const char* now[3];
  };

  static const rule* rules() {
    static const rule all[] = {
        {"use_fast_math",
         false,
         false,
         {"-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt",
          "-fgpu-approx-transcendentals"}},
        {"gpu-architecture", true, false, {}},
        {"arch", true, false, {}},
        {"maxrregcount", true, false, {}},
        {"diag-suppress", true, false, {}},
        {"diag-warn", true, false, {}},
        {"diag-error", true, false, {}},
        {"split-compile", true, false, {}},
        {"dopt", true, false, {}},
        {"include-path", true, true, {"-I"}},
        {"pre-include", true, true, {"-include"}},
        {"define-macro", true, true, {"-D"}},
        {"undefine-macro", true, true, {"-U"}},
        {"ftz=true", false, false, {"-fgpu-flush-denormals-to-zero"}},
        {"ftz=false", false, false, {"-fno-gpu-flush-denormals-to-zero"}},
        {"fmad=false", false, false, {"-ffp-contract=off"}},
        {"fmad=true", false, false, {}},
        {"prec-div=true", false, false, {"-fhip-fp32-correctly-rounded-divide-sqrt"}},
        {"prec-sqrt=true", false, false, {"-fhip-fp32-correctly-rounded-divide-sqrt"}},
        {"prec-div=false", false, false, {}},
        {"prec-sqrt=false", false, false, {}},
        {"relocatable-device-code=true", false, false, {"-fgpu-rdc"}},
        {"rdc=true", false, false, {"-fgpu-rdc"}},
        {"relocatable-device-code=false", false, false, {}},
        {"rdc=false", false, false, {}},
        {"generate-line-info", false, false, {"-gline-tables-only"}},
        {"lineinfo", false, false, {"-gline-tables-only"}},
        {"device-debug", false, false, {"-g", "-O0"}},
        {"G", false, false, {"-g", "-O0"}},
        {"disable-warnings", false, false, {"-w"}},
        {"restrict", false, false, {}},
        {"extra-device-vectorization", false, false, {}},
        {nullptr, false, false, {}}};
    return all;
  }

  // Does it take the next option along?
  bool add(const char* option, const char* next) {
    for (const rule* each = rules(); each->name != nullptr; ++each) {
      const char* rest = behind(option, *each);
      if (rest == nullptr) continue;
      for (const char* word : each->now)
        if (word != nullptr) words_[count_++] = word;
      const bool takes_next = each->has_value && *rest != '=' && next != nullptr;
      if (each->keeps_value) words_[count_++] = takes_next ? next : *rest == '=' ? rest + 1 : rest;
      return takes_next;
    }
    words_[count_++] = option;
    return false;
  }

  // What follows the name in the option; null if it is another one.
  static const char* behind(const char* option, const rule& of) {
    if (option == nullptr || *option != '-') return nullptr;
    option += option[1] == '-' ? 2 : 1;
    const char* name = of.name;
    while (*name != '\0' && *option == *name) ++option, ++name;
    const bool is_end = *option == '\0' || (of.has_value && *option == '=');
    return *name == '\0' && is_end ? option : nullptr;
  }

  const char** words_;
  int count_;
};

// hiprtcCompileProgram with NVRTC's options.
template <class Compile, class Program>
inline auto compile_program(Compile compile, Program program, int count, const char* const* options)
    -> decltype(compile(program, count, static_cast<const char**>(nullptr))) {
  rtc_options translated(count, options);
  return compile(program, translated.count(), translated.words());
}

}  // namespace hip_compat

#endif
#endif

#if defined(__HIP__) && defined(__clang__)

// HIP 6.2 to 6.4 declare the mask functions on request only, and only in the first header that
// needs them. __hip_ds_swizzle shows that it has been included already: too late to request them.
#if !defined(HIP_ENABLE_WARP_SYNC_BUILTINS) && !defined(HIP_DISABLE_WARP_SYNC_BUILTINS) && \
    !defined(__hip_ds_swizzle)
#define HIP_ENABLE_WARP_SYNC_BUILTINS 1
#endif

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>  // before the others: those of HIP 5.7 rely on it
#include <math.h>             // isnan and others outside std, as CUDA's header declares them

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_version.h>
#if HIP_VERSION < 50300000 && !defined(__llvm_amdgcn_rcp_f16)
// HIP 5.2 calls these two, which later compilers lack.
template <int = 0>
__device__ inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) {
  return static_cast<_Float16>(1) / x;
}
template <class T>
__device__ inline T __llvm_amdgcn_rcp_2f16(T x) {
  return static_cast<_Float16>(1) / x;
}
#endif
#include <hip/hip_fp16.h>
#if __has_include(<hip/hip_bf16.h>)  // from 5.6 on
#include <hip/hip_bf16.h>
#endif
#endif

#endif

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)

// -------------------------------------------------------------------------------------- vectors

namespace hip_compat {

// CUDA aligns its vectors of four 64-bit numbers to 16 bytes, HIP to 32. These have CUDA's layout,
// also in structures, files and what other programs read; and, as in CUDA, no operators. CUDA 13
// adds names that state the alignment.
#define HIP_COMPAT_FOUR_ALIGNED(name, alignment, T)                 \
  struct alignas(alignment) name {                                  \
    T x, y, z, w;                                                   \
  };                                                                \
  inline __host__ __device__ name make_##name(T x, T y, T z, T w) { \
    return {x, y, z, w};                                            \
  }
#define HIP_COMPAT_FOUR(name, T)                                        \
  HIP_COMPAT_FOUR_ALIGNED(name##4, 16, T)                               \
  HIP_COMPAT_FOUR_ALIGNED(name##4_16a, 16, T)                           \
  HIP_COMPAT_FOUR_ALIGNED(name##4_32a, 32, T)                           \
  /* What a library returns. The same type where macros rename HIP's */ \
  inline __host__ __device__ name##4 cuda_vector(const ::name##4 & v) { \
    return {v.x, v.y, v.z, v.w};                                        \
  }                                                                     \
  inline __host__ __device__ name##4 cuda_vector(const name##4 & v) {   \
    return v;                                                           \
  }
HIP_COMPAT_FOUR(double, double)
HIP_COMPAT_FOUR(long, long)
HIP_COMPAT_FOUR(ulong, unsigned long)
HIP_COMPAT_FOUR(longlong, long long)
HIP_COMPAT_FOUR(ulonglong, unsigned long long)
#undef HIP_COMPAT_FOUR
#undef HIP_COMPAT_FOUR_ALIGNED

}  // namespace hip_compat

#endif

#if defined(__HIP__) && defined(__clang__)

#if HIP_VERSION >= 70000000 && !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
#define HIP_COMPAT_HAS_MASKS 1
#define HIP_COMPAT_HAS_WAVE_REDUCE 1
#elif HIP_VERSION >= 60200000 && defined(HIP_ENABLE_WARP_SYNC_BUILTINS)
#define HIP_COMPAT_HAS_MASKS 1
#define HIP_COMPAT_HAS_WAVE_REDUCE 0
#else
#define HIP_COMPAT_HAS_MASKS 0
#define HIP_COMPAT_HAS_WAVE_REDUCE 0
#endif

#define HIP_COMPAT_DEVICE \
  template <int = 0>      \
  __device__ inline __attribute__((always_inline))
#define HIP_COMPAT_BOTH \
  template <int = 0>    \
  __host__ __device__ inline __attribute__((always_inline))

// For values that lanes hand to each other. Some lanes may pass a variable that was never set: in
// `if (lane == 0) x = f(); x = __shfl_sync(mask, x, 0);` all but the first do. Without the
// attribute the optimizer concludes that the condition always holds. clang honours it on free
// functions only, not on member templates.
#if __has_attribute(maybe_undef)
#define HIP_COMPAT_MAYBE_UNSET __attribute__((maybe_undef))
#else
#define HIP_COMPAT_MAYBE_UNSET
#endif

// The lanes of a wave as a constant: of the target in device code; in host code, which may serve
// several targets, the maximum.
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__GFX9__)
#define HIP_COMPAT_WAVE_SIZE 32
#else
#define HIP_COMPAT_WAVE_SIZE 64
#endif

namespace hip_compat {

typedef unsigned long long lane_bits;

// T without template argument deduction.
template <class T>
struct same {
  typedef T type;
};

template <class To, class From>
__host__ __device__ inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "same bits, other type");
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(to));
  return to;
}

template <class T>
__host__ __device__ constexpr T lower(T a, T b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr T higher(T a, T b) {
  return a < b ? b : a;
}

// Exactly the lanes {first .. first + count - 1}, count a power of two, first a multiple of it?
__host__ __device__ constexpr bool is_aligned_block(lane_bits lanes, int first, int count) {
  return (count & (count - 1)) == 0 && (first & (count - 1)) == 0 &&
         lanes >> first == ~0ull >> (64 - count);
}

__device__ inline int lane_id() {
  return static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
}

// `value` of lane `lane`, for any trivially copyable type.
template <class T>
__device__ inline T from_lane(HIP_COMPAT_MAYBE_UNSET T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int& word : words) word = __builtin_amdgcn_ds_bpermute(lane * 4, word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

// Does lane `lane` have this value, too? Equal floats can have different bits.
template <class T>
__device__ inline bool has_same_bits(HIP_COMPAT_MAYBE_UNSET T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  int differ = 0;
  for (int word : words) differ |= word ^ __builtin_amdgcn_ds_bpermute(lane * 4, word);
  return differ == 0;
}

template <class MaskT>
__device__ inline lane_bits checked_mask(MaskT mask) {
  static_assert(
      __is_integral(MaskT) && sizeof(MaskT) == 8,
      "lane masks are 64-bit integers on AMD GPUs: 0xffffffffffffffffull, not 0xffffffff");
  lane_bits lanes = static_cast<lane_bits>(mask);
  return __builtin_amdgcn_wavefrontsize() == 32 ? lanes & 0xffffffffull : lanes;
}

}  // namespace hip_compat

// ---------------------------------------------------------------------------------------- masks

#if !HIP_COMPAT_HAS_MASKS

HIP_COMPAT_DEVICE unsigned long long __activemask() {
  return __ballot(1);
}

template <class MaskT>
__device__ inline unsigned long long __ballot_sync(MaskT mask,
                                                   HIP_COMPAT_MAYBE_UNSET int predicate) {
  return __ballot(predicate) & hip_compat::checked_mask(mask);
}
template <class MaskT>
__device__ inline int __any_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <class MaskT>
__device__ inline int __all_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}

// One round per lane of the mask; lanes with other masks keep their own count.
template <class MaskT, class T>
__device__ inline unsigned long long __match_any_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value) {
  unsigned long long result = 0;
  for (auto rest = hip_compat::checked_mask(mask); rest != 0; rest &= rest - 1) {
    int lane = __builtin_ctzll(rest);
    if (hip_compat::has_same_bits(value, lane)) result |= 1ull << lane;
  }
  return result;
}
template <class MaskT, class T>
__device__ inline unsigned long long __match_all_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value,
                                                      int* pred) {
  auto lanes = hip_compat::checked_mask(mask);
  *pred = __all_sync(mask, hip_compat::has_same_bits(value, __builtin_ctzll(lanes)));
  return *pred ? lanes : 0;
}

#define HIP_COMPAT_SHUFFLE(name, lane_type)                                                   \
  template <class MaskT, class T>                                                             \
  __device__ inline T name##_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value, lane_type lane, \
                                  int width = __builtin_amdgcn_wavefrontsize()) {             \
    (void)hip_compat::checked_mask(mask);                                                     \
    return name(value, lane, width);                                                          \
  }
HIP_COMPAT_SHUFFLE(__shfl, int)
HIP_COMPAT_SHUFFLE(__shfl_up, unsigned int)
HIP_COMPAT_SHUFFLE(__shfl_down, unsigned int)
HIP_COMPAT_SHUFFLE(__shfl_xor, int)
#undef HIP_COMPAT_SHUFFLE

#endif

// ----------------------------------------------------------------------------------------- wave

namespace hip_compat {

// Every lane in `lanes` gets the result over all of them. Disjoint sets may call it together.
template <class T, class Op>
__device__ inline T reduce_lanes(lane_bits lanes, HIP_COMPAT_MAYBE_UNSET T value, Op op) {
  int first = __builtin_ctzll(lanes);
  int count = __builtin_popcountll(lanes);
  if (is_aligned_block(lanes, first, count)) {
    int self = lane_id();
    for (int distance = count / 2; distance != 0; distance /= 2) {
      value = op(value, from_lane(value, self ^ distance));
    }
    return value;
  }
  T result = from_lane(value, first);
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
    result = op(result, from_lane(value, __builtin_ctzll(lanes)));
  }
  return result;
}

}  // namespace hip_compat

#if !HIP_COMPAT_HAS_WAVE_REDUCE

// Orders memory among the lanes of a wave. It does not reconverge lanes of different branches: on
// AMD GPUs a wave runs one branch after the other.
HIP_COMPAT_DEVICE void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <class MaskT>
__device__ inline void __syncwarp(MaskT mask) {
  (void)hip_compat::checked_mask(mask);
  __syncwarp();
}

#define HIP_COMPAT_REDUCE(name, T, expression)                                            \
  template <class MaskT>                                                                  \
  __device__ inline T name(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value) {                  \
    return hip_compat::reduce_lanes(hip_compat::checked_mask(mask), value,                \
                                    [](T a, T b) { return static_cast<T>(expression); }); \
  }
HIP_COMPAT_REDUCE(__reduce_add_sync, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
HIP_COMPAT_REDUCE(__reduce_add_sync, unsigned int, a + b)
HIP_COMPAT_REDUCE(__reduce_min_sync, int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(__reduce_min_sync, unsigned int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(__reduce_max_sync, int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(__reduce_max_sync, unsigned int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(__reduce_and_sync, unsigned int, (a & b))
HIP_COMPAT_REDUCE(__reduce_or_sync, unsigned int, a | b)
HIP_COMPAT_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef HIP_COMPAT_REDUCE

#endif

namespace hip_compat {

// Its constructor is for derived groups.
struct group_of_lanes : cooperative_groups::coalesced_group {
  __device__ explicit group_of_lanes(lane_bits lanes)
      : cooperative_groups::coalesced_group(lanes) {}
};

}  // namespace hip_compat

// -------------------------------------------------------------------------------- warps of 32
// For programs whose warps have 32 lanes on every GPU: each half of a 64-lane wave is a warp. Masks
// and ballots have 32 bits and cover the lane's own half; nothing else in the program needs to
// change. With 32-lane waves, warp and wave are the same.

namespace warp32 {

constexpr int size = 32;

__device__ inline int lane() {
  return hip_compat::lane_id() & (size - 1);
}
// The lane of the wave where the warp begins.
__device__ inline int first_lane() {
  return hip_compat::lane_id() & ~(size - 1);
}
// The number of the warp in its block.
__device__ inline unsigned int number() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / size;
}

__device__ inline unsigned int ballot(HIP_COMPAT_MAYBE_UNSET int predicate) {
  return static_cast<unsigned int>(__ballot(predicate) >> first_lane());
}
__device__ inline int any(HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot(predicate) != 0;
}
__device__ inline int all(HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot(predicate == 0) == 0;
}
__device__ inline unsigned int activemask() {
  return ballot(1);
}
__device__ inline unsigned int ballot_sync(unsigned int mask,
                                           HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot(predicate) & mask;
}
__device__ inline int any_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot_sync(mask, predicate) != 0;
}
__device__ inline int all_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot_sync(mask, predicate == 0) == 0;
}

// For any trivially copyable type. A lane whose source is outside its segment of `width` lanes
// keeps its own value.
template <class T>
__device__ inline T shfl(HIP_COMPAT_MAYBE_UNSET T value, int source, int width = size) {
  int self = hip_compat::lane_id();
  return hip_compat::from_lane(value, (source & (width - 1)) | (self & ~(width - 1)));
}
// Only five bits of a distance count.
template <class T>
__device__ inline T shfl_up(HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta, int width = size) {
  int self = hip_compat::lane_id();
  int source = self - static_cast<int>(delta & (size - 1));
  return hip_compat::from_lane(value, source < (self & ~(width - 1)) ? self : source);
}
template <class T>
__device__ inline T shfl_down(HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta,
                              int width = size) {
  int self = hip_compat::lane_id();
  int source = self + static_cast<int>(delta & (size - 1));
  return hip_compat::from_lane(value, source > (self | (width - 1)) ? self : source);
}
template <class T>
__device__ inline T shfl_xor(HIP_COMPAT_MAYBE_UNSET T value, int lanes, int width = size) {
  int self = hip_compat::lane_id();
  int source = self ^ (lanes & (size - 1));
  return hip_compat::from_lane(value, source > (self | (width - 1)) ? self : source);
}
template <class T>
__device__ inline T shfl_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, int source,
                              int width = size) {
  return shfl(value, source, width);
}
template <class T>
__device__ inline T shfl_up_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta,
                                 int width = size) {
  return shfl_up(value, delta, width);
}
template <class T>
__device__ inline T shfl_down_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta,
                                   int width = size) {
  return shfl_down(value, delta, width);
}
template <class T>
__device__ inline T shfl_xor_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, int lanes,
                                  int width = size) {
  return shfl_xor(value, lanes, width);
}

// Compares bits, even of floats. Lanes of the mask that have exited match nothing.
template <class T>
__device__ inline unsigned int match_any_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET T value) {
  unsigned int result = 0;
  for (unsigned int rest = mask & activemask(); rest != 0; rest &= rest - 1) {
    int other = __builtin_ctz(rest);
    if (hip_compat::has_same_bits(value, first_lane() + other)) result |= 1u << other;
  }
  return result;
}
template <class T>
__device__ inline unsigned int match_all_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET T value,
                                              int* pred) {
  mask &= activemask();
  int first = first_lane() + __builtin_ctz(mask);
  *pred = all_sync(mask, hip_compat::has_same_bits(value, first));
  return *pred ? mask : 0;
}

// Orders memory among the lanes; see __syncwarp above.
__device__ inline void syncwarp(unsigned int = ~0u) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

#define HIP_COMPAT_REDUCE(name, T, expression)                                            \
  __device__ inline T name(unsigned int mask, HIP_COMPAT_MAYBE_UNSET T value) {           \
    /* exited lanes contribute nothing, not 0  */                                         \
    auto lanes = static_cast<hip_compat::lane_bits>(mask & activemask()) << first_lane(); \
    return hip_compat::reduce_lanes(lanes, value,                                         \
                                    [](T a, T b) { return static_cast<T>(expression); }); \
  }
HIP_COMPAT_REDUCE(reduce_add_sync, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
HIP_COMPAT_REDUCE(reduce_add_sync, unsigned int, a + b)
HIP_COMPAT_REDUCE(reduce_min_sync, int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(reduce_min_sync, unsigned int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(reduce_max_sync, int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(reduce_max_sync, unsigned int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(reduce_and_sync, unsigned int, (a & b))
HIP_COMPAT_REDUCE(reduce_or_sync, unsigned int, a | b)
HIP_COMPAT_REDUCE(reduce_xor_sync, unsigned int, a ^ b)
#undef HIP_COMPAT_REDUCE

// The converged lanes of the warp.
__device__ inline cooperative_groups::coalesced_group coalesced_threads() {
  return hip_compat::group_of_lanes(static_cast<hip_compat::lane_bits>(activemask())
                                    << first_lane());
}

}  // namespace warp32

// A program that is built for both platforms keeps the names of CUDA's functions. HIP's accept
// 64-bit masks only; these accept the program's 32-bit masks, which mean a warp of 32 lanes.
#if defined(HIP_COMPAT_WARPS_OF_32)

#define HIP_COMPAT_SHUFFLE(name, Mask, lane_type)                                         \
  template <class T>                                                                      \
  __device__ inline T __##name(Mask mask, HIP_COMPAT_MAYBE_UNSET T value, lane_type lane, \
                               int width = warp32::size) {                                \
    return warp32::name(static_cast<unsigned int>(mask), value, lane, width);             \
  }
#define HIP_COMPAT_VOTE(name, Mask, result)                                            \
  __device__ inline result __##name(Mask mask, HIP_COMPAT_MAYBE_UNSET int predicate) { \
    return warp32::name(static_cast<unsigned int>(mask), predicate);                   \
  }
#define HIP_COMPAT_REDUCE_OF(name, Mask, T)                                  \
  __device__ inline auto __##name(Mask mask, HIP_COMPAT_MAYBE_UNSET T value) \
      ->decltype(warp32::name(static_cast<unsigned int>(mask), value)) {     \
    return warp32::name(static_cast<unsigned int>(mask), value);             \
  }
#define HIP_COMPAT_REDUCE(name, Mask)            \
  HIP_COMPAT_REDUCE_OF(name, Mask, int)          \
  HIP_COMPAT_REDUCE_OF(name, Mask, unsigned int) \
  template <class T>                             \
  HIP_COMPAT_REDUCE_OF(name, Mask, T)
#define HIP_COMPAT_MASKS(Mask)                                                                 \
  HIP_COMPAT_SHUFFLE(shfl_sync, Mask, int)                                                     \
  HIP_COMPAT_SHUFFLE(shfl_up_sync, Mask, unsigned int)                                         \
  HIP_COMPAT_SHUFFLE(shfl_down_sync, Mask, unsigned int)                                       \
  HIP_COMPAT_SHUFFLE(shfl_xor_sync, Mask, int)                                                 \
  HIP_COMPAT_VOTE(ballot_sync, Mask, unsigned int)                                             \
  HIP_COMPAT_VOTE(any_sync, Mask, int)                                                         \
  HIP_COMPAT_VOTE(all_sync, Mask, int)                                                         \
  HIP_COMPAT_REDUCE(reduce_add_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_min_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_max_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_and_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_or_sync, Mask)                                                      \
  HIP_COMPAT_REDUCE(reduce_xor_sync, Mask)                                                     \
  template <class T>                                                                           \
  __device__ inline unsigned int __match_any_sync(Mask mask, HIP_COMPAT_MAYBE_UNSET T value) { \
    return warp32::match_any_sync(static_cast<unsigned int>(mask), value);                     \
  }                                                                                            \
  template <class T>                                                                           \
  __device__ inline unsigned int __match_all_sync(Mask mask, HIP_COMPAT_MAYBE_UNSET T value,   \
                                                  int* pred) {                                 \
    return warp32::match_all_sync(static_cast<unsigned int>(mask), value, pred);               \
  }                                                                                            \
  __device__ inline void __syncwarp(Mask mask) {                                               \
    warp32::syncwarp(static_cast<unsigned int>(mask));                                         \
  }
HIP_COMPAT_MASKS(unsigned int)
HIP_COMPAT_MASKS(int)
#undef HIP_COMPAT_MASKS
#undef HIP_COMPAT_REDUCE
#undef HIP_COMPAT_REDUCE_OF
#undef HIP_COMPAT_VOTE
#undef HIP_COMPAT_SHUFFLE

#endif

// ------------------------------------------------------------------------------------------ dot

namespace hip_compat {

typedef signed char s8x4 __attribute__((ext_vector_type(4)));
typedef unsigned char u8x4 __attribute__((ext_vector_type(4)));
typedef short s16x2 __attribute__((ext_vector_type(2)));
typedef unsigned short u16x2 __attribute__((ext_vector_type(2)));
typedef int s32x4 __attribute__((ext_vector_type(4)));
typedef int s32x2 __attribute__((ext_vector_type(2)));

// Sums wrap around, hence unsigned; the products of bytes and halfwords fit in an int.
template <class V>
__host__ __device__ inline unsigned dot4(V a, V b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += static_cast<unsigned>(int{a[i]} * int{b[i]});
  return c;
}
template <class A, class B>
__host__ __device__ inline unsigned dot2(A a, B b, int from, unsigned c) {
  for (int i = 0; i < 2; ++i) c += static_cast<unsigned>(int{a[i]} * int{b[from + i]});
  return c;
}

}  // namespace hip_compat

HIP_COMPAT_BOTH int __dp4a(int srcA, int srcB, int c) {
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_sdot4)
  return __builtin_amdgcn_sdot4(srcA, srcB, c, false);
#elif defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_sudot4)
  return __builtin_amdgcn_sudot4(true, srcA, true, srcB, c, false);
#else
  using hip_compat::s8x4;
  return static_cast<int>(hip_compat::dot4(
      hip_compat::bits_as<s8x4>(srcA), hip_compat::bits_as<s8x4>(srcB), static_cast<unsigned>(c)));
#endif
}
HIP_COMPAT_BOTH unsigned int __dp4a(unsigned int srcA, unsigned int srcB, unsigned int c) {
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_udot4)
  return __builtin_amdgcn_udot4(srcA, srcB, c, false);
#else
  using hip_compat::u8x4;
  return hip_compat::dot4(hip_compat::bits_as<u8x4>(srcA), hip_compat::bits_as<u8x4>(srcB), c);
#endif
}
HIP_COMPAT_BOTH int __dp4a(char4 srcA, char4 srcB, int c) {
  return __dp4a(hip_compat::bits_as<int>(srcA), hip_compat::bits_as<int>(srcB), c);
}
HIP_COMPAT_BOTH unsigned int __dp4a(uchar4 srcA, uchar4 srcB, unsigned int c) {
  return __dp4a(hip_compat::bits_as<unsigned>(srcA), hip_compat::bits_as<unsigned>(srcB), c);
}

// The halfwords of srcA times the low (or high) two bytes of srcB.
#define HIP_COMPAT_DP2A(name, from)                                                             \
  HIP_COMPAT_BOTH int name(int srcA, int srcB, int c) {                                         \
    return static_cast<int>(hip_compat::dot2(hip_compat::bits_as<hip_compat::s16x2>(srcA),      \
                                             hip_compat::bits_as<hip_compat::s8x4>(srcB), from, \
                                             static_cast<unsigned>(c)));                        \
  }                                                                                             \
  HIP_COMPAT_BOTH unsigned int name(unsigned int srcA, unsigned int srcB, unsigned int c) {     \
    return hip_compat::dot2(hip_compat::bits_as<hip_compat::u16x2>(srcA),                       \
                            hip_compat::bits_as<hip_compat::u8x4>(srcB), from, c);              \
  }                                                                                             \
  HIP_COMPAT_BOTH int name(short2 srcA, char4 srcB, int c) {                                    \
    return name(hip_compat::bits_as<int>(srcA), hip_compat::bits_as<int>(srcB), c);             \
  }                                                                                             \
  HIP_COMPAT_BOTH unsigned int name(ushort2 srcA, uchar4 srcB, unsigned int c) {                \
    return name(hip_compat::bits_as<unsigned>(srcA), hip_compat::bits_as<unsigned>(srcB), c);   \
  }
HIP_COMPAT_DP2A(__dp2a_lo, 0)
HIP_COMPAT_DP2A(__dp2a_hi, 2)
#undef HIP_COMPAT_DP2A

// ----------------------------------------------------------------------------------------- SIMD
// In the expressions a and b are vectors of two halfwords or four bytes, signed or unsigned; wide_a
// and wide_b the same as ints, for results that pass through more bits.

#define HIP_COMPAT_SIMD(name, V, W, expression)                                                   \
  HIP_COMPAT_BOTH unsigned int name(unsigned int x, unsigned int y) {                             \
    hip_compat::V a = hip_compat::bits_as<hip_compat::V>(x);                                      \
    hip_compat::V b = hip_compat::bits_as<hip_compat::V>(y);                                      \
    hip_compat::W wide_a = __builtin_convertvector(a, hip_compat::W);                             \
    hip_compat::W wide_b = __builtin_convertvector(b, hip_compat::W);                             \
    (void)wide_a, (void)wide_b;                                                                   \
    return hip_compat::bits_as<unsigned int>(__builtin_convertvector(expression, hip_compat::V)); \
  }
#define HIP_COMPAT_SIGNED(name, expression)          \
  HIP_COMPAT_SIMD(name##2, s16x2, s32x2, expression) \
  HIP_COMPAT_SIMD(name##4, s8x4, s32x4, expression)
#define HIP_COMPAT_UNSIGNED(name, expression)        \
  HIP_COMPAT_SIMD(name##2, u16x2, s32x2, expression) \
  HIP_COMPAT_SIMD(name##4, u8x4, s32x4, expression)

HIP_COMPAT_SIMD(__vadd2, u16x2, s32x2, a + b)
HIP_COMPAT_SIMD(__vsub2, u16x2, s32x2, a - b)
HIP_COMPAT_SIGNED(__vaddss, __builtin_elementwise_add_sat(a, b))
HIP_COMPAT_UNSIGNED(__vaddus, __builtin_elementwise_add_sat(a, b))
HIP_COMPAT_SIGNED(__vsubss, __builtin_elementwise_sub_sat(a, b))
HIP_COMPAT_UNSIGNED(__vsubus, __builtin_elementwise_sub_sat(a, b))
HIP_COMPAT_SIGNED(__vmaxs, __builtin_elementwise_max(a, b))
HIP_COMPAT_UNSIGNED(__vmaxu, __builtin_elementwise_max(a, b))
HIP_COMPAT_SIGNED(__vmins, __builtin_elementwise_min(a, b))
HIP_COMPAT_UNSIGNED(__vminu, __builtin_elementwise_min(a, b))
HIP_COMPAT_SIGNED(__vabsdiffs, __builtin_elementwise_abs(wide_a - wide_b))
HIP_COMPAT_UNSIGNED(__vabsdiffu, __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))
HIP_COMPAT_SIGNED(__vavgs, (wide_a + wide_b + ((wide_a + wide_b >= 0) & 1)) >> 1)
HIP_COMPAT_SIMD(__vavgu2, u16x2, s32x2, (wide_a + wide_b + 1) >> 1)
HIP_COMPAT_SIMD(__vhaddu2, u16x2, s32x2, (wide_a + wide_b) >> 1)
#undef HIP_COMPAT_SIMD

// The GPU has packed halfword instructions but few for bytes; these do the four bytes in one word,
// with the top bits apart so that nothing carries over.
HIP_COMPAT_BOTH unsigned int __vadd4(unsigned int a, unsigned int b) {
  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
HIP_COMPAT_BOTH unsigned int __vsub4(unsigned int a, unsigned int b) {
  return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u);
}
HIP_COMPAT_BOTH unsigned int __vhaddu4(unsigned int a, unsigned int b) {
  return (a & b) + ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
HIP_COMPAT_BOTH unsigned int __vavgu4(unsigned int a, unsigned int b) {
  return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
HIP_COMPAT_BOTH unsigned int __vsetne4(unsigned int a, unsigned int b) {
  unsigned int differ = a ^ b;
  return (differ | ((differ & 0x7f7f7f7fu) + 0x7f7f7f7fu)) >> 7 & 0x01010101u;
}
HIP_COMPAT_BOTH unsigned int __vseteq4(unsigned int a, unsigned int b) {
  return __vsetne4(a, b) ^ 0x01010101u;
}
HIP_COMPAT_BOTH unsigned int __vcmpne4(unsigned int a, unsigned int b) {
  return __vsetne4(a, b) * 0xffu;
}
HIP_COMPAT_BOTH unsigned int __vcmpeq4(unsigned int a, unsigned int b) {
  return __vseteq4(a, b) * 0xffu;
}

// Comparisons: __vcmp sets all bits of an element for which it holds, __vset its lowest bit.
#define HIP_COMPAT_SIMD(name, V, W, expression)                                                   \
  HIP_COMPAT_BOTH unsigned int __vcmp##name(unsigned int x, unsigned int y) {                     \
    hip_compat::V a = hip_compat::bits_as<hip_compat::V>(x);                                      \
    hip_compat::V b = hip_compat::bits_as<hip_compat::V>(y);                                      \
    return hip_compat::bits_as<unsigned int>(expression);                                         \
  }                                                                                               \
  HIP_COMPAT_BOTH unsigned int __vset##name(unsigned int x, unsigned int y) {                     \
    return __vcmp##name(x, y) &                                                                   \
           (sizeof(hip_compat::V) / 2 == sizeof(hip_compat::V{}[0]) ? 0x00010001u : 0x01010101u); \
  }
HIP_COMPAT_SIMD(eq2, u16x2, s32x2, a == b)
HIP_COMPAT_SIMD(ne2, u16x2, s32x2, a != b)
HIP_COMPAT_SIGNED(gts, a > b)
HIP_COMPAT_SIGNED(ges, a >= b)
HIP_COMPAT_SIGNED(lts, a < b)
HIP_COMPAT_SIGNED(les, a <= b)
HIP_COMPAT_UNSIGNED(gtu, a > b)
HIP_COMPAT_UNSIGNED(geu, a >= b)
HIP_COMPAT_UNSIGNED(ltu, a < b)
HIP_COMPAT_UNSIGNED(leu, a <= b)
#undef HIP_COMPAT_SIMD
#undef HIP_COMPAT_SIGNED
#undef HIP_COMPAT_UNSIGNED

HIP_COMPAT_BOTH unsigned int __vneg2(unsigned int a) {
  return __vsub2(0, a);
}
HIP_COMPAT_BOTH unsigned int __vneg4(unsigned int a) {
  return __vsub4(0, a);
}
HIP_COMPAT_BOTH unsigned int __vnegss2(unsigned int a) {
  return __vsubss2(0, a);
}
HIP_COMPAT_BOTH unsigned int __vnegss4(unsigned int a) {
  return __vsubss4(0, a);
}
HIP_COMPAT_BOTH unsigned int __vabs2(unsigned int a) {
  return __vmaxs2(a, __vneg2(a));
}
HIP_COMPAT_BOTH unsigned int __vabs4(unsigned int a) {
  return __vmaxs4(a, __vneg4(a));
}
HIP_COMPAT_BOTH unsigned int __vabsss2(unsigned int a) {
  return __vmaxs2(a, __vnegss2(a));
}
HIP_COMPAT_BOTH unsigned int __vabsss4(unsigned int a) {
  return __vmaxs4(a, __vnegss4(a));
}

namespace hip_compat {
__host__ __device__ inline unsigned add_halfwords(unsigned x) {
  return (x & 0xffffu) + (x >> 16);
}
__host__ __device__ inline unsigned add_bytes(unsigned x) {
  return add_halfwords((x & 0x00ff00ffu) + (x >> 8 & 0x00ff00ffu));
}
}  // namespace hip_compat

// Sums of absolute differences
HIP_COMPAT_BOTH unsigned int __vsads2(unsigned int a, unsigned int b) {
  return hip_compat::add_halfwords(__vabsdiffs2(a, b));
}
HIP_COMPAT_BOTH unsigned int __vsads4(unsigned int a, unsigned int b) {
  return hip_compat::add_bytes(__vabsdiffs4(a, b));
}
HIP_COMPAT_BOTH unsigned int __vsadu2(unsigned int a, unsigned int b) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_sad_u16(a, b, 0);
#else
  return hip_compat::add_halfwords(__vabsdiffu2(a, b));
#endif
}
HIP_COMPAT_BOTH unsigned int __vsadu4(unsigned int a, unsigned int b) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_sad_u8(a, b, 0);
#else
  return hip_compat::add_bytes(__vabsdiffu4(a, b));
#endif
}

// --------------------------------------------------------------------------------------- memory

namespace hip_compat {

// Unsigned type of a size, allowed to alias anything.
template <unsigned size>
struct chunk;
template <>
struct chunk<1> {
  typedef unsigned char __attribute__((may_alias)) type;
};
template <>
struct chunk<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct chunk<4> {
  typedef unsigned int __attribute__((may_alias)) type;
};
template <>
struct chunk<8> {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <>
struct chunk<16> {
  typedef unsigned int __attribute__((ext_vector_type(4), may_alias)) type;
};

// Calls visit(to, from) for the aligned chunks of two objects of type T. Visitors are structs:
// C++11 has no generic lambdas.
template <unsigned max_size, class T, class F>
__device__ inline void copy_chunks(T* to, const T* from, F visit) {
  constexpr unsigned size = alignof(T) < max_size ? alignof(T) : max_size;
  typedef typename chunk<size>::type chunk_type;
  auto target = reinterpret_cast<chunk_type*>(to);
  auto source = reinterpret_cast<const chunk_type*>(from);
  for (unsigned i = 0; i < sizeof(T) / size; ++i) visit(target + i, source + i);
}

}  // namespace hip_compat

// Loads. The cached and last-use forms are plain; cg bypasses the cache of the compute unit and so
// sees stores of other blocks; cv reads memory each time; cs is for data used once.
template <class T>
__device__ inline T __ldca(const T* address) {
  return *address;
}
template <class T>
__device__ inline T __ldlu(const T* address) {
  return *address;
}
#define HIP_COMPAT_LOAD(name, max_size, expression)                    \
  namespace hip_compat {                                               \
  struct name##_chunk {                                                \
    template <class To, class From>                                    \
    __device__ void operator()(To* to, From* from) const {             \
      *to = expression;                                                \
    }                                                                  \
  };                                                                   \
  }                                                                    \
  template <class T>                                                   \
  __device__ inline T name(const T* address) {                         \
    T value;                                                           \
    hip_compat::copy_chunks<max_size>(&value, const_cast<T*>(address), \
                                      hip_compat::name##_chunk());     \
    return value;                                                      \
  }
HIP_COMPAT_LOAD(__ldcg, 8, __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
HIP_COMPAT_LOAD(__ldcv, 8, __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM))
HIP_COMPAT_LOAD(__ldcs, 16, __builtin_nontemporal_load(from))
#undef HIP_COMPAT_LOAD

// Stores: wb is plain, cg writes to the cache that all compute units share, wt to memory, cs is for
// data that is not read soon.
template <class T>
__device__ inline void __stwb(T* address, typename hip_compat::same<T>::type value) {
  *address = value;
}
#define HIP_COMPAT_STORE(name, max_size, expression)                                  \
  namespace hip_compat {                                                              \
  struct name##_chunk {                                                               \
    template <class To, class From>                                                   \
    __device__ void operator()(To* to, From* from) const {                            \
      expression;                                                                     \
    }                                                                                 \
  };                                                                                  \
  }                                                                                   \
  template <class T>                                                                  \
  __device__ inline void name(T* address, typename hip_compat::same<T>::type value) { \
    hip_compat::copy_chunks<max_size>(address, &value, hip_compat::name##_chunk());   \
  }
HIP_COMPAT_STORE(__stcg, 8,
                 __hip_atomic_store(to, *from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
HIP_COMPAT_STORE(__stwt, 8,
                 __hip_atomic_store(to, *from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM))
HIP_COMPAT_STORE(__stcs, 16, __builtin_nontemporal_store(*from, to))
#undef HIP_COMPAT_STORE

// Synchronous copies to shared memory: the waits have no effect. As in CUDA, other threads see the
// copy after a barrier.
HIP_COMPAT_DEVICE void __pipeline_memcpy_async(void* dst_shared, const void* src_global,
                                               size_t size_and_align, size_t zfill = 0) {
  auto to = static_cast<char*>(dst_shared);
  auto from = static_cast<const char*>(src_global);
  if (zfill == 0 && size_and_align == 16) {
    __builtin_memcpy(__builtin_assume_aligned(to, 16), __builtin_assume_aligned(from, 16), 16);
  } else if (zfill == 0 && size_and_align == 8) {
    __builtin_memcpy(__builtin_assume_aligned(to, 8), __builtin_assume_aligned(from, 8), 8);
  } else if (zfill == 0 && size_and_align == 4) {
    __builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), 4);
  } else {
    for (size_t i = 0; i < size_and_align; ++i) to[i] = i + zfill < size_and_align ? from[i] : 0;
  }
}
HIP_COMPAT_DEVICE void __pipeline_commit() {}
HIP_COMPAT_DEVICE void __pipeline_wait_prior(size_t) {}

// Where a generic pointer points. Constant memory is global memory on AMD GPUs.
HIP_COMPAT_DEVICE unsigned int __isShared(const void* p) {
  return __builtin_amdgcn_is_shared(p);
}
HIP_COMPAT_DEVICE unsigned int __isLocal(const void* p) {
  return __builtin_amdgcn_is_private(p);
}
HIP_COMPAT_DEVICE unsigned int __isGlobal(const void* p) {
  return !__builtin_amdgcn_is_shared(p) && !__builtin_amdgcn_is_private(p);
}

// Offset in shared memory of a generic pointer, and back.
HIP_COMPAT_DEVICE size_t __cvta_generic_to_shared(const void* p) {
  return (size_t)(__attribute__((address_space(3))) const char*)p;
}
HIP_COMPAT_DEVICE void* __cvta_shared_to_generic(size_t offset) {
  return (void*)(__attribute__((address_space(3))) char*)offset;
}

// -------------------------------------------------------------------------------------- atomics

namespace hip_compat {

// Replaces *address with update(old value) and returns the old value. T has 2, 4 or 8 bytes.
template <int scope, class T, class F>
__device__ inline T atomic_update(T* address, F update) {
  typedef typename chunk<sizeof(T)>::type bits;
  auto word = reinterpret_cast<bits*>(address);
  bits old = __hip_atomic_load(word, __ATOMIC_RELAXED, scope);
  while (!__hip_atomic_compare_exchange_strong(word, &old, bits_as<bits>(update(bits_as<T>(old))),
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope)) {
  }
  return bits_as<T>(old);
}

template <int scope>
__device__ inline unsigned int atomic_inc(unsigned int* address, unsigned int limit) {
  return atomic_update<scope>(address,
                              [limit](unsigned int old) { return old >= limit ? 0u : old + 1; });
}
template <int scope>
__device__ inline unsigned int atomic_dec(unsigned int* address, unsigned int limit) {
  return atomic_update<scope>(
      address, [limit](unsigned int old) { return old == 0 || old > limit ? limit : old - 1; });
}

}  // namespace hip_compat

// Block scope: atomic among the threads of the block only.
#define HIP_COMPAT_ATOMIC(name, operation)                                            \
  template <class T>                                                                  \
  __device__ inline T name(T* address, typename hip_compat::same<T>::type value) {    \
    return operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); \
  }
HIP_COMPAT_ATOMIC(atomicAdd_block, __hip_atomic_fetch_add)
HIP_COMPAT_ATOMIC(atomicExch_block, __hip_atomic_exchange)
HIP_COMPAT_ATOMIC(atomicMin_block, __hip_atomic_fetch_min)
HIP_COMPAT_ATOMIC(atomicMax_block, __hip_atomic_fetch_max)
HIP_COMPAT_ATOMIC(atomicAnd_block, __hip_atomic_fetch_and)
HIP_COMPAT_ATOMIC(atomicOr_block, __hip_atomic_fetch_or)
HIP_COMPAT_ATOMIC(atomicXor_block, __hip_atomic_fetch_xor)
#undef HIP_COMPAT_ATOMIC

template <class T>
__device__ inline T atomicSub_block(T* address, typename hip_compat::same<T>::type value) {
  return __hip_atomic_fetch_add(address, static_cast<T>(T{} - value), __ATOMIC_RELAXED,
                                __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T>
__device__ inline T atomicCAS_block(T* address, typename hip_compat::same<T>::type compare,
                                    typename hip_compat::same<T>::type value) {
  __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_WORKGROUP);
  return compare;
}
HIP_COMPAT_DEVICE unsigned int atomicInc_block(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_inc<__HIP_MEMORY_SCOPE_WORKGROUP>(address, limit);
}
HIP_COMPAT_DEVICE unsigned int atomicDec_block(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_dec<__HIP_MEMORY_SCOPE_WORKGROUP>(address, limit);
}
HIP_COMPAT_DEVICE unsigned int atomicInc_system(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_inc<__HIP_MEMORY_SCOPE_SYSTEM>(address, limit);
}
HIP_COMPAT_DEVICE unsigned int atomicDec_system(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_dec<__HIP_MEMORY_SCOPE_SYSTEM>(address, limit);
}

HIP_COMPAT_DEVICE unsigned short atomicCAS(unsigned short* address, unsigned short compare,
                                           unsigned short value) {
  __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return compare;
}
HIP_COMPAT_DEVICE unsigned short atomicCAS_system(unsigned short* address, unsigned short compare,
                                                  unsigned short value) {
  __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_SYSTEM);
  return compare;
}

// As in CUDA, each element is atomic, not the vector.
#define HIP_COMPAT_VECTOR_SUM(name, scope)                                                     \
  HIP_COMPAT_DEVICE float2 name(float2* address, float2 value) {                               \
    return make_float2(__hip_atomic_fetch_add(&address->x, value.x, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->y, value.y, __ATOMIC_RELAXED, scope)); \
  }                                                                                            \
  HIP_COMPAT_DEVICE float4 name(float4* address, float4 value) {                               \
    return make_float4(__hip_atomic_fetch_add(&address->x, value.x, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->y, value.y, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->z, value.z, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->w, value.w, __ATOMIC_RELAXED, scope)); \
  }
HIP_COMPAT_VECTOR_SUM(atomicAdd, __HIP_MEMORY_SCOPE_AGENT)
HIP_COMPAT_VECTOR_SUM(atomicAdd_block, __HIP_MEMORY_SCOPE_WORKGROUP)
HIP_COMPAT_VECTOR_SUM(atomicAdd_system, __HIP_MEMORY_SCOPE_SYSTEM)
#undef HIP_COMPAT_VECTOR_SUM

// By compare-and-swap: correct in all kinds of memory, unlike HIP's faster unsafeAtomicAdd.
HIP_COMPAT_DEVICE __half atomicAdd(__half* address, __half value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(address, [value](__half old) {
    return __float2half(__half2float(old) + __half2float(value));
  });
}
HIP_COMPAT_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(
      address, [value](__half2 old) { return __hadd2(old, value); });
}
#if __has_include(<hip/hip_bf16.h>)
HIP_COMPAT_DEVICE __hip_bfloat16 atomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(address, [value](__hip_bfloat16 old) {
    return __float2bfloat16(__bfloat162float(old) + __bfloat162float(value));
  });
}
HIP_COMPAT_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(
      address, [value](__hip_bfloat162 old) { return __hadd2(old, value); });
}
#endif

// -------------------------------------------------------------------------------------- numbers
// Functions that HIP declares but that give other numbers than CUDA's.

namespace hip_compat {

// CUDA's __fmul_rn and siblings are rounded on their own. HIP's are plain operators, which the
// compiler fuses with a neighbour into one fma; the empty instruction keeps it from that, whatever
// -ffp-contract says.
#if defined(__HIP_DEVICE_COMPILE__)
#define HIP_COMPAT_ROUND(value) asm("" : "+v"(value))
#else
#define HIP_COMPAT_ROUND(value) (void)(value)
#endif
#define HIP_COMPAT_ROUNDED(name, T, sign) \
  __device__ inline T name(T a, T b) {    \
    T result = a sign b;                  \
    HIP_COMPAT_ROUND(result);             \
    return result;                        \
  }
HIP_COMPAT_ROUNDED(fadd_rn, float, +)
HIP_COMPAT_ROUNDED(fsub_rn, float, -)
HIP_COMPAT_ROUNDED(fmul_rn, float, *)
HIP_COMPAT_ROUNDED(dadd_rn, double, +)
HIP_COMPAT_ROUNDED(dsub_rn, double, -)
HIP_COMPAT_ROUNDED(dmul_rn, double, *)
#undef HIP_COMPAT_ROUNDED
#undef HIP_COMPAT_ROUND

// CUDA's are correctly rounded in every build. HIP's __fsqrt_rn and __frsqrt_rn approximate, and
// its division does so where the build asks for it. A double has more than twice the digits of a
// float, so that its rounded result is the rounded exact one.
__device__ inline float fdiv_rn(float a, float b) {
  return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
}
__device__ inline float frcp_rn(float x) {
  return static_cast<float>(1.0 / static_cast<double>(x));
}
__device__ inline float fsqrt_rn(float x) {
  return static_cast<float>(__builtin_sqrt(static_cast<double>(x)));
}
// Here two roundings come before the last: that the result is the rounded exact one was compared,
// with integers, for all 2^24 numbers from 1 to 4, and other exponents only scale it.
__device__ inline float frsqrt_rn(float x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

// Rounded down, up or towards zero: the number next to the nearest one, if that is on the wrong
// side of the exact result. `surplus` has the sign of what the nearest number exceeds the exact one
// by.
#define HIP_COMPAT_DIRECTED(T, Bits, largest)                                            \
  __device__ inline T next_below(T x) {                                                  \
    Bits bits = bits_as<Bits>(x);                                                        \
    const Bits sign = static_cast<Bits>(1) << (sizeof(T) * 8 - 1);                       \
    if ((bits & ~sign) == 0) return bits_as<T>(static_cast<Bits>(sign | 1));             \
    return bits_as<T>(static_cast<Bits>((bits & sign) != 0 ? bits + 1 : bits - 1));      \
  }                                                                                      \
  __device__ inline T rounded_down(T nearest, double surplus) {                          \
    if (__builtin_isinf(nearest)) return nearest > 0 && surplus > 0 ? largest : nearest; \
    return surplus > 0 ? next_below(nearest) : nearest;                                  \
  }                                                                                      \
  __device__ inline T rounded_up(T nearest, double surplus) {                            \
    return -rounded_down(-nearest, -surplus);                                            \
  }                                                                                      \
  __device__ inline T rounded_to_zero(T nearest, double surplus) {                       \
    return __builtin_signbit(nearest) ? rounded_up(nearest, surplus)                     \
                                      : rounded_down(nearest, surplus);                  \
  }
HIP_COMPAT_DIRECTED(float, unsigned int, __FLT_MAX__)
HIP_COMPAT_DIRECTED(double, unsigned long long, __DBL_MAX__)
#undef HIP_COMPAT_DIRECTED

// a + b - sum, exactly.
__device__ inline double lost_by_sum(double a, double b, double sum) {
  const double of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}
// The product of two floats is exact in a double; its sum with a float has at most one more part.
__device__ inline double surplus_of_sum(float nearest, double a, double b) {
  const double sum = a + b;
  return (static_cast<double>(nearest) - sum) - lost_by_sum(a, b, sum);
}
__device__ inline double surplus_of(float nearest, double exact) {
  return static_cast<double>(nearest) - exact;
}
// What a * b + c exceeds its nearest number by, as a sum of two.
__device__ inline double surplus_of_fma(double nearest, double a, double b, double c) {
  const double product = dmul_rn(a, b), of_product = __builtin_fma(a, b, -product);
  const double low = c + of_product, lower = lost_by_sum(c, of_product, low);
  const double high = product + low, middle = lost_by_sum(product, low, high);
  return -(((high - nearest) + middle) + lower);
}
// An infinity that stands for a large number exceeds it; of operands it is exact.
__device__ inline double surplus_at(double nearest, double surplus, bool has_infinity) {
  if (!__builtin_isinf(nearest)) return surplus;
  return has_infinity ? 0.0 : nearest;
}

#define HIP_COMPAT_UP(name, T, parameters, nearest, surplus) \
  __device__ inline T name##_ru parameters {                 \
    const T result = nearest;                                \
    return rounded_up(result, surplus);                      \
  }                                                          \
  __device__ inline T name##_rz parameters {                 \
    const T result = nearest;                                \
    return rounded_to_zero(result, surplus);                 \
  }
#define HIP_COMPAT_DIRECTIONS(name, T, parameters, nearest, surplus) \
  HIP_COMPAT_UP(name, T, parameters, nearest, surplus)               \
  __device__ inline T name##_rd parameters {                         \
    const T result = nearest;                                        \
    return rounded_down(result, surplus);                            \
  }
#define HIP_COMPAT_ANY_INFINITE(a, b) (__builtin_isinf(a) || __builtin_isinf(b))
HIP_COMPAT_UP(fmaf, float, (float a, float b, float c), __builtin_fmaf(a, b, c),
              surplus_at(result, surplus_of_sum(result, double{a} * double{b}, c),
                         HIP_COMPAT_ANY_INFINITE(a, b) || __builtin_isinf(c)))
HIP_COMPAT_UP(fadd, float, (float a, float b), fadd_rn(a, b),
              surplus_at(result, surplus_of_sum(result, a, b), HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_UP(fma, double, (double a, double b, double c), __builtin_fma(a, b, c),
              surplus_at(result, surplus_of_fma(result, a, b, c),
                         HIP_COMPAT_ANY_INFINITE(a, b) || __builtin_isinf(c)))
HIP_COMPAT_UP(dadd, double, (double a, double b), dadd_rn(a, b),
              surplus_at(result, -lost_by_sum(a, b, result), HIP_COMPAT_ANY_INFINITE(a, b)))
// Rounded down a sum of 1 and -1 is -0.
__device__ inline float fmaf_rd(float a, float b, float c) {
  return -fmaf_ru(-a, b, -c);
}
__device__ inline double fma_rd(double a, double b, double c) {
  return -fma_ru(-a, b, -c);
}
#define HIP_COMPAT_SUMS(f, T)               \
  __device__ inline T f##add_rd(T a, T b) { \
    return -f##add_ru(-a, -b);              \
  }                                         \
  __device__ inline T f##sub_rd(T a, T b) { \
    return f##add_rd(a, -b);                \
  }                                         \
  __device__ inline T f##sub_ru(T a, T b) { \
    return f##add_ru(a, -b);                \
  }                                         \
  __device__ inline T f##sub_rz(T a, T b) { \
    return f##add_rz(a, -b);                \
  }
HIP_COMPAT_SUMS(f, float)
HIP_COMPAT_SUMS(d, double)
#undef HIP_COMPAT_SUMS
HIP_COMPAT_DIRECTIONS(fmul, float, (float a, float b), fmul_rn(a, b),
                      surplus_at(result, surplus_of(result, double{a} * double{b}),
                                 HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(fdiv, float, (float a, float b), fdiv_rn(a, b),
                      surplus_at(result,
                                 (double{result} * double{b} - double{a}) * (b < 0 ? -1.0 : 1.0),
                                 b == 0 || HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(frcp, float, (float x), frcp_rn(x),
                      surplus_at(result, (double{result} * double{x} - 1) * (x < 0 ? -1.0 : 1.0),
                                 x == 0 || __builtin_isinf(x)))
HIP_COMPAT_DIRECTIONS(fsqrt, float, (float x), fsqrt_rn(x),
                      surplus_at(result, double{result} * double{result} - double{x},
                                 __builtin_isinf(x)))
// These of doubles are not for results below 1e-290: what is lost there is not a double.
HIP_COMPAT_DIRECTIONS(dmul, double, (double a, double b), dmul_rn(a, b),
                      surplus_at(result, -__builtin_fma(a, b, -result),
                                 HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(ddiv, double, (double a, double b), __ddiv_rn(a, b),
                      surplus_at(result, __builtin_fma(result, b, -a) * (b < 0 ? -1.0 : 1.0),
                                 b == 0 || HIP_COMPAT_ANY_INFINITE(a, b)))
HIP_COMPAT_DIRECTIONS(drcp, double, (double x), __drcp_rn(x),
                      surplus_at(result, __builtin_fma(result, x, -1.0) * (x < 0 ? -1.0 : 1.0),
                                 x == 0 || __builtin_isinf(x)))
HIP_COMPAT_DIRECTIONS(dsqrt, double, (double x), __dsqrt_rn(x),
                      surplus_at(result, __builtin_fma(result, result, -x), __builtin_isinf(x)))
#undef HIP_COMPAT_UP
#undef HIP_COMPAT_DIRECTIONS
#undef HIP_COMPAT_ANY_INFINITE

// Limited to 0 … 1. A NaN becomes 0, which in HIP it does not.
__device__ inline float saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}

// Half and bfloat16 alike.
__host__ __device__ inline float to_float(__half x) {
  return __half2float(x);
}
__host__ __device__ inline __half from_float(float x, __half) {
  return __float2half(x);
}
__host__ __device__ inline __half low(__half2 v) {
  return __low2half(v);
}
__host__ __device__ inline __half high(__half2 v) {
  return __high2half(v);
}
__host__ __device__ inline __half2 pair(__half a, __half b) {
  return __halves2half2(a, b);
}
#if __has_include(<hip/hip_bf16.h>)
__host__ __device__ inline float to_float(__hip_bfloat16 x) {
  return __bfloat162float(x);
}
__host__ __device__ inline __hip_bfloat16 from_float(float x, __hip_bfloat16) {
  return __float2bfloat16(x);
}
__host__ __device__ inline __hip_bfloat16 low(__hip_bfloat162 v) {
  return v.x;
}
__host__ __device__ inline __hip_bfloat16 high(__hip_bfloat162 v) {
  return v.y;
}
__host__ __device__ inline __hip_bfloat162 pair(__hip_bfloat16 a, __hip_bfloat16 b) {
  __hip_bfloat162 v;
  v.x = a;
  v.y = b;
  return v;
}
#endif

// A float has more than twice their digits: rounding twice gives what rounding once does.
#define HIP_COMPAT_ROUNDED(name, function)                               \
  template <class T>                                                     \
  __device__ inline T name##_rn(T a, T b) {                              \
    return from_float(function(to_float(a), to_float(b)), a);            \
  }                                                                      \
  template <class V>                                                     \
  __device__ inline V name##2_rn(V a, V b) {                             \
    return pair(name##_rn(low(a), low(b)), name##_rn(high(a), high(b))); \
  }
HIP_COMPAT_ROUNDED(hadd, fadd_rn)
HIP_COMPAT_ROUNDED(hsub, fsub_rn)
HIP_COMPAT_ROUNDED(hmul, fmul_rn)
#undef HIP_COMPAT_ROUNDED

#define HIP_COMPAT_SATURATED(name)                                               \
  template <class T>                                                             \
  __device__ inline T h##name##_sat(T a, T b) {                                  \
    return from_float(saturatef(to_float(__h##name(a, b))), a);                  \
  }                                                                              \
  template <class V>                                                             \
  __device__ inline V h##name##2_sat(V a, V b) {                                 \
    return pair(h##name##_sat(low(a), low(b)), h##name##_sat(high(a), high(b))); \
  }
HIP_COMPAT_SATURATED(add)
HIP_COMPAT_SATURATED(sub)
HIP_COMPAT_SATURATED(mul)
#undef HIP_COMPAT_SATURATED
template <class T>
__device__ inline T hfma_sat(T a, T b, T c) {
  return from_float(saturatef(to_float(__hfma(a, b, c))), a);
}
template <class V>
__device__ inline V hfma2_sat(V a, V b, V c) {
  return pair(hfma_sat(low(a), low(b), low(c)), hfma_sat(high(a), high(b), high(c)));
}

// __hne is false for a NaN, which HIP's is not.
template <class T>
__host__ __device__ inline bool hne(T a, T b) {
  return __hlt(a, b) || __hgt(a, b);
}
template <class V>
__host__ __device__ inline bool hbne2(V a, V b) {
  return hne(low(a), low(b)) && hne(high(a), high(b));
}
#define HIP_COMPAT_LANES(name, relation)                                       \
  template <class V>                                                           \
  __host__ __device__ inline V name(V a, V b) {                                \
    return pair(from_float(relation(low(a), low(b)) ? 1.0f : 0.0f, low(a)),    \
                from_float(relation(high(a), high(b)) ? 1.0f : 0.0f, low(a))); \
  }
HIP_COMPAT_LANES(hne2, hne)
HIP_COMPAT_LANES(hgt2, __hgt)  // HIP's of bfloat16 ignores the upper numbers
#undef HIP_COMPAT_LANES

// True in both halves, where a NaN makes it true; in HIP's of half a NaN makes it false.
#define HIP_COMPAT_UNORDERED(name, opposite)                         \
  template <class V>                                                 \
  __host__ __device__ inline bool name(V a, V b) {                   \
    return !opposite(low(a), low(b)) && !opposite(high(a), high(b)); \
  }
HIP_COMPAT_UNORDERED(hbequ2, hne)
HIP_COMPAT_UNORDERED(hbneu2, __heq)
HIP_COMPAT_UNORDERED(hbleu2, __hgt)
HIP_COMPAT_UNORDERED(hbgeu2, __hlt)
HIP_COMPAT_UNORDERED(hbltu2, __hge)
HIP_COMPAT_UNORDERED(hbgtu2, __hle)
#undef HIP_COMPAT_UNORDERED

// The operand of a conversion to half or bfloat16: HIP's types convert neither to each other nor,
// for bfloat16, from integers of 64 bits. As a float both are exact or are rounded to odd, so that
// only the conversion rounds.
template <class T>
__host__ __device__ inline T number(T x) {
  return x;
}
__host__ __device__ inline float number(__half x) {
  return __half2float(x);
}
#if __has_include(<hip/hip_bf16.h>)
__host__ __device__ inline float number(__hip_bfloat16 x) {
  return __bfloat162float(x);
}
#endif
__host__ __device__ inline float rounded_to_odd(unsigned long long size) {
  if (size >= 1ull << 24) {
    const int surplus = 40 - __builtin_clzll(size);
    const bool is_inexact = (size & ((1ull << surplus) - 1)) != 0;
    size = ((size >> surplus) | (is_inexact ? 1ull : 0ull)) << surplus;
  }
  return static_cast<float>(size);
}
__host__ __device__ inline float number(unsigned long long x) {
  return rounded_to_odd(x);
}
__host__ __device__ inline float number(unsigned long x) {
  return rounded_to_odd(x);
}
__host__ __device__ inline float number(long long x) {
  return x < 0 ? -rounded_to_odd(0 - static_cast<unsigned long long>(x))
               : rounded_to_odd(static_cast<unsigned long long>(x));
}
__host__ __device__ inline float number(long x) {
  return number(static_cast<long long>(x));
}

__host__ __device__ inline bool is_nan_bits(float x) {  // whatever the build says of NaNs
  return (bits_as<unsigned int>(x) & 0x7fffffff) > 0x7f800000;
}
__host__ __device__ inline bool is_nan_bits(double x) {
  return (bits_as<unsigned long long>(x) & ~(1ull << 63)) > 0x7ffull << 52;
}

// A whole number in T. What T lacks becomes its nearest number; a NaN becomes 0, and from or to 64
// bits the highest bit.
template <class T, class F>
__host__ __device__ inline T saturated(F whole) {
  constexpr bool has_sign = static_cast<T>(-1) < static_cast<T>(0);
  constexpr int bits = static_cast<int>(sizeof(T)) * 8 - (has_sign ? 1 : 0);
  constexpr unsigned long long largest = ~0ull >> (64 - bits);
  if (is_nan_bits(whole))
    return sizeof(T) == 8 || sizeof(F) == 8 ? static_cast<T>(1ull << (sizeof(T) * 8 - 1))
                                            : static_cast<T>(0);
  const F limit = static_cast<F>(1ull << (bits - 1)) * 2;
  if (whole >= limit) return static_cast<T>(largest);
  if (has_sign && whole < -limit) return static_cast<T>(~largest);
  if (!has_sign && whole < 0) return 0;
  return static_cast<T>(whole);
}

// HIP's leave open what happens to numbers that the integer lacks.
#define HIP_COMPAT_TO_INTEGER(F, f, name, T)    \
  __device__ inline T F##2##name##_rn(F x) {    \
    return saturated<T>(__builtin_rint##f(x));  \
  }                                             \
  __device__ inline T F##2##name##_rz(F x) {    \
    return saturated<T>(__builtin_trunc##f(x)); \
  }                                             \
  __device__ inline T F##2##name##_rd(F x) {    \
    return saturated<T>(__builtin_floor##f(x)); \
  }                                             \
  __device__ inline T F##2##name##_ru(F x) {    \
    return saturated<T>(__builtin_ceil##f(x));  \
  }
HIP_COMPAT_TO_INTEGER(float, f, ll, long long)
HIP_COMPAT_TO_INTEGER(float, f, ull, unsigned long long)
HIP_COMPAT_TO_INTEGER(double, , int, int)
HIP_COMPAT_TO_INTEGER(double, , uint, unsigned int)
HIP_COMPAT_TO_INTEGER(double, , ll, long long)
HIP_COMPAT_TO_INTEGER(double, , ull, unsigned long long)
#undef HIP_COMPAT_TO_INTEGER

// HIP's is negative where the highest bit is set.
__device__ inline unsigned int umul24(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(__umul24(a, b));
}

// -1 for the negative infinity; HIP's is 1 for both.
template <class T>
__host__ __device__ inline int hisinf(T x) {
  return !__hisinf(x) ? 0 : to_float(x) < 0 ? -1 : 1;
}

// HIP truncates, whatever the name says.
#define HIP_COMPAT_TO_INTEGER(name, T, mode, round)             \
  __host__ __device__ inline T half2##name##_##mode(__half x) { \
    return saturated<T>(round(__half2float(x)));                \
  }
// HIP rounds to nearest, whatever the name says. Integers that a float does not hold are beyond a
// half's range. `is_off` compares the nearest half with the number; `step` moves its bits.
#define HIP_COMPAT_FROM_INTEGER(name, T, mode, is_off, step)       \
  __host__ __device__ inline __half name##2half_##mode(T x) {      \
    const float number = static_cast<float>(x);                    \
    const __half half = __float2half(number);                      \
    const float nearest = __half2float(half);                      \
    unsigned short bits = bits_as<unsigned short>(half);           \
    if (is_off) bits = static_cast<unsigned short>(bits + (step)); \
    return bits_as<__half>(bits);                                  \
  }
#define HIP_COMPAT_INTEGER(name, T)                                                            \
  HIP_COMPAT_TO_INTEGER(name, T, rn, __builtin_rintf)                                          \
  HIP_COMPAT_TO_INTEGER(name, T, rz, __builtin_truncf)                                         \
  HIP_COMPAT_TO_INTEGER(name, T, rd, __builtin_floorf)                                         \
  HIP_COMPAT_TO_INTEGER(name, T, ru, __builtin_ceilf)                                          \
  HIP_COMPAT_FROM_INTEGER(name, T, rz, __builtin_fabsf(nearest) > __builtin_fabsf(number), -1) \
  HIP_COMPAT_FROM_INTEGER(name, T, rd, nearest > number, number > 0 ? -1 : 1)                  \
  HIP_COMPAT_FROM_INTEGER(name, T, ru, nearest<number, number> 0 ? 1 : -1)
HIP_COMPAT_INTEGER(int, int)
HIP_COMPAT_INTEGER(uint, unsigned int)
HIP_COMPAT_INTEGER(short, short)
HIP_COMPAT_INTEGER(ushort, unsigned short)
HIP_COMPAT_INTEGER(ll, long long)
HIP_COMPAT_INTEGER(ull, unsigned long long)
HIP_COMPAT_TO_INTEGER(char, signed char, rz, __builtin_truncf)
HIP_COMPAT_TO_INTEGER(uchar, unsigned char, rz, __builtin_truncf)
#undef HIP_COMPAT_INTEGER
#undef HIP_COMPAT_FROM_INTEGER
#undef HIP_COMPAT_TO_INTEGER

// To the nearest float, but to the odd one of two: so that only the next rounding counts.
__host__ __device__ inline float rounded_to_odd(double value) {
  const float near = static_cast<float>(value);
  const double back = static_cast<double>(near);
  if (back == value || value != value || __builtin_isinf(near)) return near;
  unsigned int bits = bits_as<unsigned int>(near);
  if (__builtin_fabs(back) > __builtin_fabs(value)) --bits;
  return bits_as<float>(bits | 1);
}
__host__ __device__ inline __half double2half(double x) {
  return __float2half(rounded_to_odd(x));
}

#if __has_include(<hip/hip_bf16.h>)
__host__ __device__ inline __hip_bfloat16 double2bfloat16(double x) {
  return __float2bfloat16(rounded_to_odd(x));
}
// A bfloat16 is the upper half of a float; `step` is 1 where the number is further from zero.
#define HIP_COMPAT_FROM_FLOAT(mode, step)                                                    \
  __host__ __device__ inline __hip_bfloat16 float2bfloat16_##mode(float x) {                 \
    const unsigned int bits = bits_as<unsigned int>(x);                                      \
    const bool is_exact = (bits & 0xffff) == 0 || (bits & 0x7fffffff) == 0x7f800000;         \
    if (is_nan_bits(x)) return bits_as<__hip_bfloat16>(static_cast<unsigned short>(0x7fff)); \
    return bits_as<__hip_bfloat16>(                                                          \
        static_cast<unsigned short>((bits >> 16) + (is_exact ? 0u : (step))));               \
  }
HIP_COMPAT_FROM_FLOAT(rz, 0u)
HIP_COMPAT_FROM_FLOAT(rd, bits >> 31)
HIP_COMPAT_FROM_FLOAT(ru, bits >> 31 ^ 1u)
#undef HIP_COMPAT_FROM_FLOAT
#define HIP_COMPAT_INTEGER_MODE(name, T, Wide, mode, round)                 \
  __host__ __device__ inline T bfloat162##name##_##mode(__hip_bfloat16 x) { \
    return saturated<T>(round(__bfloat162float(x)));                        \
  }                                                                         \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_##mode(T x) {   \
    return float2bfloat16_##mode(number(static_cast<Wide>(x)));             \
  }
#define HIP_COMPAT_INTEGER(name, T, Wide)                      \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, rn, __builtin_rintf)  \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, rz, __builtin_truncf) \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, rd, __builtin_floorf) \
  HIP_COMPAT_INTEGER_MODE(name, T, Wide, ru, __builtin_ceilf)
__host__ __device__ inline __hip_bfloat16 float2bfloat16_rn(float x) {
  return __float2bfloat16(x);
}
HIP_COMPAT_INTEGER(int, int, long long)
HIP_COMPAT_INTEGER(uint, unsigned int, unsigned long long)
HIP_COMPAT_INTEGER(short, short, long long)
HIP_COMPAT_INTEGER(ushort, unsigned short, unsigned long long)
HIP_COMPAT_INTEGER(ll, long long, long long)
HIP_COMPAT_INTEGER(ull, unsigned long long, unsigned long long)
#undef HIP_COMPAT_INTEGER
#undef HIP_COMPAT_INTEGER_MODE
__host__ __device__ inline signed char bfloat162char_rz(__hip_bfloat16 x) {
  return saturated<signed char>(__builtin_truncf(__bfloat162float(x)));
}
__host__ __device__ inline unsigned char bfloat162uchar_rz(__hip_bfloat16 x) {
  return saturated<unsigned char>(__builtin_truncf(__bfloat162float(x)));
}
#endif

}  // namespace hip_compat

// HIP has these for bfloat16.
HIP_COMPAT_BOTH __half2 __hmax2(__half2 a, __half2 b) {
  return hip_compat::pair(__hmax(hip_compat::low(a), hip_compat::low(b)),
                          __hmax(hip_compat::high(a), hip_compat::high(b)));
}
HIP_COMPAT_BOTH __half2 __hmin2(__half2 a, __half2 b) {
  return hip_compat::pair(__hmin(hip_compat::low(a), hip_compat::low(b)),
                          __hmin(hip_compat::high(a), hip_compat::high(b)));
}

// ------------------------------------------------------------------------------------------ fp8
// CUDA's 8-bit formats, bit-identical on every GPU. HIP's types of this encoding are for host code
// only if the hardware uses another one (gfx942: maximum 240 instead of 448).

namespace hip_compat {

// Rounds to nearest, ties to even. Saturates, infinities included.
template <int mantissa, int bias, unsigned int largest>
__host__ __device__ inline unsigned char to_fp8(float value) {
  unsigned int bits = bits_as<unsigned int>(value);
  unsigned int sign = bits >> 24 & 0x80;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return 0x7f;  // without the sign
  unsigned int code;
  if (bits < static_cast<unsigned int>(128 - bias) << 23) {  // below the smallest normal number
    float scale = bits_as<float>(static_cast<unsigned int>(126 + bias + mantissa) << 23);
    code = static_cast<unsigned int>(__builtin_rintf(bits_as<float>(bits) * scale));
  } else {
    constexpr int dropped = 23 - mantissa;
    bits += (1u << (dropped - 1)) - 1 + (bits >> dropped & 1);
    code = (bits >> dropped) - (static_cast<unsigned int>(127 - bias) << mantissa);
  }
  return static_cast<unsigned char>(sign | lower(code, largest));
}
// Through a float rounded to odd, so that only the second rounding counts.
template <int mantissa, int bias, unsigned int largest>
__host__ __device__ inline unsigned char to_fp8(double value) {
  const unsigned long long all = bits_as<unsigned long long>(value);
  if (value != value)  // keeps its sign and, in e5m2, a quiet one its next bit
    return static_cast<unsigned char>((all >> 56 & 0x80) | (mantissa == 3 ? 0x7f : 0x7e) |
                                      (mantissa == 2 ? all >> 50 & 3 : 0));
  return to_fp8<mantissa, bias, largest>(rounded_to_odd(value));
}
template <int mantissa, int bias, unsigned int largest>
__host__ __device__ inline float from_fp8(unsigned char code) {
  unsigned int magnitude = code & 0x7f;
  float value;
  if (magnitude > largest) {  // 0x7f, and in e5m2 infinity and more that is no number
    value = bits_as<float>(mantissa == 2 && magnitude == 0x7c ? 0x7f800000u : 0x7fc00000u);
  } else if (magnitude >> mantissa == 0) {
    value = static_cast<float>(magnitude) *
            bits_as<float>(static_cast<unsigned int>(128 - bias - mantissa) << 23);
  } else {
    value = bits_as<float>((magnitude << (23 - mantissa)) +
                           (static_cast<unsigned int>(127 - bias) << 23));
  }
  return (code & 0x80) != 0 ? -value : value;
}

// Integers take the nearest number that they have; bool, which is not 0.
template <class T, bool = __is_integral(T)>
struct fp8_as {
  __host__ __device__ static T of(float value) { return static_cast<T>(value); }
};
template <>
struct fp8_as<bool, true> {
  __host__ __device__ static bool of(float value) { return value != 0; }
};
template <class T>
struct fp8_as<T, true> {
  __host__ __device__ static T of(float value) { return saturated<T>(__builtin_truncf(value)); }
};

template <int mantissa, int bias, unsigned int largest>
struct fp8 {
  unsigned char __x;

  fp8() = default;
  template <class T>
  __host__ __device__ explicit fp8(T value)
      : __x(to_fp8<mantissa, bias, largest>(static_cast<float>(value))) {}
  __host__ __device__ explicit fp8(double value) : __x(to_fp8<mantissa, bias, largest>(value)) {}
  __host__ __device__ explicit operator float() const {
    return from_fp8<mantissa, bias, largest>(__x);
  }
  template <class T>
  __host__ __device__ explicit operator T() const {
    return fp8_as<T>::of(static_cast<float>(*this));
  }
};

// The first number is in the low byte.
template <class Fp8>
struct fp8x2 {
  unsigned short __x;

  fp8x2() = default;
  __host__ __device__ explicit fp8x2(float2 v) : __x(packed(v.x, v.y)) {}
  __host__ __device__ explicit fp8x2(double2 v) : __x(packed(v.x, v.y)) {}
  __host__ __device__ explicit fp8x2(__half2 v)
      : __x(packed(__half2float(__low2half(v)), __half2float(__high2half(v)))) {}
#if __has_include(<hip/hip_bf16.h>)
  __host__ __device__ explicit fp8x2(__hip_bfloat162 v)
      : __x(packed(__bfloat162float(v.x), __bfloat162float(v.y))) {}
#endif
  __host__ __device__ explicit operator float2() const {
    return make_float2(part(0), part(1));
  }
  __host__ __device__ explicit operator __half2() const {
    return __floats2half2_rn(part(0), part(1));
  }

 private:
  template <class T>
  __host__ __device__ static unsigned short packed(T low, T high) {
    return static_cast<unsigned short>(Fp8(low).__x | Fp8(high).__x << 8);
  }
  __host__ __device__ float part(int i) const {
    Fp8 one;
    one.__x = static_cast<unsigned char>(__x >> (8 * i));
    return static_cast<float>(one);
  }
};

template <class Fp8>
struct fp8x4 {
  unsigned int __x;

  fp8x4() = default;
  __host__ __device__ explicit fp8x4(float4 v)
      : fp8x4(make_float2(v.x, v.y), make_float2(v.z, v.w)) {}
  __host__ __device__ explicit fp8x4(double4 v)
      : fp8x4(make_double2(v.x, v.y), make_double2(v.z, v.w)) {}
  // Of two halves, each a __half2 or a bfloat162.
  template <class Pair>
  __host__ __device__ fp8x4(Pair low, Pair high)
      : __x(fp8x2<Fp8>(low).__x | static_cast<unsigned int>(fp8x2<Fp8>(high).__x) << 16) {}
  __host__ __device__ explicit operator float4() const {
    fp8x2<Fp8> low, high;
    low.__x = static_cast<unsigned short>(__x);
    high.__x = static_cast<unsigned short>(__x >> 16);
    float2 a = static_cast<float2>(low), b = static_cast<float2>(high);
    return make_float4(a.x, a.y, b.x, b.y);
  }
};

typedef fp8<3, 7, 0x7e> fp8_e4m3;
typedef fp8<2, 15, 0x7b> fp8_e5m2;
typedef fp8x2<fp8_e4m3> fp8x2_e4m3;
typedef fp8x2<fp8_e5m2> fp8x2_e5m2;
typedef fp8x4<fp8_e4m3> fp8x4_e4m3;
typedef fp8x4<fp8_e5m2> fp8x4_e5m2;

}  // namespace hip_compat

// -------------------------------------------------------------------------------------- control

namespace hip_compat {
// Out of line: with clang 22 a trap inside other code breaks code generation for gfx1100 to
// gfx1103.
template <int = 0>
__device__ __attribute__((noinline, noreturn)) void trap() {
  __builtin_trap();
}
}  // namespace hip_compat

// Ends the kernel with an error.
HIP_COMPAT_DEVICE void __trap() {
  hip_compat::trap();
}

// Stops in the debugger.
HIP_COMPAT_DEVICE void __brkpt() {
  __builtin_debugtrap();
}

// HIP has no profiler counters.
HIP_COMPAT_DEVICE void __prof_trigger(int) {}

// Sleeps approximately: a unit of s_sleep is 64 clocks, about 32 ns.
HIP_COMPAT_DEVICE void __nanosleep(unsigned int ns) {
  for (; ns >= 512; ns -= 512) __builtin_amdgcn_s_sleep(16);
  for (; ns >= 32; ns -= 32) __builtin_amdgcn_s_sleep(1);
}

// A condition the optimizer may rely on.
#if !defined(__assume) && !defined(_MSC_VER)
#define __assume(condition) __builtin_assume(condition)
#endif

// CUDA's names of calling conventions, which matter on Windows only.
#if !defined(CUDART_CB)
#define CUDART_CB
#endif
#if !defined(CUDARTAPI)
#define CUDARTAPI
#endif
#if !defined(CUDA_CB)
#define CUDA_CB
#endif
#if !defined(CUDAAPI)
#define CUDAAPI
#endif

// The lanes of a wave leave a loop together. A lane that acquires a lock in a loop must give it
// back there, or the other lanes wait for it forever; but a compiler that sees that the loop ends
// with the flag moves the work behind the loop. This hides the flag's value from it.
namespace hip_compat {
template <class T>
__host__ __device__ inline void keep_in_loop(T& flag) {
#if defined(__HIP_DEVICE_COMPILE__)
  int value = static_cast<int>(flag);
  asm volatile("" : "+v"(value));
  flag = static_cast<T>(value);
#else
  (void)flag;
#endif
}
}  // namespace hip_compat

// Kernel parameters are in read-only memory anyway.
#if !defined(__grid_constant__)
#define __grid_constant__
#endif

// ------------------------------------------------------------------------------------- integers

#define HIP_COMPAT_MIN_MAX(prefix, T)                   \
  HIP_COMPAT_BOTH T prefix##min(const T a, const T b) { \
    return hip_compat::lower(a, b);                     \
  }                                                     \
  HIP_COMPAT_BOTH T prefix##max(const T a, const T b) { \
    return hip_compat::higher(a, b);                    \
  }
HIP_COMPAT_MIN_MAX(u, unsigned int)
HIP_COMPAT_MIN_MAX(ll, long long)
HIP_COMPAT_MIN_MAX(ull, unsigned long long)
#undef HIP_COMPAT_MIN_MAX

// HIP has __ffsll for long long with and without sign: another integer is ambiguous.
HIP_COMPAT_DEVICE int __ffsll(int x) {
  return __builtin_ffsll(x);
}
HIP_COMPAT_DEVICE int __ffsll(unsigned int x) {
  return __builtin_ffsll(static_cast<long long>(x));
}
HIP_COMPAT_DEVICE int __ffsll(long x) {
  return __builtin_ffsll(x);
}
HIP_COMPAT_DEVICE int __ffsll(unsigned long x) {
  return __builtin_ffsll(static_cast<long long>(x));
}

// CUDA overloads min and max for every type, even in host code. HIP's host code has only the int
// overloads, which silently truncate a float or a size_t; its device code compares a signed and an
// unsigned number as doubles.
#define HIP_COMPAT_MIN_MAX(A, B, R)                                  \
  HIP_COMPAT_BOTH R min(const A a, const B b) {                      \
    return hip_compat::lower(static_cast<R>(a), static_cast<R>(b));  \
  }                                                                  \
  HIP_COMPAT_BOTH R max(const A a, const B b) {                      \
    return hip_compat::higher(static_cast<R>(a), static_cast<R>(b)); \
  }
#define HIP_COMPAT_INTEGERS(S, U) \
  HIP_COMPAT_MIN_MAX(S, S, S)     \
  HIP_COMPAT_MIN_MAX(U, U, U)     \
  HIP_COMPAT_MIN_MAX(S, U, U)     \
  HIP_COMPAT_MIN_MAX(U, S, U)
HIP_COMPAT_INTEGERS(int, unsigned int)
HIP_COMPAT_INTEGERS(long, unsigned long)
HIP_COMPAT_INTEGERS(long long, unsigned long long)
#undef HIP_COMPAT_INTEGERS
#undef HIP_COMPAT_MIN_MAX

// With a NaN the result is the other number.
#define HIP_COMPAT_MIN_MAX(A, B, R, f)          \
  HIP_COMPAT_BOTH R min(const A a, const B b) { \
    return __builtin_fmin##f(a, b);             \
  }                                             \
  HIP_COMPAT_BOTH R max(const A a, const B b) { \
    return __builtin_fmax##f(a, b);             \
  }
HIP_COMPAT_MIN_MAX(float, float, float, f)
HIP_COMPAT_MIN_MAX(double, double, double, )
HIP_COMPAT_MIN_MAX(float, double, double, )
HIP_COMPAT_MIN_MAX(double, float, double, )
#undef HIP_COMPAT_MIN_MAX

// ------------------------------------------------------------------------------------- host math
// Functions that CUDA also has in host code, but HIP only in device code.

#if !defined(__HIPCC_RTC__)

namespace hip_compat {

constexpr double kPi = 3.14159265358979323846;

inline double sin_of_turns(double x) {
  double r = ::remainder(x, 2.0);  // exact, and so is what follows
  if (::fabs(r) > 0.5) r = ::copysign(1.0, r) - r;
  return ::sin(kPi * r);
}
inline double cos_of_turns(double x) {
  const double r = ::fabs(::remainder(x, 2.0));
  if (r <= 0.25) return ::cos(kPi * r);
  return r < 0.75 ? ::sin(kPi * (0.5 - r)) : -::cos(kPi * (1.0 - r));
}

// Halley's method on erfc(x) = y, from an approximation of the normal distribution's quantile.
inline double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0 || y == 2) return y == 0 ? __builtin_huge_val() : -__builtin_huge_val();
  if (y > 1) return -inverse_erfc(2 - y);
  const double t = ::sqrt(-2 * ::log(y / 2));
  double x =
      (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * 0.70710678118654752;
  for (int i = 0; i < 4; ++i) {
    const double error = ::erfc(x) - y;
    x += error / (1.12837916709551257 * ::exp(-x * x) - x * error);
  }
  return x;
}
// Near 0 erfc loses the significant digits.
inline double inverse_erf(double y) {
  if (::fabs(y) > 0.5) return ::copysign(inverse_erfc(1 - ::fabs(y)), y);
  double x = y * 0.88622692545275801;
  for (int i = 0; i < 6; ++i) x -= (::erf(x) - y) * 0.88622692545275801 * ::exp(x * x);
  return x;
}
inline double scaled_erfc(double x) {
  if (x < 25) return ::exp(x * x) * ::erfc(x);
  const double s = 1 / (x * x);
  return (1 - s * (0.5 - s * (0.75 - s * 1.875))) / (x * 1.77245385090551603);
}

}  // namespace hip_compat

#define HIP_COMPAT_HOST_MATH(name, expression) \
  template <int = 0>                           \
  __host__ inline double name(double x) {      \
    return expression;                         \
  }                                            \
  template <int = 0>                           \
  __host__ inline float name(float value) {    \
    const double x = value;                    \
    return static_cast<float>(expression);     \
  }                                            \
  template <int = 0>                           \
  __host__ inline float name##f(float value) { \
    const double x = value;                    \
    return static_cast<float>(expression);     \
  }
HIP_COMPAT_HOST_MATH(rsqrt, 1 / ::sqrt(x))
HIP_COMPAT_HOST_MATH(rcbrt, 1 / ::cbrt(x))
HIP_COMPAT_HOST_MATH(sinpi, hip_compat::sin_of_turns(x))
HIP_COMPAT_HOST_MATH(cospi, hip_compat::cos_of_turns(x))
HIP_COMPAT_HOST_MATH(normcdf, ::erfc(-x * 0.70710678118654752) / 2)
HIP_COMPAT_HOST_MATH(normcdfinv, -hip_compat::inverse_erfc(2 * x) * 1.41421356237309505)
HIP_COMPAT_HOST_MATH(erfinv, hip_compat::inverse_erf(x))
HIP_COMPAT_HOST_MATH(erfcinv, hip_compat::inverse_erfc(x))
HIP_COMPAT_HOST_MATH(erfcx, hip_compat::scaled_erfc(x))
#undef HIP_COMPAT_HOST_MATH

template <int = 0>
__host__ inline void sincospi(double x, double* sine, double* cosine) {
  *sine = hip_compat::sin_of_turns(x);
  *cosine = hip_compat::cos_of_turns(x);
}
template <int = 0>
__host__ inline void sincospif(float x, float* sine, float* cosine) {
  *sine = static_cast<float>(hip_compat::sin_of_turns(x));
  *cosine = static_cast<float>(hip_compat::cos_of_turns(x));
}

#endif

// ------------------------------------------------------------------------------------- in_place

namespace hip_compat {

// A descriptor in the program's memory for a library that allocates its own: it stores the
// library's handle.
template <class Handle>
class in_place {
 public:
  in_place() : handle_(), destroy_() {}
  in_place(const in_place&) = delete;
  in_place& operator=(const in_place&) = delete;
  ~in_place() { reset(); }

  class address {
   public:
    explicit address(in_place* of) : of_(of) {}
    operator Handle() const { return of_->handle_; }

    template <class Code, class... Created, class... Arguments>  // Status is a macro of X11
    Code create(Code (*make)(Handle*, Created...), Code (*destroy)(Handle),
                Arguments... arguments) const {
      of_->reset();
      const Code status = make(&of_->handle_, arguments...);
      if (of_->handle_ == Handle()) return status;
      of_->destroy_ = reinterpret_cast<void (*)()>(destroy);
      of_->call_ = [](void (*function)(), Handle handle) {
        static_cast<void>(reinterpret_cast<Code (*)(Handle)>(function)(handle));
      };
      return status;
    }

   private:
    in_place* of_;
  };
  address operator&() { return address(this); }

 private:
  void reset() {
    if (destroy_ != nullptr) call_(destroy_, handle_);
    destroy_ = nullptr;
    handle_ = Handle();
  }

  Handle handle_;
  void (*destroy_)();
  void (*call_)(void (*)(), Handle) = nullptr;
};

template <class Make, class Destroy, class Address, class... Arguments>
inline auto create_in_place(Make make, Destroy destroy, Address descriptor, Arguments... arguments)
    -> decltype(descriptor.create(make, destroy, arguments...)) {
  return descriptor.create(make, destroy, arguments...);
}

}  // namespace hip_compat

// ------------------------------------------------------------------------------------- textures

#if !defined(__HIPCC_RTC__)

namespace hip_compat {

// The argument of hipBindTexture and tex1Dfetch for a texture over linear memory. A device
// variable, as in CUDA; CUDA's settings for filtering and addressing do not apply to such textures.
template <class T>
struct linear_texture {
  const T* data;
  unsigned long long count;
  int normalized;
  hipTextureFilterMode filterMode;
  hipTextureAddressMode addressMode[3];
  hipChannelFormatDesc channelDesc;
};

template <class T>
__device__ inline T element(const T* data, unsigned long long count, long long index) {
  return index >= 0 && static_cast<unsigned long long>(index) < count ? data[index] : T();
}

template <class T>
__device__ inline T tex1Dfetch(const linear_texture<T>& texture, int index) {
  return element(texture.data, texture.count, index);
}

template <class T>
inline hipError_t hipBindTexture(size_t* offset, linear_texture<T>& texture, const void* data,
                                 size_t bytes = ~size_t(0)) {
  if (offset != nullptr) *offset = 0;
  linear_texture<T> bound = texture;
  bound.data = static_cast<const T*>(data);
  bound.count = bytes / sizeof(T);
  return hipMemcpyToSymbol(reinterpret_cast<const void*>(&texture), &bound, sizeof(bound), 0,
                           hipMemcpyHostToDevice);
}
template <class T>
inline hipError_t hipBindTexture(size_t* offset, linear_texture<T>& texture, const void* data,
                                 const hipChannelFormatDesc&, size_t bytes = ~size_t(0)) {
  return hipBindTexture(offset, texture, data, bytes);
}
template <class T>
inline hipError_t hipBindTexture(size_t* offset, linear_texture<T>* texture, const void* data,
                                 const hipChannelFormatDesc*, size_t bytes = ~size_t(0)) {
  return hipBindTexture(offset, *texture, data, bytes);
}
template <class T>
inline hipError_t hipUnbindTexture(linear_texture<T>& texture) {
  return hipBindTexture(nullptr, texture, nullptr, 0);
}
template <class T>
inline hipError_t hipUnbindTexture(linear_texture<T>* texture) {
  return hipUnbindTexture(*texture);
}
template <class T>
inline hipError_t hipGetTextureAlignmentOffset(size_t* offset, const linear_texture<T>&) {
  *offset = 0;
  return hipSuccess;
}

// The same, created at run time in GPU memory.
struct linear_memory {
  const void* data;
  unsigned long long bytes;
};

class linear_texture_object {
 public:
  linear_texture_object() = default;
  __host__ __device__ linear_texture_object(unsigned long long bits)
      : memory_(reinterpret_cast<const linear_memory*>(bits)) {}
  __host__ __device__ explicit operator bool() const { return memory_ != nullptr; }
  __host__ __device__ explicit operator unsigned long long() const {
    return reinterpret_cast<unsigned long long>(memory_);
  }
  friend __host__ __device__ bool operator==(linear_texture_object a, linear_texture_object b) {
    return a.memory_ == b.memory_;
  }
  friend __host__ __device__ bool operator!=(linear_texture_object a, linear_texture_object b) {
    return a.memory_ != b.memory_;
  }

  __host__ __device__ const linear_memory* memory() const { return memory_; }

 private:
  const linear_memory* memory_;
};

template <class T>
__device__ inline T tex1Dfetch(linear_texture_object texture, int index) {
  const linear_memory* memory = texture.memory();
  return element(static_cast<const T*>(memory->data), memory->bytes / sizeof(T), index);
}
template <class T>
__device__ inline void tex1Dfetch(T* to, linear_texture_object texture, int index) {
  *to = tex1Dfetch<T>(texture, index);
}

template <int = 0>
inline hipError_t hipCreateTextureObject(linear_texture_object* texture,
                                         const hipResourceDesc* resource,
                                         const hipTextureDesc* settings,
                                         const hipResourceViewDesc*) {
  if (resource->resType != hipResourceTypeLinear ||
      (settings != nullptr && settings->readMode != hipReadModeElementType))
    return hipErrorNotSupported;
  const linear_memory memory = {resource->res.linear.devPtr, resource->res.linear.sizeInBytes};
  void* place = nullptr;
  hipError_t status = hipMalloc(&place, sizeof(memory));
  if (status == hipSuccess)
    status = hipMemcpy(place, &memory, sizeof(memory), hipMemcpyHostToDevice);
  *texture = linear_texture_object(reinterpret_cast<unsigned long long>(place));
  return status;
}
template <int = 0>
inline hipError_t hipDestroyTextureObject(linear_texture_object texture) {
  return hipFree(const_cast<linear_memory*>(texture.memory()));
}

}  // namespace hip_compat

#endif

// --------------------------------------------------------------------------------------- groups

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

#undef HIP_COMPAT_DEVICE
#undef HIP_COMPAT_BOTH

#endif

// --------------------------------------------------------------------------------------- graphs
// CUDA 12's update of a graph, in host code of any compiler: HIP has CUDA 11's.

#if (defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>

namespace hip_compat {

struct graph_exec_update_result_info {
  hipGraphExecUpdateResult result;
  hipGraphNode_t errorNode;
  hipGraphNode_t errorFromNode;  // HIP does not report it
};

inline hipError_t graph_exec_update(hipGraphExec_t executable, hipGraph_t graph,
                                    graph_exec_update_result_info* info) {
  graph_exec_update_result_info found = {hipGraphExecUpdateError, nullptr, nullptr};
  const hipError_t status = hipGraphExecUpdate(executable, graph, &found.errorNode, &found.result);
  if (info != nullptr) *info = found;
  return status;
}

}  // namespace hip_compat
#endif
