// SPDX-License-Identifier: MIT
// LLVM's offload binary: one image each, with a table of strings that describe it. The new
// offload driver puts them into the section .llvm.offloading.
#include <optional>

#include <fmt/format.h>

#include "toolchain/code_object/offload_bundle.h"

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kMagic("\x10\xff\x10\xad", 4);
constexpr std::uint64_t kHeaderSize = 32;
constexpr std::uint64_t kEntrySize = 40;
constexpr std::uint64_t kMostStrings = 64;

std::unexpected<Error> damaged(const std::string& origin, std::string why) {
  return fail("cannot read the offload binary", origin, std::move(why),
              "The file is damaged or truncated: create it again");
}

std::string_view kind_name(std::uint16_t kind) {
  switch (kind) {  // bits of LLVM's OffloadKind
    case 1:
      return "openmp";
    case 2:
      return "cuda";
    case 4:
      return "hip";
    case 8:
      return "sycl";
    default:
      return "";
  }
}

std::optional<std::string_view> text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  const std::size_t end = bytes.find('\0', offset);
  if (end == std::string_view::npos) return std::nullopt;
  return bytes.substr(offset, end - offset);
}

}  // namespace

bool is_offload_binary(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

Result<Bundle> read_offload_binary(const Bytes& whole, const std::string& origin) {
  const auto version = read_at<std::uint32_t>(whole.view(), 4);
  const auto size = read_at<std::uint64_t>(whole.view(), 8);
  if (!version || !size || *size < kHeaderSize || *size > whole.size())
    return damaged(origin, "truncated data");
  if (*version != 1)
    return fail("cannot read the offload binary", origin,
                fmt::format("unsupported version {} (supported: 1)", *version));
  const Bytes bytes = whole.slice(0, *size);
  const std::string_view view = bytes.view();
  const std::uint64_t entry = *read_at<std::uint64_t>(view, 16);
  if (!fits(view.size(), entry, kEntrySize))
    return damaged(origin, "the entry lies outside the binary");
  const auto kind = *read_at<std::uint16_t>(view, entry + 2);
  const auto strings = *read_at<std::uint64_t>(view, entry + 8);
  const auto string_count = *read_at<std::uint64_t>(view, entry + 16);
  const auto image = *read_at<std::uint64_t>(view, entry + 24);
  const auto image_size = *read_at<std::uint64_t>(view, entry + 32);
  if (!fits(view.size(), image, image_size))
    return damaged(origin, "the image lies outside the binary");
  if (string_count > kMostStrings)
    return damaged(origin, fmt::format("{} strings for one image", string_count));

  BundleEntry found{.id = {.kind = std::string(kind_name(kind))},
                    .bytes = bytes.slice(image, image_size)};
  for (std::uint64_t i = 0; i < string_count; ++i) {
    const auto key_at = read_at<std::uint64_t>(view, strings + 16 * i);
    const auto value_at = read_at<std::uint64_t>(view, strings + 16 * i + 8);
    const auto key = key_at ? text_at(view, *key_at) : std::nullopt;
    const auto value = value_at ? text_at(view, *value_at) : std::nullopt;
    if (!key || !value) return damaged(origin, fmt::format("string {} lies outside the binary", i));
    if (*key == "triple") found.id.triple = *value;
    if (*key == "arch") found.id.target = *value;
  }
  Bundle bundle{.size = *size};
  if (image_size != 0) bundle.entries.push_back(std::move(found));
  return bundle;
}

}  // namespace hipwright::toolchain
