// SPDX-License-Identifier: MIT
void grow(Buffer& buffer, size_t size) {
  hipMalloc(&buffer.data, size * sizeof(float));  // like: check
  HIP_CHECK(hipMalloc(&buffer.index, size));
  hipFree(buffer.old);
  hipMalloc(reinterpret_cast<void**>(&buffer.next), size);  // like: check
}
