

_Utilization = collections.namedtuple("_Utilization", "gpu memory")


def nvmlDeviceGetUtilizationRates(handle):
    return _Utilization(torch.cuda.utilization(handle), torch.cuda.memory_usage(handle))
