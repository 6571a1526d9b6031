// SPDX-License-Identifier: MIT
#include "hipwright/config.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "module.h"

namespace nb = nanobind;

namespace hipwright::python {

namespace {

struct Field {
  const char* name;
  void (*set)(AMDConfig& config, nb::handle value);
};

template <auto member>
void set_member(AMDConfig& config, nb::handle value) {
  config.*member = nb::cast<std::remove_reference_t<decltype(config.*member)>>(value);
}

#define HIPWRIGHT_FIELDS(X)          \
  X(architecture)                    \
  X(device_id)                       \
  X(enable_memory_pooling)           \
  X(memory_pool_size_gb)             \
  X(max_memory_fraction)             \
  X(enable_stream_ordered_allocator) \
  X(hip_kernel_cache_enabled)        \
  X(hip_compiler_cache_size)         \
  X(hip_compiler_cache_dir)          \
  X(enable_profiling)                \
  X(enable_strict_validation)        \
  X(enable_oom_protection)           \
  X(preset)

#define HIPWRIGHT_ROW(name) {#name, set_member<&AMDConfig::name>},
constexpr Field kFields[] = {HIPWRIGHT_FIELDS(HIPWRIGHT_ROW)};

void set_field(AMDConfig& config, const std::string& name, nb::handle value) {
  for (const Field& field : kFields) {
    if (name != field.name) continue;
    try {
      field.set(config, value);
    } catch (const nb::cast_error&) {
      const std::string type = nb::cast<std::string>(nb::str(value.type().attr("__name__")));
      throw nb::type_error(("AMDConfig: a value of type " + type + " for " + name).c_str());
    }
    return;
  }
  // The library knows names that are not supported yet, and similar ones.
  std::string quoted;
  for (const char c : name)
    quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  AMDConfig::from_json("{\"" + quoted + "\": 0}", "code");
}

void construct(AMDConfig* place, const nb::kwargs& fields) {
  AMDConfig config;
  for (const auto& [name, value] : fields)
    if (!value.is_none()) set_field(config, nb::cast<std::string>(name), value);
  new (place) AMDConfig(std::move(config));
}

constexpr const char* kSignature =
    "def __init__(self, *, architecture: AMDArchitecture | None = None, device_id: int | None = "
    "None, "
    "enable_memory_pooling: bool | None = None, memory_pool_size_gb: float | None = None, "
    "max_memory_fraction: float | None = None, enable_stream_ordered_allocator: bool | None = "
    "None, "
    "hip_kernel_cache_enabled: bool | None = None, hip_compiler_cache_size: int | None = None, "
    "hip_compiler_cache_dir: str | os.PathLike[str] | None = None, "
    "enable_profiling: bool | None = None, enable_strict_validation: bool | None = None, "
    "enable_oom_protection: bool | None = None, preset: Preset | None = None) -> None";

nb::dict values_of(const EffectiveConfig& config) {
  nb::dict values;
  values["architecture"] = config.architecture;
  values["device_id"] = config.device_id;
  values["enable_memory_pooling"] = config.enable_memory_pooling;
  values["memory_pool_size_gb"] = config.memory_pool_size_gb;
  values["max_memory_fraction"] = config.max_memory_fraction;
  values["enable_stream_ordered_allocator"] = config.enable_stream_ordered_allocator;
  values["hip_kernel_cache_enabled"] = config.hip_kernel_cache_enabled;
  values["hip_compiler_cache_size"] = config.hip_compiler_cache_size;
  values["hip_compiler_cache_dir"] = config.hip_compiler_cache_dir;
  values["enable_profiling"] = config.enable_profiling;
  values["enable_strict_validation"] = config.enable_strict_validation;
  values["enable_oom_protection"] = config.enable_oom_protection;
  return values;
}

void add_enums(nb::module_& module) {
  nb::enum_<AMDArchitecture>(module, "AMDArchitecture", "A family of AMD GPUs.")
      .value("AUTO", AMDArchitecture::AUTO)
      .value("CDNA", AMDArchitecture::CDNA)
      .value("CDNA2", AMDArchitecture::CDNA2)
      .value("CDNA3", AMDArchitecture::CDNA3)
      .value("CDNA4", AMDArchitecture::CDNA4)
      .value("RDNA2", AMDArchitecture::RDNA2)
      .value("RDNA3", AMDArchitecture::RDNA3)
      .value("RDNA4", AMDArchitecture::RDNA4);
  nb::enum_<Preset>(module, "Preset", "Settings for a use case.")
      .value("LLM_TRAINING", Preset::kLlmTraining)
      .value("GENERAL_TRAINING", Preset::kGeneralTraining)
      .value("INFERENCE", Preset::kInference)
      .value("DEVELOPMENT", Preset::kDevelopment);
}

}  // namespace

void add_config(nb::module_& module) {
  add_enums(module);
  nb::class_<EffectiveConfig::Row>(module, "ConfigRow", "A setting, and where its value is from.")
      .def_ro("field", &EffectiveConfig::Row::field)
      .def_ro("value", &EffectiveConfig::Row::value)
      .def_ro("origin", &EffectiveConfig::Row::origin);
  nb::class_<EffectiveConfig>(module, "EffectiveConfig", "Settings with every field resolved.")
      .def_prop_ro("values", values_of, nb::sig("def values(self) -> dict[str, object]"))
      .def_ro("rows", &EffectiveConfig::rows)
      .def_ro("warnings", &EffectiveConfig::warnings);

  nb::class_<AMDConfig> config(
      module, "AMDConfig",
      "Settings of the runtime. A field that is None gets its value from the "
      "preset, the architecture, or the default; HIPWRIGHT_<FIELD> in the "
      "environment overrides them all. An unknown name is an error.");
  config.def("__init__", construct, nb::sig(kSignature));
#define HIPWRIGHT_PROPERTY(name) config.def_rw(#name, &AMDConfig::name, nb::arg().none());
  HIPWRIGHT_FIELDS(HIPWRIGHT_PROPERTY)
  config
      .def_static("from_file", &AMDConfig::from_file, nb::arg("path"),
                  "TOML, or JSON if the name ends in .json.")
      .def_static("from_toml", &AMDConfig::from_toml, nb::arg("text"), nb::arg("origin") = "text")
      .def_static("from_json", &AMDConfig::from_json, nb::arg("text"), nb::arg("origin") = "text")
      .def("merge", &AMDConfig::merge, nb::arg("other"), nb::rv_policy::reference,
           "Copies every field that `other` has set.")
      .def("effective", &AMDConfig::effective, nb::arg("architecture") = "",
           "The settings on a device of `architecture`: \"gfx942\", a product name, \"cpu\".");
}

}  // namespace hipwright::python
