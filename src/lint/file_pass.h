// SPDX-License-Identifier: MIT
// One file's pass: read once, shared by all rules that concern it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lint/engine.h"
#include "lint/selection.h"
#include "syntax/cuda/file.h"
#include "syntax/python/file.h"
#include "syntax/text.h"

namespace hipwright::lint {

struct FileResult {
  std::vector<Finding> findings;  // by position, then code
  std::vector<FileNote> notes;
  std::size_t bytes = 0;
  std::size_t suppressed = 0;
};

// A source with its tree: made without knowing the rest of the project, looked at when it is known.
class Source {
 public:
  // `text` must outlive it.
  Source(std::string path, std::string_view text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  const syntax::cuda::File* cuda() const { return cuda_ ? &*cuda_ : nullptr; }
  const syntax::python::File* python() const { return python_ ? &*python_ : nullptr; }

 private:
  std::string path_;
  std::string_view text_;
  std::optional<syntax::cuda::File> cuda_;
  std::optional<syntax::python::File> python_;
};

// Does any rule look at files of this name? If not, the file need not be read.
bool concerns(const Selection& selection, std::string_view path);

FileResult check_source(const Selection& selection, const FileFacts& facts, const Source& source);

}  // namespace hipwright::lint
