from numba import cuda  # reports: HP512


@cuda.jit
def fill(out):
    out[0] = 1
