// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "verify/golden/capture_names.h"
#include "verify/golden/golden.h"

namespace fs = std::filesystem;

namespace hipwright::verify {

namespace {

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::string without_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    out += is_escape ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (is_escape) i += 2;
  }
  return out;
}

Status add(std::map<std::string, Values>& captures, std::string name, Values values,
           const fs::path& folder) {
  const std::string shown = name;
  if (captures.emplace(std::move(name), std::move(values)).second) return {};
  return fail("cannot read the captures of", folder.string(),
              fmt::format("two files hold the tensor '{}'", shown), "Remove one of them.");
}

}  // namespace

std::string tensor_name(std::string_view file, DataType type) {
  const std::string suffix = capture_file_name("", type);
  if (file.ends_with(suffix)) file.remove_suffix(suffix.size());
  return without_escapes(file);
}

bool is_any_order(std::string_view name) {
  return name.ends_with("@any_order");
}

Result<std::map<std::string, Values>> read_captures(const fs::path& folder) {
  std::error_code error;
  std::set<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!at->path().filename().string().starts_with('.')) files.insert(at->path());
  if (error)
    return fail("cannot read the captures of", folder.string(), error.message(),
                "Run the program with HIPWRIGHT_GOLDEN set to this directory first.");
  std::map<std::string, Values> captures;
  for (const fs::path& file : files) {
    const std::string extension = file.extension().string();
    if (extension != ".npy" && extension != ".npz") continue;
    HW_TRY(const std::string bytes, read_file(file));
    if (extension == ".npy") {
      HW_TRY(Values values, read_npy(bytes, file.string()));
      std::string name = tensor_name(file.filename().string(), values.type);
      HW_CHECK(add(captures, std::move(name), std::move(values), folder));
      continue;
    }
    HW_TRY(auto members, read_npz(bytes, file.string()));
    for (auto& [member, values] : members)
      HW_CHECK(add(captures, fmt::format("{}/{}", without_escapes(file.stem().string()), member),
                   std::move(values), folder));
  }
  if (captures.empty())
    return fail("cannot read the captures of", folder.string(), "no .npy or .npz files",
                "Run the program with HIPWRIGHT_GOLDEN set to this directory first; see "
                "hipwright/golden.h for how to capture.");
  return captures;
}

}  // namespace hipwright::verify
