// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/cuda/file.h"
#include "syntax/python/file.h"
#include "syntax/word_set.h"
#include "syntax/workflow/workflow.h"

namespace hipwright::lint {

// A text with its tree: made without knowing the rest of the project, looked at when it is known.
class Source {
 public:
  // `text` must outlive it.
  Source(std::string path, std::string_view text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  // Of its language; nullptr when it is of another, or of none.
  const syntax::cuda::File* cuda() const { return cuda_ ? &*cuda_ : nullptr; }
  const syntax::python::File* python() const { return python_ ? &*python_ : nullptr; }
  const syntax::workflow::File* workflow() const { return workflow_ ? &*workflow_ : nullptr; }
  // Which words of trigger_words() are in the text; not thread-safe.
  const syntax::WordSet::Bits& words() const;

 private:
  std::string path_;
  std::string_view text_;
  std::optional<syntax::cuda::File> cuda_;
  std::optional<syntax::python::File> python_;
  std::optional<syntax::workflow::File> workflow_;
  mutable std::optional<syntax::WordSet::Bits> words_;
};

}  // namespace hipwright::lint
