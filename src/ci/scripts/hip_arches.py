"""The AMD targets to build for, for setup.py. Written by `hipwright ci arches --write-python`; needs nothing of hipwright.

Order: $HIPWRIGHT_HIP_ARCHES (blanks, commas or semicolons between names), PyTorch's gcnArchName, rocminfo, the kernel driver,
the default. Detected GPUs give names without features: HIP rejects builds that name a processor both with and without them.
"""
import glob
import os
import re
import subprocess

_TARGET = re.compile(r"gfx(\d+[0-9a-f]?[0-9a-f]|\d+(-\d+)?-generic)(:(sramecc|xnack)[+-])*")


def _checked(names, where):
    names = list(dict.fromkeys(names))
    features = {}
    for name in names:
        if not _TARGET.fullmatch(name):
            raise ValueError(f"{where}: {name!r} is not a target such as gfx942 or gfx90a:xnack+")
        processor, *rest = name.split(":")
        named = sorted(feature[:-1] for feature in rest)
        if features.setdefault(processor, named) != named:
            raise ValueError(f"{where}: {processor} is named with different features")
    return names


def _from_torch():
    try:
        import torch

        if not getattr(torch.version, "hip", None):
            return []
        return [torch.cuda.get_device_properties(i).gcnArchName for i in range(torch.cuda.device_count())]
    except Exception:  # a build machine may have any torch, or none
        return []


def _from_rocminfo():
    for program in ("rocminfo", os.path.join(os.environ.get("ROCM_PATH", "/opt/rocm"), "bin", "rocminfo")):
        try:
            text = subprocess.run([program], capture_output=True, text=True, timeout=30).stdout
        except (OSError, subprocess.TimeoutExpired):
            continue
        # The Name: of agents only: ISA lines repeat the processor with features and as generic targets.
        return re.findall(r"^  Name: +(gfx[0-9a-f]+)", text, re.MULTILINE)
    return []


def _from_driver():
    names = []
    for path in sorted(glob.glob("/sys/class/kfd/kfd/topology/nodes/*/properties")):
        try:
            with open(path) as file:
                found = re.search(r"^gfx_target_version (\d+)", file.read(), re.MULTILINE)
        except OSError:
            continue
        version = int(found[1]) if found else 0
        if version:
            names.append(f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}")
    return names


def detect_hip_arches(default=()):
    """The targets as a list of gfx names; ValueError for a bad name, RuntimeError when there are none."""
    named = re.split(r"[\s,;]+", os.environ.get("HIPWRIGHT_HIP_ARCHES", "").strip())
    if any(named):
        return _checked([name for name in named if name], "HIPWRIGHT_HIP_ARCHES")
    for where, names in (("PyTorch", _from_torch()), ("rocminfo", _from_rocminfo()), ("the kernel driver", _from_driver())):
        if names:
            return _checked([name.split(":")[0] for name in names], where)
    if default:
        return _checked(list(default), "default")
    raise RuntimeError("no AMD GPU found: set HIPWRIGHT_HIP_ARCHES, for example to gfx942,gfx1100")


def offload_flags(default=()):
    """["--offload-arch=gfx942", ...] for hipcc."""
    return [f"--offload-arch={name}" for name in detect_hip_arches(default)]


if __name__ == "__main__":
    print(";".join(detect_hip_arches()))
