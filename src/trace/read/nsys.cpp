// SPDX-License-Identifier: MIT
// The SQLite file that `nsys export --type sqlite` writes.
#include <optional>

#include "base/counted.h"
#include "trace/read/database.h"
#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

// nsys' numbers for the direction of a copy.
const char* copy_name(std::int64_t kind) {
  switch (kind) {
    case 1:
      return "Memcpy HtoD";
    case 2:
      return "Memcpy DtoH";
    case 8:
      return "Memcpy DtoD";
    case 10:
      return "Memcpy PtoP";
    default:
      return "Memcpy";
  }
}

class Nsys {
 public:
  Nsys(const Database& database, Trace& trace)
      : database_(database), trace_(trace), streams_(trace.streams), threads_(trace.threads) {}

  Status read() {
    trace_.format = "nsys SQLite";
    HW_CHECK(devices());
    HW_CHECK(kernels());
    HW_CHECK(memory("CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind", GpuKind::kCopy));
    HW_CHECK(memory("CUPTI_ACTIVITY_KIND_MEMSET", "0", GpuKind::kFill));
    HW_CHECK(graphs());
    HW_CHECK(calls());
    rejected_.note(trace_);
    return {};
  }

 private:
  Status devices() {
    HW_TRY(const bool has, database_.has_table("TARGET_INFO_GPU"));
    if (!has) return {};
    return database_.rows("SELECT id, name FROM TARGET_INFO_GPU", [&](sqlite3_stmt* row) {
      trace_.devices.push_back(
          {.id = sqlite3_column_int64(row, 0), .name = std::string(text_at(row, 1))});
    });
  }

  std::optional<Interval> time(sqlite3_stmt* row) {
    const Interval time{sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
    if (is_plausible(time)) return time;
    rejected_.add("without a valid time");
    return std::nullopt;
  }

  Status kernels() {
    HW_TRY(const bool has, database_.has_table("CUPTI_ACTIVITY_KIND_KERNEL"));
    if (!has) return {};
    return database_.rows(
        "SELECT k.start, k.\"end\", k.deviceId, k.streamId, k.correlationId, s.value, k.gridX, "
        "k.gridY, k.gridZ, "
        "k.blockX, k.blockY, k.blockZ FROM CUPTI_ACTIVITY_KIND_KERNEL k LEFT JOIN StringIds s ON "
        "s.id = k.demangledName",
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          GpuEvent event{.time = *interval, .name = trace_.names.id(text_at(row, 5))};
          event.stream =
              streams_.index({sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3)});
          event.correlation = sqlite3_column_int64(row, 4);
          for (int i = 0; i < 3; ++i) {
            event.grid[static_cast<std::size_t>(i)] = size_at(row, 6 + i);
            event.block[static_cast<std::size_t>(i)] = size_at(row, 9 + i);
          }
          trace_.gpu.push_back(event);
        });
  }

  Status memory(const std::string& table, const char* kind, GpuKind gpu_kind) {
    HW_TRY(const bool has, database_.has_table(table));
    if (!has) return {};
    return database_.rows(
        fmt::format("SELECT start, \"end\", deviceId, streamId, correlationId, bytes, {} FROM {}",
                    kind, table),
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          GpuEvent event{.time = *interval, .kind = gpu_kind};
          event.name = trace_.names.id(
              gpu_kind == GpuKind::kFill ? "Memset" : copy_name(sqlite3_column_int64(row, 6)));
          event.stream =
              streams_.index({sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3)});
          event.correlation = sqlite3_column_int64(row, 4);
          event.bytes =
              static_cast<std::uint64_t>(std::max<std::int64_t>(sqlite3_column_int64(row, 5), 0));
          trace_.gpu.push_back(event);
        });
  }

  // Without --cuda-graph-trace=node nsys records a graph as one event.
  Status graphs() {
    HW_TRY(const bool has, database_.has_table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE"));
    if (!has) return {};
    std::size_t count = 0;
    HW_CHECK(database_.rows(
        "SELECT start, \"end\", deviceId, streamId, correlationId, graphId FROM "
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          ++count;
          GpuEvent event{
              .time = *interval,
              .name = trace_.names.id(fmt::format("CUDA graph {}", sqlite3_column_int64(row, 5)))};
          event.stream =
              streams_.index({sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3)});
          event.correlation = sqlite3_column_int64(row, 4);
          trace_.gpu.push_back(event);
        }));
    if (count > 0)
      trace_.notes.push_back(fmt::format(
          "kernels of {} are not in the file: record with nsys profile --cuda-graph-trace=node",
          counted(count, "launched graph")));
    return {};
  }

  Status calls() {
    HW_TRY(const bool has, database_.has_table("CUPTI_ACTIVITY_KIND_RUNTIME"));
    if (!has) return {};
    return database_.rows(
        "SELECT r.start, r.\"end\", r.globalTid, r.correlationId, s.value FROM "
        "CUPTI_ACTIVITY_KIND_RUNTIME r "
        "LEFT JOIN StringIds s ON s.id = r.nameId",
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          // The process and thread numbers are the low 48 bits of the global one.
          const std::int64_t global = sqlite3_column_int64(row, 2);
          HostCall call{.time = *interval, .name = trace_.names.id(text_at(row, 4))};
          call.thread = threads_.index({global >> 24 & 0xFFFFFF, global & 0xFFFFFF});
          call.correlation = sqlite3_column_int64(row, 3);
          trace_.calls.push_back(call);
        });
  }

  const Database& database_;
  Trace& trace_;
  Indexed<Stream> streams_;
  Indexed<Thread> threads_;
  Rejected rejected_;
};

}  // namespace

Status read_nsys(const Database& database, Trace& trace) {
  return Nsys(database, trace).read();
}

}  // namespace hipwright::trace
