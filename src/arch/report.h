// SPDX-License-Identifier: MIT
// The table as text and as JSON.
#pragma once

#include <span>
#include <string>

#include "arch/arch.h"
#include "arch/target.h"
#include "base/json_fwd.h"

namespace hipwright::arch {

// One line per target.
std::string overview_text(std::span<const ArchInfo* const> infos, bool colour);

// All facts with their sources, occupancy and source texts. A generic target is shown as the
// overview of its members.
std::string details_text(std::span<const Target> targets, bool colour);

// {"arches": […], "sources": {key: text}}; facts are {"value": …, "source": key}, unknown ones are
// omitted, and "sources" has only the keys that occur.
Json overview_json(std::span<const ArchInfo* const> infos);

// The same for the members of `targets`, with "targets": what each name refers to.
Json details_json(std::span<const Target> targets);

}  // namespace hipwright::arch
