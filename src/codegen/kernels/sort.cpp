// Sorting: keys and the access to rows as text, in front of kernels/sort/sort_*.wgsl.
#include "schedule/calls/sort.h"

#include <fmt/format.h>

#include "codegen/kernels/kernel_text.h"
#include "codegen/kernels/parts.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

using ops::SortSource;
using schedule::SortPassVariant;

std::string sort_small_text(const Attributes& variant) {
  const auto v = from_attributes<schedule::SortSmallVariant>(variant);
  const char* pad = size_of(v.dtype) == 8 ? "vec2<u32>(0xffffffffu, 0xffffffffu)" : "0xffffffffu";
  return key_text(v.dtype, v.descending) + row_index("x", v.strided) +
         fmt::format("const slots = {}u;\nconst pad_key = {};\n", v.slots, pad) +
         std::string(kernels::wgsl("sort_small"));
}

std::string load_text(const SortPassVariant& v, bool places) {
  std::string text = key_text(v.dtype, v.source == SortSource::kElementsDown);
  text += size_of(v.dtype) == 8 ? R"(fn digit(key: K) -> u32 {
  return (select(key.x, key.y, params.shift >= 32u) >> (params.shift & 31u)) & 15u;
}
)"
                                : "fn digit(key: K) -> u32 { return (key >> params.shift) & 15u; }\n";
  if (v.quads) {
    text += R"(fn load_keys(row: u32, e: u32) -> Keys {
  if (e >= params.cols) { return Keys(zero_key, zero_key, zero_key, zero_key); }
  let v = x_quads[(row * params.cols + e) >> 2u];
  return Keys(to_key(v.x), to_key(v.y), to_key(v.z), to_key(v.w));
}
)";
  } else {
    text += R"(fn load_key(row: u32, e: u32) -> K {
  if (e >= params.cols) { return zero_key; }
  return to_key(x[row * params.cols + e]);
}
fn load_keys(row: u32, e: u32) -> Keys {
  return Keys(load_key(row, e), load_key(row, e + 1u), load_key(row, e + 2u), load_key(row, e + 3u));
}
)";
  }
  if (!places) return text;
  if (v.source != SortSource::kKeys) {
    return text +
           "fn load_places(row: u32, e: u32) -> vec4<i32> { return vec4<i32>(vec4<u32>(e, e + 1u, e + 2u, e + 3u)); "
           "}\n";
  }
  if (v.quads) {
    return text + R"(fn load_places(row: u32, e: u32) -> vec4<i32> {
  if (e >= params.cols) { return vec4<i32>(); }
  return places_in_quads[(row * params.cols + e) >> 2u];
}
)";
  }
  return text + R"(fn load_place(row: u32, e: u32) -> i32 {
  if (e >= params.cols) { return 0; }
  return places_in[row * params.cols + e];
}
fn load_places(row: u32, e: u32) -> vec4<i32> {
  return vec4<i32>(load_place(row, e), load_place(row, e + 1u), load_place(row, e + 2u), load_place(row, e + 3u));
}
)";
}

/// exchange_keys(to, own, lane): keys in the order of the sorted tile, one word of each at a time.
std::string exchange_text(bool pairs) {
  const char* const words =
      R"(  let {0} = exchange(to, BothWords(vec4<u32>(own.first.a{1}, own.first.b{1}, own.first.c{1}, own.first.d{1}),
      vec4<u32>(own.second.a{1}, own.second.b{1}, own.second.c{1}, own.second.d{1})), lane);
)";
  std::string text = "fn exchange_keys(to: BothWords, own: BothKeys, lane: u32) -> BothKeys {\n";
  if (!pairs) {
    return text + fmt::format(fmt::runtime(words), "w", "") +
           "  return BothKeys(Keys(w.first.x, w.first.y, w.first.z, w.first.w),\n"
           "                  Keys(w.second.x, w.second.y, w.second.z, w.second.w));\n}\n";
  }
  text += fmt::format(fmt::runtime(words), "x", ".x") + fmt::format(fmt::runtime(words), "y", ".y");
  const auto four = [](const char* half) {
    return fmt::format("Keys(K(x.{0}.x, y.{0}.x), K(x.{0}.y, y.{0}.y), K(x.{0}.z, y.{0}.z), K(x.{0}.w, y.{0}.w))",
                       half);
  };
  return text + fmt::format("  return BothKeys({}, {});\n}}\n", four("first"), four("second"));
}

std::string sort_count_text(const Attributes& variant) {
  return load_text(from_attributes<SortPassVariant>(variant), false) + std::string(kernels::wgsl("sort_digits")) +
         std::string(kernels::wgsl("sort_count"));
}

std::string sort_move_text(const Attributes& variant) {
  const auto v = from_attributes<SortPassVariant>(variant);
  std::string text = load_text(v, true);
  text += fmt::format("fn store(i: u32, key: K, place: i32) {{\n  places_out[i] = place;\n{}}}\n",
                      v.last ? "" : "  keys_out[i] = key;\n");
  text += exchange_text(size_of(v.dtype) == 8);
  text += kernels::wgsl("sort_digits");
  text += kernels::wgsl("sort_move");
  return text;
}

std::string searchsorted_text(const Attributes& variant) {
  const auto v = from_attributes<schedule::SearchVariant>(variant);
  return key_text(v.dtype, false) + row_index("sorted", v.strided, 3, "n") + row_index("values", v.strided, 3, "each") +
         main_per_element("count") +
         fmt::format(R"(  let row = i / params.each;
  let key = to_key(values[values_at(row, i - row * params.each)]);
  var low = 0u;
  var high = params.n;
  while (low < high) {{
    let middle = low + ((high - low) >> 1u);
    let other = to_key(sorted[sorted_at(row, middle)]);
    if ({}) {{ low = middle + 1u; }} else {{ high = middle; }}
  }}
  y[i] = i32(low);
}}
)",
                     v.right ? "!before(key, other)" : "before(other, key)");
}

std::string put_in_rows_text(const Attributes& variant) {
  const bool strided = from_attributes<schedule::PutInRowsVariant>(variant).strided;
  return row_index("x", strided) + row_index("at", strided) + main_per_element("count") +
         R"(  let row = i / params.cols;
  let col = i - row * params.cols;
  y[row * params.cols + u32(at[at_at(row, col)])] = x[x_at(row, col)];
}
)";
}

}  // namespace

extern const KernelText kPutInRowsText{"put_in_rows", put_in_rows_text};
extern const KernelText kSortSmallText{"sort_small", sort_small_text};
extern const KernelText kSortCountText{"sort_count", sort_count_text};
extern const KernelText kSortMoveText{"sort_move", sort_move_text};
extern const KernelText kSearchsortedText{"searchsorted", searchsorted_text};

}  // namespace tessera::codegen
