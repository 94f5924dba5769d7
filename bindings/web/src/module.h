// What the module's files share: errors and text for JavaScript, and its device.
#pragma once

#include <exception>
#include <string>

#include <tessera/device.h>

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
/// Text that JavaScript frees.
char* text_for_js(const std::string& text);
/// The device of init(), on which tensors are.
const Device& main_device();

}  // namespace tessera::web
