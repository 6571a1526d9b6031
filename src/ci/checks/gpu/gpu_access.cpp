// SPDX-License-Identifier: MIT
// Whether /dev/kfd and the render nodes can be opened. Group names do not decide this: a node may
// belong to any group, and containers change the numbers.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

std::string fix_for(const HostFacts& facts, const DeviceNode& node) {
  const std::string gid = node.gid ? std::to_string(*node.gid) : "GID";
  if (facts.container.inside)
    return fmt::format("Add to docker run: --device=/dev/kfd --device=/dev/dri --group-add {}",
                       gid);
  if (!node.group.empty() && node.gid != 0U)
    return fmt::format("sudo usermod -aG {} {}; then log in again", node.group,
                       facts.account.name.empty() ? "USER" : facts.account.name);
  return fmt::format(
      "Install AMD's udev rules (package amdgpu-install or rocm), or: "
      "sudo chgrp render {0} && sudo chmod 660 {0}",
      node.path);
}

std::string owner(const DeviceNode& node) {
  if (!node.gid) return {};
  return fmt::format(" (mode {}, gid {}{})", node.mode.empty() ? "?" : node.mode, *node.gid,
                     node.group.empty() ? ", which has no name here" : " " + node.group);
}

void missing_kfd(Checkup& c) {
  if (c.facts.container.inside)
    return c.need("/dev/kfd does not exist in this container",
                  "Add to docker run: --device=/dev/kfd --device=/dev/dri");
  c.need("/dev/kfd does not exist", c.facts.driver_loaded == false
                                        ? "Load the driver: sudo modprobe amdgpu"
                                        : "Check `dmesg | grep -i kfd`: the driver found no "
                                          "GPU that it supports");
}

void render_nodes(Checkup& c, unsigned there, unsigned open) {
  if (there == 0) {
    c.need("no render node (/dev/dri/renderD*) exists",
           c.facts.container.inside ? "Add to docker run: --device=/dev/dri"
                                    : "Load the driver: sudo modprobe amdgpu");
  } else if (open > 0 && open < there) {
    c.warn(fmt::format("{} of {} render nodes open", open, there),
           "Expected where a job gets a part of the GPUs; otherwise fix the others' groups");
  } else if (open == there) {
    c.pass(fmt::format("{} of {} render nodes open", open, there));
  }
}

void run(Checkup& c) {
  if (c.facts.nodes.empty())
    return c.unknown("the device nodes were not probed", "Probe again: hipwright doctor");
  unsigned there = 0, open = 0;
  const DeviceNode* refused = nullptr;
  for (const DeviceNode& node : c.facts.nodes) {
    if (node.path == "/dev/kfd") {
      if (!node.exists)
        missing_kfd(c);
      else if (node.opens)
        c.pass("/dev/kfd opens" + owner(node));
      else
        c.need(fmt::format("/dev/kfd does not open: {}{}", node.error, owner(node)),
               fix_for(c.facts, node));
      continue;
    }
    there += node.exists;
    open += node.opens;
    if (node.exists && !node.opens && refused == nullptr) refused = &node;
  }
  if (refused != nullptr && open == 0)
    return c.need(
        fmt::format("{} does not open: {}{}", refused->path, refused->error, owner(*refused)),
        fix_for(c.facts, *refused));
  render_nodes(c, there, open);
}

}  // namespace

Check gpu_access() {
  return {.name = "gpu-access", .title = "GPU device nodes open", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
