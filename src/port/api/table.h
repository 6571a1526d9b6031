// SPDX-License-Identifier: MIT
// The format of the tables: lines of text, one name each.
//
//   # comment
//   library blas                 the following names belong to cuBLAS
//   rule cublas* hipblas*        forms the HIP name if its line has none; first match wins
//   instead cublas*gemm3m* text  what to use for names of the library that have no counterpart and
//                                no caveat of their own, in all its tables; first match wins
//   [function]                   the following are functions (type, enumerator, macro, device,
//                                namespace, header)
//   cublasSgemm                  by the rule: hipblasSgemm
//   cublasSgemm_64 @6.0          since HIP 6.0
//   cublasOld hipblasOld @5.1-7.0    own name; declared by 5.1, no longer by 7.0
//   cublasXtCreate -             no counterpart
//   __dp4a __dp4a @- compat      in no HIP release, but in compat.h
//     > $0($1, $2)               (indented) how a call of the name above changes
//     ! text                     (indented) what to know about it
//     ~ text                     (indented) the same, but only if warps become 64-lane waves
//     & text                     (indented) the same, but only in device code
//     + text                     (indented) the same, but a port takes care of it
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "port/api/api.h"

namespace hipwright::port::api {

struct TableText {
  std::string_view path;
  std::string_view text;  // must live as long as the entries
};

// Stable storage for names formed by rules. An allocation per name would dominate the time for
// reading.
class TextStore {
 public:
  std::string_view join(std::string_view a, std::string_view b, std::string_view c);

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0;
  std::size_t size_ = 0;  // of the last block
};

// Names to entries: open addressing, and a slot keeps the hash, so that a miss seldom reads a name.
class Index {
 public:
  void reserve(std::size_t count);
  // The entry that already has the name of entries[index], or null after it was added.
  const Entry* add(const std::vector<Entry>& entries, std::size_t index);
  const Entry* find(const std::vector<Entry>& entries, std::string_view name) const;

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t index;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

// What to use instead of the names that match.
struct Advice {
  Library library;
  std::string_view pattern, text;
};

struct Tables {
  std::vector<Entry> entries;
  std::vector<Advice> advice;
  TextStore made;  // entries point into it
  Index index;
};

// Merges all tables; names stay in the order of the texts. Errors name file and line: unknown
// words, duplicate names, an invalid call form, a name without a rule.
Result<Tables> read_tables(const std::vector<TableText>& texts);

// The tables of this binary.
std::vector<TableText> embedded_tables();

}  // namespace hipwright::port::api
