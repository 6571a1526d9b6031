// SPDX-License-Identifier: MIT
// The JSON that rocprofv3 writes: kernel_dispatch and memory_copy records in nanoseconds, names in
// tables beside them, which may come later in the file.
#include <map>

#include <fmt/format.h>

#include "base/words.h"
#include "trace/read/json_piece.h"
#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

constexpr std::string_view kRoot = "rocprofiler-sdk-tool[]";

std::optional<std::int64_t> handle_of(element value) {
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) return integer_of(value);
  for (const auto& [key, field] : fields)
    if (key == "handle") return integer_of(field);
  return std::nullopt;
}

std::array<std::uint32_t, 3> xyz_of(element value) {
  std::array<std::uint32_t, 3> out{};
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) return out;
  for (const auto& [key, field] : fields)
    if (key.size() == 1 && key[0] >= 'x' && key[0] <= 'z')
      out[static_cast<std::size_t>(key[0] - 'x')] = static_cast<std::uint32_t>(
          std::clamp<std::int64_t>(integer_of(field).value_or(0), 0, 0xFFFFFFFF));
  return out;
}

// What all records have.
struct Record {
  std::optional<std::int64_t> begin, end;
  std::int64_t kind = -1, operation = -1, thread = 0, correlation = -1, stream = 0;
  std::int64_t bytes = 0, source = 0, destination = 0;
  std::int64_t agent = 0, kernel = -1;
  std::array<std::uint32_t, 3> grid{}, block{};
};

void dispatch_info(element value, Record& record) {
  object fields;
  if (value.get(fields) != simdjson::SUCCESS) return;
  for (const auto& [key, field] : fields) {
    if (key == "agent_id") record.agent = handle_of(field).value_or(0);
    if (key == "kernel_id") record.kernel = integer_of(field).value_or(-1);
    if (key == "workgroup_size") record.block = xyz_of(field);
    if (key == "grid_size") record.grid = xyz_of(field);
    if (key == "queue_id")
      record.stream = record.stream == 0 ? handle_of(field).value_or(0) : record.stream;
  }
}

Record record_of(object fields) {
  Record record;
  for (const auto& [key, value] : fields) {
    if (key == "start_timestamp")
      record.begin = integer_of(value);
    else if (key == "end_timestamp")
      record.end = integer_of(value);
    else if (key == "kind")
      record.kind = integer_of(value).value_or(-1);
    else if (key == "operation")
      record.operation = integer_of(value).value_or(-1);
    else if (key == "thread_id")
      record.thread = integer_of(value).value_or(0);
    else if (key == "stream_id")
      record.stream = handle_of(value).value_or(0);
    else if (key == "bytes")
      record.bytes = integer_of(value).value_or(0);
    else if (key == "src_agent_id")
      record.source = handle_of(value).value_or(0);
    else if (key == "dst_agent_id")
      record.destination = handle_of(value).value_or(0);
    else if (key == "dispatch_info")
      dispatch_info(value, record);
    else if (key == "correlation_id") {
      object ids;
      if (value.get(ids) == simdjson::SUCCESS)
        for (const auto& [name, id] : ids)
          if (name == "internal") record.correlation = integer_of(id).value_or(-1);
    }
  }
  return record;
}

class Rocprofv3 : public JsonReader {
 public:
  explicit Rocprofv3(Trace& trace)
      : trace_(trace), streams_(trace.streams), threads_(trace.threads) {
    trace.format = "rocprofv3 JSON";
  }

  Split decide(std::string_view path, char) const override {
    if (path.empty() || path == "rocprofiler-sdk-tool" || path == kRoot) return Split::kEnter;
    if (!path.starts_with(kRoot)) return Split::kSkip;
    path.remove_prefix(kRoot.size() + 1);
    if (path == "buffer_records") return Split::kEnter;
    if (is_any(path, {"agents", "kernel_symbols", "buffer_records.kernel_dispatch",
                      "buffer_records.memory_copy", "buffer_records.hip_api"}))
      return Split::kBatch;
    return path == "strings" ? Split::kWhole : Split::kSkip;
  }

  Status take(const JsonPiece& piece) override {
    const std::string_view path = piece.path.substr(std::min(kRoot.size() + 1, piece.path.size()));
    if (path == "strings") {
      if (const auto value = parser_.whole(piece)) strings(*value);
      return {};
    }
    parser_.batch(piece, [&](element value) {
      object fields;
      if (value.get(fields) != simdjson::SUCCESS) return rejected_.add("not objects");
      if (path == "agents[]")
        agent(fields);
      else if (path == "kernel_symbols[]")
        symbol(fields);
      else
        record(path, record_of(fields));
    });
    return {};
  }

  void finish() override {
    for (const auto& [index, kernel] : kernels_) {
      const auto name = symbols_.find(kernel);
      trace_.gpu[index].name =
          name == symbols_.end()
              ? trace_.names.id(fmt::format("kernel {} (name not in the file)", kernel))
              : name->second;
    }
    for (const auto& [index, operation] : copies_)
      trace_.gpu[index].name = trace_.names.id(operation_name(operation, "memory copy"));
    for (const auto& [index, operation] : calls_)
      trace_.calls[index].name = trace_.names.id(operation_name(operation, "HIP call"));
    parser_.note(trace_);
    rejected_.note(trace_);
  }

 private:
  struct Operation {
    std::int64_t kind, operation;
  };

  std::string operation_name(const Operation& operation, const char* unknown) const {
    const auto kind = operations_.find(operation.kind);
    if (kind == operations_.end() || operation.operation < 0 ||
        static_cast<std::size_t>(operation.operation) >= kind->second.size())
      return fmt::format("{} {}", unknown, operation.operation);
    return kind->second[static_cast<std::size_t>(operation.operation)];
  }

  void record(std::string_view path, const Record& record) {
    if (!record.begin || !record.end) return rejected_.add("without a valid time");
    const Interval time{*record.begin, *record.end};
    if (!is_plausible(time)) return rejected_.add("without a valid time");
    const Operation operation{record.kind, record.operation};
    if (path == "buffer_records.hip_api[]") {
      calls_.emplace_back(trace_.calls.size(), operation);
      trace_.calls.push_back({.time = time,
                              .thread = threads_.index({0, record.thread}),
                              .correlation = record.correlation});
      return;
    }
    GpuEvent event{.time = time, .correlation = record.correlation};
    if (path == "buffer_records.kernel_dispatch[]") {
      event.stream = streams_.index({record.agent, record.stream});
      event.grid = record.grid;
      event.block = record.block;
      kernels_.emplace_back(trace_.gpu.size(), record.kernel);
    } else {
      event.kind = GpuKind::kCopy;
      event.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(record.bytes, 0));
      // A copy belongs to the GPU at one of its ends.
      const bool to_gpu = gpus_.contains(record.destination) || !gpus_.contains(record.source);
      event.stream = streams_.index({to_gpu ? record.destination : record.source, record.stream});
      copies_.emplace_back(trace_.gpu.size(), operation);
    }
    trace_.gpu.push_back(event);
  }

  void agent(object fields) {
    Device device;
    std::int64_t type = 0, units = 0, major_minor = 0;
    std::string_view product, gfx;
    for (const auto& [key, value] : fields) {
      if (key == "id") device.id = handle_of(value).value_or(0);
      if (key == "type") type = integer_of(value).value_or(0);
      if (key == "cu_count") units = integer_of(value).value_or(0);
      if (key == "wave_front_size")
        device.wave =
            static_cast<unsigned>(std::clamp<std::int64_t>(integer_of(value).value_or(0), 0, 64));
      if (key == "gfx_target_version") major_minor = integer_of(value).value_or(0);
      if (key == "name") gfx = text_of(value);
      if (key == "product_name") product = text_of(value);
    }
    if (type != 2 && !gfx.starts_with("gfx")) return;
    device.units = static_cast<unsigned>(std::clamp<std::int64_t>(units, 0, 1 << 20));
    device.major = static_cast<unsigned>(std::clamp<std::int64_t>(major_minor / 10000, 0, 1000));
    device.name = product;
    if (gfx.starts_with("gfx")) device.gfx = gfx;
    gpus_[device.id] = true;
    trace_.devices.push_back(std::move(device));
  }

  void symbol(object fields) {
    std::int64_t id = -1;
    std::string_view plain, formatted;
    for (const auto& [key, value] : fields) {
      if (key == "kernel_id") id = integer_of(value).value_or(-1);
      if (key == "kernel_name") plain = text_of(value);
      if (key == "formatted_kernel_name") formatted = text_of(value);
    }
    std::string_view name = formatted.empty() ? plain : formatted;
    if (name.ends_with(".kd")) name.remove_suffix(3);
    if (id >= 0 && !name.empty()) symbols_[id] = trace_.names.id(name);
  }

  void strings(element value) {
    element records;
    simdjson::dom::array kinds;
    if (value["buffer_records"].get(records) != simdjson::SUCCESS ||
        records.get(kinds) != simdjson::SUCCESS)
      return;
    std::int64_t number = 0;
    for (const element kind : kinds) {
      simdjson::dom::array operations;
      if (kind["operations"].get(operations) == simdjson::SUCCESS)
        for (const element operation : operations)
          operations_[number].emplace_back(text_of(operation));
      ++number;
    }
  }

  Trace& trace_;
  Indexed<Stream> streams_;
  Indexed<Thread> threads_;
  PieceParser parser_;
  Rejected rejected_;
  std::map<std::int64_t, bool> gpus_;
  std::unordered_map<std::int64_t, std::uint32_t> symbols_;
  std::map<std::int64_t, std::vector<std::string>> operations_;
  std::vector<std::pair<std::size_t, std::int64_t>> kernels_;
  std::vector<std::pair<std::size_t, Operation>> copies_, calls_;
};

}  // namespace

std::unique_ptr<JsonReader> make_rocprofv3_reader(Trace& trace) {
  return std::make_unique<Rocprofv3>(trace);
}

}  // namespace hipwright::trace
