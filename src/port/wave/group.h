// SPDX-License-Identifier: MIT
// Files that share device functions which access other lanes, and how they use the warp size. A
// warp may become a wave if no result depends on its number of lanes: if its results are combined
// over the block, or over the grid, by the same operation. A fixed list of patterns is recognised;
// everything else is an obstacle.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "port/wave/statement.h"
#include "port/wave/whole_wave.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

// Does not check the order of definitions.
enum class Combine { kAdd, kMax, kMin, kOr, kAnd, kXor };

// A function of one of the files.
struct DeviceFunction {
  const SourceFile* source = nullptr;
  const cu::Function* function = nullptr;
  bool crosses = false;  // accesses other lanes, or calls a function that does
  bool is_kernel() const { return (function->qualifiers & cu::kGlobal) != 0; }
};

// What a function of the group returns: the lanes' values together.
struct Combined {
  Combine how;
  std::string type;       // "float"; empty: of its argument
  bool is_block = false;  // for the first thread of the block; else for the first lane of the warp
};

class WaveGroup {
 public:
  WaveGroup(std::vector<const SourceFile*> files, const Tree& tree, const OwnNames& own)
      : files_(std::move(files)), tree_(tree), own_(own) {}

  // Empty if every use is understood; edits() are the changes.
  std::optional<Obstacle> look();
  const std::map<const SourceFile*, std::vector<TextEdit>>& edits() const { return edits_; }

 private:
  friend class Lanes;
  friend class ReducerCheck;
  friend class BlockCheck;
  void stop(const SourceFile& file, Span span, std::string what) {
    if (!obstacle_) obstacle_ = Obstacle{&file, span, std::move(what)};
  }
  void edit(const SourceFile& file, Span span, std::string text) {
    edits_[&file].push_back({span, std::move(text)});
  }
  // A use of the warp size that is understood.
  void accept(const SourceFile& file, cu::TokenIndex token) { accepted_[&file].insert(token); }

  void collect_functions();
  void find_sizes(const SourceFile& source);
  void check_words(const SourceFile& source);
  void check_sizes(const SourceFile& source);
  void check_host(const SourceFile& source);
  void check_launches(const SourceFile& source);
  void check_names();
  void check_macros(const DeviceFunction& each);

  std::vector<const SourceFile*> files_;
  const Tree& tree_;
  const OwnNames& own_;
  std::vector<DeviceFunction> functions_;               // those that cross
  std::set<std::string, std::less<>> crossing_;         // their names
  std::map<std::string, Combined, std::less<>> known_;  // of these, what they return
  std::set<std::string, std::less<>> sizes_;            // constants for the warp size
  std::set<std::string, std::less<>> launched_;         // kernels that are, with whole waves
  std::map<const SourceFile*, std::set<cu::TokenIndex>> accepted_;
  std::map<const SourceFile*, std::vector<TextEdit>> edits_;
  std::optional<Obstacle> obstacle_;
};

// A call of a CUDA warp function at this token.
const cu::LaneOp* warp_function_at(const cu::File& file, cu::TokenIndex token);

// Expressions with the warp size, within one function.
class Lanes {
 public:
  Lanes(WaveGroup& group, const DeviceFunction& which)
      : group_(group), which_(which), file_(*which.source->cuda()), function_(*which.function) {}

  bool is_number(cu::TokenIndex at, std::uint64_t value) const;
  bool is_size(cu::TokenRange expression) const;       // 32, WARP_SIZE, warpSize
  bool is_full_mask(cu::TokenRange expression) const;  // all lanes of a warp
  bool is_thread(cu::TokenRange expression) const;     // threadIdx.x, or a variable that is it
  // The index of a thread in its warp, and of a warp in its block. Not for variables.
  bool is_lane(cu::TokenRange expression) const;
  bool is_warp(cu::TokenRange expression) const;
  bool is_warp_count(cu::TokenRange expression) const;  // blockDim.x / 32
  // One name, declared once and never changed.
  bool is_fixed(std::string_view name) const;
  bool is_handed_over(cu::TokenIndex name) const;

  // These change what the expressions above say.
  void write_size(cu::TokenRange size);
  void write_mask(cu::TokenRange mask);
  void write_split(cu::TokenRange expression);  // of a thread's or a block's number by the size
  void stop(cu::TokenIndex at, std::string what) {
    group_.stop(*which_.source, file_.span(at), std::move(what));
  }
  void replace(cu::TokenRange range, std::string text) {
    group_.edit(*which_.source, file_.span(range), std::move(text));
  }

 protected:
  bool is_split(cu::TokenRange expression, const char* by_size, const char* by_bits,
                std::uint64_t bits, cu::TokenRange& of) const;
  WaveGroup& group_;
  const DeviceFunction& which_;
  const cu::File& file_;
  const cu::Function& function_;
};

// A function that returns the combination of all lanes' values; empty if it is another function.
std::optional<Combined> reducer(WaveGroup& group, const DeviceFunction& which);
// The same as a statement of a longer function.
struct ReductionLoop {
  cu::TokenIndex name;  // of the variable
  Combine how;
};
std::optional<ReductionLoop> reduction_loop(WaveGroup& group, const DeviceFunction& which,
                                            cu::TokenRange range);
// A kernel, or a function that combines a block: what it returns, when it returns something.
std::optional<Combined> check_block(WaveGroup& group, const DeviceFunction& which);

// "float" of "static const float": how two types are compared.
std::string type_text(const cu::File& file, cu::TokenRange type);

}  // namespace hipwright::port
