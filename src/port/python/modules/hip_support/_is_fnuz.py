

def _is_fnuz():
    import torch

    if not torch.cuda.is_available():
        return False
    name = torch.cuda.get_device_properties(0).gcnArchName  # "gfx942:sramecc+:xnack-"
    return name.split(":")[0] in ("gfx940", "gfx941", "gfx942")
