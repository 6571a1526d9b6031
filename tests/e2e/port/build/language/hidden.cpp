// SPDX-License-Identifier: MIT
// CUDA in a file that its name does not tell.
#include "more.cu"
