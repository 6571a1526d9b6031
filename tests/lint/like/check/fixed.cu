// SPDX-License-Identifier: MIT
void* reserve(size_t bytes) {
  void* p = nullptr;
  HIP_CHECK(hipMalloc(&p, bytes));
  return p;
}
