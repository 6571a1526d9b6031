// SPDX-License-Identifier: MIT
// One kernel, or one function that combines the values of a block, statement by statement.
#pragma once

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;

class BlockCheck : public Lanes {
 public:
  using Lanes::Lanes;
  std::optional<Combined> look();

 private:
  // The contents of a variable.
  struct Value {
    enum Of { kWarp, kSlots, kBlock, kMask } of;
    Combine how;
    std::string type;
  };
  // --- words ---
  TokenIndex touched(TokenRange range) const;
  bool is_untouched(TokenRange range) const { return touched(range) == cu::kNoToken; }
  TokenIndex find(TokenRange range, const char* punctuator) const;
  bool is_a_lane(TokenRange range) const;
  bool is_a_warp(TokenRange range) const;
  void write_part(TokenRange range) {  // of a lane or a warp
    const TokenRange inside = cu::unwrapped(file_, range);
    if (inside.end - inside.begin > 1) write_split(inside);
  }
  void find_slots();
  TokenIndex alias() const;
  // --- statements ---
  void run(const Statement& statement, bool is_first_warp);
  void loop(TokenRange range, bool is_first_warp);
  bool is_zero(TokenRange condition, TokenRange& left) const;
  void guard(const Statement& statement, bool is_first_warp);
  void final(const Statement& statement);
  void one_lane(const Statement& statement, bool is_first_warp);
  bool store(TokenRange range, TokenIndex equals);
  std::optional<Value> value_at(TokenRange range);
  bool add(TokenRange range);
  std::string pointee(TokenRange range) const;
  bool is_parameter(std::string_view name) const;
  bool never_changes(std::string_view name) const;
  bool is_fixed_parameter(std::string_view name) const;
  // --- assignments ---
  void simple(TokenRange range, bool is_first_warp);
  std::optional<std::string> type_of(TokenIndex name, TokenRange declared) const;
  std::optional<Value> result(TokenRange range, const std::string& name, const std::string& type,
                              bool is_first_warp);
  bool is_member_call(TokenIndex at) const;
  std::optional<Value> combined(const Combined& call, TokenRange argument, const std::string& name,
                                const std::string& type, bool is_first_warp);
  bool ballot(TokenRange range);
  std::optional<Value> slot_read(TokenRange range, const std::string& type);
  bool declares_parts(TokenRange range);
  bool declares_slots(TokenRange range);
  bool syncs(TokenRange range);
  bool returns(const Statement& statement);

  std::set<std::string, std::less<>> lanes_, warps_, slots_;
  std::map<std::string, std::string, std::less<>> shared_;  // arrays and variables, their types
  std::map<std::string, Combine, std::less<>> slot_kinds_;  // what was stored to them
  std::map<std::string, Value, std::less<>> values_;
  std::optional<Combined> result_;
};

}  // namespace hipwright::port
