// SPDX-License-Identifier: MIT
// The functions of NCCL, which RCCL has under the same names, loaded at run time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "device/device.h"
#include "device/failure.h"

namespace hipwright::runtime {

using NcclComm = struct NcclCommHandle*;

struct NcclApi {
  int (*get_version)(int* version);
  const char* (*get_error_string)(int result);
  int (*comm_init_all)(NcclComm* comms, int count, const int* devices);
  int (*comm_destroy)(NcclComm comm);
  int (*comm_get_async_error)(NcclComm comm, int* result);
  int (*group_start)();
  int (*group_end)();
  int (*all_reduce)(const void* send, void* receive, std::size_t count, int type, int operation,
                    NcclComm comm, device::Stream stream);
  int (*broadcast)(const void* send, void* receive, std::size_t count, int type, int root,
                   NcclComm comm, device::Stream stream);
  int (*all_gather)(const void* send, void* receive, std::size_t count, int type, NcclComm comm,
                    device::Stream stream);
  const char* (*get_last_error)(NcclComm comm);  // nullptr before 2.13

  std::string library;                // "RCCL", "NCCL"
  std::shared_ptr<const void> owner;  // keeps it loaded
};

// RCCL for kHip, NCCL for kCuda; $HIPWRIGHT_RCCL and $HIPWRIGHT_NCCL name the file.
device::Outcome<std::shared_ptr<const NcclApi>> load_nccl(device::Kind kind);

// As the library counts: 22703 is 2.27.3, 2804 is 2.8.4.
std::string nccl_version_text(int version);

}  // namespace hipwright::runtime
