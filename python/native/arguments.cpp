// SPDX-License-Identifier: MIT
#include "arguments.h"

#include <cxxabi.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace hipwright::python {

namespace {

enum class Form { kUnknown, kPointer, kSigned, kUnsigned, kFloat };

struct Type {
  const char* name;
  Form form;
  std::size_t size;
};
constexpr Type kTypes[] = {
    {"bool", Form::kUnsigned, 1},      {"char", Form::kSigned, 1},
    {"signed char", Form::kSigned, 1}, {"unsigned char", Form::kUnsigned, 1},
    {"short", Form::kSigned, 2},       {"unsigned short", Form::kUnsigned, 2},
    {"int", Form::kSigned, 4},         {"unsigned int", Form::kUnsigned, 4},
    {"long", Form::kSigned, 8},        {"unsigned long", Form::kUnsigned, 8},
    {"long long", Form::kSigned, 8},   {"unsigned long long", Form::kUnsigned, 8},
    {"float", Form::kFloat, 4},        {"double", Form::kFloat, 8},
    {"_Float16", Form::kFloat, 2},
};

Form form_of(const std::string& type) {
  if (!type.empty() && type.back() == '*') return Form::kPointer;
  for (const Type& each : kTypes)
    if (type == each.name) return each.form;
  return Form::kUnknown;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return {};
  std::string result = text;
  std::free(text);
  return result;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// IEEE half, rounded to the nearest, ties to even.
std::uint16_t half_bits(double value) {
  const auto half = static_cast<_Float16>(value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

// Where messages say it is.
std::string place_of(const Kernel& kernel, std::size_t index) {
  return "argument " + std::to_string(index) + " of kernel '" + kernel.name() + "': ";
}

std::size_t write_float(unsigned char* bytes, std::size_t size, double value,
                        const std::string& place) {
  if (size == 8) {
    std::memcpy(bytes, &value, sizeof value);
  } else if (size == 4) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(bytes, &narrow, sizeof narrow);
  } else if (size == 2) {
    const std::uint16_t bits = half_bits(value);
    std::memcpy(bytes, &bits, sizeof bits);
  } else {
    throw nb::type_error(
        (place + "a float for a parameter of " + std::to_string(size) + " bytes").c_str());
  }
  return size;
}

std::size_t write_integer(unsigned char* bytes, std::size_t size, nb::handle value, Form form,
                          const std::string& place) {
  if (size != 1 && size != 2 && size != 4 && size != 8)
    throw nb::type_error(
        (place + "an int for a parameter of " + std::to_string(size) + " bytes").c_str());
  // Two's complement; both ranges where the signature is unknown.
  const int bits = static_cast<int>(8 * size);
  std::uint64_t pattern = 0;
  bool fits = false;
  std::int64_t with_sign = 0;
  std::uint64_t without = 0;
  if (form != Form::kUnsigned && nb::try_cast(value, with_sign, false)) {
    fits = bits == 64 || (with_sign >= -(std::int64_t{1} << (bits - 1)) &&
                          with_sign < std::int64_t{1} << (bits - 1));
    pattern = static_cast<std::uint64_t>(with_sign);
  }
  if (!fits && form != Form::kSigned && nb::try_cast(value, without, false)) {
    fits = bits == 64 || without < std::uint64_t{1} << bits;
    pattern = without;
  }
  if (!fits) {
    const auto shown = nb::cast<std::string>(nb::str(value));
    throw nb::value_error(
        (place + shown + " does not fit in " + std::to_string(bits) + " bits").c_str());
  }
  std::memcpy(bytes, &pattern, size);
  return size;
}

// ctypes and numpy scalars have the buffer protocol or can export their bytes.
std::optional<std::string> bytes_of(nb::handle value) {
  const auto module = nb::cast<std::string>(nb::str(value.type().attr("__module__")));
  const bool is_numpy_scalar = module == "numpy" && nb::hasattr(value, "tobytes") &&
                               nb::hasattr(value, "ndim") && nb::cast<int>(value.attr("ndim")) == 0;
  nb::object bytes;
  if (is_numpy_scalar)
    bytes = value.attr("tobytes")();
  else if (nb::hasattr(value.type(), "from_buffer_copy"))  // ctypes
    bytes = nb::steal(PyBytes_FromObject(value.ptr()));
  if (!bytes.is_valid()) return std::nullopt;
  const auto held = nb::cast<nb::bytes>(bytes);
  return std::string(held.c_str(), held.size());
}

}  // namespace

std::vector<std::string> parameter_types(const std::string& symbol) {
  const std::string text = demangled(symbol);
  if (text.empty() || text.back() != ')') return {};
  // Back to the parenthesis that opens the list: a template's arguments may have others.
  int depth = 0;
  std::size_t open = text.size();
  while (open > 0) {
    const char c = text[--open];
    depth += c == ')' || c == '>' ? 1 : c == '(' || c == '<' ? -1 : 0;
    if (depth == 0) break;
  }
  std::vector<std::string> types;
  std::string current;
  depth = 0;
  for (std::size_t i = open + 1; i + 1 < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (c == ',' && depth == 0) {
      types.push_back(trimmed(current));
      current.clear();
    } else {
      current += c;
    }
  }
  if (!trimmed(current).empty()) types.push_back(trimmed(current));
  return types;
}

Arguments::Arguments(const Kernel& kernel, const Device& device, const nb::args& values) {
  const std::vector<std::size_t> sizes = kernel.argument_sizes();
  std::vector<std::string> types = parameter_types(kernel.symbol());
  if (sizes.size() != values.size())
    throw nb::type_error(("kernel '" + kernel.name() + "' takes " + std::to_string(sizes.size()) +
                          " arguments, got " + std::to_string(values.size()))
                             .c_str());
  if (types.size() != sizes.size()) types.assign(sizes.size(), "");
  scalars_.resize(sizes.size());
  structures_.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const nb::handle value = values[i];
    const std::string place = place_of(kernel, i);
    const Form form = form_of(types[i]);
    unsigned char* bytes = scalars_[i].data();
    if (auto exact = bytes_of(value)) {
      structures_[i] = *std::move(exact);
      list_.push_back({structures_[i].data(), structures_[i].size()});
    } else if (Array::is_array(value)) {
      if (form != Form::kUnknown && form != Form::kPointer)
        throw nb::type_error((place + "an array for a parameter of type " + types[i]).c_str());
      Array array = Array::of(value, "launch", false);
      check_reachable(array, device);
      if (nb::isinstance<Buffer>(value)) buffers_.push_back(nb::cast<const Buffer&>(value).memory);
      std::memcpy(bytes, &array.data, sizeof array.data);
      owners_.push_back(std::move(array.owner));
      list_.push_back({bytes, sizeof(void*)});
    } else if (value.is_none()) {
      if (form != Form::kPointer && form != Form::kUnknown)
        throw nb::type_error((place + "None for a parameter of type " + types[i]).c_str());
      std::memset(bytes, 0, sizeof(void*));
      list_.push_back({bytes, sizeof(void*)});
    } else if (nb::isinstance<nb::float_>(value)) {
      if (form != Form::kFloat && form != Form::kUnknown)
        throw nb::type_error((place + "a float for a parameter of type " + types[i]).c_str());
      list_.push_back({bytes, write_float(bytes, sizes[i], nb::cast<double>(value), place)});
    } else if (nb::isinstance<nb::int_>(value)) {
      if (form == Form::kPointer)
        throw nb::type_error((place + "an int for a parameter of type " + types[i] +
                              "; pass a buffer or an array, or ctypes.c_void_p(address)")
                                 .c_str());
      list_.push_back({bytes, form == Form::kFloat
                                  ? write_float(bytes, sizes[i], nb::cast<double>(value), place)
                                  : write_integer(bytes, sizes[i], value, form, place)});
    } else {
      const auto type = nb::cast<std::string>(nb::str(value.type().attr("__name__")));
      throw nb::type_error((place + "a value of type " + type + " is no kernel argument").c_str());
    }
  }
}

}  // namespace hipwright::python
