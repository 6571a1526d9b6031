// SPDX-License-Identifier: MIT
#include "project/vendor_folders.h"

#include <gtest/gtest.h>

namespace hipwright::project {
namespace {

TEST(VendorFolders, AFolderBesideHipIsForCudaAlone) {
  VendorFolders folders;
  for (const char* path : {"core/Cuda/scan.cuh", "core/HIP/scan.hip", "solver/cuda/cg.cu",
                           "solver/rocm.txt", "cuda/check.py"})
    folders.add(path);
  EXPECT_TRUE(folders.is_for_cuda_alone("core/Cuda/scan.cuh"));
  EXPECT_TRUE(folders.is_for_cuda_alone("core/Cuda/detail/warp.h"));
  EXPECT_FALSE(folders.is_for_cuda_alone("core/HIP/scan.hip"));
  EXPECT_FALSE(folders.is_for_cuda_alone("solver/cuda/cg.cu")) << "no other implementation";
  EXPECT_FALSE(folders.is_for_cuda_alone("core/Cuda/tools.py")) << "not compiled";
}

TEST(VendorFolders, AFileBesideItsTwinIsForCudaAlone) {
  VendorFolders folders;
  for (const char* path : {"atomics/Fetch_CUDA.hpp", "atomics/Fetch_HIP.hpp",
                           "include/cuda_device.h", "include/rocm_device.h", "atomics/Add_CUDA.hpp",
                           "atomics/cuda/exchange.inc", "ops/cuda/mask.h"})
    folders.add(path);
  EXPECT_TRUE(folders.is_for_cuda_alone("atomics/Fetch_CUDA.hpp"));
  EXPECT_TRUE(folders.is_for_cuda_alone("atomics/cuda/exchange.inc"));
  EXPECT_TRUE(folders.is_for_cuda_alone("include/cuda_device.h"));
  EXPECT_FALSE(folders.is_for_cuda_alone("atomics/Add_CUDA.hpp")) << "no twin";
  EXPECT_FALSE(folders.is_for_cuda_alone("atomics/Fetch_HIP.hpp"));
  EXPECT_FALSE(folders.is_for_cuda_alone("ops/cuda/mask.h"));
}

TEST(VendorFolders, AFolderBesideRocmIsForCudaAlone) {
  VendorFolders folders;
  for (const char* path : {"backend/cuda/norm.cu", "backend/rocm/norm.cu", "other/cuda/a.cu"})
    folders.add(path);
  EXPECT_TRUE(folders.is_for_cuda_alone("backend/cuda/deep/softmax.cuh"));
  EXPECT_FALSE(folders.is_for_cuda_alone("backend/rocm/norm.cu"));
  EXPECT_FALSE(folders.is_for_cuda_alone("other/cuda/a.cu"));
  EXPECT_FALSE(folders.is_for_cuda_alone("backend/cuda/tune.py")) << "no Python for ROCm";
  folders.add("backend/rocm/tune.py");
  EXPECT_TRUE(folders.is_for_cuda_alone("backend/cuda/tune.py"));
}

TEST(VendorFolders, HipifyTranslatesTheSourcesOfOneFolderIntoTheOther) {
  VendorFolders folders;
  for (const char* path : {"ops/cuda/gemm.cu", "ops/hip/gemm.hip", "tools/hipify_sources.py"})
    folders.add(path);
  EXPECT_FALSE(folders.is_for_cuda_alone("ops/cuda/gemm.cu"));
}

}  // namespace
}  // namespace hipwright::project
