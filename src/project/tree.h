// SPDX-License-Identifier: MIT
// The files of a repository, read, and what each of them is.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"
#include "project/language.h"
#include "syntax/cuda/file.h"
#include "syntax/python/file.h"
#include "syntax/text.h"

namespace hipwright::project {

// One text with its tree; both live as long as it does.
class SourceFile {
 public:
  SourceFile(std::string path, syntax::Text text);

  const std::string& path() const { return path_; }  // from the root, with '/'
  Language language() const { return language_; }
  std::string_view text() const { return text_.bytes; }
  syntax::Encoding encoding() const { return text_.encoding; }
  bool is_header() const { return is_header_; }
  // Of its language; nullptr when it is of another.
  const syntax::cuda::File* cuda() const { return cuda_.get(); }
  const syntax::python::File* python() const { return python_.get(); }

 private:
  std::string path_;
  Language language_;
  bool is_header_;
  syntax::Text text_;
  std::unique_ptr<syntax::cuda::File> cuda_;
  std::unique_ptr<syntax::python::File> python_;
};

struct NotRead {
  std::string path, why;
  bool is_error = false;  // it should have been read: a result without it is incomplete
};

struct Tree {
  std::filesystem::path root;  // a folder, or the folder of the one file
  bool is_one_file = false;
  std::vector<std::unique_ptr<SourceFile>> files;  // by path; of kOther only what a port wrote
  std::vector<NotRead> not_read;                   // links, binary sources, what cannot be opened

  const SourceFile* find(std::string_view path) const;
  // What should have been read and was not, as one error.
  Status is_complete() const;
  // The files that an #include of `path` in `from` can mean: the one beside it where the path is in
  // quotes, otherwise those that share most of their folders with it.
  std::vector<const SourceFile*> nearest(std::string_view path, const SourceFile& from,
                                         bool is_system) const;
  // Does it mean one of them although a header of CUDA has the name? One that lies beside `from`,
  // in a folder around it or in one of those for headers beside these; another program of the
  // tree may well have a cuda.h of its own.
  bool has_header_for(std::string_view path, const SourceFile& from, bool is_system) const;

  std::unordered_multimap<std::string_view, const SourceFile*> by_name;  // without folders
};

bool has_main(const syntax::cuda::File& file);

// Sources that another one includes, kernels.cu of main.cu: they are compiled there, and need not
// compile alone. One with a main() is a program of its own.
std::unordered_set<const SourceFile*> included_sources(const Tree& tree);

// `path`: a folder, or one file. What git ignores, and what the patterns (as in .gitignore) name,
// is left alone. An error is about `path` itself.
Result<Tree> read_tree(const std::filesystem::path& path, const std::vector<std::string>& ignore,
                       ThreadPool& pool);

}  // namespace hipwright::project
