// Parts of the C++20 library that the browser edition's lacks (libc++ 14).
#pragma once

#include <atomic>
#include <bit>
#include <type_traits>
#include <version>

namespace warpshop {

#ifdef __cpp_lib_bit_cast
using std::bit_cast;
#else
template <typename To, typename From>
constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}
#endif

namespace stand_in {

// What we use of std::atomic_ref, for integers; see there.
template <typename T>
class AtomicRef {
 public:
  static_assert(std::is_integral_v<T>);
  explicit AtomicRef(T& word) : word_(&word) {}
  T load(std::memory_order order = std::memory_order_seq_cst) const {
    return __atomic_load_n(word_, built_in(order));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) const {
    __atomic_store_n(word_, value, built_in(order));
  }
  T fetch_or(T bits, std::memory_order order = std::memory_order_seq_cst) const {
    return __atomic_fetch_or(word_, bits, built_in(order));
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst) const {
    return compare_exchange(expected, desired, true, order);
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst) const {
    return compare_exchange(expected, desired, false, order);
  }

 private:
  static constexpr int built_in(std::memory_order order) { return static_cast<int>(order); }
  bool compare_exchange(T& expected, T desired, bool weak, std::memory_order order) const {
    const int failure = order == std::memory_order_acq_rel   ? __ATOMIC_ACQUIRE
                        : order == std::memory_order_release ? __ATOMIC_RELAXED
                                                             : built_in(order);
    return __atomic_compare_exchange_n(word_, &expected, desired, weak, built_in(order), failure);
  }
  T* word_;
};

}  // namespace stand_in

#ifdef __cpp_lib_atomic_ref
template <typename T>
using AtomicRef = std::atomic_ref<T>;
#else
using stand_in::AtomicRef;
#endif

}  // namespace warpshop
