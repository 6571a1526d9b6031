// SPDX-License-Identifier: MIT
// Kernel compilation with a cache: source in, code object out.
//
//   hipwright::ROCmCompiler compiler;
//   auto kernel = compiler.compile_kernel(source, "add", {.architecture = "gfx942"});
//   use(kernel.code_object());
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hipwright/error.h"

namespace hipwright {

enum class CompilerBackend {
  kAuto,    // sm_* → NVRTC; gfx* → a ROCm 6+ HIPRTC if installed, otherwise clang
  kClang,   // clang-22 with hipwright's SDK; needs no ROCm
  kHiprtc,  // ROCm's run-time compiler
  kNvrtc,   // NVIDIA's run-time compiler
  kNvcc,    // NVIDIA's compiler: for sources with host code or the host's headers
};

struct CompilerConfig {
  CompilerBackend backend = CompilerBackend::kAuto;
  // "gfx942", "gfx90a:sramecc+:xnack-", "MI300X", "sm_90"; "auto": the first AMD GPU of this
  // machine, an error if there is none.
  std::string architecture = "auto";

  bool hip_kernel_cache_enabled = true;
  std::size_t hip_compiler_cache_size = 100;       // kernels kept in memory
  std::filesystem::path hip_compiler_cache_dir{};  // empty: the user's cache folder
  std::uint64_t disk_cache_bytes = 1ULL << 30;

  // Called once if the disk cache cannot be used; empty: one line on standard error.
  std::function<void(const std::string&)> warn{};
};

struct CompileOptions {
  std::string architecture{};        // empty: the configured one
  std::vector<std::string> flags{};  // as the compiler takes them: "-O2", "-DN=4"
  std::vector<std::filesystem::path> include_dirs{};
};

class CompiledKernel {
 public:
  std::string name;          // as given to compile_kernel
  std::string architecture;  // target id, or sm_*
  std::string log;           // the compiler's warnings; empty when it had none
  std::string symbol;        // the kernel's symbol in the code object: the one called `name`
                             // ("scale", "ns::scale", "scale<float>"), or the only one there is
  bool from_cache = false;

  // ELF: an AMD code object, or a CUBIN. Shared with the cache, not copied.
  std::string_view code_object() const { return bytes_; }

 private:
  friend class ROCmCompiler;
  std::shared_ptr<const void> owner_;
  std::string_view bytes_;
};

struct CompilationStats {
  std::uint64_t memory_hits = 0;
  std::uint64_t disk_hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t failures = 0;  // misses whose compile failed
  double compile_seconds = 0;  // spent compiling
  double saved_seconds = 0;    // the original compile time of the hits

  std::uint64_t hits() const { return memory_hits + disk_hits; }
  double cache_hit_rate_percent() const;  // 0 before the first compile
};

// Thread-safe.
class ROCmCompiler {
 public:
  // Throws AMDConfigurationError for an invalid setting.
  explicit ROCmCompiler(CompilerConfig config = {});
  ROCmCompiler(ROCmCompiler&&) noexcept;
  ROCmCompiler& operator=(ROCmCompiler&&) noexcept;
  ~ROCmCompiler();

  // hip/hip_runtime.h (NVRTC: CUDA's built-ins) is already included. Throws HIPCompilationError
  // if the source does not compile, if it has several kernels and `name` matches none or more than
  // one of them, or if no compiler is available; failures are never cached.
  CompiledKernel compile_kernel(std::string_view source, const std::string& name,
                                const CompileOptions& options = {});

  CompilationStats get_compilation_stats() const;
  // Removes the kernels from memory and disk.
  void clear_cache();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hipwright
