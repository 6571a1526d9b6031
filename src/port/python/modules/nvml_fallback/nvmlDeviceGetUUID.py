

def nvmlDeviceGetUUID(handle):
    properties = torch.cuda.get_device_properties(handle)
    if not hasattr(properties, "uuid"):
        raise NVMLError_NotSupported("this PyTorch does not report the GPU's UUID")
    return str(properties.uuid)
