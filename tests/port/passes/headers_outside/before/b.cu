#include <helper_cuda.h>  // reports: HP217

int main() { return checkCudaErrors(0); }
