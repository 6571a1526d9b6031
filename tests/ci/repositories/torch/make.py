"""usage: make.py DIRECTORY HIP_RUNTIME: writes a package index with the stand-in."""
import pathlib
import sys
import zipfile

INIT = """
import ctypes
ctypes.CDLL({runtime!r}, mode=ctypes.RTLD_GLOBAL)
__version__ = "2.8.0+rocm6.4"
class version:
    hip, cuda = "6.4.43482", None
class cuda:
    is_available = staticmethod(lambda: False)
    device_count = staticmethod(lambda: 0)
"""
EXTENSION = """
import os, subprocess, sysconfig
from setuptools import Extension
from setuptools.command.build_ext import build_ext
CUDAExtension = Extension
class BuildExtension(build_ext):
    def build_extension(self, extension):
        output = self.get_ext_fullpath(extension.name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        home = os.environ["ROCM_HOME"]
        targets = ["--offload-arch=" + each for each in os.environ["PYTORCH_ROCM_ARCH"].split(";")]
        subprocess.run([home + "/bin/hipcc", "-shared", "-fPIC", "-O2", *targets, "-I" + sysconfig.get_path("include"),
                        *extension.sources, "-o", output], check=True)
"""


def main(folder, runtime):
    packages = pathlib.Path(folder) / "torch"
    packages.mkdir(parents=True)
    name = "torch-2.8.0+rocm6.4-py3-none-any.whl"
    info = "torch-2.8.0+rocm6.4.dist-info"
    files = {
        "torch/__init__.py": INIT.format(runtime=runtime),
        "torch/utils/__init__.py": "",
        "torch/utils/cpp_extension.py": EXTENSION,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: torch\nVersion: 2.8.0+rocm6.4\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: make\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(packages / name, "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        wheel.writestr(f"{info}/RECORD", "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"]))
    (packages / "index.html").write_text(f'<a href="{name.replace("+", "%2B")}">{name}</a>\n')


main(*sys.argv[1:])
