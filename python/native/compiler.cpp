// SPDX-License-Identifier: MIT
#include "hipwright/compiler.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "hipwright/config.h"
#include "module.h"

namespace nb = nanobind;

namespace hipwright::python {

namespace {

nb::dict values_of(const CompilationStats& stats) {
  nb::dict values;
  values["memory_hits"] = stats.memory_hits;
  values["disk_hits"] = stats.disk_hits;
  values["hits"] = stats.hits();
  values["misses"] = stats.misses;
  values["failures"] = stats.failures;
  values["compile_seconds"] = stats.compile_seconds;
  values["saved_seconds"] = stats.saved_seconds;
  values["cache_hit_rate_percent"] = stats.cache_hit_rate_percent();
  return values;
}

CompiledKernel compile(ROCmCompiler& compiler, const std::string& source, const std::string& name,
                       std::string architecture, std::vector<std::string> flags,
                       std::vector<std::filesystem::path> include_dirs) {
  return compiler.compile_kernel(
      source, name, {std::move(architecture), std::move(flags), std::move(include_dirs)});
}

nb::bytes code_of(const CompiledKernel& kernel) {
  return nb::bytes(kernel.code_object().data(), kernel.code_object().size());
}

}  // namespace

void add_compiler(nb::module_& module) {
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<CompiledKernel>(module, "CompiledKernel", "A kernel's code object.")
      .def_ro("name", &CompiledKernel::name)
      .def_ro("architecture", &CompiledKernel::architecture)
      .def_ro("log", &CompiledKernel::log, "The compiler's warnings.")
      .def_ro("symbol", &CompiledKernel::symbol)
      .def_ro("from_cache", &CompiledKernel::from_cache)
      .def_prop_ro("code_object", code_of, "An ELF file: an AMD code object, or a CUBIN.");
  nb::class_<ROCmCompiler>(
      module, "ROCmCompiler",
      "Compiles kernels, with a cache. The architecture is that of the device that "
      "HIPWRIGHT_DEVICE names, else this machine's, unless a call names another.")
      .def(
          "__init__",
          [](ROCmCompiler* place, const AMDConfig& config) {
            const nb::gil_scoped_release unlocked;
            new (place) ROCmCompiler(static_cast<CompilerConfig>(config));
          },
          nb::arg("config") = AMDConfig())
      .def("compile_kernel", compile, nb::arg("source"), nb::arg("name"), nb::kw_only(),
           nb::arg("architecture") = "", nb::arg("flags") = std::vector<std::string>(),
           nb::arg("include_dirs") = std::vector<std::filesystem::path>(), Unlocked(),
           "Compiles HIP source; hip/hip_runtime.h is included. Raises HIPCompilationError.")
      .def(
          "get_compilation_stats",
          [](const ROCmCompiler& compiler) { return values_of(compiler.get_compilation_stats()); },
          nb::sig("def get_compilation_stats(self) -> dict[str, float]"))
      .def("clear_cache", &ROCmCompiler::clear_cache, Unlocked(),
           "Removes the kernels from memory and disk.");
}

}  // namespace hipwright::python
