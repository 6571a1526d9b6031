// SPDX-License-Identifier: MIT
#include "arch/target.h"
#include "hipwright/kernels.h"

namespace hipwright::kernels {

DataType storage_of(Fp8 format) {
  return format == Fp8::kE4M3 || format == Fp8::kE4M3Fnuz ? DataType::kF8E4M3 : DataType::kF8E5M2;
}

float largest_scaled(Fp8 format) {
  switch (format) {
    case Fp8::kE4M3:
      return 448;
    case Fp8::kE4M3Fnuz:
      return 224;
    case Fp8::kE5M2:
    case Fp8::kE5M2Fnuz:
      break;
  }
  return 57344;
}

Fp8 native_fp8(const Device& device) {
  const auto target = arch::parse_target(device.info().architecture);
  const bool fnuz = target && target->info->fp8.value == arch::Fp8::kFnuz;
  return fnuz ? Fp8::kE4M3Fnuz : Fp8::kE4M3;
}

}  // namespace hipwright::kernels
