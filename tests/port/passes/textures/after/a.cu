#include <hip/hip_runtime.h>
texture<float, 2> image;  // reports: HP204

__global__ void blur(float* to, hipTextureObject_t volume, hipSurfaceObject_t out) {
  float v = tex2D(image, 1.0f, 2.0f);  // reports: HP225
  v += tex3D<float>(volume, 1, 2, 3);
  surf2Dwrite(v, out, 4, 4);
  *to = v;
}
