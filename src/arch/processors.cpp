// SPDX-License-Identifier: MIT
#include "arch/processors.h"

namespace hipwright::arch {

namespace {

struct Machine {
  std::uint8_t value;
  std::string_view processor;
};

// EF_AMDGPU_MACH_AMDGCN_*.
constexpr Machine kMachines[] = {
    {0x20, "gfx600"},         {0x21, "gfx601"},          {0x3a, "gfx602"},
    {0x22, "gfx700"},         {0x23, "gfx701"},          {0x24, "gfx702"},
    {0x25, "gfx703"},         {0x26, "gfx704"},          {0x3b, "gfx705"},
    {0x28, "gfx801"},         {0x29, "gfx802"},          {0x2a, "gfx803"},
    {0x3c, "gfx805"},         {0x2b, "gfx810"},          {0x2c, "gfx900"},
    {0x2d, "gfx902"},         {0x2e, "gfx904"},          {0x2f, "gfx906"},
    {0x30, "gfx908"},         {0x31, "gfx909"},          {0x3f, "gfx90a"},
    {0x32, "gfx90c"},         {0x40, "gfx940"},          {0x4b, "gfx941"},
    {0x4c, "gfx942"},         {0x4f, "gfx950"},          {0x33, "gfx1010"},
    {0x34, "gfx1011"},        {0x35, "gfx1012"},         {0x42, "gfx1013"},
    {0x36, "gfx1030"},        {0x37, "gfx1031"},         {0x38, "gfx1032"},
    {0x39, "gfx1033"},        {0x3e, "gfx1034"},         {0x3d, "gfx1035"},
    {0x45, "gfx1036"},        {0x41, "gfx1100"},         {0x46, "gfx1101"},
    {0x47, "gfx1102"},        {0x44, "gfx1103"},         {0x43, "gfx1150"},
    {0x4a, "gfx1151"},        {0x55, "gfx1152"},         {0x58, "gfx1153"},
    {0x48, "gfx1200"},        {0x4e, "gfx1201"},         {0x49, "gfx1250"},
    {0x5a, "gfx1251"},        {0x50, "gfx1310"},         {0x51, "gfx9-generic"},
    {0x5f, "gfx9-4-generic"}, {0x52, "gfx10-1-generic"}, {0x53, "gfx10-3-generic"},
    {0x54, "gfx11-generic"},  {0x59, "gfx12-generic"},   {0x5b, "gfx12-5-generic"},
    {0x57, "gfx1154"},        {0x5d, "gfx1170"},         {0x5e, "gfx1171"},
    {0x5c, "gfx1172"},        {0x62, "gfx11-7-generic"}, {0x63, "gfx13-generic"},
};

}  // namespace

std::string_view processor_of_machine(std::uint32_t machine) {
  for (const Machine& known : kMachines)
    if (known.value == machine) return known.processor;
  return {};
}

Generation generation_of(std::string_view processor) {
  Generation generation;
  generation.gfx125 = processor.starts_with("gfx125") || processor == "gfx12-5-generic";
  generation.gfx12 = processor.starts_with("gfx12") || processor.starts_with("gfx13");
  generation.gfx9 = !processor.starts_with("gfx1");
  generation.unified_agprs = processor == "gfx90a" || processor.starts_with("gfx94") ||
                             processor.starts_with("gfx95") || processor == "gfx9-4-generic";
  return generation;
}

Version version_of(std::string_view processor) {
  constexpr std::size_t kPrefix = 3, kLast = 2;  // "gfx"; minor version and stepping
  Version version;
  if (processor.size() < kPrefix + kLast + 1) return version;
  for (const char digit : processor.substr(kPrefix, processor.size() - kPrefix - kLast))
    version.major = version.major * 10 + static_cast<unsigned>(digit - '0');
  version.minor = static_cast<unsigned>(processor[processor.size() - kLast] - '0');
  return version;
}

bool begins_like_processor(std::string_view text) {
  return text.starts_with("gfx");
}

}  // namespace hipwright::arch
