// SPDX-License-Identifier: MIT
#include "toolchain/cache/request.h"

#include "toolchain/cache/record.h"

namespace hipwright::toolchain {

RequestKey make_request_key(const CacheRequest& request) {
  RequestKey key;
  if (!request.directory.empty())
    key.directory = std::filesystem::absolute(request.directory).lexically_normal();

  ByteWriter bytes;
  bytes.reserve(request.source.size() + 1024);
  bytes.u32(kRecordVersion);  // another file format never meets this one's files
  bytes.text(request.source);
  bytes.text(request.source_name);
  bytes.text(request.compiler);
  bytes.text(request.target);
  bytes.u64(request.options.size());
  for (const std::string& option : request.options) bytes.text(option);
  bytes.u64(request.headers.size());
  for (const auto& [name, text] : request.headers) {
    bytes.text(name);
    bytes.text(text);
  }
  bytes.text(key.directory.native());
  key.material = std::move(bytes).take();
  key.hash = hash128(key.material);
  return key;
}

}  // namespace hipwright::toolchain
