// SPDX-License-Identifier: MIT
#include "toolchain/cache/cached_kernel.h"

#include <cmath>

#include "toolchain/cache/record.h"

namespace hipwright::toolchain {

CachedKernel::Pointer CachedKernel::build(std::string_view key, std::string_view payload,
                                          std::string_view log, double compile_seconds) {
  ByteWriter body;
  body.reserve(key.size() + payload.size() + log.size() + 64);
  body.real(compile_seconds);
  body.text(key);
  body.text(log);
  body.text(payload);
  auto kernel = open(seal_record(RecordKind::kEntry, body.view()));
  HW_ASSERT(kernel.has_value());
  return *std::move(kernel);
}

Result<CachedKernel::Pointer> CachedKernel::open(std::string file_bytes) {
  std::shared_ptr<CachedKernel> kernel(new CachedKernel(std::move(file_bytes)));
  HW_TRY(const std::string_view body, open_record(RecordKind::kEntry, kernel->file_bytes_));
  if (!kernel->decode(body)) return fail("cannot use the cache entry", "", "unexpected length");
  return kernel;
}

bool CachedKernel::decode(std::string_view body) {
  ByteReader reader(body);
  compile_seconds_ = reader.real();
  key_ = reader.text();
  log_ = reader.text();
  payload_ = reader.text();
  return reader.complete() && std::isfinite(compile_seconds_) && compile_seconds_ >= 0;
}

std::string entry_material(const RequestKey& request, const IncludeSet& includes) {
  return request.material + include_material(includes);
}

}  // namespace hipwright::toolchain
