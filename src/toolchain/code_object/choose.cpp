// SPDX-License-Identifier: MIT
#include "toolchain/code_object/choose.h"

#include "toolchain/code_object/find.h"

namespace hipwright::toolchain {

Result<Choice> choose_code_object(const Bytes& bytes, const std::string& origin,
                                  const arch::Target& device) {
  HW_TRY(const auto images, find_code_objects(bytes, origin));
  Choice choice;
  int best_fit = 0;
  for (const DeviceImage& image : images) {
    if (image.format != DeviceImage::Format::kCodeObject) continue;
    HW_TRY(CodeObject code, CodeObject::parse(image.bytes, image.origin));
    choice.targets.insert(code.target().id());
    if (const int fit = arch::fitness(code.target(), device); fit > best_fit) {
      best_fit = fit;
      choice.best = std::move(code);
    }
  }
  return choice;
}

}  // namespace hipwright::toolchain
