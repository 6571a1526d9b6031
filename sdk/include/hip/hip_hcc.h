// SPDX-License-Identifier: MIT
#pragma once

#warning "hip/hip_hcc.h is deprecated: include hip/hip_ext.h"
#include <hip/hip_ext.h>
