// SPDX-License-Identifier: MIT
// Resolves type names in a source from its own text and the headers beside it: typedefs, using,
// enums, structs, macros. No compiler is involved.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "syntax/cuda/file.h"

namespace hipwright::verify {

// "f32" for "float"; empty: not a type of specs.
std::string_view type_of(std::string_view spelled);

struct Parameter {
  std::string name, spelled;  // "float", without const, *, __restrict__
  int pointers = 0;           // "float*" has one
  bool is_const = false;      // the value, or what it points to
  bool is_plain = true;       // not a template instance, reference or function
  bool is_pack = false;       // a parameter pack

  bool is_pointer() const { return pointers > 0; }
};

struct Member {
  std::string name;
  std::string_view type;  // "f32"
};

struct Meaning {
  enum class Kind { kNumber, kVector, kStruct, kVoid, kUnknown } kind = Kind::kUnknown;
  std::string_view type;  // of a number, and of the elements of a vector
  std::string spelled;    // without aliases: "float", "float4", "Params"
  int pointers = 0, lanes = 1;
  bool is_enum = false;
  // Of a struct or vector, in order; empty: unknown, or not all plain numbers.
  std::vector<Member> members;
};

// A source and the headers beside it that it includes.
class Sources {
 public:
  static Result<Sources> read(const std::filesystem::path& source);

  struct Unit {
    std::filesystem::path path;
    std::string text;
    std::unique_ptr<syntax::cuda::File> file;
  };
  // The source itself comes first.
  const std::vector<std::unique_ptr<Unit>>& units() const { return units_; }

  // `given`: the values of template parameters.
  Meaning meaning_of(const Parameter& parameter,
                     const std::map<std::string_view, std::string>& given = {}) const;
  std::vector<Parameter> parameters_of(const Unit& unit,
                                       const syntax::cuda::Function& function) const;

 private:
  struct Alias {
    std::string spelled;
    int pointers = 0;
    bool is_enum = false;
  };
  // Without aliases, so that numbers are known.
  Meaning resolved(const Parameter& parameter,
                   const std::map<std::string_view, std::string>& given) const;
  void learn(const syntax::cuda::File& file);
  void learn_typedef(const syntax::cuda::File& file, syntax::cuda::TokenRange range);
  void learn_struct(const syntax::cuda::File& file, const std::string& name,
                    syntax::cuda::TokenIndex open);
  Parameter parameter_of(const syntax::cuda::File& file, syntax::cuda::TokenRange range) const;
  bool is_nothing(std::string_view word) const;

  std::vector<std::unique_ptr<Unit>> units_;
  std::map<std::string, Alias, std::less<>> aliases_;
  std::map<std::string, std::vector<Parameter>, std::less<>> structs_;  // their members
};

// "outer::inner::" for a function in these namespaces; anonymous ones are left out.
std::string namespaces_of(const syntax::cuda::File& file, syntax::cuda::TokenIndex token);

}  // namespace hipwright::verify
