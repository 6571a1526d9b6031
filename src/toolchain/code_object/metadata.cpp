// SPDX-License-Identifier: MIT
#include "toolchain/code_object/metadata.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "toolchain/code_object/msgpack.h"

namespace hipwright::toolchain {

namespace {

using nlohmann::json;

// The decoded form of one kernel can take 80 times the bytes; real ones have a few thousand.
constexpr std::size_t kLargestKernel = 1 << 20;

std::unexpected<Error> damaged(const std::string& origin, std::string why) {
  return fail("cannot read the metadata of the code object", origin, std::move(why),
              "The file is damaged or comes from an unknown compiler: compile it again");
}

// Reads the fields of one map and records the first error.
class Fields {
 public:
  Fields(const json& map, std::string whose) : map_(map), whose_(std::move(whose)) {}

  void required(const char* key, std::uint32_t& value) { number(key, value, true); }
  void optional(const char* key, std::uint32_t& value) { number(key, value, false); }
  void required(const char* key, std::string& value) { text(key, value, true); }
  void optional(const char* key, std::string& value) { text(key, value, false); }

  // The compiler writes booleans as such or as 0 and 1.
  void optional(const char* key, bool& value) {
    const json* field = find(key, false);
    if (!field) return;
    if (field->is_boolean())
      value = field->get<bool>();
    else if (field->is_number_integer())
      value = *field != 0;
    else
      wrong(key, "is neither true nor false");
  }

  void optional(const char* key, std::optional<std::array<std::uint32_t, 3>>& value) {
    const json* field = find(key, false);
    if (!field) return;
    if (!field->is_array() || field->size() != 3)
      return wrong(key, "is not a list of three numbers");
    value.emplace();
    for (std::size_t i = 0; i < 3; ++i)
      if (!fits_number((*field)[i], (*value)[i]))
        return wrong(key, "is not a list of three numbers");
  }

  const json* find(const char* key, bool must_be_there) {
    const auto found = map_.find(key);
    if (found != map_.end()) return &*found;
    if (must_be_there) wrong(key, "is missing");
    return nullptr;
  }

  void wrong(const char* key, std::string_view how) {
    if (problem_.empty()) problem_ = fmt::format("{} of {} {}", key, whose_, how);
  }

  const std::string& problem() const { return problem_; }

 private:
  static bool fits_number(const json& field, std::uint32_t& value) {
    if (!field.is_number_unsigned()) return false;
    const auto wide = field.get<std::uint64_t>();
    if (wide > std::numeric_limits<std::uint32_t>::max()) return false;
    value = static_cast<std::uint32_t>(wide);
    return true;
  }

  void number(const char* key, std::uint32_t& value, bool must_be_there) {
    const json* field = find(key, must_be_there);
    if (field && !fits_number(*field, value)) wrong(key, "is not a 32-bit unsigned number");
  }

  void text(const char* key, std::string& value, bool must_be_there) {
    const json* field = find(key, must_be_there);
    if (!field) return;
    if (field->is_string())
      value = field->get_ref<const std::string&>();
    else
      wrong(key, "is not a string");
  }

  const json& map_;
  std::string whose_;
  std::string problem_;
};

Result<KernelArgument> read_argument(const json& map, std::size_t index, const std::string& kernel,
                                     const std::string& origin) {
  if (!map.is_object())
    return damaged(origin, fmt::format("argument {} of kernel '{}' is not a map", index, kernel));
  KernelArgument argument;
  Fields fields(map, fmt::format("argument {} of kernel '{}'", index, kernel));
  fields.optional(".name", argument.name);
  fields.optional(".type_name", argument.type_name);
  fields.required(".offset", argument.offset);
  fields.required(".size", argument.size);
  fields.required(".value_kind", argument.value_kind);
  fields.optional(".address_space", argument.address_space);
  fields.optional(".access", argument.access);
  fields.optional(".actual_access", argument.actual_access);
  fields.optional(".pointee_align", argument.pointee_align);
  fields.optional(".is_const", argument.is_const);
  fields.optional(".is_restrict", argument.is_restrict);
  fields.optional(".is_volatile", argument.is_volatile);
  fields.optional(".is_pipe", argument.is_pipe);
  if (!fields.problem().empty()) return damaged(origin, fields.problem());
  return argument;
}

void read_resources(Fields& fields, KernelMetadata& kernel) {
  fields.required(".kernarg_segment_size", kernel.kernarg_size);
  fields.required(".kernarg_segment_align", kernel.kernarg_align);
  fields.required(".group_segment_fixed_size", kernel.lds_bytes);
  fields.required(".private_segment_fixed_size", kernel.scratch_bytes);
  fields.required(".max_flat_workgroup_size", kernel.max_workgroup_size);
  fields.required(".wavefront_size", kernel.wave_size);
  fields.required(".sgpr_count", kernel.sgprs);
  fields.required(".vgpr_count", kernel.vgprs);
  fields.optional(".agpr_count", kernel.agprs);
  fields.optional(".sgpr_spill_count", kernel.sgpr_spills);
  fields.optional(".vgpr_spill_count", kernel.vgpr_spills);
  fields.optional(".uses_dynamic_stack", kernel.uses_dynamic_stack);
  fields.optional(".uniform_work_group_size", kernel.uniform_workgroups);
  fields.optional(".reqd_workgroup_size", kernel.required_workgroup_size);
  fields.optional(".workgroup_size_hint", kernel.workgroup_size_hint);
  if (kernel.wave_size != 32 && kernel.wave_size != 64)
    fields.wrong(".wavefront_size", "is neither 32 nor 64");
  if (fields.find(".workgroup_processor_mode", false)) {
    bool wgp_mode = false;
    fields.optional(".workgroup_processor_mode", wgp_mode);
    kernel.wgp_mode = wgp_mode;
  }
}

Result<KernelMetadata> read_kernel(std::string_view bytes, std::size_t index,
                                   const std::string& origin) {
  if (bytes.size() > kLargestKernel)
    return damaged(origin, fmt::format("the description of kernel {} has {} bytes; the limit is {}",
                                       index, bytes.size(), kLargestKernel));
  const json map = json::from_msgpack(bytes, true, false);
  if (!map.is_object()) return damaged(origin, fmt::format("kernel {} is not a map", index));
  KernelMetadata kernel;
  Fields identity(map, fmt::format("kernel {}", index));
  identity.required(".name", kernel.name);
  identity.required(".symbol", kernel.symbol);
  if (!identity.problem().empty()) return damaged(origin, identity.problem());

  Fields fields(map, fmt::format("kernel '{}'", kernel.name));
  read_resources(fields, kernel);
  fields.optional(".kind", kernel.kind);
  fields.optional(".language", kernel.language);
  if (!fields.problem().empty()) return damaged(origin, fields.problem());
  if (const json* arguments = fields.find(".args", false)) {
    if (!arguments->is_array())
      return damaged(origin, fmt::format(".args of kernel '{}' is not a list", kernel.name));
    for (const json& argument : *arguments) {
      HW_TRY(auto read, read_argument(argument, kernel.arguments.size(), kernel.name, origin));
      kernel.arguments.push_back(std::move(read));
    }
  }
  return kernel;
}

Status read_kernels(std::string_view list, Metadata& metadata, const std::string& origin) {
  MsgpackCursor cursor(list);
  const auto count = cursor.enter_array();
  if (!count) return damaged(origin, "amdhsa.kernels is not a list");
  for (std::uint32_t i = 0; i < *count; ++i) {
    HW_TRY(auto kernel, read_kernel(*cursor.value(), i, origin));
    metadata.kernels.push_back(std::move(kernel));
  }
  return {};
}

Status read_printf(std::string_view list, Metadata& metadata, const std::string& origin) {
  MsgpackCursor cursor(list);
  const auto count = cursor.enter_array();
  if (!count) return damaged(origin, "amdhsa.printf is not a list");
  for (std::uint32_t i = 0; i < *count; ++i) {
    const auto format = cursor.string();
    if (!format)
      return damaged(origin, fmt::format("entry {} of amdhsa.printf is not a string", i));
    metadata.printf_formats.emplace_back(*format);
  }
  return {};
}

Status read_version(std::string_view list, Metadata& metadata, const std::string& origin) {
  constexpr std::size_t kLongest = 32;
  const json version =
      list.size() <= kLongest ? json::from_msgpack(list, true, false) : json(nullptr);
  if (!version.is_array() || version.size() != 2 || !version[0].is_number_unsigned() ||
      !version[1].is_number_unsigned())
    return damaged(origin, "amdhsa.version is not a list of two numbers");
  if (version[0] != 1u)
    return damaged(origin,
                   fmt::format("unknown metadata version {}.{}", version[0].get<std::uint64_t>(),
                               version[1].get<std::uint64_t>()));
  metadata.major = 1;
  metadata.minor = version[1].get<unsigned>();
  return {};
}

}  // namespace

Result<Metadata> parse_metadata(std::string_view note, const std::string& origin) {
  // Passing over the whole document first proves that every part below is complete and flat
  // enough for the recursive decoder.
  MsgpackCursor whole(note);
  if (!whole.value() || !whole.at_end())
    return damaged(origin, "the note is not one complete MessagePack document");
  MsgpackCursor cursor(note);
  const auto entries = cursor.enter_map();
  if (!entries) return damaged(origin, "the note is not a map");
  Metadata metadata;
  for (std::uint32_t i = 0; i < *entries; ++i) {
    const auto key = cursor.string();
    if (!key) return damaged(origin, fmt::format("key {} of the note is not a string", i));
    const std::string_view value = *cursor.value();
    if (*key == "amdhsa.kernels") {
      HW_CHECK(read_kernels(value, metadata, origin));
    } else if (*key == "amdhsa.printf") {
      HW_CHECK(read_printf(value, metadata, origin));
    } else if (*key == "amdhsa.version") {
      HW_CHECK(read_version(value, metadata, origin));
    } else if (*key == "amdhsa.target") {
      const auto target = MsgpackCursor(value).string();
      if (!target) return damaged(origin, "amdhsa.target is not a string");
      metadata.target = *target;
    }
  }
  return metadata;
}

}  // namespace hipwright::toolchain
