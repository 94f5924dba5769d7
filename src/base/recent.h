// A map that forgets what was not asked for in a long time.
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

/// Keeps at most `most` entries: when one more comes, the half that was not asked for the longest goes, so that the
/// cost is spread over many that are new.
template <class Value, class Key = std::string, class Hash = std::hash<Key>, class Equal = std::equal_to<>>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  /// The value of a key, which counts as used now; null where there is none.
  template <class View = Key>
  Value* find(const View& key) {
    const auto it = entries_.find(key);
    if (it == entries_.end()) return nullptr;
    it->second.used = ++now_;
    return &it->second.value;
  }
  /// The value that is there already, or else this one. What is forgotten for it goes to `forgotten`, if given: under a
  /// lock nothing should be destroyed that may be the user's.
  Value& put(Key key, Value value, std::vector<Value>* forgotten = nullptr) {
    if (Value* known = find(key)) return *known;
    if (entries_.size() >= most_) forget_half(forgotten);
    return entries_.emplace(std::move(key), Entry{std::move(value), ++now_}).first->second.value;
  }
  void erase(const Key& key) { entries_.erase(key); }
  /// Forgets those of which `test(key, value)` is true.
  template <class Test>
  void erase_if(const Test& test) {
    std::erase_if(entries_, [&](const auto& e) { return test(e.first, e.second.value); });
  }
  void clear(std::vector<Value>* forgotten = nullptr) {
    if (forgotten != nullptr) {
      for (auto& [key, entry] : entries_) forgotten->push_back(std::move(entry.value));
    }
    entries_.clear();
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Value value;
    std::uint64_t used;
  };

  void forget_half(std::vector<Value>* forgotten) {
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
      if (forgotten != nullptr) forgotten->push_back(std::move(it->second.value));
      it = entries_.erase(it);
    }
  }

  std::size_t most_;
  std::uint64_t now_ = 0;
  std::unordered_map<Key, Entry, Hash, Equal> entries_;
};

}  // namespace tessera
