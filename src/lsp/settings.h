// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "lint/engine.h"
#include "lsp/value.h"

namespace hipwright::lsp {

// The editor's settings, equivalent to the command line of `hipwright lint`. The object has the
// keys of hipwright.toml's [lint]: select, ignore, exclude, arch, min-confidence. It may be wrapped
// in {"hipwright": …}. An unknown key or value is an error.
Result<lint::Options> parse_settings(const Value& settings);

}  // namespace hipwright::lsp
