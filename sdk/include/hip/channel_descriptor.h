// SPDX-License-Identifier: MIT
#pragma once

#include <hip/amd_detail/require_amd.h>

#include <hip/amd_detail/amd_channel_descriptor.h>
