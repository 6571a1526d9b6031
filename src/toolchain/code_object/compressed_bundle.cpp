// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <openssl/evp.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <memory>
#include <new>
#include <optional>

#include "toolchain/code_object/offload_bundle.h"

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kMagic = "CCOB";
enum class Method : std::uint16_t { kZlib = 0, kZstd = 1 };

// Sizes are 32 bits wide in versions 1 and 2 and 64 bits in version 3; version 1 does not say how
// long the container is.
struct Header {
  Method method{};
  std::uint64_t header_size = 0;
  std::optional<std::uint64_t> packed_size;  // header included
  std::uint64_t content_size = 0;
  std::uint64_t hash = 0;  // first 8 bytes of the MD5 of the content
};

std::unexpected<Error> damaged(const std::string& origin, std::string why) {
  return fail("cannot unpack the compressed offload bundle", origin, std::move(why),
              "The file is damaged or truncated: create it again");
}

Result<Header> read_header(std::string_view bytes, const std::string& origin) {
  const auto version = read_at<std::uint16_t>(bytes, 4);
  const auto method = read_at<std::uint16_t>(bytes, 6);
  if (!version || !method) return damaged(origin, "truncated header");
  if (*version < 1 || *version > 3)
    return fail("cannot unpack the compressed offload bundle", origin,
                fmt::format("unsupported version {} (supported: 1 to 3)", *version),
                "Recompile without --offload-compress");
  if (*method > 1)
    return fail(
        "cannot unpack the compressed offload bundle", origin,
        fmt::format("unknown compression method {} (supported: zlib (0), zstd (1))", *method),
        "Recompile without --offload-compress");
  Header header{.method = static_cast<Method>(*method)};
  header.header_size = *version == 1 ? 20 : *version == 2 ? 24 : 32;
  if (bytes.size() < header.header_size) return damaged(origin, "truncated header");
  if (*version == 1) {
    header.content_size = *read_at<std::uint32_t>(bytes, 8);
  } else if (*version == 2) {
    header.packed_size = *read_at<std::uint32_t>(bytes, 8);
    header.content_size = *read_at<std::uint32_t>(bytes, 12);
  } else {
    header.packed_size = *read_at<std::uint64_t>(bytes, 8);
    header.content_size = *read_at<std::uint64_t>(bytes, 16);
  }
  header.hash = *read_at<std::uint64_t>(bytes, header.header_size - 8);
  if (header.packed_size &&
      (*header.packed_size < header.header_size || *header.packed_size > bytes.size()))
    return damaged(origin, fmt::format("the header claims {} bytes, but there are {}",
                                       *header.packed_size, bytes.size()));
  return header;
}

// How many bytes of `packed` were used, or what went wrong.
Result<std::uint64_t> inflate_zstd(std::string_view packed, char* content, std::uint64_t size,
                                   const std::string& origin) {
  const std::size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  if (ZSTD_isError(frame))
    return damaged(origin, fmt::format("zstd: {}", ZSTD_getErrorName(frame)));
  const std::size_t got = ZSTD_decompress(content, size, packed.data(), frame);
  if (ZSTD_isError(got)) return damaged(origin, fmt::format("zstd: {}", ZSTD_getErrorName(got)));
  if (got != size)
    return damaged(origin, fmt::format("unpacked {} bytes, but the header claims {}", got, size));
  return frame;
}

Result<std::uint64_t> inflate_zlib(std::string_view packed, char* content, std::uint64_t size,
                                   const std::string& origin) {
  uLongf got = size;
  uLong used = packed.size();
  const int code = uncompress2(reinterpret_cast<Bytef*>(content), &got,
                               reinterpret_cast<const Bytef*>(packed.data()), &used);
  if (code != Z_OK) return damaged(origin, fmt::format("zlib: {}", zError(code)));
  if (got != size)
    return damaged(origin, fmt::format("unpacked {} bytes, but the header claims {}", got, size));
  return used;
}

Status check_hash(std::string_view content, std::uint64_t expected, const std::string& origin) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  if (EVP_Digest(content.data(), content.size(), digest.data(), nullptr, EVP_md5(), nullptr) != 1)
    return fail("cannot check the compressed offload bundle", origin,
                "this machine's OpenSSL does not compute MD5 (FIPS mode?)",
                "Recompile without --offload-compress");
  std::uint64_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof hash);
  if (hash != expected) return damaged(origin, "hash mismatch");
  return {};
}

}  // namespace

bool is_compressed_bundle(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

Result<Unpacked> unpack_bundle(const Bytes& bytes, std::uint64_t limit, const std::string& origin) {
  HW_TRY(const Header header, read_header(bytes.view(), origin));
  if (header.content_size > limit)
    return fail("cannot unpack the compressed offload bundle", origin,
                fmt::format("the header claims {} bytes, but at most {} may be unpacked",
                            header.content_size, limit),
                "Recompile without --offload-compress, or read its parts one by one");
  std::string_view packed = bytes.view().substr(header.header_size);
  if (header.packed_size) packed = packed.substr(0, *header.packed_size - header.header_size);
  // Not initialised: a false size in the header costs no memory.
  const std::shared_ptr<char[]> content(new (std::nothrow) char[header.content_size]);
  if (!content)
    return fail("cannot unpack the compressed offload bundle", origin,
                fmt::format("out of memory: {} bytes needed", header.content_size));
  const auto inflate = header.method == Method::kZstd ? inflate_zstd : inflate_zlib;
  HW_TRY(const std::uint64_t used, inflate(packed, content.get(), header.content_size, origin));
  const std::string_view unpacked(content.get(), header.content_size);
  HW_CHECK(check_hash(unpacked, header.hash, origin));
  return Unpacked{.bytes = Bytes(content, unpacked),
                  .packed_size = header.packed_size.value_or(header.header_size + used)};
}

}  // namespace hipwright::toolchain
