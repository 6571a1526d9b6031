// SPDX-License-Identifier: MIT
#include "toolchain/library_hints.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/words.h"
#include "toolchain/driver.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr std::uint64_t kMostSourceBytes = std::uint64_t{8} << 20;

bool is_source(const std::string& word) {
  return !word.starts_with('-') &&
         is_any(fs::path(word).extension().string(), {".hip", ".cu", ".cpp", ".cc", ".cxx", ".C"});
}

// The folders behind -I, -isystem or -L, in one word or two.
std::vector<fs::path> folders_behind(const std::vector<std::string>& words, Words options) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string_view option : options) {
      if (!words[i].starts_with(option)) continue;
      if (words[i].size() > option.size())
        folders.emplace_back(words[i].substr(option.size()));
      else if (i + 1 < words.size())
        folders.emplace_back(words[i + 1]);
    }
  return folders;
}

bool is_in(const std::vector<fs::path>& folders, const std::string& file) {
  return std::ranges::any_of(folders, [&](const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / file, ignored);
  });
}

std::string hint(const std::string& place, const std::string& what, const Library& library) {
  return fmt::format("{}{} is {}'s, which was not added: {}", place, what, library.title,
                     command_to_add(library));
}

}  // namespace

std::string command_to_add(const Library& library) {
  const auto release = chosen_release();
  if (!release) return {};
  if (!packages_of(library, (*release)->name).empty())
    return fmt::format(
        "hipwright sdk add {}{}", library.name,
        (*release)->name == kSdkRelease ? "" : fmt::format(" --rocm {}", (*release)->name));
  if (!library.checkout_headers.empty())
    return fmt::format("hipwright sdk add {} --from CHECKOUT", library.name);
  return {};
}

std::string command_to_add(std::string_view title) {
  if (find_rocm()) return {};
  for (const Library& library : libraries())
    if (library.title == title) return command_to_add(library);
  return {};
}

std::vector<NamedHeader> named_headers(std::string_view source) {
  std::vector<NamedHeader> found;
  for (unsigned line = 1; !source.empty(); ++line) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view text = trimmed(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
    if (!text.starts_with('#')) continue;
    text = trimmed(text.substr(1));
    if (!text.starts_with("include")) continue;
    text = trimmed(text.substr(7));
    if (!text.starts_with('<')) continue;
    const std::size_t close = text.find('>');
    if (close != std::string_view::npos)
      found.push_back({std::string(text.substr(1, close - 1)), line});
  }
  return found;
}

std::vector<std::string> library_hints(const DriverRequest& request, const Sdk& sdk) {
  std::vector<std::string> hints;
  std::set<std::string_view> named;
  std::vector<fs::path> headers = folders_behind(request.arguments, {"-I", "-isystem"});
  headers.push_back(sdk.include());
  headers.emplace_back("/usr/include");
  for (const std::string& word : request.arguments) {
    if (!is_source(word)) continue;
    const auto text = read_file(word, kMostSourceBytes);
    if (!text) continue;
    for (const NamedHeader& each : named_headers(*text)) {
      const Library* library = library_of_header(each.header);
      if (library && !is_in(headers, each.header) && !command_to_add(*library).empty() &&
          named.insert(library->name).second)
        hints.push_back(hint(fmt::format("{}:{}: ", word, each.line), each.header, *library));
    }
  }
  std::vector<fs::path> libraries = folders_behind(request.arguments, {"-L"});
  libraries.push_back(sdk.lib());
  for (const std::string& word : request.arguments) {
    if (!word.starts_with("-l")) continue;
    const std::string name = word.substr(2);
    const Library* library = library_of_link(name);
    if (library && !is_in(libraries, "lib" + name + ".so") &&
        !is_in(libraries, "lib" + name + ".a") && !command_to_add(*library).empty() &&
        named.insert(library->name).second)
      hints.push_back(hint("", word, *library));
  }
  return hints;
}

}  // namespace hipwright::toolchain
