

def nvmlSystemGetDriverVersion():
    return "HIP " + str(torch.version.hip)
