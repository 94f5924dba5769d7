// An LRU cache: a map of bounded size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tessera {

/// Holds at most `capacity` entries. An insertion past it evicts the least recently used half, so the cost of the
/// search is amortized over many insertions.
template <class Value, class Key = std::string, class Hash = std::hash<Key>, class Equal = std::equal_to<>>
class LruCache {
 public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  /// The value of a key, which becomes the most recently used; null if there is none.
  template <class View = Key>
  Value* find(const View& key) {
    const auto it = entries_.find(key);
    if (it == entries_.end()) return nullptr;
    it->second.used = ++now_;
    return &it->second.value;
  }
  /// The existing value, or else this one. Evicted values are moved to `evicted`, if given: a value that may own the
  /// user's objects must not be destroyed under a lock.
  Value& put(Key key, Value value, std::vector<Value>* evicted = nullptr) {
    if (Value* known = find(key)) return *known;
    if (entries_.size() >= capacity_) evict_half(evicted);
    return entries_.emplace(std::move(key), Entry{std::move(value), ++now_}).first->second.value;
  }
  void erase(const Key& key) { entries_.erase(key); }
  /// Erases the entries for which `test(key, value)` is true.
  template <class Test>
  void erase_if(const Test& test) {
    std::erase_if(entries_, [&](const auto& e) { return test(e.first, e.second.value); });
  }
  void clear(std::vector<Value>* evicted = nullptr) {
    if (evicted != nullptr) {
      for (auto& [key, entry] : entries_) evicted->push_back(std::move(entry.value));
    }
    entries_.clear();
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Value value;
    std::uint64_t used;
  };

  void evict_half(std::vector<Value>* evicted) {
    std::vector<std::uint64_t> times;
    times.reserve(entries_.size());
    for (const auto& [key, entry] : entries_) times.push_back(entry.used);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    for (auto it = entries_.begin(); it != entries_.end();) {
      if (it->second.used >= *middle) {
        ++it;
        continue;
      }
      if (evicted != nullptr) evicted->push_back(std::move(it->second.value));
      it = entries_.erase(it);
    }
  }

  std::size_t capacity_;
  std::uint64_t now_ = 0;
  std::unordered_map<Key, Entry, Hash, Equal> entries_;
};

}  // namespace tessera
