// SPDX-License-Identifier: MIT
// Searches a tree for shapes: scans every file for words, and compares the tokens of files that
// have enough of them.
#pragma once

#include <map>

#include "base/thread_pool.h"
#include "lint/like/align.h"
#include "lint/like/like.h"
#include "lint/like/words.h"

namespace hipwright::lint::like {

// Lines of the tree that are the bug itself, by path from the project's folder.
using OwnLines = std::multimap<std::string, Lines, std::less<>>;

class Search {
 public:
  Search(const Request& request, std::vector<Shape> shapes, OwnLines own);
  // Fills shapes, places and the counts.
  Status run(Found& found);

 private:
  struct File {
    std::string path, project_path;
    project::Language language = project::Language::kOther;
    std::vector<std::uint64_t> words;  // which are present
    std::size_t bytes = 0;
    std::string why_not;
    bool is_unread = false;  // it should have been read
    std::vector<Place> places;
    std::size_t fixed = 0;
  };
  // The words to look for first.
  struct Seed {
    std::uint32_t element = 0;
    std::uint32_t word = 0;
  };

  // The weight that a shape loses in a file without a word.
  struct Needed {
    std::uint32_t word = 0;  // of words_
    float lost = 0;
  };

  Status find_files(Found& found);
  void each(std::size_t count, const std::function<void(std::size_t, std::string&)>& body);
  void count_words();
  void set_weights(Found& found);
  void choose_seeds();
  bool may_have(const File& file, std::size_t shape) const;
  Numbered number(Stream stream) const;
  void look_into(File& file, std::string& buffer);
  void look_for(std::size_t shape, const Numbered& numbered, const LineIndex& lines,
                File& file) const;
  bool is_own(const File& file, const Place& place) const;
  std::vector<Range> windows(const Numbered& file, std::size_t shape) const;
  float nearby_share(const Shape& shape, const Numbered& file, Range place) const;
  bool is_fixed(const Shape& shape, const Numbered& file, const Alignment& found) const;
  void gather(Found& found);

  const Request& request_;
  std::vector<Shape> shapes_;
  const OwnLines own_;
  ThreadPool pool_;
  std::vector<File> files_;
  WordSet words_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of keys, from 1 on
  std::vector<std::vector<Seed>> seeds_;                       // of each shape
  std::vector<std::vector<Needed>> needed_;                    // the same
  std::vector<float> reach_;  // of each shape: its part of the score
};

// The differences between a shape and a place.
std::vector<Difference> differences(const Shape& shape, const Numbered& file,
                                    const Alignment& place);

}  // namespace hipwright::lint::like
