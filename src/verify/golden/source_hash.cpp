// SPDX-License-Identifier: MIT
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/file.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const int ok =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  HW_ASSERT(ok == 1);
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace

Result<std::string> source_hash(const std::vector<std::filesystem::path>& sources) {
  std::vector<std::string> hashes;
  for (const std::filesystem::path& source : sources) {
    HW_TRY(const std::string text, read_file(source));
    hashes.push_back(sha256(text));
  }
  if (hashes.size() == 1) return hashes[0];
  std::ranges::sort(hashes);
  std::string lines;
  for (const std::string& hash : hashes) lines += hash + "\n";
  return hashes.empty() ? std::string() : sha256(lines);
}

Status check_source(const Golden& golden, const std::string& hash, const std::string& origin) {
  const std::string& made_from = golden.provenance.source_hash;
  if (made_from == hash) return {};
  if (made_from.empty())
    return fail("cannot check against the golden results of", origin,
                "they do not record their sources",
                "Recreate them with `hipwright verify golden pack --source FILE…`, or check "
                "without --source.");
  return fail(
      "cannot check against the golden results of", origin,
      fmt::format("they come from other sources (sha256 {:.12}…, not {:.12}…)", made_from, hash),
      "Run the original program again and recreate them, or pass the sources they come from.");
}

}  // namespace hipwright::verify
