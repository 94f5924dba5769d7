// What the module's files share: errors and text for JavaScript, and its device.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include <tessera/device.h>
#include <tessera/tensor.h>

extern "C" {
/// A piece of the i-th of a promise's lists of bytes, which has `total`: at a pointer, or in an object of WebGPU.
void tessera_js_piece(std::int32_t promise, std::int32_t i, double total, double at, const void* host,
                      std::int32_t object, double offset, double size);
/// Resolves a promise with what its pieces make, or rejects it with tessera_error().
void tessera_js_read(std::int32_t promise, std::int32_t ok);
}

namespace tessera::web {

/// For tessera_error().
void keep_error(const std::exception_ptr& failure);
/// The device of init(), on which tensors are.
const Device& main_device();

std::span<const std::int32_t> numbers(const std::int32_t* first, std::int32_t count);
/// Puts the numbers of tensors into the room that JavaScript has for them; how many there are.
std::int32_t give(std::vector<Tensor> tensors, std::int32_t* out);
/// Calls a function of JavaScript with tensors.
std::vector<Tensor> call_function(std::int32_t function, const std::vector<Tensor>& arguments);

}  // namespace tessera::web
