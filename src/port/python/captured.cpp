// SPDX-License-Identifier: MIT
#include "port/python/captured.h"

#include <algorithm>

namespace hipwright::port {

std::vector<syntax::python::Captured> captures_in(const syntax::python::File& file) {
  const std::vector<syntax::Name> words = syntax::python::capture_words();
  const bool has_word = std::any_of(words.begin(), words.end(),
                                    [&](const syntax::Name& each) { return file.has(each); });
  return has_word ? syntax::python::captured_statements(file)
                  : std::vector<syntax::python::Captured>();
}

}  // namespace hipwright::port
