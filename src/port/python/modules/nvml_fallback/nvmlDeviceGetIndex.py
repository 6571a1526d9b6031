

def nvmlDeviceGetIndex(handle):
    return handle
