// PNG and JPEG by the library tessera_image, which is loaded at the first use; its results become arrays and errors.
#include <memory>
#include <optional>
#include <string_view>

#include <tessera_image.h>

#include "base/fail.h"
#include "base/os/own_library.h"
#include "data/image_files.h"

namespace tessera::data {

namespace {

struct Functions {
  decltype(&::tesseraImageRelease) release = nullptr;
  decltype(&::tesseraImageVersion) version = nullptr;
  decltype(&::tesseraImageDecode) decode = nullptr;
  decltype(&::tesseraImageEncodePng) encode_png = nullptr;
};

struct Loaded {
  Functions functions;
  ImageLibrary info;
};

Loaded load() {
  const LoadedOwnLibrary library(
      {.name = "tessera_image", .variable = "TESSERA_IMAGE_LIBRARY", .what = "image", .purpose = "PNG and JPEG files"});
  Loaded out;
  out.info.path = library.path();
  library.take(out.functions.release, "tesseraImageRelease");
  library.take(out.functions.version, "tesseraImageVersion");
  library.take(out.functions.decode, "tesseraImageDecode");
  library.take(out.functions.encode_png, "tesseraImageEncodePng");
  out.info.version = out.functions.version();
  return out;
}

const LoadOutcome<Loaded>& outcome() { return load_once(load); }

const Functions& functions() {
  const LoadOutcome<Loaded>& all = outcome();
  if (all.error) throw Error(*all.error);
  return all.loaded->functions;
}

using Result = std::shared_ptr<const TesseraImageResult>;

/// Owns what a function returned. Where that is an error, throws it.
Result checked(TesseraImageResult* result, std::string_view what) {
  Result owned(result, [](const TesseraImageResult* r) {
    functions().release(const_cast<TesseraImageResult*>(r));  // what the library made
  });
  const std::string_view text(owned->text, owned->textSize);
  switch (owned->status) {
    case TesseraImageStatus_Ok:
      return owned;
    case TesseraImageStatus_Parse:
      fail(ErrorKind::kParse, "{} is not valid: {}.", what, text);
    case TesseraImageStatus_Value:
      fail(ErrorKind::kValue, "{}: {}.", what, text);
    case TesseraImageStatus_Limit:
      fail(ErrorKind::kLimit, "{} is too large: {}.", what, text);
    case TesseraImageStatus_Unsupported:
      fail(ErrorKind::kUnsupported, "{} cannot be read: {}.", what, text);
    default:
      fail(ErrorKind::kParse, "{} is not valid: the library tessera_image failed: {}.", what, text);
  }
}

HostView view_of(const Result& result) {
  return {.bytes = std::as_bytes(std::span(result->data, result->size)), .owner = result, .shared = false};
}

}  // namespace

ImageLibrary image_library() {
  const LoadOutcome<Loaded>& all = outcome();
  if (all.error) return {.path = {}, .version = {}, .error = all.error->what()};
  return all.loaded->info;
}

Pixels decode_by_library(std::span<const std::byte> file, const std::string& what, std::uint64_t max_bytes) {
  const Result result = checked(functions().decode(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(),
                                                   static_cast<std::size_t>(max_bytes)),
                                what);
  return {.bytes = view_of(result), .height = result->height, .width = result->width, .channels = result->channels};
}

HostView encode_png(const Pixels& pixels) {
  const std::span<const std::byte> bytes = pixels.bytes.bytes;
  return view_of(checked(
      functions().encode_png(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                             static_cast<std::uint32_t>(pixels.width), static_cast<std::uint32_t>(pixels.height),
                             static_cast<std::uint32_t>(pixels.channels)),
      "save_png"));
}

}  // namespace tessera::data
