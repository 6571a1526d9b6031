// SPDX-License-Identifier: MIT
// Activation functions, for the operations that end with one.

// As hipwright::kernels::Activation numbers them.
constexpr int kNoActivation = 0;
constexpr int kRelu = 1;
constexpr int kSilu = 2;
constexpr int kGeluErf = 3;
constexpr int kGeluTanh = 4;

template <class T>
__device__ inline float silu(float x) {
  return divide<T>(x, 1.0f + exponential<T>(-x));
}
// x · Φ(x)
template <class T>
__device__ inline float gelu_erf(float x) {
  const float z = fabsf(x) * 0.707106781f;
  const float tail = 0.5f * scaled_erfc<T>(z) * exponential<T>(-z * z);
  return x * (x < 0 ? tail : 1.0f - tail);
}
// x · (1 + tanh(u)) / 2 = x / (1 + exp(-2u)), u = sqrt(2/π) (x + 0.044715 x³)
template <class T>
__device__ inline float gelu_tanh(float x) {
  const float twice_u = 1.59576912f * x * (1.0f + 0.044715f * x * x);
  return divide<T>(x, 1.0f + exponential<T>(-twice_u));
}

template <class T, int V>
__device__ inline void activate(float (&values)[V], int activation) {
  switch (activation) {
    case kRelu:
      for (int v = 0; v < V; ++v) values[v] = values[v] < 0 ? 0.0f : values[v];
      break;
    case kSilu:
      for (int v = 0; v < V; ++v) values[v] = silu<T>(values[v]);
      break;
    case kGeluErf:
      for (int v = 0; v < V; ++v) values[v] = gelu_erf<T>(values[v]);
      break;
    case kGeluTanh:
      for (int v = 0; v < V; ++v) values[v] = gelu_tanh<T>(values[v]);
      break;
    default:
      break;
  }
}
