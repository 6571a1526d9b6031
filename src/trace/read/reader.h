// SPDX-License-Identifier: MIT
// What every reader of a format is made of.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "trace/read/json_split.h"
#include "trace/trace.h"

namespace hipwright::trace {

// A reader of JSON files: which parts it wants, and what it does with them.
class JsonReader {
 public:
  virtual ~JsonReader() = default;
  virtual Split decide(std::string_view path, char first) const = 0;
  virtual bool wants(std::string_view /*element*/) const { return true; }
  virtual Status take(const JsonPiece& piece) = 0;
  virtual void finish() = 0;
};

std::unique_ptr<JsonReader> make_kineto_reader(Trace& trace);
std::unique_ptr<JsonReader> make_rocprofv3_reader(Trace& trace);

// Numbers for the streams and threads of a trace.
template <class Key>
class Indexed {
 public:
  explicit Indexed(std::vector<Key>& keys) : keys_(keys) {}
  std::uint32_t index(const Key& key) {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (const std::size_t at = (last_ + i) % keys_.size(); keys_[at] == key) {
        last_ = at;
        return static_cast<std::uint32_t>(at);
      }
    keys_.push_back(key);
    last_ = keys_.size() - 1;
    return static_cast<std::uint32_t>(last_);
  }

 private:
  std::vector<Key>& keys_;
  std::size_t last_ = 0;
};

// Counts by reason, for one note each.
class Rejected {
 public:
  void add(const char* reason) { ++counts_[reason]; }
  void note(Trace& trace) const;

 private:
  std::unordered_map<std::string_view, std::size_t> counts_;
};

class Input;
Status read_csv(Input& input, const std::string& path, Trace& trace);
Status read_sqlite(const std::string& path, Trace& trace);

}  // namespace hipwright::trace
