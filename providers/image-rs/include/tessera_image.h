// The C ABI of the library tessera_image: PNG and JPEG files. Both sides of the boundary follow this file.
#ifndef TESSERA_IMAGE_H_
#define TESSERA_IMAGE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// All functions may be called from any thread, and none lets a panic out.
typedef enum TesseraImageStatus {
  TesseraImageStatus_Ok = 0,
  TesseraImageStatus_Parse = 1,        // a file that is not valid, or truncated
  TesseraImageStatus_Value = 2,        // pixels that cannot be a file
  TesseraImageStatus_Limit = 3,        // an image that takes more bytes than allowed, or more than there are
  TesseraImageStatus_Unsupported = 4,  // a variant of JPEG that the library does not have
  TesseraImageStatus_Internal = 5,     // a panic
  TesseraImageStatus_Force32 = 0x7FFFFFFF
} TesseraImageStatus;

/// What a function returned; released by tesseraImageRelease.
typedef struct TesseraImageResult {
  TesseraImageStatus status;
  const char* text;  // what is wrong, in UTF-8
  size_t textSize;
  const uint8_t* data;  // the pixels, row by row with the channels fastest; or a file
  size_t size;
  uint32_t width;
  uint32_t height;
  uint32_t channels;  // 1: gray, 3: RGB, 4: RGB and alpha
} TesseraImageResult;

void tesseraImageRelease(TesseraImageResult* result);
/// "0.1.0 (png 0.18.1, zune-jpeg 0.5.15)"; zero-terminated, and not released.
const char* tesseraImageVersion(void);

/// The pixels of a PNG or JPEG file, 8 bits each: palettes are looked up, 16 bits lose the lower 8, and CMYK is
/// converted. `maxBytes` is the most that the pixels may take.
TesseraImageResult* tesseraImageDecode(const uint8_t* file, size_t size, size_t maxBytes);
/// A PNG file of pixels, which are width * height * channels bytes.
TesseraImageResult* tesseraImageEncodePng(const uint8_t* pixels, size_t size, uint32_t width, uint32_t height,
                                          uint32_t channels);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TESSERA_IMAGE_H_
