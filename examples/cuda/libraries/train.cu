// SPDX-License-Identifier: MIT
// Trains a network of two layers with cuBLAS and kernels, and the same network with plain loops on the
// host: the losses of ten steps must agree.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    if (const int status = static_cast<int>(call)) {                                     \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status); \
      std::exit(2);                                                                      \
    }                                                                                    \
  } while (false)

constexpr int kSamples = 256, kInputs = 16, kHidden = 64, kSteps = 10;
constexpr float kRate = 0.5f;

using Values = std::vector<float>;

// The same numbers on every machine, between -1 and 1.
Values numbers(int count, unsigned seed) {
  Values values(count);
  for (float& each : values) {
    seed = seed * 1664525u + 1013904223u;
    each = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

Values targets(const Values& inputs) {
  Values wanted(kSamples);
  for (int i = 0; i < kSamples; ++i) wanted[i] = std::sin(2 * inputs[i]) * inputs[i + kSamples];
  return wanted;
}

struct Network {
  Values first, second;  // kInputs × kHidden, kHidden × 1
};

// All matrices have one sample per row and are stored by columns.
class Host {
 public:
  Host(Network network, Values inputs, Values wanted)
      : net_(std::move(network)), x_(std::move(inputs)), wanted_(std::move(wanted)) {}

  double step() {
    std::vector<double> hidden(kSamples * kHidden), error(kSamples);
    double loss = 0;
    for (int i = 0; i < kSamples; ++i) {
      double y = 0;
      for (int h = 0; h < kHidden; ++h) {
        double z = 0;
        for (int k = 0; k < kInputs; ++k) z += double(x_[i + k * kSamples]) * net_.first[k + h * kInputs];
        hidden[i + h * kSamples] = std::tanh(z);
        y += hidden[i + h * kSamples] * net_.second[h];
      }
      error[i] = y - wanted_[i];
      loss += error[i] * error[i] / kSamples;
    }
    const Values second = net_.second;
    for (int h = 0; h < kHidden; ++h) {
      double slope = 0;
      std::vector<double> slopes(kInputs);
      for (int i = 0; i < kSamples; ++i) {
        const double a = hidden[i + h * kSamples], e = 2 * error[i] / kSamples;
        slope += a * e;
        for (int k = 0; k < kInputs; ++k) slopes[k] += x_[i + k * kSamples] * e * second[h] * (1 - a * a);
      }
      net_.second[h] -= kRate * static_cast<float>(slope);
      for (int k = 0; k < kInputs; ++k) net_.first[k + h * kInputs] -= kRate * static_cast<float>(slopes[k]);
    }
    return loss;
  }

 private:
  Network net_;
  Values x_, wanted_;
};

__global__ void activate(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = tanhf(values[i]);
}

// error = 2 (found - wanted) / n; adds up the loss.
__global__ void compare(float* found, const float* wanted, float* loss, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float error = i < n ? found[i] - wanted[i] : 0;
  if (i < n) found[i] = 2 * error / n;
  part[threadIdx.x] = error * error / n;
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) atomicAdd(loss, part[0]);
}

__global__ void backward(float* slopes, const float* hidden, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) slopes[i] *= 1 - hidden[i] * hidden[i];
}

class Device {
 public:
  Device(const Network& network, const Values& inputs, const Values& wanted)
      : first_(upload(network.first)), second_(upload(network.second)), x_(upload(inputs)), wanted_(upload(wanted)) {
    CHECK(cublasCreate(&blas_));
    for (float** each : {&hidden_, &slopes_}) CHECK(cudaMalloc(each, kSamples * kHidden * sizeof(float)));
    CHECK(cudaMalloc(&found_, kSamples * sizeof(float)));
    CHECK(cudaMalloc(&loss_, sizeof(float)));
  }
  ~Device() {
    for (float* each : {first_, second_, x_, wanted_, hidden_, slopes_, found_, loss_}) static_cast<void>(cudaFree(each));
    static_cast<void>(cublasDestroy(blas_));
  }
  Device(const Device&) = delete;

  float step() {
    constexpr int kCells = kSamples * kHidden;
    CHECK(cudaMemset(loss_, 0, sizeof(float)));
    multiply(CUBLAS_OP_N, CUBLAS_OP_N, kSamples, kHidden, kInputs, 1, x_, first_, 0, hidden_);
    activate<<<(kCells + 255) / 256, 256>>>(hidden_, kCells);
    multiply(CUBLAS_OP_N, CUBLAS_OP_N, kSamples, 1, kHidden, 1, hidden_, second_, 0, found_);
    compare<<<(kSamples + 255) / 256, 256>>>(found_, wanted_, loss_, kSamples);
    multiply(CUBLAS_OP_N, CUBLAS_OP_T, kSamples, kHidden, 1, 1, found_, second_, 0, slopes_);
    backward<<<(kCells + 255) / 256, 256>>>(slopes_, hidden_, kCells);
    multiply(CUBLAS_OP_T, CUBLAS_OP_N, kHidden, 1, kSamples, -kRate, hidden_, found_, 1, second_);
    multiply(CUBLAS_OP_T, CUBLAS_OP_N, kInputs, kHidden, kSamples, -kRate, x_, slopes_, 1, first_);
    CHECK(cudaGetLastError());
    float loss = 0;
    CHECK(cudaMemcpy(&loss, loss_, sizeof loss, cudaMemcpyDeviceToHost));
    return loss;
  }

 private:
  static float* upload(const Values& values) {
    float* data = nullptr;
    CHECK(cudaMalloc(&data, values.size() * sizeof(float)));
    CHECK(cudaMemcpy(data, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
    return data;
  }
  // result (m × n) = alpha left × right + beta result
  void multiply(cublasOperation_t left_form, cublasOperation_t right_form, int m, int n, int k, float alpha,
                const float* left, const float* right, float beta, float* result) {
    CHECK(cublasSgemm(blas_, left_form, right_form, m, n, k, &alpha, left, left_form == CUBLAS_OP_N ? m : k, right,
                      right_form == CUBLAS_OP_N ? k : n, &beta, result, m));
  }

  cublasHandle_t blas_ = nullptr;
  float *first_, *second_, *x_, *wanted_, *hidden_ = nullptr, *slopes_ = nullptr, *found_ = nullptr, *loss_ = nullptr;
};

int main() {
  Network network{numbers(kInputs * kHidden, 1), numbers(kHidden, 2)};
  for (float& each : network.first) each *= 0.25f;
  for (float& each : network.second) each *= 0.125f;
  const Values inputs = numbers(kSamples * kInputs, 3), wanted = targets(inputs);
  Host host(network, inputs, wanted);
  Device device(network, inputs, wanted);
  bool is_right = true;
  double first = 0, last = 0;
  for (int step = 1; step <= kSteps; ++step) {
    const double expected = host.step();
    last = device.step();
    if (step == 1) first = last;
    is_right &= std::fabs(last - expected) < 1e-5 * expected;
    std::printf("step %2d: loss %.6f, on the host %.6f\n", step, last, expected);
  }
  is_right &= last < first;
  std::printf(is_right ? "all right\n" : "WRONG\n");
  return is_right ? 0 : 1;
}
