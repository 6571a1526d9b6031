// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

// NVRTC's options as those of hiprtc, which are clang's. An architecture is dropped: hiprtc
// compiles for the current device.
class rtc_options {
 public:
  rtc_options(int count, const char* const* options)
      : words_(new const char*[3 * static_cast<unsigned>(count > 0 ? count : 0) + 1]), count_(0) {
    for (int i = 0; i < count; ++i)
      if (add(options[i], i + 1 < count ? options[i + 1] : nullptr)) ++i;
  }
  rtc_options(const rtc_options&) = delete;
  rtc_options& operator=(const rtc_options&) = delete;
  ~rtc_options() { delete[] words_; }

  const char** words() { return words_; }
  int count() const { return count_; }

 private:
  struct rule {
    const char* name;  // without dashes
    bool has_value;    // behind '=', or in the next option
    bool keeps_value;
    const char* now[3];
  };

  static const rule* rules() {
    static const rule all[] = {
        {"use_fast_math",
         false,
         false,
         {"-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt",
          "-fgpu-approx-transcendentals"}},
        {"gpu-architecture", true, false, {}},
        {"arch", true, false, {}},
        {"maxrregcount", true, false, {}},
        {"diag-suppress", true, false, {}},
        {"diag-warn", true, false, {}},
        {"diag-error", true, false, {}},
        {"split-compile", true, false, {}},
        {"dopt", true, false, {}},
        {"include-path", true, true, {"-I"}},
        {"pre-include", true, true, {"-include"}},
        {"define-macro", true, true, {"-D"}},
        {"undefine-macro", true, true, {"-U"}},
        {"ftz=true", false, false, {"-fgpu-flush-denormals-to-zero"}},
        {"ftz=false", false, false, {"-fno-gpu-flush-denormals-to-zero"}},
        {"fmad=false", false, false, {"-ffp-contract=off"}},
        {"fmad=true", false, false, {}},
        {"prec-div=true", false, false, {"-fhip-fp32-correctly-rounded-divide-sqrt"}},
        {"prec-sqrt=true", false, false, {"-fhip-fp32-correctly-rounded-divide-sqrt"}},
        {"prec-div=false", false, false, {}},
        {"prec-sqrt=false", false, false, {}},
        {"relocatable-device-code=true", false, false, {"-fgpu-rdc"}},
        {"rdc=true", false, false, {"-fgpu-rdc"}},
        {"relocatable-device-code=false", false, false, {}},
        {"rdc=false", false, false, {}},
        {"generate-line-info", false, false, {"-gline-tables-only"}},
        {"lineinfo", false, false, {"-gline-tables-only"}},
        {"device-debug", false, false, {"-g", "-O0"}},
        {"G", false, false, {"-g", "-O0"}},
        {"disable-warnings", false, false, {"-w"}},
        {"restrict", false, false, {}},
        {"extra-device-vectorization", false, false, {}},
        {nullptr, false, false, {}}};
    return all;
  }

  // Does it take the next option along?
  bool add(const char* option, const char* next) {
    for (const rule* each = rules(); each->name != nullptr; ++each) {
      const char* rest = behind(option, *each);
      if (rest == nullptr) continue;
      for (const char* word : each->now)
        if (word != nullptr) words_[count_++] = word;
      const bool takes_next = each->has_value && *rest != '=' && next != nullptr;
      if (each->keeps_value) words_[count_++] = takes_next ? next : *rest == '=' ? rest + 1 : rest;
      return takes_next;
    }
    words_[count_++] = option;
    return false;
  }

  // What follows the name in the option; null if it is another one.
  static const char* behind(const char* option, const rule& of) {
    if (option == nullptr || *option != '-') return nullptr;
    option += option[1] == '-' ? 2 : 1;
    const char* name = of.name;
    while (*name != '\0' && *option == *name) ++option, ++name;
    const bool is_end = *option == '\0' || (of.has_value && *option == '=');
    return *name == '\0' && is_end ? option : nullptr;
  }

  const char** words_;
  int count_;
};

// hiprtcCompileProgram with NVRTC's options.
template <class Compile, class Program>
inline auto compile_program(Compile compile, Program program, int count, const char* const* options)
    -> decltype(compile(program, count, static_cast<const char**>(nullptr))) {
  rtc_options translated(count, options);
  return compile(program, translated.count(), translated.words());
}

}  // namespace hip_compat
