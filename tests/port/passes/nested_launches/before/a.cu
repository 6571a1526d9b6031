__global__ void child(int* out) { *out = 1; }

__global__ void parent(int* out) {
  child<<<1, 1>>>(out);  // reports: HP214
}

void host(int* out) { parent<<<1, 1>>>(out); }
