// SPDX-License-Identifier: MIT
#pragma once

namespace hipwright::soft {

// What is looked for. Addresses are validated whatever these say: that is the host's safety.
struct CheckOptions {
  bool registers = true;  // uninitialised values that reach memory, an address or a branch
  bool waits = true;      // registers used before the wait for the load that fills them
  bool races = true;      // data races, within a workgroup and across workgroups
  bool barriers = true;   // divergent, mismatched and stuck barriers
  bool accesses = true;   // bounds and alignment, with words about what lies there
  bool formats = true;    // 8-bit floats in the format of another target
  bool report = false;    // instruction counts, bytes, conflicts, fidelity
  // After an access outside memory the wave goes on without the lanes that did it.
  bool keep_going = true;
  bool any() const {
    return registers || waits || races || barriers || accesses || formats || report;
  }
};

}  // namespace hipwright::soft
