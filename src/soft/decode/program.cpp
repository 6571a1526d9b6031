// SPDX-License-Identifier: MIT
#include "soft/decode/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "soft/decode/disassembler.h"
#include "soft/decode/inst_builder.h"
#include "soft/decode/targets.h"

namespace hipwright::soft {

namespace {

// Inst is large; garbage that looks like one huge function must not exhaust the host's memory.
constexpr std::size_t kBlockInstructions = 64 * 1024;
constexpr std::uint64_t kDword = 4;
constexpr std::size_t kLongestInstruction = 20;
constexpr std::uint32_t kCodeEnd = 0xbf9f0000;  // s_code_end: the padding of gfx10+

std::uint32_t dword_at(std::uint64_t address) {
  std::uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

}  // namespace

struct Program::Impl {
  Isa isa{};
  unsigned wave_size = 64;
  std::vector<std::uint64_t> functions;
  std::unique_ptr<Disassembler> disassembler;
  std::unique_ptr<InstBuilder> builder;

  // What lookups read without the lock: one slot per dword of code.
  struct Code {
    CodeRange range;
    std::unique_ptr<std::atomic<const Inst*>[]> slots;
    std::atomic<const Inst*>* slot(std::uint64_t address) const {
      return &slots[(address - range.begin) / kDword];
    }
    std::uint64_t end() const { return range.begin + range.size; }
  };
  std::vector<Code> codes;  // by address

  struct Block {
    std::uint64_t begin = 0, end = 0;
    std::unique_ptr<Inst[]> insts;
    std::size_t count = 0;  // with the one that goes on
  };
  std::mutex mutex;          // of the disassembler, the builder and the blocks
  std::deque<Block> blocks;  // as they were decoded

  const Code* code_of(std::uint64_t address) const {
    for (const Code& code : codes)
      if (address >= code.range.begin && address < code.end()) return &code;
    return nullptr;
  }
  const Block* block_of(std::uint64_t address) const {
    for (const Block& block : blocks)
      if (address >= block.begin && address < block.end) return &block;
    return nullptr;
  }
  // Where the function that holds `address` begins and ends.
  CodeRange function_of(const Code& code, std::uint64_t address) const {
    const auto next = std::ranges::upper_bound(functions, address);
    std::uint64_t begin = code.range.begin, end = code.end();
    if (next != functions.begin()) begin = std::max(begin, *std::prev(next));
    if (next != functions.end()) end = std::min(end, *next);
    // What is not a whole number of dwords away from the beginning was never code.
    begin -= (begin - code.range.begin) % kDword;
    end -= (end - code.range.begin) % kDword;
    return {begin, end - begin};
  }

  const Inst* decode_for(const Code& code, std::uint64_t address);
  void decode_block(const Code& code, std::uint64_t begin, std::uint64_t limit);
  unsigned decode_one(std::uint64_t address, std::uint64_t limit, std::vector<Inst>& out);
  static void link(Block& block);
};

// Appends the instruction at `address` and returns its size.
unsigned Program::Impl::decode_one(std::uint64_t address, std::uint64_t limit,
                                   std::vector<Inst>& out) {
  const std::size_t readable = std::min<std::uint64_t>(limit - address, kLongestInstruction);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(address), readable);
  const Disassembler::Line line = disassembler->first(bytes, address);
  const std::uint32_t first = dword_at(address);
  if (line.size == 0 || line.size % kDword != 0) {
    builder->undecodable({address, first, kDword}, out);
    return kDword;
  }
  builder->build(line.text, {address, first, line.size}, out);
  return line.size;
}

void Program::Impl::decode_block(const Code& code, std::uint64_t begin, std::uint64_t limit) {
  std::vector<Inst> out;
  std::uint64_t address = begin;
  while (address < limit && out.size() < kBlockInstructions) {
    const bool end_of_code = !is_gfx9(isa) && dword_at(address) == kCodeEnd;
    address += decode_one(address, limit, out);
    if (!end_of_code) continue;
    // The first one stands for the whole padding.
    while (address < limit && dword_at(address) == kCodeEnd) address += kDword;
  }
  Block block{.begin = begin, .end = address, .insts = {}, .count = out.size() + 1};
  block.insts = std::make_unique<Inst[]>(block.count);
  std::ranges::copy(out, block.insts.get());
  block.insts[out.size()] = builder->go_on(address);
  link(block);
  for (std::size_t i = out.size(); i-- > 0;)
    code.slot(block.insts[i].address)->store(&block.insts[i], std::memory_order_release);
  blocks.push_back(std::move(block));
}

// Branches within the block point to where they go.
void Program::Impl::link(Block& block) {
  std::vector<const Inst*> at((block.end - block.begin) / kDword);
  for (std::size_t i = block.count - 1; i-- > 0;)
    at[(block.insts[i].address - block.begin) / kDword] = &block.insts[i];
  for (std::size_t i = 0; i + 1 < block.count; ++i) {
    Inst& inst = block.insts[i];
    if (!(inst.flags & kRelativeBranch)) continue;
    const std::int64_t offset = std::int64_t{static_cast<std::int16_t>(inst.simm16)} * 4 + 4;
    const std::uint64_t target = inst.address + static_cast<std::uint64_t>(offset);
    if (target >= block.begin && target < block.end)
      inst.target = at[(target - block.begin) / kDword];
  }
}

const Inst* Program::Impl::decode_for(const Code& code, std::uint64_t address) {
  const std::lock_guard lock(mutex);
  if (const Inst* inst = code.slot(address)->load(std::memory_order_acquire)) return inst;
  const CodeRange function = function_of(code, address);
  const std::uint64_t limit = function.begin + function.size;
  std::uint64_t begin = function.begin;
  while (const Block* block = block_of(begin)) {
    // The address is in the middle of an instruction, or in padding.
    if (address < block->end) return nullptr;
    begin = block->end;
  }
  // Far inside a function of absurd size: what lies between may never be reached.
  if (address - begin > kBlockInstructions * kDword) {
    if (block_of(address)) return nullptr;
    begin = address;
  }
  while (begin <= address && begin < limit) {
    decode_block(code, begin, limit);
    begin = blocks.back().end;
  }
  return code.slot(address)->load(std::memory_order_acquire);
}

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::~Program() = default;

Result<std::unique_ptr<Program>> Program::create(const arch::Target& target, unsigned wave_size,
                                                 std::vector<CodeRange> ranges,
                                                 std::vector<std::uint64_t> functions,
                                                 SimdLevel level) {
  const auto isa = isa_of(target.processor);
  if (!isa)
    return fail("cannot run the code", target.processor,
                "the software GPU does not support this target",
                "compile for one of " + supported_targets_text());
  if (wave_size != 64 && (wave_size != 32 || is_gfx9(*isa)))
    return fail("cannot run the code", target.processor,
                fmt::format("the target has no {}-lane waves", wave_size));
  auto impl = std::make_unique<Impl>();
  impl->isa = *isa;
  impl->wave_size = wave_size;
  HW_TRY(impl->disassembler, Disassembler::create(target.processor, wave_size));
  impl->builder = std::make_unique<InstBuilder>(*isa, wave_size, level);
  std::ranges::sort(functions);
  impl->functions = std::move(functions);
  std::ranges::sort(ranges, {}, &CodeRange::begin);
  for (const CodeRange& range : ranges) {
    const std::uint64_t dwords = range.size / kDword;
    if (dwords == 0) continue;
    if (range.begin > std::numeric_limits<std::uint64_t>::max() - range.size)
      return fail("cannot run the code", target.processor, "a code range wraps around");
    impl->codes.push_back({.range = {range.begin, dwords * kDword},
                           .slots = std::make_unique<std::atomic<const Inst*>[]>(dwords)});
  }
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}

const Inst* Program::at(std::uint64_t address) {
  const Impl::Code* code = impl_->code_of(address);
  if (!code || (address - code->range.begin) % kDword != 0) return nullptr;
  if (const Inst* inst = code->slot(address)->load(std::memory_order_acquire)) return inst;
  return impl_->decode_for(*code, address);
}

Isa Program::isa() const {
  return impl_->isa;
}

unsigned Program::wave_size() const {
  return impl_->wave_size;
}

std::string Program::text(const Inst& inst) const {
  const Impl::Code* code = impl_->code_of(inst.address);
  if (!code) return std::string(name_of(inst));
  const std::lock_guard lock(impl_->mutex);
  const std::size_t readable =
      std::min<std::uint64_t>(code->end() - inst.address, kLongestInstruction);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(inst.address), readable);
  const Disassembler::Line line = impl_->disassembler->first(bytes, inst.address);
  return line.size ? line.text : fmt::format(".long {:#010x}", dword_at(inst.address));
}

std::vector<const Inst*> Program::decode_all() {
  for (const Impl::Code& code : impl_->codes) {
    std::uint64_t address = code.range.begin;
    while (address < code.end()) {
      at(address);
      const std::lock_guard lock(impl_->mutex);
      const Impl::Block* block = impl_->block_of(address);
      address = block ? block->end : code.end();
    }
  }
  std::vector<const Inst*> out;
  const std::lock_guard lock(impl_->mutex);
  for (const Impl::Block& block : impl_->blocks)
    for (std::size_t i = 0; i + 1 < block.count; ++i) out.push_back(&block.insts[i]);
  return out;
}

}  // namespace hipwright::soft
