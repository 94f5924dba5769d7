// What providers/web/webgpu.js does for the shim: plain numbers and text, no structs. An object is a number; 0 is none.
#pragma once

#include <cstdint>

extern "C" {

using WebObject = std::int32_t;

// Those marked (*) suspend the program where it was linked with JSPI; elsewhere they answer at once.

/// Whether waiting is possible: the marked ones suspend.
std::int32_t tessera_web_suspends();
void tessera_web_release(WebObject object);

/// (*) Looks for adapters; how many there are.
std::int32_t tessera_web_find_adapters();
WebObject tessera_web_adapter(std::int32_t index);
/// A string of the adapter's info ("vendor", "architecture", "device", "description"), to be freed.
char* tessera_web_info(WebObject adapter, const char* name);
double tessera_web_info_number(WebObject adapter, const char* name);
/// A limit of an adapter or a device; negative: it has none of that name.
double tessera_web_limit(WebObject of, const char* name);
std::int32_t tessera_web_has_feature(WebObject of, const char* name);
/// (*) A device, or 0 and the reason, to be freed. Features with commas between them, limits as a JSON object.
WebObject tessera_web_request_device(WebObject adapter, const char* label, const char* features, const char* limits,
                                     char** why);

WebObject tessera_web_queue(WebObject device);
void tessera_web_destroy_device(WebObject device);
/// (*) Waits until the errors of all calls so far are known: they are events then.
void tessera_web_check(WebObject device);
/// (*) Waits until everything submitted has finished, else for a moment or the next event.
void tessera_web_wait(WebObject device, std::int32_t until_done);

/// The next event of these kinds (a bit for each): kind, callback, both userdata, status, message to be freed.
std::int32_t tessera_web_next_event(WebObject device, std::uint32_t kinds, std::uint32_t* out);

WebObject tessera_web_create_buffer(WebObject device, const char* label, double bytes, std::uint32_t usage);
void tessera_web_map(WebObject buffer, double offset, double bytes, std::uintptr_t callback, std::uintptr_t first,
                     std::uintptr_t second);
void tessera_web_copy_mapped(WebObject buffer, double offset, double bytes, void* to);
void tessera_web_unmap(WebObject buffer);

WebObject tessera_web_create_shader(WebObject device, const char* label, const char* text);
WebObject tessera_web_create_pipeline(WebObject device, const char* label, WebObject layout, WebObject shader,
                                      const char* entry_point);
/// Kinds of bindings, a letter each: w storage, r read-only storage, u uniform with an offset at run time, s without.
WebObject tessera_web_create_group_layout(WebObject device, const char* label, const char* kinds);
WebObject tessera_web_create_pipeline_layout(WebObject device, const char* label, const WebObject* groups,
                                             std::int32_t count);
/// For each entry four numbers: binding, buffer, offset, bytes.
WebObject tessera_web_create_group(WebObject device, WebObject layout, const double* entries, std::int32_t count);
WebObject tessera_web_create_timestamps(WebObject device, std::uint32_t count);

WebObject tessera_web_create_encoder(WebObject device);
WebObject tessera_web_begin_pass(WebObject encoder, const char* label, WebObject timestamps, std::uint32_t begin,
                                 std::uint32_t end);
void tessera_web_set_pipeline(WebObject pass, WebObject pipeline);
void tessera_web_set_group(WebObject pass, std::uint32_t index, WebObject group, std::int32_t has_offset,
                           std::uint32_t offset);
void tessera_web_dispatch(WebObject pass, std::uint32_t x, std::uint32_t y, std::uint32_t z);
void tessera_web_end_pass(WebObject pass);
void tessera_web_clear(WebObject encoder, WebObject buffer, double offset, double bytes);
void tessera_web_copy(WebObject encoder, WebObject from, double from_offset, WebObject to, double to_offset,
                      double bytes);
void tessera_web_resolve(WebObject encoder, WebObject timestamps, std::uint32_t first, std::uint32_t count,
                         WebObject to, double offset);
WebObject tessera_web_finish(WebObject encoder);
void tessera_web_submit(WebObject queue, WebObject commands);
void tessera_web_write(WebObject buffer, double offset, const void* data, double bytes);
void tessera_web_on_done(WebObject queue, std::uintptr_t callback, std::uintptr_t first, std::uintptr_t second);
}
