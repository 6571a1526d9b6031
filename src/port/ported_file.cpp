// SPDX-License-Identifier: MIT
#include "port/ported_file.h"

#include <algorithm>
#include <utility>

#include "port/pass.h"

namespace hipwright::port {

void PortedFile::note(CodeId code) {
  emitted[pass == nullptr ? std::string_view() : pass->name].insert(code);
}

bool PortedFile::change(Change change) {
  const CodeId code = change.code;
  if (!changes.add(std::move(change))) return false;
  note(code);
  return true;
}

void PortedFile::report(CodeId code, Severity severity, Span span, std::string message,
                        std::string why) {
  note(code);
  Diagnostic said;
  said.code = code.text();
  said.severity = severity;
  said.path = source->path();
  said.span = span;
  said.message = std::move(message);
  said.why = std::move(why);
  diagnostics.push_back(std::move(said));
}

void PortedFile::place_diagnostics() {
  if (diagnostics.empty()) return;
  const LineIndex lines(source->text());
  for (Diagnostic& said : diagnostics) said.position = lines.position(said.span.begin);
  std::stable_sort(
      diagnostics.begin(), diagnostics.end(),
      [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
}

}  // namespace hipwright::port
