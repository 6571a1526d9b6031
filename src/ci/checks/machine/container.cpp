// SPDX-License-Identifier: MIT
// What a container needs beyond the device nodes.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  const Container& container = c.facts.container;
  if (!container.inside) return c.pass("not in a container");
  const std::string kind = container.kind.empty() ? "a container" : container.kind;
  if (!container.shm_bytes)
    c.unknown("the size of /dev/shm is not known", "df -h /dev/shm");
  else if (*container.shm_bytes < (1ULL << 30))
    c.warn(fmt::format("{}: /dev/shm has {}; data loaders and RCCL need more", kind,
                       gib(*container.shm_bytes)),
           "Add to docker run: --ipc=host or --shm-size=16g");
  else
    c.pass(fmt::format("{}: /dev/shm has {}", kind, gib(*container.shm_bytes)));
}

}  // namespace

Check container() {
  return {.name = "container", .title = "Container settings", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
