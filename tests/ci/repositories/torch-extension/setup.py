from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="scale",
    version="1.0",
    packages=["scale"],
    ext_modules=[CUDAExtension("scale._C", ["csrc/scale.hip"])],
    cmdclass={"build_ext": BuildExtension},
)
