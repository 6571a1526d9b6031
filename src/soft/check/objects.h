// SPDX-License-Identifier: MIT
// Accesses to a variable that reach beside it, into memory which is the kernel's own: another
// variable of the device, or what rounding adds to a frame in private memory.
#pragma once

#include "soft/check/findings.h"
#include "soft/exec/access.h"
#include "soft/load/object_notes.h"

namespace hipwright::soft {

class ObjectCheck {
 public:
  explicit ObjectCheck(Findings& findings) : findings_(findings) {}

  void begin(const Workgroup& group);
  void access(const Wave& wave, const Inst& inst, const Access& access) const;

 private:
  void report(const Wave& wave, const Inst& inst, const Access& access, unsigned lane,
              const ObjectNotes::Variable* variable) const;

  Findings& findings_;
  const ObjectNotes* notes_ = nullptr;  // nullptr: the code has none
  const std::vector<ObjectNotes::Range>* gaps_ = nullptr;
};

}  // namespace hipwright::soft
