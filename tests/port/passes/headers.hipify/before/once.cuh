#pragma once
__device__ int f();
