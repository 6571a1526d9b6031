// SPDX-License-Identifier: MIT
// The database that rocprofv3 writes by default from ROCm 7.0 on. Every process has its own set of
// tables, whose names end in its identifier. Times are columns of the events or, in newer releases,
// rows of a table of their own.
#include <map>
#include <optional>
#include <vector>

#include "base/words.h"
#include "trace/read/database.h"
#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

constexpr std::string_view kDispatches = "rocpd_kernel_dispatch";

// The tables of one process.
class Process {
 public:
  Process(const Database& database, Trace& trace, Rejected& rejected, std::string suffix,
          std::int64_t number)
      : database_(database),
        trace_(trace),
        rejected_(rejected),
        suffix_(std::move(suffix)),
        number_(number),
        streams_(trace.streams),
        threads_(trace.threads) {}

  Status read() {
    HW_CHECK(agents());
    HW_CHECK(kernels());
    HW_CHECK(copies());
    return regions();
  }

 private:
  std::string table(std::string_view name) const {
    return fmt::format("rocpd_{}{}", name, suffix_);
  }

  // The columns that say when an event of `name`, called x, happened and where, and their joins.
  struct Place {
    std::string columns, joins;
  };
  Result<Place> place_of(std::string_view name, Words where) const {
    HW_TRY(const bool has_times, database_.has_column(table(name), "start"));
    Place out{
        .columns = has_times ? "x.start, x.\"end\", e.stack_id" : "b.value, f.value, e.stack_id",
        .joins = fmt::format(" LEFT JOIN \"{}\" e ON e.id = x.event_id", table("event"))};
    for (const std::string_view column : where)
      out.columns += fmt::format(", {}.{}", has_times ? "x" : "t", column);
    if (!has_times)
      out.joins += fmt::format(
          " JOIN \"{0}\" b ON b.id = x.start_id JOIN \"{0}\" f ON f.id = x.end_id JOIN \"{1}\" t "
          "ON "
          "t.id = x.track_id",
          table("timestamp"), table("track"));
    return out;
  }

  std::optional<Interval> time(sqlite3_stmt* row) {
    const Interval time{sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
    if (is_plausible(time)) return time;
    rejected_.add("without a valid time");
    return std::nullopt;
  }

  // Processes number their calls independently.
  std::int64_t correlation(sqlite3_stmt* row) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    const std::int64_t id = sqlite3_column_int64(row, 2);
    return id > 0 && id < kMost ? number_ * kMost + id : -1;
  }

  Status agents() {
    return database_.rows(
        fmt::format("SELECT id, absolute_index, type, name, product_name FROM \"{}\"",
                    table("info_agent")),
        [&](sqlite3_stmt* row) {
          if (text_at(row, 2) != "GPU") return;
          Device device{.id = sqlite3_column_int64(row, 1), .name = std::string(text_at(row, 4))};
          if (text_at(row, 3).starts_with("gfx")) device.gfx = std::string(text_at(row, 3));
          gpus_[sqlite3_column_int64(row, 0)] = device.id;
          if (std::ranges::find(trace_.devices, device.id, &Device::id) == trace_.devices.end())
            trace_.devices.push_back(std::move(device));
        });
  }
  std::int64_t device_of(std::int64_t agent) const {
    const auto found = gpus_.find(agent);
    return found == gpus_.end() ? agent : found->second;
  }

  Status kernels() {
    HW_TRY(const Place place, place_of("kernel_dispatch", {"agent_id", "stream_id", "queue_id"}));
    return database_.rows(
        fmt::format("SELECT {}, coalesce(s.display_name, s.kernel_name), x.grid_size_x, "
                    "x.grid_size_y, x.grid_size_z, x.workgroup_size_x, x.workgroup_size_y, "
                    "x.workgroup_size_z FROM \"{}\" x{} LEFT JOIN \"{}\" s ON s.id = x.kernel_id",
                    place.columns, table("kernel_dispatch"), place.joins,
                    table("info_kernel_symbol")),
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          std::string_view name = text_at(row, 6);
          if (name.ends_with(".kd")) name.remove_suffix(3);
          GpuEvent event{.time = *interval, .name = trace_.names.id(name)};
          event.correlation = correlation(row);
          event.stream = stream(device_of(sqlite3_column_int64(row, 3)), row, 4);
          for (int i = 0; i < 3; ++i) {
            event.grid[static_cast<std::size_t>(i)] = size_at(row, 7 + i);
            event.block[static_cast<std::size_t>(i)] = size_at(row, 10 + i);
          }
          trace_.gpu.push_back(event);
        });
  }

  Status copies() {
    HW_TRY(const Place place, place_of("memory_copy", {"stream_id", "queue_id"}));
    return database_.rows(
        fmt::format("SELECT {}, n.string, x.size, x.dst_agent_id, x.src_agent_id FROM \"{}\" x{} "
                    "LEFT JOIN \"{}\" n ON n.id = x.name_id",
                    place.columns, table("memory_copy"), place.joins, table("string")),
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          GpuEvent event{
              .time = *interval, .kind = GpuKind::kCopy, .name = trace_.names.id(text_at(row, 5))};
          event.correlation = correlation(row);
          event.bytes =
              static_cast<std::uint64_t>(std::max<std::int64_t>(sqlite3_column_int64(row, 6), 0));
          // A copy belongs to the GPU at one of its ends.
          const std::int64_t to = sqlite3_column_int64(row, 7), from = sqlite3_column_int64(row, 8);
          event.stream =
              stream(device_of(gpus_.contains(to) || !gpus_.contains(from) ? to : from), row, 3);
          trace_.gpu.push_back(event);
        });
  }

  // Column `first` is the stream, the next one the queue, which counts where there is no stream.
  std::uint32_t stream(std::int64_t device, sqlite3_stmt* row, int first) {
    const std::int64_t number = sqlite3_column_int64(row, first);
    return streams_.index({device, number != 0 ? number : sqlite3_column_int64(row, first + 1)});
  }

  Status regions() {
    HW_TRY(const Place place, place_of("region", {"pid", "tid"}));
    return database_.rows(
        fmt::format(
            "SELECT {}, n.string, c.string, CASE WHEN json_valid(e.extdata) THEN "
            "json_extract(e.extdata, '$.message') END FROM \"{}\" x{} LEFT JOIN \"{}\" n ON "
            "n.id = x.name_id LEFT JOIN \"{}\" c ON c.id = e.category_id",
            place.columns, table("region"), place.joins, table("string"), table("string")),
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          const std::string_view category = text_at(row, 6), message = text_at(row, 7);
          const std::uint32_t thread =
              threads_.index({sqlite3_column_int64(row, 3), sqlite3_column_int64(row, 4)});
          if (is_range_domain(category)) {
            trace_.ops.push_back(
                {.time = *interval,
                 .name = trace_.names.id(message.empty() ? text_at(row, 5) : message),
                 .thread = thread,
                 .is_annotation = true});
          } else {
            trace_.calls.push_back({.time = *interval,
                                    .name = trace_.names.id(text_at(row, 5)),
                                    .thread = thread,
                                    .correlation = correlation(row)});
          }
        });
  }

  const Database& database_;
  Trace& trace_;
  Rejected& rejected_;
  const std::string suffix_;
  const std::int64_t number_;
  Indexed<Stream> streams_;
  Indexed<Thread> threads_;
  std::map<std::int64_t, std::int64_t> gpus_;  // agent to device
};

bool is_identifier(std::string_view suffix) {
  return std::ranges::all_of(suffix, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-';
  });
}

}  // namespace

Status read_rocpd(const Database& database, Trace& trace) {
  trace.format = "rocprofv3 database";
  std::vector<std::string> suffixes;
  HW_CHECK(database.rows(
      fmt::format("SELECT name FROM sqlite_master WHERE type='table' AND name GLOB '{}*'",
                  kDispatches),
      [&](sqlite3_stmt* row) {
        const std::string_view suffix = text_at(row, 0).substr(kDispatches.size());
        if (is_identifier(suffix)) suffixes.emplace_back(suffix);
      }));
  Rejected rejected;
  std::int64_t number = 0;
  for (const std::string& suffix : suffixes)
    HW_CHECK(Process(database, trace, rejected, suffix, number++).read());
  rejected.note(trace);
  return {};
}

}  // namespace hipwright::trace
