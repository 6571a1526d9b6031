// SPDX-License-Identifier: MIT
#include "soft/decode/modifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace hipwright::soft {

namespace {

bool is_packed(Type type) {
  return type == Type::kPkB16 || type == Type::kPkF16 || type == Type::kPkBF16 ||
         type == Type::kPkF32 || type == Type::kPkB32;
}

struct DppName {
  std::string_view name;
  Dpp kind;
};
constexpr DppName kDppNames[] = {
    {"quad_perm", Dpp::kQuadPerm},   {"row_shl", Dpp::kRowShl},
    {"row_shr", Dpp::kRowShr},       {"row_ror", Dpp::kRowRor},
    {"wave_shl", Dpp::kWaveShl},     {"wave_rol", Dpp::kWaveRol},
    {"wave_shr", Dpp::kWaveShr},     {"wave_ror", Dpp::kWaveRor},
    {"row_mirror", Dpp::kRowMirror}, {"row_half_mirror", Dpp::kRowHalfMirror},
    {"row_share", Dpp::kRowShare},   {"row_newbcast", Dpp::kRowShare},
    {"row_xmask", Dpp::kRowXmask},   {"dpp8", Dpp::kDpp8},
};

bool apply_dpp(Inst& inst, const TextModifier& modifier) {
  if (modifier.name == "row_bcast") {
    inst.dpp.kind = modifier.value() == 31 ? Dpp::kRowBcast31 : Dpp::kRowBcast15;
    return modifier.value() == 15 || modifier.value() == 31;
  }
  const auto found = std::ranges::find(kDppNames, modifier.name, &DppName::name);
  if (found == std::end(kDppNames)) return false;
  const unsigned bits = found->kind == Dpp::kDpp8 ? 3 : 2;
  const bool list = found->kind == Dpp::kDpp8 || found->kind == Dpp::kQuadPerm;
  inst.dpp.kind = found->kind;
  if (!list) {
    inst.dpp.argument = static_cast<std::uint32_t>(modifier.value());
    return true;
  }
  if (modifier.values.size() != (bits == 3 ? 8U : 4U)) return false;
  inst.dpp.argument = 0;
  for (std::size_t i = 0; i < modifier.values.size(); ++i)
    inst.dpp.argument |= static_cast<std::uint32_t>(modifier.values[i] & ((1 << bits) - 1))
                         << (bits * i);
  return true;
}

std::optional<std::uint8_t> sdwa_part(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kParts = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                             "WORD_0", "WORD_1", "DWORD"};
  const auto found = std::ranges::find(kParts, word);
  if (found == kParts.end()) return {};
  return static_cast<std::uint8_t>(found - kParts.begin());
}

bool apply_sdwa(Inst& inst, const TextModifier& modifier) {
  if (modifier.name == "dst_unused") {
    static constexpr std::array<std::string_view, 3> kWords = {"UNUSED_PAD", "UNUSED_SEXT",
                                                               "UNUSED_PRESERVE"};
    const auto found = std::ranges::find(kWords, modifier.word);
    if (found == kWords.end()) return false;
    inst.dst_unused = static_cast<SdwaUnused>(found - kWords.begin());
    return true;
  }
  const auto part = sdwa_part(modifier.word);
  if (!part) return false;
  if (modifier.name == "dst_sel")
    inst.dst_sel = *part;
  else if (modifier.name == "src0_sel")
    inst.src[0].sel = *part;
  else if (modifier.name == "src1_sel")
    inst.src[1].sel = *part;
  else
    return false;
  return true;
}

// op_sel:[…] has a bit per source of the text; one more is for the destination. Conversions to
// fp8 of gfx942 have a bit for a third source that they do not have: it stays with src[2].
bool apply_per_source(Inst& inst, const TextModifier& modifier, unsigned sources) {
  const auto& values = modifier.values;
  if (values.empty() || values.size() > inst.src.size()) return false;
  const auto each = [&](auto set) {
    for (std::size_t i = 0; i < values.size(); ++i) set(inst.src[i], values[i] != 0);
  };
  if (modifier.name == "op_sel") {
    const bool destination = values.size() > sources;
    for (std::size_t i = 0; i + (destination ? 1 : 0) < values.size(); ++i)
      inst.src[i].op_sel = inst.src[i].op_sel || values[i] != 0;
    if (destination) inst.op_sel_dst = inst.op_sel_dst || values.back() != 0;
  } else if (modifier.name == "op_sel_hi") {
    each([](Operand& operand, bool set) { operand.op_sel_hi = set; });
  } else if (modifier.name == "neg_lo" || modifier.name == "neg") {
    each([](Operand& operand, bool set) { operand.neg = operand.neg || set; });
  } else if (modifier.name == "neg_hi") {
    each([](Operand& operand, bool set) { operand.neg_hi = set; });
  } else {
    return false;
  }
  return true;
}

struct Number {
  std::string_view name;
  void (*set)(Inst&, std::int64_t);
};
constexpr Number kNumbers[] = {
    {"mul", [](Inst& i, std::int64_t v) { i.omod = v == 4 ? 2 : 1; }},
    {"div", [](Inst& i, std::int64_t) { i.omod = 3; }},
    {"offset", [](Inst& i, std::int64_t v) { i.memory.offset = static_cast<std::int32_t>(v); }},
    {"offset0", [](Inst& i, std::int64_t v) { i.memory.offset = static_cast<std::int32_t>(v); }},
    {"offset1", [](Inst& i, std::int64_t v) { i.memory.offset1 = static_cast<std::uint16_t>(v); }},
    {"format", [](Inst& i, std::int64_t v) { i.memory.format = static_cast<std::uint8_t>(v); }},
    {"dfmt", [](Inst& i, std::int64_t v) { i.memory.format |= static_cast<std::uint8_t>(v & 15); }},
    {"nfmt",
     [](Inst& i, std::int64_t v) { i.memory.format |= static_cast<std::uint8_t>((v & 7) << 4); }},
    {"row_mask", [](Inst& i, std::int64_t v) { i.dpp.row_mask = static_cast<std::uint8_t>(v); }},
    {"bank_mask", [](Inst& i, std::int64_t v) { i.dpp.bank_mask = static_cast<std::uint8_t>(v); }},
    // Written only when the bit is set, as 0 or as 1.
    {"bound_ctrl", [](Inst& i, std::int64_t) { i.dpp.bound_ctrl = true; }},
    {"fi", [](Inst& i, std::int64_t v) { i.dpp.fetch_inactive = v != 0; }},
    {"dmask", [](Inst& i, std::int64_t v) { i.memory.dmask = static_cast<std::uint8_t>(v & 15); }},
    {"cbsz", [](Inst& i, std::int64_t v) { i.cbsz = static_cast<std::uint8_t>(v); }},
    {"abid", [](Inst& i, std::int64_t v) { i.abid = static_cast<std::uint8_t>(v); }},
    {"blgp", [](Inst& i, std::int64_t v) { i.blgp = static_cast<std::uint8_t>(v); }},
    {"index_key", [](Inst& i, std::int64_t v) { i.index_key = static_cast<std::uint8_t>(v); }},
    {"bitop3", [](Inst& i, std::int64_t v) { i.bitop3 = static_cast<std::uint8_t>(v); }},
    {"wait_exp", [](Inst& i, std::int64_t v) { i.wait_exp = static_cast<std::uint8_t>(v); }},
    {"wait_vdst", [](Inst& i, std::int64_t v) { i.wait_vdst = static_cast<std::uint8_t>(v); }},
    {"wait_va_vdst", [](Inst& i, std::int64_t v) { i.wait_vdst = static_cast<std::uint8_t>(v); }},
    {"wait_vm_vsrc", [](Inst&, std::int64_t) {}},  // orders registers: nothing is out of order here
    {"byte_sel",
     [](Inst& i, std::int64_t v) {
       i.byte_sel = static_cast<std::uint8_t>(v);
       i.byte_sel_set = true;
     }},
};

struct Switch {
  std::string_view name;
  void (*set)(Inst&);
};
constexpr Switch kSwitches[] = {
    {"clamp", [](Inst& i) { i.clamp = true; }},
    {"offen", [](Inst& i) { i.memory.offen = true; }},
    {"idxen", [](Inst& i) { i.memory.idxen = true; }},
    {"addr64", [](Inst& i) { i.memory.addr64 = true; }},
    {"lds", [](Inst& i) { i.memory.lds = true; }},
    {"tfe", [](Inst& i) { i.memory.tfe = true; }},
    {"lwe", [](Inst& i) { i.memory.tfe = true; }},  // one more register, as tfe
    {"gds", [](Inst& i) { i.memory.gds = true; }},
    {"unorm", [](Inst& i) { i.memory.unorm = true; }},
    {"a16", [](Inst& i) { i.memory.a16 = true; }},
    {"d16", [](Inst& i) { i.memory.d16 = true; }},
    {"da", [](Inst&) {}},    // the descriptor says so, too
    {"r128", [](Inst&) {}},  // the operand shows it
    {"scale_offset", [](Inst& i) { i.memory.scale_offset = true; }},
    // Cache policy: only its scope matters here.
    {"glc", [](Inst& i) { i.memory.scope = std::max<std::uint8_t>(i.memory.scope, 2); }},
    {"slc", [](Inst&) {}},
    {"dlc", [](Inst&) {}},
    {"scc", [](Inst& i) { i.memory.scope = 3; }},
    {"nt", [](Inst&) {}},
    {"sc0", [](Inst& i) { i.memory.scope |= 1; }},
    {"sc1", [](Inst& i) { i.memory.scope |= 2; }},
};

bool apply_scope(Inst& inst, std::string_view word) {
  static constexpr std::array<std::string_view, 4> kScopes = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV",
                                                              "SCOPE_SYS"};
  const auto found = std::ranges::find(kScopes, word);
  if (found == kScopes.end()) return false;
  inst.memory.scope = static_cast<std::uint8_t>(found - kScopes.begin());
  return true;
}

bool apply_dimension(Inst& inst, std::string_view word) {
  static constexpr std::array<std::string_view, 8> kDimensions = {
      "1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
  constexpr std::string_view kPrefix = "SQ_RSRC_IMG_";
  if (!word.starts_with(kPrefix)) return false;
  const auto found = std::ranges::find(kDimensions, word.substr(kPrefix.size()));
  if (found == kDimensions.end()) return false;
  inst.memory.dim = static_cast<std::uint8_t>(found - kDimensions.begin());
  return true;
}

bool apply(Inst& inst, const TextModifier& modifier, unsigned sources) {
  if (modifier.word.empty()) {
    const auto found = std::ranges::find(kSwitches, modifier.name, &Switch::name);
    if (found != std::end(kSwitches)) {
      found->set(inst);
      return true;
    }
    return apply_dpp(inst, modifier);
  }
  if (modifier.name == "scope") return apply_scope(inst, modifier.word);
  if (modifier.name == "dim") return apply_dimension(inst, modifier.word);
  if (modifier.name == "th") return true;  // a hint, or the return that the operands show
  // ds_swizzle_b32 writes its pattern in words; the offset field has the bits.
  if (modifier.name == "offset" && modifier.word.starts_with("swizzle(")) {
    inst.memory.offset = inst.simm16;
    return true;
  }
  if (modifier.values.empty()) return apply_sdwa(inst, modifier);
  const auto found = std::ranges::find(kNumbers, modifier.name, &Number::name);
  if (found != std::end(kNumbers)) {
    found->set(inst, modifier.value());
    return true;
  }
  return apply_per_source(inst, modifier, sources) || apply_dpp(inst, modifier);
}

bool is_plain(const Inst& inst) {
  if (inst.clamp || inst.omod || inst.op_sel_dst || (inst.flags & (kHasDpp | kHasSdwa)))
    return false;
  return std::ranges::none_of(inst.src, [](const Operand& src) {
    return src.neg || src.abs || src.sext || src.neg_hi || src.op_sel || src.high_half ||
           src.op_sel_hi != is_packed(src.type);
  });
}

}  // namespace

std::string apply_modifiers(Inst& inst, const ParsedInst& parsed, Isa) {
  const bool reads_dst = (inst.flags & kReadsDst) != 0;
  unsigned sources = 0;
  for (Operand& src : inst.src) {
    if (src.type != Type::kNone) ++sources;
    src.op_sel_hi = is_packed(src.type);
  }
  if (reads_dst && sources > 0) --sources;
  // Waits and messages write their immediates in words.
  const bool encoded = inst.op->kind == OpClass::kWait || inst.op->kind == OpClass::kMessage ||
                       inst.op->kind == OpClass::kBranch;
  for (const TextModifier& modifier : parsed.modifiers)
    if (!apply(inst, modifier, sources) && !encoded)
      return fmt::format("modifier '{}{}{}' is not implemented", modifier.name,
                         modifier.word.empty() ? "" : ":", modifier.word);
  if (inst.dpp.kind != Dpp::kNone) inst.flags |= kHasDpp;
  if (parsed.suffix == "_sdwa") inst.flags |= kHasSdwa;
  if (is_plain(inst)) inst.flags |= kPlain;
  return {};
}

}  // namespace hipwright::soft
