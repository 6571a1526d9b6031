# Made by hipwright port: what this project asks about AMD GPUs, in one place.
import importlib.util
import os
import sys


def _hip_version():
    """torch.version.hip. A program may have settings to make before it loads torch: where it has
    not done so yet, the file that says it is read alone."""
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


# ROCm's PyTorch has a HIP version where others have None. Everything that was changed for ROCm asks
# this; where it is False the code runs as it did before.
is_rocm = _hip_version() is not None
