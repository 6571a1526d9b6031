// SPDX-License-Identifier: MIT
#pragma once

#include <hip/texture_types.h>
