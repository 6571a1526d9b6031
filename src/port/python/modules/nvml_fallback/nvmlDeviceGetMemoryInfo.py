

_Memory = collections.namedtuple("_Memory", "total free used")


def nvmlDeviceGetMemoryInfo(handle, version=None):
    free, total = torch.cuda.mem_get_info(handle)
    return _Memory(total, free, total - free)
