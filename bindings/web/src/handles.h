// Tensors by number, as JavaScript holds them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tessera/tensor.h>
#include <tessera/tree.h>

namespace tessera::web {

/// A number for a tensor; it lives until release().
std::int32_t keep(Tensor tensor);
/// Error of kind value where the number stands for none: it was disposed.
const Tensor& tensor_of(std::int32_t number);
std::vector<Tensor> tensors_of(std::span<const std::int32_t> numbers);
/// The tensors of these numbers, each with a name.
std::vector<Tree::Named> named_of(const std::vector<std::string>& names, std::span<const std::int32_t> numbers);
void release(std::int32_t number);
/// How many there are.
std::int64_t live();

}  // namespace tessera::web
