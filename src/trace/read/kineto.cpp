// SPDX-License-Identifier: MIT
// Chrome's trace format as PyTorch's profiler (Kineto) writes it, for both vendors, and as
// hipwright's own profiler does.
#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/words.h"
#include "trace/read/json_piece.h"
#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

// What an event is, by its category.
enum class Kind { kOther, kKernel, kCopy, kFill, kCall, kOp, kAnnotation };

Kind kind_of(std::string_view category) {
  struct Row {
    std::string_view category;
    Kind kind;
  };
  static constexpr Row kRows[] = {
      {"kernel", Kind::kKernel},     {"Kernel", Kind::kKernel},
      {"gpu_memcpy", Kind::kCopy},   {"Memcpy", Kind::kCopy},
      {"gpu_memset", Kind::kFill},   {"Memset", Kind::kFill},
      {"cuda_runtime", Kind::kCall}, {"cuda_driver", Kind::kCall},
      {"Runtime", Kind::kCall},      {"hip_runtime", Kind::kCall},
      {"hip_driver", Kind::kCall},   {"cpu_op", Kind::kOp},
      {"Operator", Kind::kOp},       {"user_annotation", Kind::kAnnotation},
      {"device", Kind::kKernel},     {"host", Kind::kAnnotation},  // hipwright's profiler
  };
  for (const Row& row : kRows)
    if (row.category == category) return row.kind;
  return Kind::kOther;
}

// Versions of PyTorch without Kineto write no categories.
Kind kind_of_process(std::string_view process) {
  if (process == "CPU functions") return Kind::kOp;
  return process == "CUDA functions" ? Kind::kKernel : Kind::kOther;
}

struct Event {
  std::string_view phase, category, name, process_name;
  std::optional<double> begin, duration;
  std::int64_t process = 0, thread = 0;
  bool has_arguments = false;
  object arguments;
};

// The number of a process or thread; a name gets one of its own.
std::int64_t number_or_name(element value) {
  if (const auto number = integer_of(value)) return *number;
  return static_cast<std::int64_t>(std::hash<std::string_view>()(text_of(value)) >> 2);
}

Event event_of(object fields) {
  Event event;
  for (const auto& [key, value] : fields) {
    if (key == "ph")
      event.phase = text_of(value);
    else if (key == "cat")
      event.category = text_of(value);
    else if (key == "name")
      event.name = text_of(value);
    else if (key == "ts")
      event.begin = number_of(value);
    else if (key == "dur")
      event.duration = number_of(value);
    else if (key == "pid")
      event.process = number_or_name(value), event.process_name = text_of(value);
    else if (key == "tid")
      event.thread = number_or_name(value);
    else if (key == "args")
      event.has_arguments = value.get(event.arguments) == simdjson::SUCCESS;
  }
  return event;
}

// Lists of numbers as JSON without blanks, whatever else is in them as 0.
void append_shapes(std::string& out, element value) {
  simdjson::dom::array list;
  if (value.get(list) == simdjson::SUCCESS) {
    out += '[';
    bool first = true;
    for (const element each : list) {
      if (!first) out += ',';
      first = false;
      append_shapes(out, each);
    }
    out += ']';
  } else {
    out += fmt::to_string(integer_of(value).value_or(0));
  }
}

std::string joined_texts(element value, char separator) {
  std::string out;
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return out;
  bool first = true;
  for (const element each : list) {
    if (!first) out += separator;
    first = false;
    out += text_of(each);
  }
  return out;
}

std::array<std::uint32_t, 3> sizes_of(element value) {
  std::array<std::uint32_t, 3> out{};
  simdjson::dom::array list;
  std::size_t i = 0;
  if (value.get(list) == simdjson::SUCCESS)
    for (const element each : list)
      if (i < 3)
        out[i++] = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(integer_of(each).value_or(0), 0, 0xFFFFFFFF));
  return out;
}

// Most of a trace with stacks is Python functions and arrows between events, which are not needed:
// they are recognised before they are parsed. A quote inside a text has a backslash before it, so
// the keys found here are keys.
bool is_unneeded(std::string_view event) {
  const std::string_view head = event.substr(0, 120);
  if (has_any(head, {"\"cat\": \"python_function\"", "\"cat\":\"python_function\""})) return true;
  std::size_t at = head.substr(0, 16).find("\"ph\"");
  if (at == std::string_view::npos) return false;
  at = head.find_first_not_of(" :", at + 4);
  if (at == std::string_view::npos || head[at] != '"') return false;
  return head.substr(at, 3) == "\"s\"" || head.substr(at, 3) == "\"f\"" ||
         head.substr(at, 3) == "\"i\"";
}

class Kineto : public JsonReader {
 public:
  explicit Kineto(Trace& trace) : trace_(trace), streams_(trace.streams), threads_(trace.threads) {
    trace.format = "PyTorch (Kineto)";
  }

  Split decide(std::string_view path, char first) const override {
    if (path.empty()) return first == '[' ? Split::kBatch : Split::kEnter;
    if (path == "traceEvents") return Split::kBatch;
    if (is_any(path, {"deviceProperties", "distributedInfo", "otherData"})) return Split::kWhole;
    return Split::kSkip;
  }

  bool wants(std::string_view event) const override { return !is_unneeded(event); }

  Status take(const JsonPiece& piece) override {
    if (piece.path.ends_with("[]")) {
      parser_.batch(piece, [&](element each) { event(each); });
    } else if (const auto value = parser_.whole(piece)) {
      if (piece.path == "deviceProperties") devices(*value);
      if (piece.path == "distributedInfo") ranks(*value);
      if (piece.path == "otherData") own_profiler(*value);
    }
    return {};
  }

  void finish() override {
    parser_.note(trace_);
    rejected_.note(trace_);
  }

 private:
  void event(element value) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return rejected_.add("not objects");
    const Event event = event_of(fields);
    if (event.phase == "B" || event.phase == "E")
      return rejected_.add("of phase B or E, which hipwright does not read");
    const Kind kind =
        event.category.empty() ? kind_of_process(event.process_name) : kind_of(event.category);
    if (kind == Kind::kOther) return;
    // Only complete events have a duration.
    if (event.phase != "X" && !(event.phase.empty() && event.duration))
      return event.phase.empty() ? rejected_.add("without a phase") : void();
    const auto begin = event.begin ? nanoseconds(*event.begin) : std::nullopt;
    const auto duration = nanoseconds(event.duration.value_or(0));
    if (!begin || !duration) return rejected_.add("without a valid time");
    const Interval time{*begin, *begin + *duration};
    if (!is_plausible(time)) return rejected_.add("without a valid time");
    if (kind == Kind::kCall)
      call(event, time);
    else if (kind == Kind::kOp || kind == Kind::kAnnotation)
      op(event, time, kind == Kind::kAnnotation);
    else
      gpu(event, time, kind);
  }

  void gpu(const Event& event, Interval time, Kind kind) {
    GpuEvent out{.time = time, .name = trace_.names.id(event.name)};
    out.kind = kind == Kind::kCopy   ? GpuKind::kCopy
               : kind == Kind::kFill ? GpuKind::kFill
                                     : GpuKind::kKernel;
    Stream stream{event.process, event.thread};
    if (event.has_arguments)
      for (const auto& [key, value] : event.arguments) {
        if (key == "correlation")
          out.correlation = integer_of(value).value_or(-1);
        else if (key == "External id" || key == "external id")
          out.external = integer_of(value).value_or(-1);
        else if (key == "device")
          stream.device = integer_of(value).value_or(stream.device);
        else if (key == "stream")
          stream.number = integer_of(value).value_or(stream.number);
        else if (key == "grid")
          out.grid = sizes_of(value);
        else if (key == "block")
          out.block = sizes_of(value);
        else if (key == "bytes")
          out.bytes =
              static_cast<std::uint64_t>(std::max<std::int64_t>(integer_of(value).value_or(0), 0));
      }
    out.stream = streams_.index(stream);
    trace_.gpu.push_back(out);
  }

  void call(const Event& event, Interval time) {
    HostCall out{.time = time, .name = trace_.names.id(event.name)};
    out.thread = threads_.index({event.process, event.thread});
    if (event.has_arguments)
      for (const auto& [key, value] : event.arguments) {
        if (key == "correlation")
          out.correlation = integer_of(value).value_or(-1);
        else if (key == "External id" || key == "external id")
          out.external = integer_of(value).value_or(-1);
      }
    trace_.calls.push_back(out);
  }

  void op(const Event& event, Interval time, bool is_annotation) {
    Op out{.time = time, .name = trace_.names.id(event.name), .is_annotation = is_annotation};
    out.thread = threads_.index({event.process, event.thread});
    // Scalars decide what these do: strides, paddings, whether a mask is causal.
    const bool wants_scalars = has_any(event.name, {"conv", "attention", "flash"});
    const bool wants_strides =
        is_any(event.name, {"aten::clone", "aten::copy_", "aten::contiguous"});
    if (event.has_arguments)
      for (const auto& [key, value] : event.arguments) {
        if (key == "External id" || key == "external id") {
          out.external = integer_of(value).value_or(-1);
        } else if (key == "Input Dims" || key == "Input dims") {
          out.shapes = shapes(value);
        } else if (key == "Input Strides" && wants_strides) {
          out.strides = shapes(value);
        } else if (key == "Input type") {
          out.types = trace_.names.id(joined_texts(value, ','));
        } else if (key == "Concrete Inputs" && wants_scalars) {
          out.arguments = trace_.names.id(joined_texts(value, '|'));
        }
      }
    trace_.ops.push_back(out);
  }

  std::uint32_t shapes(element value) {
    scratch_.clear();
    append_shapes(scratch_, value);
    return trace_.names.id(scratch_);
  }

  void devices(element value) {
    simdjson::dom::array list;
    if (value.get(list) != simdjson::SUCCESS) return;
    for (const element each : list) {
      object fields;
      if (each.get(fields) != simdjson::SUCCESS) continue;
      Device device;
      const auto count = [](element number) {
        return static_cast<unsigned>(
            std::clamp<std::int64_t>(integer_of(number).value_or(0), 0, 1 << 30));
      };
      for (const auto& [key, field] : fields) {
        if (key == "id") device.id = integer_of(field).value_or(0);
        if (key == "name") device.name = text_of(field);
        if (key == "numSms") device.units = count(field);
        if (key == "computeMajor") device.major = count(field);
        if (key == "computeMinor") device.minor = count(field);
        if (key == "warpSize") device.wave = count(field);
        if (key == "totalGlobalMem")
          device.memory =
              static_cast<std::uint64_t>(std::max<std::int64_t>(integer_of(field).value_or(0), 0));
      }
      trace_.devices.push_back(std::move(device));
    }
  }

  void ranks(element value) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return;
    for (const auto& [key, field] : fields) {
      const auto number = integer_of(field);
      if (!number || *number < 0 || *number > 1 << 24) continue;
      if (key == "rank") trace_.rank = static_cast<int>(*number);
      if (key == "world_size") trace_.world_size = static_cast<int>(*number);
    }
  }

  void own_profiler(element value) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return;
    std::string_view device;
    bool has_regions = false;
    for (const auto& [key, field] : fields) {
      if (key == "device") device = text_of(field);
      if (key == "regions") has_regions = true;
    }
    if (!has_regions || device.empty()) return;
    trace_.format = "hipwright profiler";
    // "hip:0 AMD Instinct MI300X"
    const std::size_t blank = device.find(' ');
    Device out{
        .id = 2,
        .name = std::string(blank == std::string_view::npos ? device : device.substr(blank + 1))};
    if (device.starts_with("soft:"))
      out.gfx = std::string(device.substr(5, blank == std::string_view::npos ? blank : blank - 5));
    trace_.devices.push_back(std::move(out));
  }

  Trace& trace_;
  Indexed<Stream> streams_;
  Indexed<Thread> threads_;
  PieceParser parser_;
  Rejected rejected_;
  std::string scratch_;
};

}  // namespace

std::unique_ptr<JsonReader> make_kineto_reader(Trace& trace) {
  return std::make_unique<Kineto>(trace);
}

void Rejected::note(Trace& trace) const {
  for (const auto& [reason, count] : counts_) {
    trace.notes.push_back(fmt::format("omitted {} {}", counted(count, "event"), reason));
    trace.is_complete = false;
  }
}

}  // namespace hipwright::trace
