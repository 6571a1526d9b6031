// SPDX-License-Identifier: MIT
// Everything `hipwright inspect` says about a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/find.h"
#include "toolchain/code_object/resources.h"

namespace hipwright::toolchain {

struct InspectedImage {
  DeviceImage image;
  std::optional<CodeObject> object;  // nothing for other formats and for one that is damaged
  std::optional<Error> error;        // why a code object could not be read
  std::vector<KernelResources> kernels;
};

struct Inspection {
  std::string file;
  std::vector<InspectedImage> images;
};

Result<Inspection> inspect_file(const std::filesystem::path& file);

std::string inspection_text(const Inspection& inspection, bool colour);
Json inspection_json(const Inspection& inspection);

}  // namespace hipwright::toolchain
