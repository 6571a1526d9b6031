// SPDX-License-Identifier: MIT
#include "port/build/tools.h"

#include <array>

namespace hipwright::port {

namespace {

struct Tool {
  std::string_view name, advice;
};

constexpr std::array kTools = std::to_array<Tool>({
    {"nvprof", "Use rocprofv3 (rocprof before ROCm 6.2): its options differ."},
    {"nsys", "Use rocprofv3 --sys-trace, or rocprof-sys: their options differ."},
    {"ncu", "Use rocprof-compute profile: its options differ."},
    {"nv-nsight-cu-cli", "Use rocprof-compute profile: its options differ."},
    {"nvvp", "Use rocprof-compute analyze."},
    {"cuda-memcheck",
     "Build with -fsanitize=address -shared-libsan for a target with xnack+, or "
     "use the checks of hipwright run."},
    {"compute-sanitizer",
     "Build with -fsanitize=address -shared-libsan for a target with xnack+, "
     "or use the checks of hipwright run."},
    {"cuda-gdb", "Use rocgdb."},
    {"cuobjdump", "Use llvm-objdump --offloading, or hipwright inspect."},
    {"nvdisasm", "Use llvm-objdump -d on the code object."},
    {"nvidia-smi", "Use amd-smi or rocm-smi: their options and output differ."},
    {"nvidia-cuda-mps-control", "ROCm needs no server to share a GPU between processes."},
    {"bin2c", "Use xxd -i, or clang's #embed."},
    {"fatbinary", "Use clang-offload-bundler."},
    {"ptxas", "There is no PTX: compile with hipcc --genco."},
    {"nvlink", "Link with hipcc -fgpu-rdc --hip-link."},
});

}  // namespace

std::string advice_on_tool(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);  // npos + 1 is 0
  for (const Tool& tool : kTools)
    if (tool.name == name) return std::string(tool.advice);
  return {};
}

}  // namespace hipwright::port
