// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "perf/compare/report.h"

namespace hipwright::perf {

namespace {

Json identity_json(const RecordIdentity& identity) {
  Json json = {{"label", identity.label}, {"made", identity.made}, {"tool", identity.tool}};
  json["machine"] = Json::object();
  for (const auto& [name, value] : identity.machine) json["machine"][name] = value;
  return json;
}

Json row_json(const Row& row) {
  Json json = {{"benchmark", row.benchmark}};
  if (!row.kernel.empty()) {
    json["kernel"] = row.kernel;
    json["target"] = row.target;
    json["source"] = row.source;
  }
  json["metric"] = row.metric;
  if (!row.unit.empty()) json["unit"] = row.unit;
  json["better"] = row.better == Better::kLower ? "lower" : "higher";
  json["verdict"] = to_string(row.verdict);
  if (!row.reason.empty()) json["reason"] = row.reason;
  json["base"] = row.base ? Json(*row.base) : Json(nullptr);
  json["head"] = row.head ? Json(*row.head) : Json(nullptr);
  const auto ratio = row.ratio();
  json["ratio"] = ratio ? Json(*ratio) : Json(nullptr);
  if (row.interval) {
    json["ratio_interval"] = {row.interval->low, row.interval->high};
    json["p"] = row.p;
    json["threshold"] = row.threshold;
  }
  return json;
}

// The fields of a rocm_profile.json, by benchmark.
Json deltas_json(const Comparison& comparison) {
  Json json = Json::object();
  for (const Row& row : comparison.rows) {
    if (!row.kernel.empty() || !row.base || !row.head) continue;
    const double difference = *row.head - *row.base;
    if (row.metric == kDuration) {
      json[row.benchmark]["duration_delta_s"] = difference;
      json[row.benchmark]["duration_delta_pct"] = 100 * (*row.ratio() - 1);
    } else if (row.metric == kDeviceMemory ||
               (row.metric == kHostMemory &&
                !(json.contains(row.benchmark) &&
                  json[row.benchmark].contains("peak_memory_delta_mb")))) {
      json[row.benchmark]["peak_memory_delta_mb"] = difference;
    }
  }
  return json;
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  Json verdicts = Json::object(), rows = Json::array();
  for (const Verdict verdict : {Verdict::kRegressed, Verdict::kMissing, Verdict::kImproved,
                                Verdict::kSame, Verdict::kInconclusive, Verdict::kIncomparable})
    verdicts[std::string(to_string(verdict))] = comparison.count(verdict);
  for (const Row& row : comparison.rows) rows.push_back(row_json(row));
  return {{"base", identity_json(comparison.base)},
          {"head", identity_json(comparison.head)},
          {"interleaved", comparison.paired},
          {"mismatches", comparison.mismatches},
          {"verdicts", std::move(verdicts)},
          {"deltas", deltas_json(comparison)},
          {"rows", std::move(rows)},
          {"added", comparison.added}};
}

}  // namespace hipwright::perf
