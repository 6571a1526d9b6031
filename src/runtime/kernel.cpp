// SPDX-License-Identifier: MIT
#include "runtime/kernel.h"

#include "runtime/raise.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

Kernel make_kernel(const std::shared_ptr<device::Device>& driver, std::string_view code_object,
                   const std::string& symbol, const std::string& name) {
  auto kernel = std::make_shared<KernelState>();
  kernel->driver = driver;
  kernel->name = name;
  kernel->symbol = symbol;
  kernel->module = value_or_raise(driver->load(code_object));
  kernel->function = value_or_raise(driver->find(kernel->module, symbol));
  return Kernel(std::move(kernel));
}

}  // namespace hipwright::runtime
