# SPDX-License-Identifier: MIT
import os

from setuptools import find_packages, setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

nvcc_flags = ["-O3", "--use_fast_math", "-lineinfo", "--expt-relaxed-constexpr", "-gencode=arch=compute_80,code=sm_80"]
if os.environ.get("ROWWISE_DEBUG") == "1":
    nvcc_flags.append("-G")

setup(
    name="rowwise",
    version="0.1.0",
    packages=find_packages(),
    ext_modules=[
        CUDAExtension(
            name="rowwise._C",
            sources=["rowwise/csrc/binding.cpp", "rowwise/csrc/rms_norm.cu"],
            include_dirs=[os.path.join(os.path.dirname(os.path.abspath(__file__)), "rowwise", "csrc")],
            extra_compile_args={"cxx": ["-O3"], "nvcc": nvcc_flags},
            libraries=["cuda"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
    install_requires=["torch>=2.3"],
)
