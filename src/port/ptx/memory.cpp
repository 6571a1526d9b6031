// SPDX-License-Identifier: MIT
// Loads, stores, atomics, copies, fences.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

using Kind = Operand::Kind;
using Half = Type::Half;

// What is understood of a load, a store or an atomic.
struct Access {
  Type type;
  unsigned elements = 1;
  std::string_view order;  // "relaxed"; empty: weak
  std::string_view scope = "gpu";
  std::string_view cache;  // "cg"
  std::string_view operation;
  bool is_volatile = false;
  bool has_policy = false;  // the last operand is one
};

std::optional<Access> access_of(const Instruction& in) {
  Access found;
  bool has_type = false;
  for (const std::string& word : in.modifiers) {
    if (const auto type = type_named(word)) {
      if (has_type) return std::nullopt;
      found.type = *type;
      has_type = true;
    } else if (is_any(word, {"relaxed", "acquire", "release", "acq_rel"})) {
      found.order = word;
    } else if (is_any(word, {"cta", "gpu", "sys"})) {
      found.scope = word;
    } else if (word == "cluster") {
      found.scope = "gpu";
    } else if (is_any(word, {"cg", "cs", "cv", "wt"})) {
      found.cache = word;
    } else if (is_any(word, {"v2", "v4"})) {
      found.elements = word == "v2" ? 2 : 4;
    } else if (is_any(word,
                      {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"})) {
      found.operation = word;
    } else if (word == "volatile") {
      found.is_volatile = true;
    } else if (word == "L2::cache_hint" || word == "level::cache_hint") {
      found.has_policy = true;
    } else if (word.starts_with("L1::") || word.starts_with("L2::") ||
               is_any(word, {"nc", "ca", "lu", "wb", "weak", "global", "shared", "shared::cta",
                             "noftz", "generic"})) {
      continue;  // hints, and what address() looks at
    } else {
      return std::nullopt;
    }
  }
  if (!has_type || found.type.cpp == Cpp::kPred) return std::nullopt;
  return found;
}

// The type of C++ that is read or written at once.
std::string memory_type(const Access& access) {
  if (access.elements == 1) return std::string(to_string(access.type.cpp));
  constexpr std::array<std::string_view, 10> kNames = {"uchar", "ushort", "uint", "ulonglong",
                                                       "char",  "short",  "int",  "longlong",
                                                       "float", "double"};
  return fmt::format("{}{}", kNames[static_cast<std::size_t>(access.type.cpp)], access.elements);
}

// hip_ptx::load_cg<uint4>
std::string function_of(const Access& access, std::string_view verb) {
  if (!access.order.empty())
    return fmt::format("hip_ptx::atomic_{}<{}, hip_ptx::{}, hip_ptx::{}>", verb,
                       memory_type(access), access.order, access.scope);
  const std::string_view kind = access.is_volatile ? "volatile" : access.cache;
  return fmt::format("hip_ptx::{}{}{}<{}>", verb, kind.empty() ? "" : "_", kind,
                     memory_type(access));
}

constexpr std::array<std::string_view, 4> kParts = {"x", "y", "z", "w"};

bool load(Emitter& emit, const Instruction& in) {
  const auto access = access_of(in);
  if (!access || in.operands.size() != (access->has_policy ? 3U : 2U) ||
      in.operands[1].kind != Kind::kAddress || access->cache == "wt" ||
      is_any(access->order, {"release", "acq_rel"}) || !access->operation.empty())
    return false;
  const std::string call =
      fmt::format("{}({})", function_of(*access, "load"), emit.address(in.operands[1], in));
  const Operand& to = in.operands[0];
  if (access->elements == 1)
    return to.kind != Kind::kVector && emit.set(to, call, access->type.cpp);
  if (to.kind != Kind::kVector || to.parts.size() != access->elements ||
      (access->elements == 4 && bits_of(access->type.cpp) == 64))
    return false;
  const std::string whole = emit.fresh();
  emit.run(fmt::format("const {} {} = {}", memory_type(*access), whole, call));
  for (std::size_t i = 0; i < to.parts.size(); ++i)
    if (to.parts[i].kind != Kind::kSink)
      emit.set(to.parts[i], fmt::format("{}.{}", whole, kParts[i]), access->type.cpp);
  return true;
}

bool store(Emitter& emit, const Instruction& in) {
  const auto access = access_of(in);
  if (!access || in.operands.size() != (access->has_policy ? 3U : 2U) ||
      in.operands[0].kind != Kind::kAddress || access->cache == "cv" ||
      is_any(access->order, {"acquire", "acq_rel"}) || !access->operation.empty())
    return false;
  const Operand& from = in.operands[1];
  std::string value;
  if (access->elements == 1) {
    if (from.kind == Kind::kVector) return false;
    value = emit.get(from, access->type.cpp);
  } else {
    if (from.kind != Kind::kVector || from.parts.size() != access->elements ||
        (access->elements == 4 && bits_of(access->type.cpp) == 64))
      return false;
    for (const Operand& part : from.parts)
      value += (value.empty() ? "" : ", ") + emit.get(part, access->type.cpp);
    value = fmt::format("make_{}({})", memory_type(*access), value);
  }
  emit.run(fmt::format("{}({}, {})", function_of(*access, "store"),
                       emit.address(in.operands[0], in), value));
  return true;
}

// atom and red
bool atomic(Emitter& emit, const Instruction& in) {
  const auto access = access_of(in);
  const bool returns = in.name == "atom";
  if (!access || access->elements != 1 || access->operation.empty() || !access->cache.empty())
    return false;
  const std::size_t address = returns ? 1 : 0;
  const bool is_cas = access->operation == "cas";
  const std::size_t values = is_cas ? 2 : 1;
  if (in.operands.size() != address + 1 + values + (access->has_policy ? 1 : 0) ||
      in.operands[address].kind != Kind::kAddress)
    return false;
  const Type type = access->type;
  if (is_float(type.cpp) && !is_any(access->operation, {"add", "exch"})) return false;
  if (type.is_half() && (access->operation != "add" || bits_of(type.cpp) != 32)) return false;
  if (bits_of(type.cpp) < 32) return false;
  if (type.cpp == Cpp::kF32 && access->operation == "add")
    emit.remark("sums keep subnormal numbers",
                "NVIDIA's atom.add.f32 flushes them to zero in global memory.");
  // Signed and unsigned sums are the same bits.
  const bool is_plain = !is_any(access->operation, {"min", "max"});
  const Cpp cpp = is_plain ? unsigned_of(type.cpp) : type.cpp;
  std::string call =
      fmt::format("hip_ptx::atom_{}{}<{}, hip_ptx::{}, hip_ptx::{}>({}", access->operation,
                  type.half == Half::kF16x2    ? "_f16x2"
                  : type.half == Half::kBf16x2 ? "_bf16x2"
                                               : "",
                  to_string(cpp), access->order.empty() ? "relaxed" : access->order, access->scope,
                  emit.address(in.operands[address], in));
  for (std::size_t i = 0; i < values; ++i)
    call += ", " + emit.get(in.operands[address + 1 + i], cpp);
  call += ")";
  if (returns) return emit.set(in.operands[0], call, cpp);
  emit.run(call);
  return true;
}

bool prefetch(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 1 || in.operands[0].kind != Kind::kAddress || in.has("tensormap"))
    return false;
  emit.run(fmt::format("__builtin_prefetch(hip_ptx::at({}))", emit.address(in.operands[0], in)));
  return true;
}

// cp.async and its waits; the copy is done at once.
bool copy(Emitter& emit, const Instruction& in) {
  if (!in.has("async") || in.has("bulk") || in.has("mbarrier") || in.has("reduce")) return false;
  if (in.has("commit_group")) return emit.run("__pipeline_commit()"), true;
  if (in.has("wait_all")) return emit.run("__pipeline_wait_prior(0)"), true;
  if (in.has("wait_group")) {
    if (in.operands.size() != 1) return false;
    emit.run(fmt::format("__pipeline_wait_prior({})", emit.get(in.operands[0], Cpp::kU32)));
    return true;
  }
  const bool has_policy = in.has("L2::cache_hint");
  const std::size_t count = in.operands.size() - (has_policy ? 1 : 0);
  if (count < 3 || count > 4 || in.operands[0].kind != Kind::kAddress ||
      in.operands[1].kind != Kind::kAddress || !(in.has("shared") || in.has("shared::cta")) ||
      !in.has("global"))
    return false;
  Instruction from = in, to = in;
  std::erase_if(from.modifiers, [](const std::string& word) { return word.starts_with("shared"); });
  std::erase(to.modifiers, "global");
  const std::string size = emit.get(in.operands[2], Cpp::kU32);
  std::string call =
      fmt::format("__pipeline_memcpy_async({}, hip_ptx::at({}), {}",
                  emit.address(in.operands[0], to), emit.address(in.operands[1], from), size);
  if (count == 4) {
    const Operand& last = in.operands[3];
    // The bytes that are read, or a predicate that says that none are.
    call += emit.is_predicate(last) ? fmt::format(", {} ? {} : 0", emit.get(last, Cpp::kPred), size)
                                    : fmt::format(", {} - {}", size, emit.get(last, Cpp::kU32));
  }
  emit.run(call + ")");
  return true;
}

bool fence(Emitter& emit, const Instruction& in) {
  if (!in.operands.empty()) return false;
  for (const std::string& word : in.modifiers)
    if (!is_any(word, {"sc", "acq_rel", "cta", "gpu", "gl", "sys", "cluster"})) return false;
  emit.run(in.has("cta")   ? "__threadfence_block()"
           : in.has("sys") ? "__threadfence_system()"
                           : "__threadfence()");
  return true;
}

// Hints that no result depends on.
bool policy(Emitter& emit, const Instruction& in) {
  return !in.operands.empty() && emit.set(in.operands[0], "0ull", Cpp::kU64);
}
bool nothing(Emitter&, const Instruction&) {
  return true;
}

constexpr std::array kOps = {Entry{"ld", load},
                             Entry{"ldu", load},
                             Entry{"st", store},
                             Entry{"atom", atomic},
                             Entry{"red", atomic},
                             Entry{"prefetch", prefetch},
                             Entry{"prefetchu", prefetch},
                             Entry{"cp", copy},
                             Entry{"membar", fence},
                             Entry{"fence", fence},
                             Entry{"createpolicy", policy},
                             Entry{"applypriority", nothing},
                             Entry{"discard", nothing}};

}  // namespace

std::span<const Entry> memory_ops() {
  return kOps;
}

}  // namespace hipwright::port::ptx
