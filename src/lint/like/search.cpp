// SPDX-License-Identifier: MIT
#include "lint/like/search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <unordered_map>

#include "lint/like/elements.h"
#include "lint/like/reach.h"
#include "lint/run.h"
#include "project/ignore.h"
#include "project/read_source.h"
#include "project/walk.h"

namespace hipwright::lint::like {

namespace {

// A shape with fewer bits in fixed words matches everything.
constexpr float kLeastSaid = 1.5F;
// A place must have this fraction of what the fix removed.
constexpr float kLeastChanged = 0.65F;
// And this fraction of the fixed words: variables alone match everywhere.
constexpr float kLeastExact = 0.45F;
// Fraction of the weight of the heaviest word.
constexpr float kLeastSeed = 0.35F;
constexpr std::uint32_t kLongestWindow = 3000;

bool is_word(const Element& element) {
  return element.kind != Kind::kPunct && element.kind != Kind::kBreak && !element.is_free;
}

// The score of an element whose word is missing. Its maximum would let nearly every place pass.
float without_word(const Element& element) {
  if (element.is_free) return 0.75F * element.weight;
  if (!is_word(element)) return 0.9F * element.weight;
  if (element.is_changed) return 0.2F * element.weight;
  return 0.25F * element.weight;
}

// Brackets and similar tokens are everywhere.
bool is_operator(const Element& element) {
  return element.kind == Kind::kPunct && element.weight >= 0.5F;
}

float said(const Shape& shape) {
  float sum = 0;
  for (const Element& element : shape.before)
    if (is_word(element) || is_operator(element)) sum += element.weight;
  return sum;
}

}  // namespace

Search::Search(const Request& request, std::vector<Shape> shapes, OwnLines own)
    : request_(request),
      shapes_(std::move(shapes)),
      own_(std::move(own)),
      pool_(request.lint.threads) {}

Status Search::run(Found& found) {
  HW_CHECK(find_files(found));
  count_words();
  set_weights(found);
  choose_seeds();
  each(files_.size(), [&](std::size_t i, std::string& buffer) { look_into(files_[i], buffer); });
  gather(found);
  return {};
}

Status Search::find_files(Found& found) {
  const Options& options = request_.lint;
  const ProjectPaths project_paths(options);
  project::IgnorePatterns exclude;
  for (const std::string& pattern : options.exclude) exclude.add(pattern);
  project::WalkRequest walk_request{.root = options.root.empty() ? "." : options.root,
                                    .paths = options.paths,
                                    .use_gitignore = options.use_gitignore};
  walk_request.excludes = [&](std::string_view path, bool is_folder) {
    return !exclude.empty() && exclude.ignores(project_paths(path), is_folder);
  };
  walk_request.wants = [&](std::string_view path) {
    return std::any_of(shapes_.begin(), shapes_.end(), [&](const Shape& shape) {
      return shape.language == project::language_of(path);
    });
  };
  HW_TRY(project::WalkResult walked, project::walk(walk_request));
  for (std::string& path : walked.files) {
    if (!walk_request.wants(path)) continue;
    File file;
    file.project_path = project_paths(path);
    file.language = project::language_of(path);
    file.path = std::move(path);
    files_.push_back(std::move(file));
  }
  for (project::NotWalked& each : walked.skipped)
    found.notes.push_back({std::move(each.path), std::move(each.why), each.is_error});
  return {};
}

void Search::each(std::size_t count, const std::function<void(std::size_t, std::string&)>& body) {
  std::atomic<std::size_t> next = 0;
  pool_.parallel_for(pool_.size(), [&](std::size_t) {
    std::string buffer;
    for (std::size_t i = next++; i < count; i = next++) body(i, buffer);
  });
}

void Search::count_words() {
  for (const Shape& shape : shapes_)
    for (const auto* side : {&shape.before, &shape.after})
      for (const Element& element : *side)
        if (element.kind != Kind::kPunct && element.kind != Kind::kBreak) words_.add(element.key);
  for (const Shape& shape : shapes_)
    for (const Shape::Nearby& name : shape.nearby) words_.add(name.key);
  words_.freeze();
  const std::filesystem::path root = request_.lint.root.empty() ? "." : request_.lint.root;
  each(files_.size(), [&](std::size_t i, std::string& buffer) {
    File& file = files_[i];
    project::ReadText read = project::read_source(root / file.path, std::move(buffer));
    file.why_not = read.why_not;
    file.is_unread = read.is_error;
    if (read.why_not.empty()) {
      file.bytes = read.text.bytes.size();
      file.words = words_.present(read.text.bytes);
    }
    buffer = std::move(read.text.bytes);
  });
}

void Search::set_weights(Found& found) {
  const auto number = [&](std::string_view key) {
    const auto at = numbers_.find(key);
    if (at != numbers_.end()) return at->second;
    const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
    numbers_.emplace(key, next);
    return next;
  };
  for (const project::Language language : {project::Language::kCuda, project::Language::kPython}) {
    std::vector<std::size_t> counts(words_.size() + 1);
    Frequencies frequencies;
    for (const File& file : files_) {
      if (file.language != language || file.words.empty()) continue;
      ++frequencies.files;
      for (std::size_t word = 0; word < words_.size(); ++word)
        counts[word] += (file.words[word / 64] >> (word % 64)) & 1U;
    }
    frequencies.of = [&](std::string_view key) {
      std::size_t least = frequencies.files;
      for (const std::uint32_t word : words_.words_of(key)) least = std::min(least, counts[word]);
      return least;
    };
    std::vector<Shape> ours;
    for (Shape& shape : shapes_)
      if (shape.language == language) ours.push_back(std::move(shape));
    weigh(ours, frequencies, number);
    for (Shape& shape : ours) found.shapes.push_back(std::move(shape));
  }
  shapes_ = std::move(found.shapes);
  found.shapes.clear();
  if (request_.patch) {
    const std::size_t before = shapes_.size();
    std::erase_if(shapes_, [](const Shape& shape) { return said(shape) < kLeastSaid; });
    found.too_common = before - shapes_.size();
  }
  const auto weight = [](const Shape& shape) {
    return shape.trust * shape.total / (shape.total + 4);
  };
  float most = 0;
  for (const Shape& shape : shapes_) most = std::max(most, weight(shape));
  for (const Shape& shape : shapes_) reach_.push_back(weight(shape) / std::max(most, 1e-6F));
}

// A place with too few of the heaviest words cannot match: the smallest set of words of which every
// place must have one.
void Search::choose_seeds() {
  for (const Shape& shape : shapes_) {
    std::vector<std::uint32_t> order;
    float changed = 0;
    for (std::uint32_t i = 0; i < shape.before.size(); ++i) {
      if (!is_word(shape.before[i])) continue;
      order.push_back(i);
      if (shape.before[i].is_changed) changed += shape.before[i].weight;
    }
    if (order.empty())
      for (std::uint32_t i = 0; i < shape.before.size(); ++i)
        if (is_operator(shape.before[i])) order.push_back(i);
    // Half of what the fix removed must be present.
    if (changed > 0)
      std::erase_if(order, [&](std::uint32_t i) { return !shape.before[i].is_changed; });
    const float enough =
        changed > 0 ? changed * (1 - kLeastChanged) : shape.total * (1 - request_.least_score);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return shape.before[a].weight > shape.before[b].weight;
    });
    float sum = 0;
    std::vector<Seed> seeds;
    for (const std::uint32_t i : order) {
      // Common words are not selective enough if there are rare ones.
      if (!seeds.empty() && shape.before[i].weight < kLeastSeed * shape.before[order[0]].weight)
        break;
      seeds.push_back({i, shape.before[i].word});
      sum += shape.before[i].weight;
      if (sum > enough) break;
    }
    seeds_.push_back(std::move(seeds));
    std::vector<Needed> needed;
    for (const Element& element : shape.before) {
      if (!is_word(element)) continue;
      // One word of a key represents all.
      const std::vector<std::uint32_t> words = words_.words_of(element.key);
      if (!words.empty()) needed.push_back({words.front(), element.weight - without_word(element)});
    }
    needed_.push_back(std::move(needed));
  }
}

bool Search::may_have(const File& file, std::size_t index) const {
  const Shape& shape = shapes_[index];
  if (file.language != shape.language || file.words.empty()) return false;
  float most = 0;
  for (const Element& element : shape.before)
    most += is_word(element) ? element.weight : without_word(element);
  for (const Needed& each : needed_[index])
    if (((file.words[each.word / 64] >> (each.word % 64)) & 1U) == 0) most -= each.lost;
  return most >= request_.least_score * shape.total;
}

std::vector<Range> Search::windows(const Numbered& file, std::size_t index) const {
  const Shape& shape = shapes_[index];
  const auto count = static_cast<std::uint32_t>(shape.before.size());
  const auto size = static_cast<std::uint32_t>(file.words.size());
  // Per word: what a window can gain in likeness, in the exact part and in the changed part.
  struct Gain {
    float likeness = 0, exact = 0, changed = 0;
  };
  std::vector<Gain> gains(numbers_.size() + 1);
  Gain all, least;
  for (const Element& element : shape.before) {
    Gain& gain = gains[element.word];
    const bool is_exact = !element.is_free && is_exact_part(element);
    const float likeness = element.weight - without_word(element);
    const float exact = is_exact ? element.weight : 0;
    const float changed = element.is_changed && !element.is_free ? element.weight : 0;
    gain.likeness += likeness;
    gain.exact += exact;
    gain.changed += changed;
    least.likeness += without_word(element);
    all.exact += exact;
    all.changed += changed;
  }
  std::vector<std::uint32_t> seen(numbers_.size() + 1, kNone);
  std::vector<Range> found;
  for (std::uint32_t at = 0; at < size; ++at) {
    const auto seed = std::find_if(seeds_[index].begin(), seeds_[index].end(),
                                   [&](const Seed& each) { return each.word == file.words[at]; });
    if (file.words[at] == 0 || seed == seeds_[index].end()) continue;
    // Words that occur several times may match anywhere in the shape.
    const std::uint32_t reach = count + 30;
    const Range window{at - std::min(at, reach), std::min(size, at + reach)};
    Gain most = least;
    for (std::uint32_t i = window.begin; i < window.end; ++i) {
      const std::uint32_t word = file.words[i];
      if (word == 0 || seen[word] == at) continue;
      seen[word] = at;
      most.likeness += gains[word].likeness;
      most.exact += gains[word].exact;
      most.changed += gains[word].changed;
    }
    if (most.likeness < request_.least_score * shape.total ||
        most.exact < kLeastExact * all.exact || most.changed < kLeastChanged * all.changed)
      continue;
    if (!found.empty() && window.begin <= found.back().end &&
        window.end - found.back().begin < kLongestWindow)
      found.back().end = window.end;
    else
      found.push_back(window);
  }
  return found;
}

// The fraction of the shape's surrounding names that surround the place.
float Search::nearby_share(const Shape& shape, const Numbered& file, Range place) const {
  const auto size = static_cast<std::uint32_t>(file.words.size());
  std::set<std::uint32_t> words;
  for (std::uint32_t at = place.begin - std::min(place.begin, kNearby);
       at < std::min(size, place.end + kNearby); ++at)
    if (!place.contains(at)) words.insert(file.words[at]);
  float all = 0, here = 0;
  for (const Shape::Nearby& name : shape.nearby) {
    all += name.weight;
    if (words.contains(name.word)) here += name.weight;
  }
  return all > 0 ? here / all : 0;
}

bool Search::is_fixed(const Shape& shape, const Numbered& file, const Alignment& place) const {
  if (shape.after.empty()) return false;
  const auto more = static_cast<std::uint32_t>(shape.after.size() + 12);
  const auto size = static_cast<std::uint32_t>(file.words.size());
  const Range window{place.range.begin - std::min(place.range.begin, more),
                     std::min(size, place.range.end + more)};
  const float least = place.likeness - 0.02F;
  for (const Alignment& after : align(shape.after, shape.after_total, file, window, least)) {
    const bool is_here = after.range.begin < place.range.end && place.range.begin < after.range.end;
    if (is_here && after.changed_share >= 0.6F) return true;
  }
  return false;
}

Numbered Search::number(Stream stream) const {
  Numbered file;
  file.stream = std::move(stream);
  const std::size_t count = file.stream.tokens.size();
  file.words.resize(count);
  file.spellings.resize(count);
  file.parts.emplace_back();  // shared by all tokens that are not names
  struct Known {
    std::uint32_t word = 0, spelling = 0;
  };
  std::unordered_map<std::string_view, Known> known;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Token& token = file.stream.tokens[i];
    if (token.kind == Kind::kBreak) continue;
    const auto [at, is_new] = known.try_emplace(file.stream.of(i));
    if (is_new) {
      const auto found = numbers_.find(key_of(file.stream.of(i), token.kind));
      if (found != numbers_.end()) at->second.word = found->second;
      if (token.kind == Kind::kName) {
        at->second.spelling = static_cast<std::uint32_t>(file.parts.size());
        file.parts.push_back(name_parts(file.stream.of(i)));
      }
    }
    file.words[i] = at->second.word;
    file.spellings[i] = at->second.spelling;
  }
  return file;
}

bool Search::is_own(const File& file, const Place& place) const {
  const auto [own, own_end] = own_.equal_range(file.project_path);
  return std::any_of(own, own_end, [&](const auto& entry) {
    return entry.second.overlaps(place.position.line, place.end.line);
  });
}

void Search::look_for(std::size_t index, const Numbered& numbered, const LineIndex& lines,
                      File& file) const {
  const Shape& shape = shapes_[index];
  for (const Range& window : windows(numbered, index)) {
    for (const Alignment& each :
         align(shape.before, shape.total, numbered, window, request_.least_score)) {
      if (each.changed_share < kLeastChanged || each.exact_share < kLeastExact) continue;
      Place place;
      place.offset = numbered.stream.tokens[each.range.begin].begin;
      place.position = lines.position(place.offset);
      place.end = lines.position(numbered.stream.tokens[each.range.end - 1].end);
      if (is_own(file, place)) continue;
      if (is_fixed(shape, numbered, each)) {
        ++file.fixed;
        continue;
      }
      place.path = file.path;
      place.likeness = std::min(each.likeness, 1.0F);
      place.shape = index;
      place.nearby = nearby_share(shape, numbered, each.range);
      place.differences = differences(shape, numbered, each);
      place.line = line_excerpt(numbered.stream.text, lines, place.position);
      file.places.push_back(std::move(place));
    }
  }
}

void Search::look_into(File& file, std::string& buffer) {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (may_have(file, i)) wanted.push_back(i);
  if (wanted.empty()) return;
  const std::filesystem::path root = request_.lint.root.empty() ? "." : request_.lint.root;
  project::ReadText read = project::read_source(root / file.path, std::move(buffer));
  if (read.why_not.empty()) {
    const std::string& text = read.text.bytes;
    const Numbered numbered = number(read_stream(text, file.language));
    const LineIndex lines(text);
    for (const std::size_t index : wanted) look_for(index, numbered, lines, file);
    std::vector<std::size_t> offsets;
    for (const Place& place : file.places) offsets.push_back(place.offset);
    const std::vector<syntax::Truth> truths = on_amd_by_conditions(text, file.language, offsets);
    for (std::size_t i = 0; i < truths.size(); ++i) file.places[i].on_amd = truths[i];
  }
  buffer = std::move(read.text.bytes);
}

}  // namespace hipwright::lint::like
