// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "hipwright/compiler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "arch/target.h"
#include "base/file.h"
#include "toolchain/cache/kernel_cache.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/kernel_symbol.h"
#include "toolchain/probe.h"

namespace fs = std::filesystem;

namespace hipwright {

using namespace toolchain;

namespace {

bool is_nvidia(std::string_view architecture) {
  return architecture.starts_with("sm_");
}

// Resolves "auto" and product names to targets for a compiler.
Result<std::string> resolve_architecture(const std::string& text) {
  if (is_nvidia(text)) return text;
  if (text != "auto") {
    HW_TRY(const arch::Target target, arch::parse_target(text));
    return target.id();
  }
  const std::vector<std::string> gpus = local_gpus();
  if (!gpus.empty()) return gpus.front();
  return fail("cannot choose a target for", "auto", "this machine has no AMD GPU",
              "Set one, for example architecture = \"gfx942\".");
}

CompilerBackend resolve_backend(CompilerBackend backend, std::string_view architecture) {
  if (backend != CompilerBackend::kAuto) return backend;
  if (is_nvidia(architecture)) return CompilerBackend::kNvrtc;
  // HIPRTC before ROCm 6 lacks what today's kernels use.
  const auto rocm = find_rocm();
  const bool recent = rocm && std::strtol(rocm->version.c_str(), nullptr, 10) >= 6;
  return recent ? CompilerBackend::kHiprtc : CompilerBackend::kClang;
}

Result<std::unique_ptr<KernelCompiler>> make_compiler(CompilerBackend backend) {
  switch (backend) {
    case CompilerBackend::kClang:
      return make_clang_compiler();
    case CompilerBackend::kHiprtc:
      return make_hiprtc_compiler();
    case CompilerBackend::kNvrtc:
      return make_nvrtc_compiler();
    case CompilerBackend::kNvcc:
      return make_nvcc_compiler();
    case CompilerBackend::kAuto:
      break;
  }
  bug("the backend was not resolved", __FILE__, __LINE__);
}

[[noreturn]] void throw_compilation_error(const Error& error) {
  std::vector<CompilerMessage> messages;
  for (LogMessage& message : parse_compiler_log(error.why))
    messages.push_back({std::move(message.severity), std::move(message.file), message.line,
                        message.column, std::move(message.text)});
  throw HIPCompilationError(
      error.message(), error.why, std::move(messages),
      {.call = "compile_kernel",
       .advice = error.fix.empty() ? "Fix the errors in the compiler's messages." : error.fix});
}

// The cached bytes: the kernel's symbol, a zero byte, the code object.
std::string pack(std::string_view symbol, std::string_view code_object) {
  return fmt::format("{}{}{}", symbol, '\0', code_object);
}

// Relative paths among the flags mean another file in another folder.
bool depends_on_folder(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.starts_with("-I") || flag.starts_with("-i") || !flag.starts_with("-");
  });
}

}  // namespace

struct ROCmCompiler::State {
  explicit State(CompilerConfig given) : config(std::move(given)), cache(cache_options(config)) {}

  static CacheOptions cache_options(const CompilerConfig& config) {
    CacheOptions options;
    const auto warn = config.warn;
    options.warn = [warn](const Error& error) {
      if (warn)
        warn("kernel cache disabled: " + error.message());
      else
        std::fprintf(stderr, "%s%s\n", kCacheWarning, error.message().c_str());
    };
    options.memory_entries = config.hip_kernel_cache_enabled ? config.hip_compiler_cache_size : 0;
    options.disk_bytes = config.disk_cache_bytes;
    if (!config.hip_kernel_cache_enabled) return options;
    options.directory = config.hip_compiler_cache_dir;
    if (options.directory.empty()) {
      const auto folder = KernelCache::default_directory();
      // Its parent holds the SDK, too.
      const Status is_private = folder ? make_private_directory(folder->parent_path())
                                       : Status(std::unexpected(folder.error()));
      if (is_private)
        options.directory = *folder;
      else
        options.warn(is_private.error());
    }
    return options;
  }

  // The meaning of an architecture, as the caller wrote it, on this machine.
  struct Resolved {
    std::string architecture;
    std::shared_ptr<const KernelCompiler> compiler;
    std::string identity;
  };

  // Cached; failures are not, because the user may install what is missing.
  Result<const Resolved*> resolve(const std::string& requested) {
    const std::lock_guard lock(mutex);
    if (const auto found = resolved.find(requested); found != resolved.end()) return &found->second;
    HW_TRY(std::string architecture, resolve_architecture(requested));
    const CompilerBackend backend = resolve_backend(config.backend, architecture);
    auto& compiler = compilers[backend];
    if (!compiler) {
      HW_TRY(compiler, make_compiler(backend));
    }
    std::string identity = compiler->identity();
    return &resolved
                .emplace(requested,
                         Resolved{std::move(architecture), compiler, std::move(identity)})
                .first->second;
  }

  const CompilerConfig config;
  KernelCache cache;
  std::mutex mutex;
  std::map<CompilerBackend, std::shared_ptr<const KernelCompiler>> compilers;
  std::map<std::string, Resolved> resolved;  // nodes stay where they are
};

ROCmCompiler::ROCmCompiler(CompilerConfig config) {
  if (config.architecture.empty())
    throw AMDConfigurationError(
        "architecture is empty; expected auto, a gfx target, a product name or sm_*", {},
        {.call = "ROCmCompiler", .advice = "Use \"auto\", or give an architecture."});
  if (config.architecture != "auto") {
    const auto architecture = resolve_architecture(config.architecture);
    if (!architecture)
      throw AMDConfigurationError("architecture: " + architecture.error().message(), {},
                                  {.call = "ROCmCompiler", .advice = architecture.error().fix});
  }
  state_ = std::make_unique<State>(std::move(config));
}

ROCmCompiler::ROCmCompiler(ROCmCompiler&&) noexcept = default;
ROCmCompiler& ROCmCompiler::operator=(ROCmCompiler&&) noexcept = default;
ROCmCompiler::~ROCmCompiler() = default;

CompiledKernel ROCmCompiler::compile_kernel(std::string_view source, const std::string& name,
                                            const CompileOptions& options) {
  // It becomes the file name in messages.
  if (name.find_first_of("\"\\\n\r") != std::string::npos)
    throw HIPCompilationError(
        "invalid kernel name: it has a quote, a backslash or a line break", {}, {},
        {.call = "compile_kernel", .advice = "Use the kernel's name in the source."});
  const auto resolved = state_->resolve(options.architecture.empty() ? state_->config.architecture
                                                                     : options.architecture);
  if (!resolved)
    throw HIPCompilationError(resolved.error().message(), {}, {},
                              {.call = "compile_kernel", .advice = resolved.error().fix});
  const auto& [architecture, compiler, identity] = **resolved;

  CompileRequest request{.source = std::string(source),
                         .file_name = name + (is_nvidia(architecture) ? ".cu" : ".hip"),
                         .architecture = architecture,
                         .flags = options.flags};
  for (const fs::path& folder : options.include_dirs) {
    if (folder.empty())
      throw HIPCompilationError(
          "cannot compile: empty name in include_dirs", {}, {},
          {.call = "compile_kernel", .advice = "Give the directory's name, or remove the entry."});
    request.include_dirs.push_back(fs::absolute(folder));
  }

  CacheRequest key{.source = request.source,
                   .source_name = request.file_name,
                   .compiler = identity,
                   .target = architecture,
                   .options = request.flags};
  for (const fs::path& folder : request.include_dirs) key.options.push_back("-I" + folder.string());
  if (depends_on_folder(request.flags)) key.directory = fs::current_path();
  for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    if (const char* value = std::getenv(variable))
      key.options.push_back(fmt::format("{}={}", variable, value));

  bool compiled_now = false;
  const auto kernel = state_->cache.get_or_compile(key, [&]() -> Result<Compiled> {
    compiled_now = true;
    HW_TRY(CompileOutput output, compiler->compile(request));
    HW_TRY(const std::string symbol, kernel_symbol(output.code_object, name));
    // Files that would have been used instead if they existed.
    std::vector<fs::path> folders = request.include_dirs;
    const IncludeFlags added = include_flags(request.flags);
    folders.insert(folders.end(), added.folders.begin(), added.folders.end());
    auto absent = shadowing_paths(output.includes, folders);
    return Compiled{pack(symbol, output.code_object), std::move(output.log),
                    std::move(output.includes), std::move(absent), output.includes_known};
  });
  if (!kernel) throw_compilation_error(kernel.error());

  const std::string_view packed = (*kernel)->payload();
  const std::size_t separator = packed.find('\0');
  HW_ASSERT(separator != std::string_view::npos);
  CompiledKernel result;
  result.name = name;
  result.architecture = architecture;
  result.log = (*kernel)->log();
  result.symbol = packed.substr(0, separator);
  result.from_cache = !compiled_now;
  result.owner_ = *kernel;
  result.bytes_ = packed.substr(separator + 1);
  return result;
}

double CompilationStats::cache_hit_rate_percent() const {
  const std::uint64_t all = hits() + misses;
  return all == 0 ? 0 : 100.0 * static_cast<double>(hits()) / static_cast<double>(all);
}

CompilationStats ROCmCompiler::get_compilation_stats() const {
  const CacheStatistics counted = state_->cache.statistics();
  return {.memory_hits = counted.memory_hits,
          .disk_hits = counted.disk_hits,
          .misses = counted.misses,
          .failures = counted.failures,
          .compile_seconds = counted.seconds_compiling,
          .saved_seconds = counted.seconds_saved};
}

void ROCmCompiler::clear_cache() {
  if (const auto cleared = state_->cache.clear(); !cleared)
    throw AMDBackendError(cleared.error().message(),
                          {.call = "clear_cache", .advice = cleared.error().fix});
}

}  // namespace hipwright
