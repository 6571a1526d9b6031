// SPDX-License-Identifier: MIT
// Files that share device functions which look at other lanes, and how they use the size of a warp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lint/cuda/lanes.h"
#include "lint/cuda/values.h"
#include "port/wave/native.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

// A function of one of the files.
struct DeviceFunction {
  const SourceFile* source = nullptr;
  const cu::Function* function = nullptr;
  bool crosses = false;  // looks at other lanes, or calls one that does
  bool is_kernel() const { return (function->qualifiers & cu::kGlobal) != 0; }
};

class WaveGroup {
 public:
  WaveGroup(std::vector<const SourceFile*> files, const OwnNames& own)
      : files_(std::move(files)), own_(own) {}

  // Nothing: every use is understood, and edits() are what to change.
  std::optional<Obstacle> look();
  const std::map<const SourceFile*, std::vector<TextEdit>>& edits() const { return edits_; }

 private:
  friend class FunctionCheck;
  void stop(const SourceFile& file, Span span, std::string what) {
    if (!obstacle_) obstacle_ = Obstacle{&file, span, std::move(what)};
  }
  void edit(const SourceFile& file, Span span, std::string text) {
    edits_[&file].push_back({span, std::move(text)});
  }
  void collect_functions();
  void find_sizes(const SourceFile& source);
  void check_host(const SourceFile& source);
  void check_launches(const SourceFile& source);
  void check_macros(const SourceFile& source);

  std::vector<const SourceFile*> files_;
  const OwnNames& own_;
  std::vector<DeviceFunction> functions_;        // those that matter: that cross, and their callees
  std::set<std::string, std::less<>> crossing_;  // names of those that cross
  std::set<std::string, std::less<>> combining_;  // of these, whose result is the block's
  std::set<std::string, std::less<>> sizes_;      // names of constants that are the size of a warp
  std::set<std::string, std::less<>> launched_;   // kernels that are, with whole waves
  std::map<const SourceFile*, std::vector<TextEdit>> edits_;
  std::optional<Obstacle> obstacle_;
};

// A call of one of CUDA's own functions of the warp at this token.
const lint::LaneOp* warp_function_at(const cu::File& file, cu::TokenIndex token);

// One function that matters.
class FunctionCheck {
 public:
  FunctionCheck(WaveGroup& group, const DeviceFunction& which)
      : group_(group), which_(which), file_(*which.source->cuda()), function_(*which.function) {}
  void run();

 private:
  void stop(cu::TokenIndex at, std::string what) {
    group_.stop(*which_.source, file_.span(at), std::move(what));
  }
  void replace(cu::TokenRange range, std::string text) {
    group_.edit(*which_.source, file_.span(range), std::move(text));
  }
  void accept(cu::TokenIndex number) { known_.insert(number); }

  bool is_number(cu::TokenIndex at, std::uint64_t value) const;
  bool is_size(cu::TokenRange expression) const;  // 32, WARP_SIZE, warpSize
  bool is_thread(cu::TokenRange expression, int depth = 3) const;
  enum class Part { kNone, kLane, kWarp };
  Part part_of(cu::TokenIndex name) const;  // of a variable: lane or warp number
  Part part_of(cu::TokenRange expression) const;
  bool is_full_mask(cu::TokenRange expression) const;
  bool is_uniform(cu::TokenRange expression, std::string_view but) const;

  void splits();
  void comparisons();
  void arrays();
  void warp_call(cu::TokenIndex name, const lint::LaneOp& op);
  void mask(cu::TokenRange argument);
  void shuffle_distance(cu::TokenIndex name, const lint::LaneOp& op,
                        const std::vector<cu::TokenRange>& arguments);
  void unrolled(cu::TokenIndex name, cu::TokenRange distance);
  void ballot(cu::TokenIndex name);
  bool is_mask_use(cu::TokenIndex use);
  void place(cu::TokenIndex call);
  bool condition(cu::TokenIndex open);
  // Over the powers of two below the size of a warp; or the same for all threads.
  enum class Loop { kOther, kOfSize, kUniform };
  Loop loop(cu::TokenIndex open);
  void leftovers();

  // What becomes of a warp's results: escape.cpp
  cu::TokenRange whole_statement(cu::TokenIndex at) const;
  bool is_from_warp(cu::TokenRange range) const;
  cu::TokenIndex assignment(cu::TokenRange statement) const;
  std::vector<cu::TokenRange> conditions_around(cu::TokenIndex at) const;
  bool is_first_lane(cu::TokenRange condition) const;
  bool is_first_thread(cu::TokenRange condition) const;
  bool is_first_warp(cu::TokenRange condition) const;
  bool is_block_thread(cu::TokenRange expression) const;
  bool is_warp_count(cu::TokenRange expression) const;
  void taint();
  void slots();
  void warp_numbers();
  bool follows(cu::TokenIndex at);
  void combine();
  void escapes();

  WaveGroup& group_;
  const DeviceFunction& which_;
  const cu::File& file_;
  const cu::Function& function_;
  std::set<cu::TokenIndex> known_;            // numbers that are understood
  std::set<std::string, std::less<>> masks_;  // variables
  cu::TokenIndex last_call_ = 0;
  std::set<std::string, std::less<>> tainted_;                   // variables with results of a warp
  std::set<std::string, std::less<>> slots_;                     // arrays with one for each warp
  std::set<cu::TokenIndex> slot_reads_;                          // places that read them back
  std::map<std::string, cu::TokenIndex, std::less<>> combined_;  // variables, and from where on
  std::set<std::string, std::less<>> spoilt_;
};

}  // namespace hipwright::port
