// SPDX-License-Identifier: MIT
// The output of `hipwright api` as text and JSON, and the pages of docs/api.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "port/api/api.h"

namespace hipwright::port::api {

// The answer for one name: a CUDA name, a header, or a HIP name.
struct Answer {
  std::string asked;
  std::vector<const Entry*> entries;  // several when a HIP name stands for several CUDA names
  std::vector<const Entry*> nearest;  // if there are none
};
Answer look_up(std::string_view name);

// Without a version: whether it is known. With one: whether a port to that release can use it.
bool is_good(const Answer& answer, std::optional<HipVersion> version);

std::string answers_text(const std::vector<Answer>& answers, std::optional<HipVersion> version,
                         bool colour);
Json answers_json(const std::vector<Answer>& answers, std::optional<HipVersion> version);

struct Selection {
  std::optional<Library> library;
  bool missing = false;  // only names without a counterpart (with a version: unusable there)
  std::optional<HipVersion> version;
};
std::vector<const Entry*> select(const Selection& selection);
std::string list_text(const std::vector<const Entry*>& entries, bool colour);
Json list_json(const std::vector<const Entry*>& entries, std::optional<HipVersion> version);

struct Coverage {
  Library library;
  std::size_t total = 0;   // names and headers
  std::size_t mapped = 0;  // of these, with a counterpart
  std::size_t compat = 0;  // of the mapped ones, in compat.h only or for older releases
};
std::vector<Coverage> coverage();  // in the order of the libraries
std::string coverage_text(bool colour);
Json coverage_json();

// File name to content: README.md and one page per library.
std::map<std::string, std::string> pages();
Status write_pages(const std::filesystem::path& folder);

}  // namespace hipwright::port::api
