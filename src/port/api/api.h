// SPDX-License-Identifier: MIT
// CUDA names and their HIP counterparts: the HIP name, the release that added it, how a call
// changes, and what behaves differently. The facts are in tables/ (format: table.h), compiled into
// the binary and read on first use.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::port::api {

enum class Library : std::uint8_t {
  kRuntime,
  kDriver,
  kRtc,
  kBlas,
  kBlasLt,
  kRand,
  kFft,
  kSparse,
  kSolver,
  kDnn,
  kNccl,
  kCub,
  kThrust,
  kNvtx,
  kNvml,
  kComplex,
  kHalf,  // half, bfloat16, fp8, fp6, fp4
  kGroups,
  kLibcuxx,
  kDevice,   // device functions: intrinsics, mathematics, atomics, vector types
  kTexture,  // texture and surface functions of device code, texture references
  kProfiler,
  kWmma,
  kOther,  // headers of none of these: helper_cuda.h, CUTLASS
};
inline constexpr std::size_t kLibraryCount = static_cast<std::size_t>(Library::kOther) + 1;

enum class Kind : std::uint8_t {
  kFunction,
  kType,
  kEnumerator,
  kMacro,
  kDeviceFunction,
  kNamespace,
  kHeader,
};

struct HipVersion {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const HipVersion&, const HipVersion&) = default;
};
inline constexpr HipVersion kNoRelease{1000, 0};  // later than every release

// When a caveat is true of a port.
enum class CaveatHolds {
  kAlways,
  kInWholeWaves,  // not where the port keeps 32-lane warps
  kInDeviceCode,
  kWithoutPort,  // the port takes care of it
};

struct Entry {
  std::string_view cuda;  // "cudaMalloc", "cub::BlockReduce", "cublas_v2.h"
  std::string_view hip;   // empty if there is no counterpart
  Library library = Library::kRuntime;
  Kind kind = Kind::kFunction;
  // compat.h (sdk/compat) provides it under the name `hip` if HIP is older than `since`. For a
  // header: compat.h must be included, too.
  bool compat = false;
  HipVersion since;               // first release that declares `hip`; 0.0: 5.0 or earlier
  HipVersion until = kNoRelease;  // first release that no longer declares it
  std::string_view call;          // how a call changes (see rewritten_call); empty: name only
  std::string_view caveat;        // what differs, or what to do without a counterpart
  CaveatHolds caveat_holds = CaveatHolds::kAlways;

  bool mapped() const { return !hip.empty(); }
  bool unchanged() const { return hip == cuda && call.empty(); }
  // Whether HIP itself has it in that release, not counting compat.h.
  bool declared_in(HipVersion version) const {
    return mapped() && since <= version && version < until;
  }
  // Whether a port to that release can use `hip`, possibly with compat.h.
  bool usable_in(HipVersion version) const { return declared_in(version) || (mapped() && compat); }
};

// Looks up an identifier, also a qualified one ("cub::BlockReduce"); null if it is not a CUDA name.
// One hash and one comparison, fast enough for every identifier of a tree.
const Entry* find(std::string_view cuda_name);
const Entry* find(std::string_view cuda_name, Kind kind);

// The path of an #include, as written between its quotes or brackets. Families of headers
// ("thrust/…") have one entry, whose names end in '*': `header_path` gives the new path.
const Entry* find_header(std::string_view path);
std::string header_path(const Entry& header, std::string_view path);

// All names that become this HIP name.
std::vector<const Entry*> find_hip(std::string_view hip_name);

// Names similar to this one, closest first: typos, parts of names, HIP names. Empty if nothing is
// similar.
std::vector<const Entry*> similar(std::string_view name, std::size_t most);

std::span<const Entry> all();

// The text of a call with changed arguments; empty if `entry.call` has no form for that number of
// arguments (then only the name changes).
//
// `Entry::call` is one form, or several separated by " | ", each with the number of arguments that
// it is for: "3: $0($1, $2, $3) | 4: $0($1, $2, $3.id, $4)". In a form
//   $0          is the HIP name
//   $1 … $9     an argument as written
//   $2..        an argument and all after it (removed with the comma before it if there are none)
//   $*          all arguments
//   kernel($1)  a kernel's address: reinterpret_cast<const void*>(…), if it has no cast yet
//   symbol($1)  a device variable: HIP_SYMBOL(…), if it has none yet
//   location($1)  a device number: where the argument is visibly a memory location (braces, or a
//               name with "loc" in it) its device, otherwise the argument
std::optional<std::string> rewritten_call(const Entry& entry,
                                          std::span<const std::string_view> arguments);
// The same as a macro for calls with any arguments: "cudaFuncGetAttributes(a1, a2)" and
// "hipFuncGetAttributes(a1, reinterpret_cast<const void*>(a2))". Empty if the form depends on the
// arguments or on their number.
struct CallMacro {
  std::string name, text;
};
std::optional<CallMacro> call_macro(const Entry& entry, std::size_t argument_count);
// The form for that number of arguments, or empty.
std::string_view call_form(const Entry& entry, std::size_t argument_count);

std::string_view name_of(Library library);   // "blas": as in --library and tables/blas.txt
std::string_view title_of(Library library);  // "cuBLAS"
std::string_view name_of(Kind kind);         // "function"
std::optional<Library> parse_library(std::string_view name);

// "6.2", "6.2.1" or "7"; the error describes the format.
Result<HipVersion> parse_hip_version(std::string_view text);
std::string text_of(HipVersion version);  // "6.2"

}  // namespace hipwright::port::api
