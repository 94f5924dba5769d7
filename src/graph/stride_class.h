// The part of a stride that programs depend on: whether it is 0, 1 or another number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace tessera {

enum class StrideClass : std::uint8_t { kZero, kOne, kAny };

constexpr StrideClass stride_class(std::int64_t stride) {
  return stride == 0 ? StrideClass::kZero : (stride == 1 ? StrideClass::kOne : StrideClass::kAny);
}

/// '0', '1' or 'n'.
constexpr char letter(StrideClass c) { return "01n"[static_cast<std::size_t>(c)]; }

/// The classes of some strides, outermost first, in one word: plan keys are made of them without an allocation.
class StrideClasses {
 public:
  static constexpr std::size_t kMost = 32;  // dims have a size of two or more

  constexpr StrideClasses() = default;
  constexpr StrideClasses(std::initializer_list<StrideClass> classes) {
    for (const StrideClass c : classes) push_back(c);
  }

  constexpr void push_back(StrideClass c) {
    if (size_ == kMost) fail_full();
    bits_ |= static_cast<std::uint64_t>(c) << (2 * size_++);
  }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr StrideClass operator[](std::size_t i) const {
    return static_cast<StrideClass>(bits_ >> (2 * i) & 3U);
  }
  /// Whether the innermost stride has this class; false without strides.
  [[nodiscard]] constexpr bool ends_with(StrideClass c) const { return size_ != 0 && (*this)[size_ - 1] == c; }
  [[nodiscard]] constexpr bool contains(StrideClass c) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if ((*this)[i] == c) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr bool all_zero() const { return bits_ == 0; }
  /// Appends the letters: "n01".
  void append_to(std::string& text) const;
  friend constexpr bool operator==(const StrideClasses&, const StrideClasses&) = default;

 private:
  [[noreturn]] static void fail_full();

  std::uint64_t bits_ = 0;  // two for each stride
  std::size_t size_ = 0;
};

}  // namespace tessera
