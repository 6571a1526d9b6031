// SPDX-License-Identifier: MIT
// A checkpoint that was written on NVIDIA and goes on on AMD. Where one of them is missing, the
// CPU stands in.
#include <hipwright/checkpoint.h>

#include <cstdio>
#include <filesystem>

#include "kernels.h"

static hipwright::Tensor tensor_of(hipwright::Backend& backend, const std::vector<float>& values) {
  return {.type = hipwright::DataType::kF32,
          .shape = {static_cast<std::int64_t>(values.size())},
          .memory = to_device(backend, values, "weights")};
}

int main(int argc, char** argv) try {
  const std::filesystem::path path =
      argc > 1 ? std::filesystem::path(argv[1])
               : std::filesystem::temp_directory_path() / "hipwright_cross_backend.safetensors";
  constexpr unsigned n = 512;
  {
    hipwright::NVIDIABackend nvidia;
    std::printf("Train on %s\n", nvidia.device().id().c_str());
    hipwright::Checkpoint checkpoint;
    checkpoint.tensors["layer.weight"] = tensor_of(nvidia, std::vector<float>(n, 1.0F));
    checkpoint.tensors["layer.gradient"] = tensor_of(nvidia, std::vector<float>(n, 0.5F));
    const hipwright::Kernel saxpy = nvidia.load_kernel(kKernels, "saxpy");
    nvidia.launch(saxpy, blocks_for(n), {kThreads}, -0.1F,
                  checkpoint.tensors["layer.gradient"].memory,
                  checkpoint.tensors["layer.weight"].memory, n);
    checkpoint.metadata["epoch"] = "10";
    nvidia.synchronize();
    hipwright::save_checkpoint(path, checkpoint, nvidia);
  }
  hipwright::AMDBackend amd;
  hipwright::Checkpoint checkpoint = hipwright::load_checkpoint(path, amd);
  std::printf("Load on %s: %zu tensors, epoch %s\n", amd.device().id().c_str(),
              checkpoint.tensors.size(), checkpoint.metadata.at("epoch").c_str());
  const hipwright::Kernel saxpy = amd.load_kernel(kKernels, "saxpy");
  amd.launch(saxpy, blocks_for(n), {kThreads}, -0.1F, checkpoint.tensors["layer.gradient"].memory,
             checkpoint.tensors["layer.weight"].memory, n);
  const float weight = to_host(amd, checkpoint.tensors["layer.weight"].memory)[n - 1];
  std::printf("weight after two steps: %.3f\n", static_cast<double>(weight));
  if (argc <= 1) std::filesystem::remove(path);
  if (weight < 0.8999F || weight > 0.9001F) return 1;
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
