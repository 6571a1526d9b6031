// SPDX-License-Identifier: MIT
#include "lint/like/shape.h"

#include <algorithm>
#include <cmath>

namespace hipwright::lint::like {

namespace {

// Punctuators carry little information, but operators more than brackets.
float weight_of_punct(std::string_view text) {
  if (text == "(" || text == ")" || text == "," || text == "[" || text == "]" || text == "." ||
      text == "{" || text == "}" || text == ":" || text == "::")
    return 0.15F;
  if (text == "=" || text == "->") return 0.3F;
  return 0.8F;
}

struct Limits {
  double least, most;
};

// Bits of information: a word in every second file has one.
double surprise(std::size_t files, const Frequencies& frequencies) {
  // Smoothing for small trees: counts some more files without the word.
  const auto all = static_cast<double>(std::max<std::size_t>(frequencies.files, 200));
  return std::log2((all + 1) / (static_cast<double>(files) + 1));
}

float weight_of_word(const Element& element, std::size_t files, const Frequencies& frequencies) {
  // A word that no other file has cannot distinguish other places.
  if (files <= 1 && !element.is_free) return 1.5F;
  Limits limits{0.8, 8};
  double part = 1;
  if (element.kind == Kind::kKeyword) limits = {0.5, 2.5};
  if (element.kind == Kind::kNumber) limits = {0.8, 5};
  if (element.is_free) {
    limits = {0.6, 2};
    part = 0.5;
  }
  return static_cast<float>(
      std::clamp(surprise(files, frequencies) * part, limits.least, limits.most));
}

// Context far from the change must not outweigh it.
void limit_far(std::vector<Element>& elements) {
  constexpr float kNear = 0.65F, kMost = 0.6F;
  float near = 0, far = 0;
  for (const Element& element : elements) (element.near >= kNear ? near : far) += element.weight;
  if (far <= kMost * near) return;
  for (Element& element : elements)
    if (element.near < kNear) element.weight *= kMost * near / far;
}

float weigh_all(std::vector<Element>& elements, const Frequencies& frequencies,
                const std::function<std::uint32_t(std::string_view key)>& number) {
  // A variable that the fix removed is the bug itself if few files have it.
  constexpr double kDistinctive = 4;
  for (Element& element : elements) {
    element.word = number(element.key);
    if (element.kind == Kind::kBreak) {
      element.weight = 0.2F;
    } else if (element.kind == Kind::kPunct) {
      element.weight = weight_of_punct(element.text);
    } else {
      const std::size_t files = frequencies.of(element.key);
      if (element.is_changed && files >= 2 && surprise(files, frequencies) >= kDistinctive)
        element.is_free = false;
      element.weight = weight_of_word(element, files, frequencies);
    }
    element.weight *= element.near;
    if (element.is_changed) element.weight *= 2;
  }
  limit_far(elements);
  float total = 0;
  for (const Element& element : elements) total += element.weight;
  return total;
}

bool is_word(Kind kind) {
  return kind != Kind::kPunct && kind != Kind::kBreak;
}

// Does the printed pattern need a blank between two tokens?
bool is_apart(const Element& left, const Element& right) {
  static constexpr std::string_view kTightLeft = "([{.~!@", kTightRight = ")]},.;:([";
  if (left.text == "::" || left.text == "->" || right.text == "::" || right.text == "->")
    return false;
  if (left.kind == Kind::kPunct && left.text.size() == 1 && kTightLeft.contains(left.text[0]))
    return false;
  if (right.kind == Kind::kPunct && right.text.size() == 1 && kTightRight.contains(right.text[0]))
    return !is_word(left.kind) && left.text != ")" && left.text != "]" && right.text != ")" &&
           right.text != ",";
  return true;
}

std::string text_of(const std::vector<Element>& elements, bool marks_free) {
  std::string text;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0 && elements[i].kind != Kind::kBreak && is_apart(elements[i - 1], elements[i]))
      text += ' ';
    if (marks_free && elements[i].is_free) text += '$';
    text += elements[i].text;
  }
  return text;
}

}  // namespace

std::vector<std::uint32_t> name_parts(std::string_view name) {
  std::vector<std::uint32_t> parts;
  constexpr std::uint32_t kEmpty = 2166136261U;
  std::uint32_t hash = kEmpty;
  bool was_lower = false;
  const auto finish = [&] {
    if (hash != kEmpty && parts.size() < 12) parts.push_back(hash);
    hash = kEmpty;
  };
  for (const char byte : name) {
    const bool is_upper = byte >= 'A' && byte <= 'Z';
    const bool is_lower = (byte >= 'a' && byte <= 'z') || static_cast<unsigned char>(byte) >= 0x80;
    if ((!is_upper && !is_lower) || (is_upper && was_lower)) finish();
    was_lower = is_lower;
    // Digits end a word and are not part of it: q0 and q1 are alike.
    if (is_upper || is_lower)
      hash = (hash ^ static_cast<unsigned char>(is_upper ? byte + 32 : byte)) * 16777619U;
  }
  finish();
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

void weigh(std::vector<Shape>& shapes, const Frequencies& frequencies,
           const std::function<std::uint32_t(std::string_view key)>& number) {
  for (Shape& shape : shapes) {
    shape.total = weigh_all(shape.before, frequencies, number);
    shape.after_total = weigh_all(shape.after, frequencies, number);
    for (Shape::Nearby& name : shape.nearby) {
      name.word = number(name.key);
      name.weight =
          static_cast<float>(std::clamp(surprise(frequencies.of(name.key), frequencies), 0.0, 8.0));
    }
  }
}

std::string pattern_text(const Shape& shape) {
  return text_of(shape.before, true);
}

std::string plain_text(const std::vector<Element>& elements) {
  return text_of(elements, false);
}

}  // namespace hipwright::lint::like
