// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

// A descriptor in the program's memory for a library that allocates its own: it stores the
// library's handle.
template <class Handle>
class in_place {
 public:
  in_place() : handle_(), destroy_() {}
  in_place(const in_place&) = delete;
  in_place& operator=(const in_place&) = delete;
  ~in_place() { reset(); }

  class address {
   public:
    explicit address(in_place* of) : of_(of) {}
    operator Handle() const { return of_->handle_; }

    template <class Code, class... Created, class... Arguments>  // Status is a macro of X11
    Code create(Code (*make)(Handle*, Created...), Code (*destroy)(Handle),
                Arguments... arguments) const {
      of_->reset();
      const Code status = make(&of_->handle_, arguments...);
      if (of_->handle_ == Handle()) return status;
      of_->destroy_ = reinterpret_cast<void (*)()>(destroy);
      of_->call_ = [](void (*function)(), Handle handle) {
        static_cast<void>(reinterpret_cast<Code (*)(Handle)>(function)(handle));
      };
      return status;
    }

   private:
    in_place* of_;
  };
  address operator&() { return address(this); }

 private:
  void reset() {
    if (destroy_ != nullptr) call_(destroy_, handle_);
    destroy_ = nullptr;
    handle_ = Handle();
  }

  Handle handle_;
  void (*destroy_)();
  void (*call_)(void (*)(), Handle) = nullptr;
};

template <class Make, class Destroy, class Address, class... Arguments>
inline auto create_in_place(Make make, Destroy destroy, Address descriptor, Arguments... arguments)
    -> decltype(descriptor.create(make, destroy, arguments...)) {
  return descriptor.create(make, destroy, arguments...);
}

}  // namespace hip_compat
