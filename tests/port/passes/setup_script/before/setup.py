from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

if CUDA_HOME is None:
    raise RuntimeError("no toolkit")
where = CUDA_HOME  # reports: HP407

setup(
    name="sums",
    ext_modules=[
        CUDAExtension(
            "sums",
            ["sum.cu"],
            extra_compile_args={"nvcc": ["-O3", "-lineinfo"]},
            libraries=["cublas"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
