// SPDX-License-Identifier: MIT
#pragma once

#include "lsp/server.h"

namespace hipwright::lsp {

// Serves one editor over two descriptors until it says "exit" or closes its end; the exit code.
int serve(const ServerOptions& options, int input, int output);

}  // namespace hipwright::lsp
