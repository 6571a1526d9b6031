// SPDX-License-Identifier: MIT
#include "toolchain/code_object/inspect.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "base/terminal.h"

namespace hipwright::toolchain {

namespace {

std::string_view to_string(DeviceImage::Format format) {
  switch (format) {
    case DeviceImage::Format::kCodeObject:
      return "code object";
    case DeviceImage::Format::kBitcode:
      return "LLVM bitcode";
    case DeviceImage::Format::kOther:
      return "unknown format";
  }
  return {};
}

// Without the tag that clang adds to distinguish translation units.
std::vector<Variable> source_variables(const CodeObject& object) {
  std::vector<Variable> variables;
  for (const Variable& variable : object.variables())
    if (!variable.name.starts_with("__hip_cuid_")) variables.push_back(variable);
  return variables;
}

InspectedImage inspect_image(DeviceImage image) {
  InspectedImage inspected{.image = std::move(image)};
  if (inspected.image.format != DeviceImage::Format::kCodeObject) return inspected;
  auto object = CodeObject::parse(inspected.image.bytes, inspected.image.origin);
  if (!object) {
    inspected.error = std::move(object).error();
    return inspected;
  }
  inspected.kernels = kernel_resources(*object);
  inspected.object = *std::move(object);
  return inspected;
}

std::string heading(const InspectedImage& inspected, bool colour) {
  const DeviceImage& image = inspected.image;
  std::string text = paint(image.target.empty() ? "?" : image.target, Colour::kBold, colour);
  text += fmt::format(": {}", to_string(image.format));
  if (inspected.object) text += fmt::format(" v{}", inspected.object->version());
  text += fmt::format(", {}{}", counted(image.bytes.size(), "byte"),
                      image.compressed ? " unpacked" : "");
  if (inspected.object)
    text += fmt::format(", {}, {}", counted(inspected.kernels.size(), "kernel"),
                        counted(source_variables(*inspected.object).size(), "variable"));
  return text + "\n";
}

Json arguments_json(const Kernel& kernel) {
  Json list = Json::array();
  for (const KernelArgument& argument : kernel.arguments) {
    Json one = {
        {"offset", argument.offset}, {"size", argument.size}, {"kind", argument.value_kind}};
    if (!argument.name.empty()) one["name"] = argument.name;
    if (!argument.type_name.empty()) one["type"] = argument.type_name;
    if (!argument.address_space.empty()) one["address_space"] = argument.address_space;
    list.push_back(std::move(one));
  }
  return list;
}

void add_object(Json& entry, const InspectedImage& inspected) {
  const CodeObject& object = *inspected.object;
  entry["code_object_version"] = object.version();
  entry["kernels"] = resources_json(inspected.kernels);
  for (std::size_t i = 0; i < object.kernels().size(); ++i) {
    entry["kernels"][i]["kernarg_bytes"] = object.kernels()[i].kernarg_size;
    entry["kernels"][i]["arguments"] = arguments_json(object.kernels()[i]);
  }
  entry["variables"] = Json::array();
  for (const Variable& variable : source_variables(object))
    entry["variables"].push_back(
        {{"name", variable.name}, {"bytes", variable.size}, {"writable", variable.writable}});
}

}  // namespace

Result<Inspection> inspect_file(const std::filesystem::path& file) {
  // A device or a pipe may have no end.
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    return fail("cannot inspect", file.string(), "not a regular file");
  HW_TRY(std::string content, read_file(file));
  HW_TRY(auto images, find_code_objects(Bytes(std::move(content)), file.string()));
  Inspection inspection{.file = file.string()};
  for (DeviceImage& image : images) inspection.images.push_back(inspect_image(std::move(image)));
  return inspection;
}

std::string inspection_text(const Inspection& inspection, bool colour) {
  std::string text =
      fmt::format("{}: {}\n", inspection.file, counted(inspection.images.size(), "device image"));
  for (const InspectedImage& inspected : inspection.images) {
    text += "\n" + heading(inspected, colour);
    if (inspected.error) text += fmt::format("{}\n", inspected.error->message());
    if (!inspected.kernels.empty()) text += resources_table(inspected.kernels, colour);
  }
  return text;
}

Json inspection_json(const Inspection& inspection) {
  Json images = Json::array();
  for (const InspectedImage& inspected : inspection.images) {
    const DeviceImage& image = inspected.image;
    Json entry = {{"target", image.target},
                  {"triple", image.triple},
                  {"kind", image.kind},
                  {"origin", image.origin},
                  {"format", to_string(image.format)},
                  {"bytes", image.bytes.size()},
                  {"compressed", image.compressed}};
    if (inspected.object) add_object(entry, inspected);
    if (inspected.error) entry["error"] = json_of(*inspected.error);
    images.push_back(std::move(entry));
  }
  return {{"file", inspection.file}, {"images", std::move(images)}};
}

}  // namespace hipwright::toolchain
