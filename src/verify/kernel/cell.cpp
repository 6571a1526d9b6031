// SPDX-License-Identifier: MIT
#include "verify/kernel/cell.h"

#include <chrono>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/target.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "hipwright/backend.h"
#include "toolchain/code_object/choose.h"
#include "toolchain/code_object/demangle.h"
#include "toolchain/code_object/producer.h"
#include "toolchain/compile/kernel_symbol.h"
#include "toolchain/compile/name_expression.h"
#include "toolchain/probe.h"
#include "verify/kernel/reference.h"

namespace hipwright::verify {

namespace {

// The compiler accepts the only kernel of a source under any name.
void must_be(const std::string& symbol, const KernelSpec& spec) {
  if (!toolchain::is_called(symbol, spec.kernel))
    throw HIPCompilationError(fmt::format("no kernel {}; found {} (set kernel = \"…\" in the spec)",
                                          spec.kernel, toolchain::demangle(symbol)),
                              "", {});
}

// The code object's part for this device. Empty: it has none, as `result` then says.
std::optional<Kernel> load_code(AMDBackend& backend, const KernelSpec& spec, CellResult& result) {
  const auto or_throw = [](auto&& value) {
    if (!value) throw HIPCompilationError(value.error().message(), "", {});
    return *std::move(value);
  };
  const arch::Target device = or_throw(arch::parse_target(backend.get_device_info().architecture));
  const toolchain::Choice choice = or_throw(toolchain::choose_code_object(
      toolchain::Bytes(or_throw(read_file(spec.code))), spec.code.filename().string(), device));
  if (!choice.best) {
    result.stage = Stage::kOtherTarget;
    result.error = fmt::format(
        "{} has {}; compile it for {} too, or choose another device (--device)",
        spec.code.filename().string(),
        choice.targets.empty() ? "no machine code"
                               : fmt::format("code only for {}", fmt::join(choice.targets, ", ")),
        device.processor);
    return std::nullopt;
  }
  const std::string_view bytes = choice.best->bytes().view();
  const std::string symbol = or_throw(toolchain::kernel_symbol(bytes, spec.kernel));
  must_be(symbol, spec);
  result.resources = resources_of(bytes, symbol);
  // Compiled elsewhere: not by this machine's compiler.
  result.compiler = toolchain::producer_of(*choice.best);
  if (result.compiler.empty())
    result.compiler = "unknown compiler (not recorded in the code object)";
  return backend.load_code_object(bytes, symbol);
}

// nvcc accepts host code, too; NVRTC does not, but needs no host compiler.
bool uses_nvcc() {
  static const bool uses = toolchain::find_nvcc() && find_program("c++");
  return uses;
}

// Compiles the source for this device, or selects from the given code objects.
std::optional<Kernel> load(AMDBackend& backend, const KernelSpec& spec, CellResult& result) {
  const DeviceInfo info = backend.get_device_info();
  if (!spec.code.empty() && info.type != "cuda") return load_code(backend, spec, result);
  const std::filesystem::path& file = info.type == "cuda" ? spec.cuda : spec.source;
  if (const Status can = can_compile(info.architecture); !can) {
    result.stage = Stage::kOtherTarget;
    result.error = can.error().message();
    return std::nullopt;
  }
  const auto source = read_file(file);
  if (!source) throw HIPCompilationError(source.error().message(), "", {});
  CompileOptions options{
      .architecture = info.architecture, .flags = spec.flags, .include_dirs = {file.parent_path()}};
  // So that checks can name source lines.
  if (info.type == "soft") options.flags.emplace_back("-gline-tables-only");
  std::string text = fmt::format("#line 1 \"{}\"\n{}", file.filename().string(), *source);
  // A template has no code until it is instantiated.
  const bool is_template = spec.kernel.find('<') != std::string::npos;
  if (is_template)
    text += info.type == "cuda"
                ? fmt::format("\ntemplate __global__ decltype({0}) {0};\n", spec.kernel)
                : toolchain::naming_line(spec.kernel, 0);
  const bool by_nvcc = info.type == "cuda" && uses_nvcc();
  const CompiledKernel compiled =
      by_nvcc ? ROCmCompiler({.backend = CompilerBackend::kNvcc, .architecture = info.architecture})
                    .compile_kernel(text, spec.kernel, options)
              : backend.compiler().compile_kernel(text, spec.kernel, options);
  if (!is_template || info.type == "cuda") must_be(compiled.symbol, spec);
  result.resources = resources_of(compiled.code_object(), compiled.symbol);
  return backend.load_code_object(compiled.code_object(), compiled.symbol);
}

// Stores the outputs in `values` and returns the names of other buffers that were written.
std::vector<std::string> launch(AMDBackend& backend, const KernelSpec& spec, const Kernel& kernel,
                                const LaunchShape& shape, std::map<std::string, Values>& values) {
  std::map<std::string, DeviceBuffer> buffers;
  std::map<std::string, void*> addresses;
  std::vector<KernelArgument> arguments;
  for (const Argument& argument : spec.arguments) {
    Values& value = values.at(argument.name);
    if (!argument.is_buffer) {
      arguments.push_back({value.bytes.data(), value.bytes.size()});
      continue;
    }
    DeviceBuffer& buffer = buffers[argument.name];
    buffer = backend.memory().allocate(std::max<std::size_t>(value.bytes.size(), 1));
    backend.utilities().copy_to_device(buffer.data(), value.bytes.data(), value.bytes.size());
    void*& address = addresses[argument.name];
    address = buffer.data();
    arguments.push_back({&address, sizeof address});
  }
  backend.utilities().launch_with(kernel, shape.grid, shape.block, shape.shared_bytes, {},
                                  arguments);
  std::vector<std::string> also_written;
  for (const Argument& argument : spec.arguments) {
    if (!argument.is_buffer) continue;
    std::string& before = values.at(argument.name).bytes;
    std::string after(before.size(), '\0');
    backend.utilities().copy_to_host(after.data(), buffers[argument.name].data(), after.size());
    if (argument.is_output)
      before = std::move(after);
    else if (before != after)
      also_written.push_back(argument.name);
  }
  backend.synchronize();
  return also_written;
}

void keep_outputs(const KernelSpec& spec, std::map<std::string, Values>& values,
                  CellResult& result) {
  for (const Argument& argument : spec.arguments)
    if (argument.is_output)
      result.outputs.emplace(argument.name, std::move(values.at(argument.name)));
  result.stage = Stage::kDone;
}

Status run_on_cpu(const KernelSpec& spec, const Cell& cell, CellResult& result) {
  result.device = "CPU reference";
  // The larger wave size, for sizes that depend on it.
  HW_TRY(auto values, initial_values(spec, 64, cell.seed));
  if (const Status ran = run_reference(spec, values, result.compiler); !ran) {
    result.error = ran.error().message();
    return {};
  }
  keep_outputs(spec, values, result);
  return {};
}

Status run_on_gpu(const KernelSpec& spec, const Cell& cell, CellResult& result) {
  ::setenv("HIPWRIGHT_DEVICE", cell.device.c_str(), 1);
  try {
    // Every buffer is a separate allocation, so that the memory beyond its end belongs to nothing.
    AMDBackend backend(AMDConfig{.enable_memory_pooling = false});
    const DeviceInfo info = backend.get_device_info();
    result.device = info.architecture.empty()
                        ? info.name
                        : fmt::format("{} ({})", info.name, info.architecture);
    if (info.type == "hip" || info.type == "cuda") result.driver = info.runtime;
    result.compiler = compiler_text(info.architecture);
    result.wave_size = info.wave_size;
    HW_TRY(const LaunchShape shape, launch_shape(spec, info.wave_size));
    result.block_size = shape.block.x * shape.block.y * shape.block.z;
    HW_TRY(auto values, initial_values(spec, info.wave_size, cell.seed));
    const std::optional<Kernel> kernel = load(backend, spec, result);
    if (!kernel) return {};
    result.stage = Stage::kRun;
    result.also_written = launch(backend, spec, *kernel, shape, values);
    keep_outputs(spec, values, result);
  } catch (const HIPCompilationError& error) {
    result.error = error.log().empty() ? error.what() : error.log();
  } catch (const AMDBackendError& error) {
    result.error = error.what();
    if (!error.device_usable()) result.stage = Stage::kLost;
  }
  return {};
}

}  // namespace

std::string Cell::text() const {
  return fmt::format("{} on {}, seed {}{}{}", label, device, seed, schedule.empty() ? "" : ", ",
                     schedule);
}

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kBuild:
      return "build";
    case Stage::kOtherTarget:
      return "other target";
    case Stage::kRun:
      return "run";
    case Stage::kDone:
      return "done";
    case Stage::kLost:
      return "lost";
    case Stage::kTimedOut:
      return "timed out";
    case Stage::kUnsupported:
      return "unsupported";
    case Stage::kUnknown:
      return "unknown";
  }
  return "";
}

Result<CellResult> run_cell(const KernelSpec& spec, const Cell& cell) {
  CellResult result;
  const auto begin = std::chrono::steady_clock::now();
  if (cell.device == kReference)
    HW_CHECK(run_on_cpu(spec, cell, result));
  else
    HW_CHECK(run_on_gpu(spec, cell, result));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

namespace {

const toolchain::Toolchain& toolchain_here() {
  static const toolchain::Toolchain found = toolchain::probe_toolchain();
  return found;
}

}  // namespace

Status can_compile(std::string_view architecture) {
  const toolchain::Toolchain& found = toolchain_here();
  if (architecture.starts_with("sm_")) {
    if (uses_nvcc() || found.nvrtc) return {};
    return fail("cannot compile for", std::string(architecture), "neither nvcc nor NVRTC was found",
                "Install NVIDIA's CUDA toolkit.");
  }
  if (found.rocm && found.hiprtc) return {};
  if (const auto clang = toolchain::find_hip_compiler(); !clang)
    return std::unexpected(clang.error());
  if (const auto libraries = toolchain::find_device_libs(); !libraries)
    return std::unexpected(libraries.error());
  return {};
}

std::string compiler_text(std::string_view architecture) {
  const toolchain::Toolchain& found = toolchain_here();
  if (architecture.starts_with("sm_") && uses_nvcc())
    return fmt::format("nvcc {}", found.nvcc->version);
  if (architecture.starts_with("sm_"))
    return fmt::format("NVRTC {}", found.nvrtc ? found.nvrtc->version : "of unknown version");
  if (found.rocm && found.hiprtc)
    return fmt::format("HIPRTC {} of ROCm {}", found.hiprtc->version, found.rocm->version);
  if (!found.clang) return "no compiler";
  std::string libraries = "without device libraries";
  if (found.device_libs)
    if (const auto ocml = read_file(*found.device_libs / "ocml.bc"))
      libraries = fmt::format("device libraries ocml.bc {}", hash128(*ocml).hex().substr(0, 12));
  return fmt::format("clang {}, {}, hipwright {}", found.clang->version, libraries,
                     HIPWRIGHT_VERSION);
}

std::string compiler_of(const Cell& cell) {
  if (cell.device == kReference) return {};
  return compiler_text(cell.device.starts_with("cuda") ? "sm_" : "gfx");
}

}  // namespace hipwright::verify
