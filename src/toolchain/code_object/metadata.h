// SPDX-License-Identifier: MIT
// The NT_AMDGPU_METADATA note: the compiler's description of each kernel for a runtime.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

struct KernelArgument {
  std::string name;          // as in the source; empty unless the compiler keeps it
  std::string type_name;     // likewise
  std::uint32_t offset = 0;  // in the kernarg segment
  std::uint32_t size = 0;
  std::string value_kind;     // "by_value", "global_buffer", "dynamic_shared_pointer", "hidden_…"
  std::string address_space;  // of a pointer: "global", "local", "constant", …
  std::string access;         // "read_only", …; may be empty
  std::string actual_access;
  std::uint32_t pointee_align = 0;  // of a "dynamic_shared_pointer"
  bool is_const = false, is_restrict = false, is_volatile = false, is_pipe = false;

  // Set up by the runtime, not passed by the caller.
  bool hidden() const { return value_kind.starts_with("hidden_"); }
};

struct KernelMetadata {
  std::string name;    // mangled
  std::string symbol;  // of the kernel descriptor: name + ".kd"
  std::vector<KernelArgument> arguments;
  std::uint32_t kernarg_size = 0;
  std::uint32_t kernarg_align = 0;
  std::uint32_t lds_bytes = 0;      // fixed; what the caller adds at launch is not in it
  std::uint32_t scratch_bytes = 0;  // per lane, fixed
  bool uses_dynamic_stack = false;  // recursion or calls through pointers: more may be needed
  std::uint32_t max_workgroup_size = 0;
  std::optional<std::array<std::uint32_t, 3>> required_workgroup_size;
  std::optional<std::array<std::uint32_t, 3>> workgroup_size_hint;
  unsigned wave_size = 0;
  unsigned sgprs = 0;
  unsigned vgprs = 0;  // where AGPRs share the register file (gfx90a, gfx94x, gfx950): both kinds
  unsigned agprs = 0;
  unsigned sgpr_spills = 0, vgpr_spills = 0;
  bool uniform_workgroups = false;  // the grid is always a multiple of the workgroup
  std::optional<bool> wgp_mode;     // gfx10 to gfx12.0
  std::string kind = "normal";      // or "init", "fini": run when the code object is loaded
  std::string language;             // "OpenCL C", "HIP", …; may be empty
};

struct Metadata {
  unsigned major = 0, minor = 0;
  std::string target;  // "amdgcn-amd-amdhsa--gfx942"; may be empty
  std::vector<KernelMetadata> kernels;
  std::vector<std::string> printf_formats;  // as the compiler wrote them: "ID:count:sizes:format"
};

// `note` is the MessagePack of the note.
Result<Metadata> parse_metadata(std::string_view note, const std::string& origin);

}  // namespace hipwright::toolchain
