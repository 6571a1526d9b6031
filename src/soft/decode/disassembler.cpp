// SPDX-License-Identifier: MIT
#include "soft/decode/disassembler.h"

#include <fmt/format.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "soft/decode/targets.h"

namespace hipwright::soft {

static_assert(LLVM_VERSION_MAJOR == 22, "the decoder reads the texts of LLVM 22");

Status check_llvm() {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  if (major != LLVM_VERSION_MAJOR)
    return fail("cannot decode AMD machine code", "",
                fmt::format("hipwright needs LLVM {}.x, found {}.{}.{}", LLVM_VERSION_MAJOR, major,
                            minor, patch),
                fmt::format("install libLLVM {}", LLVM_VERSION_MAJOR));
  return {};
}

struct Disassembler::Impl {
  // Later members use earlier ones.
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<const llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  Isa isa{};
};

namespace {

// What all processors share; made once.
struct Tables {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  llvm::MCTargetOptions options;
  std::string why;
  const llvm::Target* target = nullptr;
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> assembly;
  std::unique_ptr<const llvm::MCInstrInfo> instructions;

  Tables() {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    target = llvm::TargetRegistry::lookupTarget(triple, why);
    if (!target) return;
    registers.reset(target->createMCRegInfo(triple));
    if (registers) assembly.reset(target->createMCAsmInfo(*registers, triple, options));
    instructions.reset(target->createMCInstrInfo());
  }
};

constexpr std::size_t kLongest = 20;  // bytes of an instruction, on any target

std::uint32_t dword(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
constexpr std::uint32_t bits(std::uint32_t value, unsigned first, unsigned count) {
  return (value >> first) & ((1U << count) - 1);
}

constexpr std::uint32_t kLiteral = 0xff;  // a source that is the dword after the instruction

// Whether the destination of a VOP3 instruction of gfx9 is a scalar register, in which 0xff would
// be a literal: comparisons and v_readlane_b32. Elsewhere 0xff is v255 or a255.
bool has_scalar_destination(std::uint32_t first) {
  constexpr std::uint32_t kComparisons = 0x100, kReadLane = 0x289;
  const std::uint32_t opcode = bits(first, 16, 10);
  return opcode < kComparisons || opcode == kReadLane;
}

// Encodings of gfx9 and gfx10 that LLVM 22 dereferences null pointers for instead of refusing them:
// parts that SDWA does not have.
bool breaks_llvm_sdwa(std::uint32_t first, std::uint32_t second) {
  constexpr std::uint32_t kSdwa = 0xf9, kVopc = 0x3e;
  if (bits(first, 31, 1) != 0 || bits(first, 0, 9) != kSdwa) return false;
  const bool compare = bits(first, 25, 7) == kVopc;
  return bits(second, 16, 3) == 7 || bits(second, 24, 3) == 7 ||
         (!compare && (bits(second, 8, 3) == 7 || bits(second, 11, 2) == 3));
}

// The same on gfx9: a literal where the instruction has no room for one.
bool breaks_llvm_gfx9(std::uint32_t first, std::uint32_t second) {
  switch (bits(first, 26, 6)) {
    case 0x34:  // VOP3
      return (bits(first, 0, 8) == kLiteral && has_scalar_destination(first)) ||
             bits(second, 0, 9) == kLiteral || bits(second, 9, 9) == kLiteral ||
             bits(second, 18, 9) == kLiteral;
    case 0x38:  // MUBUF
    case 0x3a:  // MTBUF
      return bits(second, 24, 8) == kLiteral;
    default:
      return false;
  }
}

// The same on gfx12: named barriers given by a literal.
bool breaks_llvm_gfx12(std::uint32_t first) {
  return bits(first, 23, 9) == 0x17d && bits(first, 0, 8) == kLiteral &&
         bits(first, 8, 8) >= 0x4e && bits(first, 8, 8) <= 0x52;
}

bool breaks_llvm(Isa isa, std::uint32_t first, std::uint32_t second) {
  if (isa == Isa::kGfx12) return breaks_llvm_gfx12(first);
  if (isa > Isa::kGfx10) return false;
  return breaks_llvm_sdwa(first, second) || (is_gfx9(isa) && breaks_llvm_gfx9(first, second));
}

// LLVM 22 mistakes a small constant of v_fmaak_f32 and its relatives for the encoding of an inline
// constant: 0xf2 becomes 1.0. It gets to see such instructions with another constant. Returns the
// byte offset of the constant; 0: not such an instruction.
std::size_t constant_of_fma(bool gfx9, std::uint32_t first) {
  const std::uint32_t vop2 = bits(first, 25, 6);
  if (bits(first, 31, 1) == 0) {
    if (gfx9) return vop2 == 0x17 || vop2 == 0x18 || vop2 == 0x24 || vop2 == 0x25 ? 4 : 0;
    return vop2 == 0x2c || vop2 == 0x2d || vop2 == 0x37 || vop2 == 0x38 ? 4 : 0;
  }
  if (gfx9) return 0;
  const std::uint32_t sop2 = bits(first, 23, 9);
  if (sop2 == 0x145 || sop2 == 0x146) return 4;
  const auto is_fma = [](std::uint32_t opcode) { return opcode == 1 || opcode == 2; };
  const bool dual = bits(first, 26, 6) == 0x32;
  return dual && (is_fma(bits(first, 22, 4)) || is_fma(bits(first, 17, 5))) ? 8 : 0;
}
constexpr std::uint32_t kStandIn = 0x5a5aa5a5;
constexpr std::string_view kStandInText = "0x5a5aa5a5";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Disassembler::Disassembler(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Disassembler::~Disassembler() = default;

Result<std::unique_ptr<Disassembler>> Disassembler::create(std::string_view processor,
                                                           unsigned wave_size) {
  HW_CHECK(check_llvm());
  const auto failed = [&](std::string why) {
    return fail("cannot create a disassembler", std::string(processor), std::move(why),
                "use an LLVM 22 with the AMDGPU target");
  };
  static const Tables tables;
  if (!tables.target) return failed(tables.why);
  if (!tables.registers || !tables.assembly || !tables.instructions)
    return failed("LLVM has no instruction tables for AMDGPU");
  auto impl = std::make_unique<Impl>();
  const llvm::StringRef cpu(processor.data(), processor.size());
  const auto isa = isa_of(processor);
  std::string features = wave_size == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
  // The halves of registers are in the encoding, whatever the compiler made of them: without the
  // names v0.l and v0.h LLVM does not print which is meant.
  if (isa && *isa >= Isa::kGfx11) features += ",+real-true16";
  impl->subtarget.reset(tables.target->createMCSubtargetInfo(tables.triple, cpu, features));
  if (!impl->subtarget || !impl->subtarget->isCPUStringValid(cpu)) return failed("unknown to LLVM");
  impl->context = std::make_unique<llvm::MCContext>(tables.triple, tables.assembly.get(),
                                                    tables.registers.get(), impl->subtarget.get());
  impl->disassembler.reset(tables.target->createMCDisassembler(*impl->subtarget, *impl->context));
  impl->printer.reset(tables.target->createMCInstPrinter(
      tables.triple, tables.assembly->getAssemblerDialect(), *tables.assembly, *tables.instructions,
      *tables.registers));
  if (!impl->disassembler || !impl->printer) return failed("LLVM has no disassembler for AMDGPU");
  if (isa) impl->isa = *isa;
  return std::unique_ptr<Disassembler>(new Disassembler(std::move(impl)));
}

Disassembler::Line Disassembler::first(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  // LLVM does not check for the end when it reads literals: it gets zeros there.
  std::array<std::uint8_t, kLongest> window{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), window.size()), window.begin());
  const std::uint32_t encoding = dword(window, 0);
  if (breaks_llvm(impl_->isa, encoding, dword(window, 4))) return {};
  const std::size_t constant_at = constant_of_fma(is_gfx9(impl_->isa), encoding);
  const std::uint32_t constant = dword(window, constant_at);
  const bool hidden = constant_at != 0 && constant >= 0x80 && constant <= 0xff;
  if (hidden) std::memcpy(window.data() + constant_at, &kStandIn, sizeof kStandIn);
  llvm::MCInst inst;
  std::uint64_t size = 0;
  const auto status = impl_->disassembler->getInstruction(
      inst, size, llvm::ArrayRef<std::uint8_t>(window.data(), window.size()), address,
      llvm::nulls());
  if (status == llvm::MCDisassembler::Fail || size == 0 || size > bytes.size()) return {};
  Line line{.size = static_cast<unsigned>(size), .text = {}};
  llvm::raw_string_ostream stream(line.text);
  impl_->printer->printInst(&inst, address, "", *impl_->subtarget, stream);
  const std::size_t begin = line.text.find_first_not_of(" \t");
  line.text.erase(0, begin == std::string::npos ? line.text.size() : begin);
  if (hidden) replace_all(line.text, kStandInText, fmt::format("{:#x}", constant));
  return line;
}

}  // namespace hipwright::soft
