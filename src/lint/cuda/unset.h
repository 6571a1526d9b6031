// SPDX-License-Identifier: MIT
// Local variables of device code that are set only under a condition and read where it may not
// hold.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/text_edit.h"
#include "lint/rule.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/ways.h"

namespace hipwright::lint {

struct UnsetRead {
  cu::Variable variable;
  cu::TokenIndex written, read;
  cu::Condition condition;  // of the first write
};

std::vector<UnsetRead> unset_reads(const cu::File& file);

// The text of a condition, with its parentheses.
std::string_view test_of(const cu::File& file, const cu::Condition& condition);
// The name of the function that takes this argument; kNoToken if it is no plain argument.
cu::TokenIndex callee_of(const cu::File& file, cu::TokenIndex argument);
// A shuffle that HIP implements as a template: those with a mask, and the members of cooperative
// groups.
bool is_sync_shuffle(const cu::File& file, cu::TokenIndex name);
// Sets the variable to zero where it is declared; empty where the declaration has another form.
std::optional<TextEdit> initialise(const cu::File& file, const cu::Variable& variable);

}  // namespace hipwright::lint
