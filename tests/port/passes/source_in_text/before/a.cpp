const char* kernel = "extern \"C\" __global__ void k(int* p) { *p = threadIdx.x; }";  // reports: HP213
const char* sentence = "the qualifier __global__ marks kernels";
