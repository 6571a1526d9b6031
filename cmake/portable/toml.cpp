// SPDX-License-Identifier: MIT
// toml++ as part of a program: distributions ship it as a shared library only.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
