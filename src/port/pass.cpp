// SPDX-License-Identifier: MIT
#include "port/pass.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "port/pass_list.h"

namespace hipwright::port {

namespace {

bool has(const std::vector<CodeId>& codes, std::string_view code) {
  return std::ranges::find(codes, code, &CodeId::text) != codes.end();
}

// "names" of "source/names.cpp".
std::string_view stem_of(std::string_view source) {
  source.remove_prefix(source.rfind('/') + 1);
  return source.substr(0, source.rfind('.'));
}

std::unexpected<Error> disorder(std::string_view pass, std::string problem) {
  return fail("cannot order the passes of the port", std::string(pass), std::move(problem),
              "See `after` and `before` in src/port/passes.");
}

using ByName = std::map<std::string_view, const Pass*>;

Result<ByName> by_name(const std::vector<Pass>& passes) {
  ByName found;
  for (const Pass& pass : passes)
    if (!found.emplace(pass.name, &pass).second)
      return disorder(pass.name, "two passes have this name");
  return found;
}

// For each pass, the passes that must run before it.
Result<std::map<const Pass*, std::set<const Pass*>>> arrows(const std::vector<Pass>& passes) {
  HW_TRY(const ByName names, by_name(passes));
  std::map<const Pass*, std::set<const Pass*>> needs;
  for (const Pass& pass : passes) {
    for (const auto* list : {&pass.after, &pass.before})
      for (const std::string_view name : *list) {
        const auto other = names.find(name);
        if (other == names.end()) return disorder(pass.name, fmt::format("no such pass: {}", name));
        if (list == &pass.after)
          needs[&pass].insert(other->second);
        else
          needs[other->second].insert(&pass);
      }
  }
  return needs;
}

}  // namespace

Result<std::vector<Pass>> in_order(std::vector<Pass> passes) {
  HW_TRY(const auto needs, arrows(passes));
  std::vector<const Pass*> left;
  for (const Pass& pass : passes) left.push_back(&pass);
  std::ranges::sort(left, [](const Pass* a, const Pass* b) {
    return std::tuple(a->phase(), a->name) < std::tuple(b->phase(), b->name);
  });
  std::vector<Pass> ordered;
  std::set<const Pass*> done;
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](const Pass* pass) {
      const auto first = needs.find(pass);
      return first == needs.end() || std::ranges::includes(done, first->second);
    });
    if (next == left.end()) {
      std::vector<std::string_view> names;
      for (const Pass* pass : left) names.push_back(pass->name);
      return disorder(names.front(), fmt::format("a cycle holds up {}", fmt::join(names, ", ")));
    }
    done.insert(*next);
    ordered.push_back(**next);
    left.erase(next);
  }
  return ordered;
}

bool Pass::may_emit(std::string_view code) const {
  return has(codes, code);
}

bool LaterStep::may_emit(std::string_view code) const {
  return has(codes, code);
}

std::string Pass::files() const {
  std::vector<std::string_view> kinds;
  if (cuda != nullptr) kinds.push_back(to_string(Language::kCuda));
  if (python != nullptr) kinds.push_back(to_string(Language::kPython));
  if (setup != nullptr) kinds.push_back("setup.py");
  if (text != nullptr) kinds.push_back(to_string(language));
  if (tree != nullptr) kinds.push_back("the whole tree");
  if (outside_tree != nullptr) kinds.push_back("files outside the tree");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

const std::vector<Pass>& all_passes() {
  static const std::vector<Pass> passes = [] {
    std::vector<Pass> list;
    for (unsigned i = 0; i < kPassEntryCount; ++i) {
      list.push_back(kPassEntries[i].make());
      list.back().source = kPassEntries[i].source;
      list.back().name = stem_of(kPassEntries[i].source);
    }
    auto ordered = in_order(std::move(list));
    if (!ordered) bug(ordered.error().message(), __FILE__, __LINE__);
    return *std::move(ordered);
  }();
  return passes;
}

const Pass* find_pass(std::string_view name) {
  const auto found = std::ranges::find(all_passes(), name, &Pass::name);
  return found == all_passes().end() ? nullptr : &*found;
}

const std::vector<LaterStep>& later_steps() {
  static const std::vector<LaterStep> steps = {
      {"files that AMD compiles already", {"HP222"}},
      {"imports of is_rocm", {"HP101"}},
      {"branches for both platforms", {"HP208"}},
      {"isolation", {"HP290"}},
      {"new file names", {"HP221"}},
      {"compile and repair",
       {"HP224", "HP801", "HP802", "HP803", "HP804", "HP805", "HP806", "HP807", "HP890"}}};
  return steps;
}

}  // namespace hipwright::port
