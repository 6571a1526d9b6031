# Made by hipwright port: the project's checks for AMD GPUs, in one place.
import importlib.util
import os
import sys


def _hip_version():
    """torch.version.hip. The program may have to configure torch before importing it: if torch is
    not imported yet, only its version file is read."""
    version = getattr(sys.modules.get("torch"), "version", None)
    if version is None:
        found = importlib.util.find_spec("torch")
        if found is None or found.origin is None:
            return None
        path = os.path.join(os.path.dirname(found.origin), "version.py")
        spec = importlib.util.spec_from_file_location("_torch_version", path)
        version = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(version)
    return getattr(version, "hip", None)


# ROCm's PyTorch has a HIP version, other builds have None. This flag guards all ROCm-specific code;
# where it is False, the original code runs.
is_rocm = _hip_version() is not None


def _is_fnuz():
    import torch

    if not torch.cuda.is_available():
        return False
    name = torch.cuda.get_device_properties(0).gcnArchName  # "gfx942:sramecc+:xnack-"
    return name.split(":")[0] in ("gfx940", "gfx941", "gfx942")


def rocm_fp8_max():
    """The largest value to scale fp8 (e4m3) data to on this GPU.

    The OCP type reaches 448. The fnuz type reaches 240, but scales use 224: with the other
    exponent bias that is the same range as 448.
    """
    return 224.0 if _is_fnuz() else 448.0
