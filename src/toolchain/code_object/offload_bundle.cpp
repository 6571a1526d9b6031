// SPDX-License-Identifier: MIT
#include "toolchain/code_object/offload_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "arch/processors.h"

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";

std::unexpected<Error> damaged(const std::string& origin, std::string why) {
  return fail("cannot read the offload bundle", origin, std::move(why),
              "The file is damaged or truncated: create it again");
}

}  // namespace

bool is_bundle(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

// Kind, three or four parts of a triple, target id. The fourth part of the triple is often empty,
// and a target id may have dashes of its own ("gfx9-4-generic").
BundleEntryId parse_entry_id(std::string_view id) {
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) {
    const std::size_t dash = id.find('-');
    part = id.substr(0, dash);
    id = dash == std::string_view::npos ? std::string_view() : id.substr(dash + 1);
  }
  BundleEntryId parsed{.kind = std::string(parts[0])};
  parsed.triple = fmt::format("{}-{}-{}", parts[1], parts[2], parts[3]);
  const std::string_view environment = parts[4];
  if (arch::begins_like_processor(environment) || environment.starts_with("sm_")) {
    parsed.target = id.empty() ? std::string(environment) : fmt::format("{}-{}", environment, id);
  } else {
    if (!environment.empty()) parsed.triple += fmt::format("-{}", environment);
    parsed.target = id;
  }
  return parsed;
}

std::string write_bundle(const std::vector<TargetCode>& entries) {
  // Loaders map code objects from pages of their own.
  constexpr std::uint64_t kPage = 4096;
  struct Part {
    std::string id, bytes;
  };
  std::vector<Part> parts = {{"host-x86_64-unknown-linux-gnu-", ""}};
  for (const TargetCode& each : entries)
    parts.push_back({"hipv4-amdgcn-amd-amdhsa--" + each.target, each.code_object});
  const auto number = [](std::uint64_t value) {
    std::string bytes(sizeof value, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(value & 0xff);
      value >>= 8;
    }
    return bytes;
  };
  std::uint64_t header = kMagic.size() + sizeof(std::uint64_t);
  for (const Part& part : parts) header += 3 * sizeof(std::uint64_t) + part.id.size();
  const auto page_after = [](std::uint64_t at) { return (at + kPage - 1) / kPage * kPage; };
  std::string text = std::string(kMagic) + number(parts.size());
  std::uint64_t at = page_after(header);
  for (const Part& part : parts) {
    text += number(at) + number(part.bytes.size()) + number(part.id.size()) + part.id;
    at = page_after(at + part.bytes.size());
  }
  for (const Part& part : parts) {
    text.resize(page_after(text.size()), '\0');
    text += part.bytes;
  }
  return text;
}

Result<Bundle> read_bundle(const Bytes& bytes, const std::string& origin) {
  const std::string_view view = bytes.view();
  const auto count = read_at<std::uint64_t>(view, kMagic.size());
  std::uint64_t at = kMagic.size() + sizeof(std::uint64_t);
  constexpr std::uint64_t kSmallestEntry = 3 * sizeof(std::uint64_t);
  if (!count) return damaged(origin, "truncated bundle header");
  if (*count > (view.size() - at) / kSmallestEntry)
    return damaged(
        origin, fmt::format("{} entries do not fit in a bundle of {} bytes", *count, view.size()));
  Bundle bundle;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto offset = read_at<std::uint64_t>(view, at);
    const auto size = read_at<std::uint64_t>(view, at + 8);
    const auto id_size = read_at<std::uint64_t>(view, at + 16);
    if (!offset || !size || !id_size || !fits(view.size(), at + kSmallestEntry, *id_size))
      return damaged(origin, fmt::format("entry {} of {} is truncated", i, *count));
    const std::string_view id = view.substr(at + kSmallestEntry, *id_size);
    at += kSmallestEntry + *id_size;
    if (*size == 0) continue;
    if (!fits(view.size(), *offset, *size))
      return damaged(
          origin, fmt::format("entry {} ('{}') lies outside the bundle: {} bytes at {:#x} of {}", i,
                              id, *size, *offset, view.size()));
    bundle.entries.push_back({.id = parse_entry_id(id), .bytes = bytes.slice(*offset, *size)});
    bundle.size = std::max(bundle.size, *offset + *size);
  }
  bundle.size = std::max(bundle.size, at);
  return bundle;
}

}  // namespace hipwright::toolchain
