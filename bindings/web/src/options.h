// Options of modules and optimizers as JavaScript sends them: an object as JSON, read by name into fields of C++.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <tessera/conv.h>
#include <tessera/optim.h>

namespace tessera::web {

class Options {
 public:
  using Json = nlohmann::json;
  Options(std::string kind, Json given) : kind_(std::move(kind)), given_(std::move(given)) {}

  /// A field that keeps its value if the option is not given.
  template <class T>
  void operator()(const char* name, T& field) {
    known_.emplace_back(name);
    if (given_.contains(name)) read(name, given_[name], field);
  }
  /// An option that must be given.
  template <class T>
  T get(const char* name) {
    known_.emplace_back(name);
    T value{};
    read(name, given_.contains(name) ? given_[name] : Json(), value);
    return value;
  }
  /// Error of kind value for an option that was not read.
  void finish() const;

 private:
  [[noreturn]] void wrong(const char* name, const Json& value, const char* expected) const;
  void read(const char* name, const Json& json, double& out) const;
  void read(const char* name, const Json& json, bool& out) const;
  void read(const char* name, const Json& json, std::int64_t& out) const;
  void read(const char* name, const Json& json, std::vector<std::int64_t>& out) const;  // or one number
  void read(const char* name, const Json& json, std::vector<std::string>& out) const;
  void read(const char* name, const Json& json, std::pair<double, double>& out) const;
  void read(const char* name, const Json& json, PerAxis& out) const;
  void read(const char* name, const Json& json, Padding& out) const;
  void read(const char* name, const Json& json, optim::Rate& out) const;  // a number or a schedule
  template <class T>
  void read(const char* name, const Json& json, std::optional<T>& out) const {
    out.reset();
    if (!json.is_null()) read(name, json, out.emplace());
  }

  std::string kind_;
  Json given_;
  std::vector<std::string> known_;
};

}  // namespace tessera::web
