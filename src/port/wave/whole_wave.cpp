// SPDX-License-Identifier: MIT
#include "port/wave/whole_wave.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "port/wave/group.h"
#include "syntax/cuda/lane_ops.h"

namespace hipwright::port {

namespace {

const syntax::Name kThreadIdx("threadIdx");

// A header that a decision can depend on.
bool matters(const cu::File& file) {
  if (looks_at_other_lanes(file) || file.has(kThreadIdx)) return true;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == cu::Kind::kName && cu::is_warp_size_name(file.text(at))) return true;
  return false;
}

// The project's headers that a file includes, those that these include, and so on.
class Includes {
 public:
  explicit Includes(const Tree& tree) : tree_(tree) {}
  std::set<const SourceFile*> of(const SourceFile& file) const {
    std::set<const SourceFile*> found;
    std::vector<const SourceFile*> open = {&file};
    while (!open.empty()) {
      const SourceFile* next = open.back();
      open.pop_back();
      for (const cu::Include& include : next->cuda()->includes()) {
        const std::string_view name = include.path.substr(include.path.rfind('/') + 1);
        const auto [begin, end] = tree_.by_name.equal_range(name);
        for (auto at = begin; at != end; ++at)
          if (at->second->cuda() != nullptr && found.insert(at->second).second)
            open.push_back(at->second);
      }
    }
    return found;
  }

 private:
  const Tree& tree_;
};

}  // namespace

bool is_for_waves(const cu::File& file) {
  if (file.text().find(kWaveSize) != std::string_view::npos) return true;
  const auto includes = file.includes();
  if (std::any_of(includes.begin(), includes.end(),
                  [](const cu::Include& each) { return each.path == "hip_compat.h"; }))
    return true;
  // 0xffffffffUL has 64 bits but masks 32 lanes; CUDA programs are never written for waves.
  if (std::none_of(includes.begin(), includes.end(),
                   [](const cu::Include& each) { return each.path.starts_with("hip/"); }))
    return false;
  for (const cu::LaneOp& op : cu::lane_ops()) {
    if (op.mask != 0) continue;
    for (const cu::TokenIndex at : file.occurrences(op.name)) {
      if (!file.is(at + 1, "(")) continue;
      const auto arguments = file.arguments(at + 1);
      const auto mask = arguments.empty() ? std::nullopt : cu::constant(file, arguments[0]);
      if (mask && mask->value > 0xFFFFFFFF) return true;
    }
  }
  return false;
}

Waves::Waves(const Tree& tree, const OwnNames& own) {
  // Files in one set: sets are joined when a file includes a header of another.
  std::map<const SourceFile*, const SourceFile*> leader;
  const std::function<const SourceFile*(const SourceFile*)> root = [&](const SourceFile* file) {
    while (leader.at(file) != file) file = leader.at(file);
    return file;
  };
  std::map<const SourceFile*, bool> is_of_interest;
  const Includes includes(tree);
  std::set<const SourceFile*> crossing;
  for (const auto& file : tree.files) {
    if (file->cuda() != nullptr && looks_at_other_lanes(*file->cuda())) crossing.insert(file.get());
  }
  if (crossing.empty()) return;
  for (const auto& file : tree.files) {
    if (file->cuda() == nullptr) continue;
    const auto headers = includes.of(*file);
    const bool is_part = crossing.contains(file.get()) ||
                         std::any_of(headers.begin(), headers.end(), [&](const SourceFile* header) {
                           return crossing.contains(header);
                         });
    if (!is_part) continue;
    leader.emplace(file.get(), file.get());
    for (const SourceFile* header : headers) {
      const auto known = is_of_interest.find(header);
      const bool matters_here =
          known != is_of_interest.end()
              ? known->second
              : is_of_interest.emplace(header, matters(*header->cuda())).first->second;
      if (!matters_here) continue;
      leader.emplace(header, header);
      leader[root(header)] = root(file.get());
    }
  }
  std::map<const SourceFile*, std::vector<const SourceFile*>> groups;
  for (const auto& [file, ignored] : leader) groups[root(file)].push_back(file);
  for (auto& [first, files] : groups) {
    std::sort(files.begin(), files.end(),
              [](const SourceFile* a, const SourceFile* b) { return a->path() < b->path(); });
    // A port of a port: every file keeps its form.
    if (std::any_of(files.begin(), files.end(),
                    [](const SourceFile* file) { return is_for_waves(*file->cuda()); })) {
      for (const SourceFile* file : files) decisions_[file].is_native = is_for_waves(*file->cuda());
      continue;
    }
    WaveGroup group(files, tree, own);
    auto obstacle = group.look();
    if (obstacle) obstacles_.push_back(std::make_unique<Obstacle>(std::move(*obstacle)));
    for (const SourceFile* file : files) {
      Decision& decision = decisions_[file];
      decision.is_native = !obstacle;
      decision.obstacle = obstacle ? obstacles_.back().get() : nullptr;
      const auto edits = group.edits().find(file);
      if (!obstacle && edits != group.edits().end()) decision.edits = edits->second;
    }
  }
}

const Waves::Decision* Waves::of(const SourceFile& file) const {
  const auto found = decisions_.find(&file);
  return found == decisions_.end() ? nullptr : &found->second;
}

bool looks_at_other_lanes(const cu::File& file) {
  return std::any_of(cu::lane_ops().begin(), cu::lane_ops().end(), [&](const cu::LaneOp& op) {
    return op.name.text().starts_with("__") && file.has(op.name);
  });
}

}  // namespace hipwright::port
