// SPDX-License-Identifier: MIT
// One list of fields for both directions: `fields` names each once, a Writer and a Reader visit it.
#include <concepts>
#include <limits>

#include <fmt/format.h>

#include "base/json.h"
#include "ci/host/facts.h"

namespace hipwright::ci {

namespace {

constexpr const char* kSchema = "hipwright-host-facts/1";

template <class V>
void fields(V& v, CommandOutput& o) {
  v("exit_code", o.exit_code), v("timed_out", o.timed_out), v("out", o.out);
}

template <class V>
void fields(V& v, Account& a) {
  v("name", a.name), v("uid", a.uid), v("groups", a.groups), v("home", a.home);
}

template <class V>
void fields(V& v, DeviceNode& n) {
  v("path", n.path), v("exists", n.exists), v("opens", n.opens), v("error", n.error);
  v("gid", n.gid), v("group", n.group), v("mode", n.mode);
}

template <class V>
void fields(V& v, KfdGpu& g) {
  v("node", g.node), v("gfx", g.gfx), v("pci", g.pci), v("gpu_id", g.gpu_id);
}

template <class V>
void fields(V& v, Card& c) {
  v("name", c.name), v("pci", c.pci), v("device", c.device), v("vram_total", c.vram_total);
  v("vram_used", c.vram_used), v("uncorrectable_errors", c.uncorrectable_errors);
}

template <class V>
void fields(V& v, GpuProcess& p) {
  v("pid", p.pid), v("name", p.name), v("user", p.user), v("is_alive", p.is_alive);
  v("vram", p.vram);
}

template <class V>
void fields(V& v, Disk& d) {
  v("path", d.path), v("total", d.total), v("free", d.free);
}

template <class V>
void fields(V& v, Program& p) {
  v("path", p.path), v("version", p.version);
}

template <class V>
void fields(V& v, Container& c) {
  v("inside", c.inside), v("kind", c.kind), v("shm_bytes", c.shm_bytes);
}

template <class V>
void fields(V& v, Runner& r) {
  v("directory", r.directory), v("ephemeral", r.ephemeral), v("url", r.url);
  v("account", r.account), v("has_job_started_hook", r.has_job_started_hook);
  v("has_job_completed_hook", r.has_job_completed_hook);
}

template <class V>
void fields(V& v, Torch& t) {
  v("found", t.found), v("version", t.version), v("hip", t.hip), v("cuda", t.cuda);
  v("is_available", t.is_available), v("device_count", t.device_count);
  v("device_name", t.device_name), v("error", t.error);
}

template <class V>
void fields(V& v, Reached& r) {
  v("host", r.host), v("reachable", r.reachable), v("error", r.error);
}

template <class V>
void fields(V& v, WindowsFacts& w) {
  v("build", w.build), v("edition", w.edition), v("hip_path", w.hip_path);
  v("hip_path_exists", w.hip_path_exists), v("amdhip64_loads", w.amdhip64_loads);
  v("amdhip64_error", w.amdhip64_error), v("visual_cpp", w.visual_cpp);
  v("visual_studio", w.visual_studio), v("long_paths", w.long_paths);
  v("workspace", w.workspace), v("display_adapters", w.display_adapters);
  v("driver_versions", w.driver_versions), v("hipinfo", w.hipinfo);
  v("winget", w.winget), v("choco", w.choco);
}

template <class V>
void fields(V& v, HostFacts& f) {
  v("host", f.host), v("time", f.time), v("os", f.os), v("os_name", f.os_name);
  v("kernel", f.kernel), v("machine", f.machine), v("account", f.account), v("cpus", f.cpus);
  v("memory_total", f.memory_total), v("memory_available", f.memory_available);
  v("memory_limit", f.memory_limit), v("cpu_limit", f.cpu_limit), v("disks", f.disks);
  v("numa_balancing", f.numa_balancing), v("numa_nodes", f.numa_nodes);
  v("kernel_command_line", f.kernel_command_line), v("iommu", f.iommu);
  v("container", f.container), v("driver_loaded", f.driver_loaded);
  v("driver_version", f.driver_version), v("nodes", f.nodes), v("kfd", f.kfd);
  v("cards", f.cards), v("processes", f.processes), v("kernel_log", f.kernel_log);
  v("environment", f.environment), v("programs", f.programs), v("libraries", f.libraries);
  v("rocm_path", f.rocm_path), v("rocm_version", f.rocm_version), v("rocminfo", f.rocminfo);
  v("hipconfig", f.hipconfig), v("runtime", f.runtime), v("runtime_error", f.runtime_error);
  v("torch", f.torch), v("network", f.network), v("runner", f.runner), v("windows", f.windows);
}

class Writer {
 public:
  template <class T>
  void operator()(const char* name, T& value) {
    json[name] = write(value);
  }
  Json json = Json::object();

 private:
  template <class T>
  static Json write(T& value) {
    if constexpr (requires(Writer & w) { fields(w, value); }) {
      Writer inner;
      fields(inner, value);
      return std::move(inner.json);
    } else {
      return value;
    }
  }
  template <class T>
  static Json write(std::optional<T>& value) {
    return value ? write(*value) : Json(nullptr);
  }
  template <class T>
  static Json write(std::vector<T>& values) {
    Json all = Json::array();
    for (T& value : values) all.push_back(write(value));
    return all;
  }
  template <class T>
  static Json write(std::map<std::string, T>& values) {
    Json all = Json::object();
    for (auto& [key, value] : values) all[key] = write(value);
    return all;
  }
};

// Reads an object's fields. A field that is missing keeps its default; the first error stops it.
class Reader {
 public:
  Reader(const Json& object, std::string path, std::string& error)
      : object_(object), path_(std::move(path)), error_(error) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if (!error_.empty()) return;
    known_.emplace_back(name);
    if (const auto at = object_.find(name); at != object_.end())
      read(*at, path_.empty() ? name : path_ + "." + name, value);
  }

  void finish() {
    if (!error_.empty()) return;
    for (const auto& [key, value] : object_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        error_ = fmt::format("unknown field {}", path_.empty() ? key : path_ + "." + key);
  }

 private:
  void wrong(const std::string& path, const char* expected) {
    error_ = fmt::format("field {}: expected {}", path, expected);
  }

  template <class T>
  requires(!std::is_arithmetic_v<T>) void read(const Json& json, const std::string& path,
                                               T& value) {
    if (!json.is_object()) return wrong(path, "an object");
    Reader inner(json, path, error_);
    fields(inner, value);
    inner.finish();
  }
  void read(const Json& json, const std::string& path, std::string& value) {
    if (!json.is_string()) return wrong(path, "a string");
    value = json.get<std::string>();
  }
  void read(const Json& json, const std::string& path, bool& value) {
    if (!json.is_boolean()) return wrong(path, "true or false");
    value = json.get<bool>();
  }
  void read(const Json& json, const std::string& path, double& value) {
    if (!json.is_number()) return wrong(path, "a number");
    value = json.get<double>();
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void read(const Json& json, const std::string& path, T& value) {
    const bool fits =
        json.is_number_integer() &&
        (json.is_number_unsigned()
             ? json.get<std::uint64_t>() <=
                   static_cast<std::uint64_t>(std::numeric_limits<T>::max())
             : std::is_signed_v<T> &&
                   json.get<std::int64_t>() >= std::int64_t(std::numeric_limits<T>::min()));
    if (!fits) return wrong(path, "a whole number in range");
    value = json.get<T>();
  }
  template <class T>
  void read(const Json& json, const std::string& path, std::optional<T>& value) {
    if (json.is_null()) return;
    read(json, path, value.emplace());
  }
  template <class T>
  void read(const Json& json, const std::string& path, std::vector<T>& values) {
    if (!json.is_array()) return wrong(path, "an array");
    for (const Json& each : json)
      if (error_.empty())
        read(each, fmt::format("{}[{}]", path, values.size()), values.emplace_back());
  }
  template <class T>
  void read(const Json& json, const std::string& path, std::map<std::string, T>& values) {
    if (!json.is_object()) return wrong(path, "an object");
    for (const auto& [key, each] : json.items())
      if (error_.empty()) read(each, path + "." + key, values[key]);
  }

  const Json& object_;
  std::string path_;
  std::string& error_;
  std::vector<std::string> known_;
};

}  // namespace

Json facts_json(const HostFacts& facts) {
  Writer writer;
  writer.json["schema"] = kSchema;
  HostFacts copy = facts;
  fields(writer, copy);
  return std::move(writer.json);
}

Result<HostFacts> read_facts(std::string_view text, const std::string& origin) {
  // PowerShell 5 begins its files with a byte order mark.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  HW_TRY(const Json json, parse_json(text, origin));
  constexpr const char* kFix = "Write them with: hipwright doctor --write-facts FILE";
  if (!json.is_object() || json.value("schema", Json()) != kSchema)
    return fail("cannot read the facts", origin,
                fmt::format("not a JSON object with \"schema\": \"{}\"", kSchema), kFix);
  HostFacts facts;
  std::string error, schema;
  Reader reader(json, {}, error);
  reader("schema", schema);
  fields(reader, facts);
  reader.finish();
  if (error.empty() && facts.os != "linux" && facts.os != "windows")
    error = "field os: expected \"linux\" or \"windows\"";
  if (!error.empty()) return fail("cannot read the facts", origin, error, kFix);
  return facts;
}

}  // namespace hipwright::ci
