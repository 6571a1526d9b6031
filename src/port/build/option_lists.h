// SPDX-License-Identifier: MIT
// Lists of compiler options in Python: ["-O3", "--use_fast_math"].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/python/file.h"

namespace hipwright::port {

// The values of a list that holds texts only.
std::optional<std::vector<std::string>> list_of(const syntax::python::File& file,
                                                syntax::python::TokenRange value);
std::string list_text(const std::vector<std::string>& list);
std::string in_quotes(std::string_view text);
// The words between blanks.
std::vector<std::string> split(std::string_view text);
// The text of a list of nvcc options, translated for hipcc. Items that are computed stay, and so do
// f-strings that do not begin with an option of nvcc. Empty if an option's value is computed and
// not dropped with it, or if this is no list.
struct OptionList {
  std::string text;
  bool is_changed = false;
};
std::optional<OptionList> list_for_hipcc(const syntax::python::File& file,
                                         syntax::python::TokenRange value);
// Options for the GPU whose value is computed: f"-arch={gpu}", "-arch=" + gpu, "-arch", gpu.
std::vector<syntax::python::TokenIndex> computed_gpus(const syntax::python::File& file,
                                                      syntax::python::TokenRange in);
// nvcc options translated for hipcc.
std::vector<std::string> for_hipcc(const std::vector<std::string>& words);

}  // namespace hipwright::port
