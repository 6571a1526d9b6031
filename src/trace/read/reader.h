// SPDX-License-Identifier: MIT
// What every reader of a format is made of.
#pragma once

#include <cstdint>
#include <map>

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
  explicit Indexed(std::vector<Key>& keys) : keys_(keys) {
    for (const Key& key : keys_) places_.emplace(key, places_.size());
  }
  std::uint32_t index(const Key& key) {
    // Neighbours are mostly of one stream.
    if (last_ < keys_.size() && keys_[last_] == key) return static_cast<std::uint32_t>(last_);
    const auto [place, is_new] = places_.emplace(key, keys_.size());
    if (is_new) keys_.push_back(key);
    last_ = place->second;
    return static_cast<std::uint32_t>(last_);
  }

 private:
  std::vector<Key>& keys_;
  std::map<Key, std::size_t> places_;
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

// The domains of rocprofv3 in which a call launches nothing on the GPU: ranges that the user named,
// and RCCL's functions around the launches.
bool is_range_domain(std::string_view domain);

class Input;
Status read_csv(Input& input, const std::string& path, Trace& trace);
Status read_sqlite(const std::string& path, Trace& trace);

}  // namespace hipwright::trace
