"""Says what __global__ void k(int* p) { } means."""
import cupy

fill = cupy.RawKernel('extern "C" __global__ void fill(int* p) { *p = 1; }', "fill")  # reports: HP213
