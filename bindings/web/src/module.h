// What the module's files share: errors and text for JavaScript, and its device.
#pragma once

#include <exception>
#include <string>

#include <tessera/device.h>

extern "C" {
/// Resolves a promise with the bytes at each place (pointer, size), or rejects it with tessera_error().
void tessera_js_read(std::int32_t promise, std::int32_t ok, const std::uint32_t* places, std::int32_t count);
}

namespace tessera::web {

/// For tessera_error().
void keep_error(const std::exception_ptr& failure);
/// Text that JavaScript frees.
char* text_for_js(const std::string& text);
/// The device of init(), on which tensors are.
const Device& main_device();

}  // namespace tessera::web
