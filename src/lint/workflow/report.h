// SPDX-License-Identifier: MIT
// What rules of workflows have in common: findings at nodes, and fixes that add or change a key.
#pragma once

#include <string>
#include <vector>

#include "lint/rule.h"
#include "syntax/workflow/workflow.h"

namespace hipwright::lint {

void report(WorkflowCheck& check, const syntax::workflow::Node& node, Confidence confidence,
            std::string message, std::vector<Fix> fixes = {});

// The node's text replaced.
Fix replacement(const syntax::workflow::Node& node, std::string text, std::string description);

// A line "text" in the mapping of `uses`, behind the line of this value of it. No edits where the
// mapping is not written line by line.
Fix new_key(const WorkflowCheck& check, const syntax::workflow::Node& value,
            const std::string& text, std::string description);

// A line "text" before this key, with the same indentation.
Fix new_key_before(const WorkflowCheck& check, const syntax::workflow::Node& key,
                   const std::string& text, std::string description);

}  // namespace hipwright::lint
