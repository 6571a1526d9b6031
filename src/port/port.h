// SPDX-License-Identifier: MIT
// Computes the changes for a tree of CUDA sources: a pure function of the files. Others show, write
// or compile the result.
#pragma once

#include "base/error.h"
#include "port/options.h"
#include "port/ported_file.h"

namespace hipwright::port {

Result<Ported> port(const Options& options);
// The same for a tree that has been read.
Ported port_tree(Tree tree, const Options& options, ThreadPool& pool);

}  // namespace hipwright::port
