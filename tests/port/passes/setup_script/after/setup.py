from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension
from torch.utils.cpp_extension import IS_HIP_EXTENSION

if not IS_HIP_EXTENSION and CUDA_HOME is None:
    raise RuntimeError("no toolkit")
where = CUDA_HOME  # reports: HP407

setup(
    name="sums",
    ext_modules=[
        CUDAExtension(
            "sums",
            ["sum.cu"],
            extra_compile_args={"nvcc": ["-O3", "-gline-tables-only"] if IS_HIP_EXTENSION else ["-O3", "-lineinfo"]},
            libraries=["hipblas"] if IS_HIP_EXTENSION else ["cublas"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
