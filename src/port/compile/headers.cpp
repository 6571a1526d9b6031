// SPDX-License-Identifier: MIT
#include <array>

#include "port/compile/repair.h"

namespace hipwright::port {

namespace {

struct Declared {
  std::string_view header;
  std::string_view names;  // each between blanks
};

constexpr std::array kStandard = std::to_array<Declared>({
    {"<algorithm>",
     " sort stable_sort min max minmax fill copy transform find find_if all_of any_of "
     "count generate clamp reverse unique max_element min_element shuffle "},
    {"<array>", " array "},
    {"<cmath>",
     " sqrt pow abs fabs exp log floor ceil sin cos round isnan isinf isfinite fmax fmin "},
    {"<cstring>", " memcpy memset memcmp strcmp strlen "},
    {"<cstdlib>", " exit malloc free rand srand atoi getenv "},
    {"<cstdio>", " printf fprintf snprintf puts "},
    {"<cstdint>", " uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t "},
    {"<complex>", " complex "},
    {"<fstream>", " ifstream ofstream fstream "},
    {"<functional>", " function plus multiplies less greater hash bind "},
    {"<iomanip>", " setw setprecision setfill fixed "},
    {"<iostream>", " cout cerr endl cin "},
    {"<limits>", " numeric_limits "},
    {"<map>", " map multimap "},
    {"<memory>", " unique_ptr shared_ptr make_unique make_shared "},
    {"<mutex>", " mutex lock_guard unique_lock "},
    {"<numeric>", " accumulate iota partial_sum inner_product "},
    {"<optional>", " optional nullopt "},
    {"<random>",
     " mt19937 mt19937_64 random_device uniform_real_distribution "
     "uniform_int_distribution normal_distribution default_random_engine "},
    {"<set>", " set multiset "},
    {"<sstream>", " stringstream ostringstream istringstream "},
    {"<stdexcept>", " runtime_error invalid_argument logic_error out_of_range "},
    {"<string>", " string to_string stoi stof "},
    {"<string_view>", " string_view "},
    {"<thread>", " thread this_thread "},
    {"<chrono>", " chrono "},
    {"<atomic>", " atomic "},
    {"<tuple>", " tuple make_tuple tie "},
    {"<type_traits>",
     " is_same is_same_v enable_if enable_if_t conditional conditional_t "
     "is_integral is_floating_point "},
    {"<unordered_map>", " unordered_map "},
    {"<unordered_set>", " unordered_set "},
    {"<utility>", " pair make_pair move swap forward "},
    {"<vector>", " vector "},
});

constexpr std::array kPlain = std::to_array<Declared>({
    {"<string.h>",
     " memcpy memset memcmp memmove strcmp strncmp strlen strcpy strcat strstr strtok "},
    {"<stdlib.h>",
     " exit malloc calloc free rand srand atoi atof getenv abort qsort EXIT_FAILURE "
     "EXIT_SUCCESS RAND_MAX "},
    {"<stdio.h>", " printf fprintf snprintf sprintf puts fopen fclose FILE stderr stdout "},
    {"<stdint.h>",
     " uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t "
     "UINT32_MAX INT32_MAX UINT64_MAX "},
    {"<limits.h>", " INT_MAX INT_MIN UINT_MAX LONG_MAX LLONG_MAX ULLONG_MAX CHAR_BIT SHRT_MAX "},
    {"<float.h>", " FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON "},
    {"<math.h>", " M_PI INFINITY NAN sqrt pow fabs exp log sqrtf powf fabsf expf logf isnan "},
    {"<assert.h>", " assert "},
    {"<time.h>", " clock clock_t CLOCKS_PER_SEC time time_t clock_gettime CLOCK_MONOTONIC "},
    {"<sys/time.h>", " gettimeofday timeval "},
    {"<unistd.h>", " usleep sleep getpid getopt optarg "},
    {"<stddef.h>", " size_t ptrdiff_t NULL "},
});

constexpr std::array kHip = std::to_array<Declared>({
    {"<hip/hip_fp16.h>",
     " half half2 __half __half2 __float2half __half2float __hadd __hadd2 __hmul "
     "__hfma2 __float2half_rn "},
    {"<hip/hip_bf16.h>", " __hip_bfloat16 __hip_bfloat162 __float2bfloat16 __bfloat162float "},
    {"<hip/hip_fp8.h>", " __hip_fp8_e4m3 __hip_fp8_e5m2 __hip_fp8_storage_t "},
    {"<hip/hip_complex.h>", " hipFloatComplex hipDoubleComplex hipComplex make_hipFloatComplex "},
    {"<hip/hip_cooperative_groups.h>", " cooperative_groups "},
    {"<hip/hiprtc.h>", " hiprtcProgram hiprtcResult "},
    {"<hip/hip_runtime.h>",
     " __global__ __device__ __host__ __shared__ __constant__ threadIdx blockIdx "
     "blockDim gridDim __syncthreads dim3 atomicAdd float2 float3 float4 int2 int3 "
     "int4 uint2 uint3 uint4 double2 make_float2 make_float3 make_float4 make_int2 "
     "make_int4 make_uint4 uchar4 "},
});

template <std::size_t size>
std::string_view find_in(const std::array<Declared, size>& list, std::string_view name) {
  const std::string word = " " + std::string(name) + " ";
  for (const Declared& each : list)
    if (each.names.find(word) != std::string_view::npos) return each.header;
  return {};
}

struct Library {
  std::string_view folder, name;
};
constexpr std::array kLibraries = std::to_array<Library>({
    {"hipblas/", "hipBLAS"},
    {"hipblaslt/", "hipBLASLt"},
    {"hipfft/", "hipFFT"},
    {"hiprand/", "hipRAND"},
    {"rocrand/", "rocRAND"},
    {"hipsparse/", "hipSPARSE"},
    {"hipsolver/", "hipSOLVER"},
    {"hipcub/", "hipCUB"},
    {"thrust/", "rocThrust"},
    {"rocprim/", "rocPRIM"},
    {"miopen/", "MIOpen"},
    {"rccl/", "RCCL"},
    {"roctracer/", "roctracer"},
    {"rocprofiler", "ROCProfiler"},
    {"amd_smi/", "AMD SMI"},
    {"rocm_smi/", "ROCm SMI"},
    {"rocwmma/", "rocWMMA"},
    {"hiptensor/", "hipTensor"},
    {"ck/", "Composable Kernel"},
    {"ck_tile/", "Composable Kernel"},
    {"rocblas/", "rocBLAS"},
    {"rocsolver/", "rocSOLVER"},
    {"rocsparse/", "rocSPARSE"},
    {"rocfft/", "rocFFT"},
    {"cuda/", "libhipcxx"},
    {"nv/", "libhipcxx"},
    {"torch/", "PyTorch for ROCm"},
    {"ATen/", "PyTorch for ROCm"},
    {"c10/", "PyTorch for ROCm"},
    {"pybind11/", "pybind11"},
    {"Python.h", "Python's headers"},
    {"mpi.h", "MPI"},
    {"boost/", "Boost"},
    {"opencv2/", "OpenCV"},
    {"GL/", "OpenGL"},
    {"GLFW/", "GLFW"},
});

}  // namespace

std::optional<DeclaringHeader> header_declaring(std::string_view name, bool in_std) {
  if (in_std) {
    const std::string_view header = find_in(kStandard, name);
    return header.empty() ? std::nullopt : std::optional(DeclaringHeader{header});
  }
  if (const std::string_view header = find_in(kHip, name); !header.empty())
    return DeclaringHeader{header, true};
  if (const std::string_view header = find_in(kPlain, name); !header.empty())
    return DeclaringHeader{header};
  const bool is_of_runtime =
      name.size() > 3 && name.starts_with("hip") && name[3] >= 'A' && name[3] <= 'Z';
  return is_of_runtime ? std::optional(DeclaringHeader{"<hip/hip_runtime.h>", true}) : std::nullopt;
}

std::string_view library_of_header(std::string_view header) {
  for (const Library& library : kLibraries)
    if (header.starts_with(library.folder)) return library.name;
  return {};
}

}  // namespace hipwright::port
