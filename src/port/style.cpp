// SPDX-License-Identifier: MIT
#include "port/style.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace hipwright::port {

namespace {

bool is_hipify(const Options& options) {
  return options.style == Style::kHipify;
}

// Headers that hipify-clang spells in another way (src/CUDA2HIP.cpp of ROCm/HIPIFY, commit
// 014177bc, for HIP 6.3).
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kHipifyHeaders = {{
    {"cublas.h", "hipblas.h"},
    {"cublas_v2.h", "hipblas.h"},
    {"cublas_api.h", "hipblas.h"},
    {"cublasLt.h", "hipblaslt.h"},
    {"cusparse.h", "hipsparse.h"},
    {"cusparse_v2.h", "hipsparse.h"},
    {"cusolverDn.h", "hipsolver.h"},
    {"cusolverRf.h", "hipsolver.h"},
    {"cusolverSp.h", "hipsolver.h"},
    {"cusolver_common.h", "hipsolver.h"},
    {"cuda_texture_types.h", "hip/hip_texture_types.h"},
    {"device_functions.h", "hip/device_functions.h"},
    {"driver_types.h", "hip/driver_types.h"},
    {"device_launch_parameters.h", ""},
    {"texture_fetch_functions.h", ""},
}};

// And names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kHipifyNames = {{
    {"cudaHostAlloc", "hipHostAlloc"},
    {"cusolverDnHandle_t", "hipsolverHandle_t"},
    {"cusolverDnGetStream", "hipsolverGetStream"},
    {"cusolverDnSetStream", "hipsolverSetStream"},
}};

// The second of the pair that begins with `key`, or null.
template <typename Table>
const std::string_view* find_in(const Table& table, std::string_view key) {
  const auto* found = std::ranges::find(table, key, &Table::value_type::first);
  return found == table.end() ? nullptr : &found->second;
}

// Of which hipify-clang keeps one #include.
constexpr std::array<std::string_view, 8> kHipifyOnce = {
    "hip/hip_runtime.h", "hipblas.h",         "hiprand/hiprand.h", "hiprand/hiprand_kernel.h",
    "hipfft/hipfft.h",   "hip/hip_complex.h", "hipsparse.h",       "hipsolver.h"};

// hipblasCgemm, hipblasIzamax, hipblasGemmEx, with or without _64.
bool has_v2(std::string_view function) {
  constexpr std::string_view kPrefix = "hipblas", k64 = "_64";
  if (!function.starts_with(kPrefix)) return false;
  function.remove_prefix(kPrefix.size());
  if (function.ends_with(k64)) function.remove_suffix(k64.size());
  if (function.size() < 4) return false;
  if (function.ends_with("Ex")) return true;
  const std::string_view two = function.substr(0, 2);
  const bool mixes = two == "Sc" || two == "Dz" || two == "Ic" || two == "Iz";
  const std::string_view rest = function.substr(2);
  if (mixes) return rest == "asum" || rest == "nrm2" || rest == "amax" || rest == "amin";
  if (function.starts_with("Create")) return false;  // of handles; no complex numbers
  return (function[0] == 'C' || function[0] == 'Z') &&
         std::islower(static_cast<unsigned char>(function[1])) != 0;
}

}  // namespace

Conventions conventions_of(const Options& options) {
  if (!is_hipify(options)) return {};
  return {.keeps_quotes = true,
          .keeps_lines = true,
          .includes_runtime_everywhere = true,
          .names_blas_v2 = options.hip.major < 7};
}

std::string header_path(const Options& options, const api::Entry& header, std::string_view path) {
  const std::string_view* own = is_hipify(options) ? find_in(kHipifyHeaders, path) : nullptr;
  if (own != nullptr) return std::string(*own);
  return api::header_path(header, path);
}

bool is_included_once(const Options& options, std::string_view header) {
  return !is_hipify(options) || std::ranges::find(kHipifyOnce, header) != kHipifyOnce.end();
}

std::string hip_name(const Options& options, const api::Entry& entry) {
  const std::string_view* own = is_hipify(options) ? find_in(kHipifyNames, entry.cuda) : nullptr;
  if (own != nullptr) return std::string(*own);
  const std::string_view name = entry.hip;
  if (entry.library != api::Library::kBlas || entry.kind != api::Kind::kFunction ||
      !conventions_of(options).names_blas_v2 || !has_v2(name))
    return std::string(name);
  constexpr std::string_view k64 = "_64";
  return name.ends_with(k64) ? fmt::format("{}_v2_64", name.substr(0, name.size() - k64.size()))
                             : fmt::format("{}_v2", name);
}

}  // namespace hipwright::port
