// Folders of images as data sets: one folder per class, decoded when they are loaded.
#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/ranges.h>

#include "base/fail.h"
#include "base/os/files.h"
#include "tessera/data/image.h"
#include "tessera/data/sources.h"

namespace tessera::data {

namespace fs = std::filesystem;

namespace {

struct ImageFile {
  fs::path path;
  std::int32_t label;
};

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

[[noreturn]] void fail_to_list(const fs::path& folder, const std::error_code& error) {
  fail(ErrorKind::kIo, "from_image_folder: the folder '{}' cannot be read: {}.", folder.string(), error.message());
}

/// The folders right below one, by name.
std::vector<fs::path> folders_of(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code none;
    if (at->is_directory(none) && !is_hidden(at->path())) folders.push_back(at->path());
  }
  if (error) fail_to_list(folder, error);
  std::ranges::sort(folders, {}, [](const fs::path& p) { return p.filename().string(); });
  return folders;
}

/// The images of a folder and the folders in it, by name.
std::vector<fs::path> images_of(const fs::path& folder, const std::vector<std::string>& extensions) {
  std::vector<fs::path> images;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code none;
    if (is_hidden(at->path())) {
      if (at->is_directory(none)) at.disable_recursion_pending();
      continue;
    }
    if (at->is_regular_file(none) &&
        std::ranges::find(extensions, lower(at->path().extension().string())) != extensions.end()) {
      images.push_back(at->path());
    }
  }
  if (error) fail_to_list(folder, error);
  std::ranges::sort(images, {}, [](const fs::path& p) { return p.string(); });
  return images;
}

class ImageFolder final : public Dataset {
 public:
  ImageFolder(const fs::path& folder, ImageFolderOptions options) : channels_(options.channels) {
    if (channels_ != 0 && channels_ != 1 && channels_ != 3 && channels_ != 4) {
      fail(ErrorKind::kValue, "from_image_folder: {} channels were given; 0, 1, 3 or 4 are expected.", channels_);
    }
    for (std::string& extension : options.extensions) extension = lower(std::move(extension));
    for (const fs::path& of_class : folders_of(folder)) {
      const auto label = static_cast<std::int32_t>(classes_.size());
      classes_.push_back(of_class.filename().string());
      for (fs::path& image : images_of(of_class, options.extensions)) files_.push_back({std::move(image), label});
    }
    if (files_.empty()) {
      fail(ErrorKind::kValue,
           "from_image_folder: there are no images below the {} folders in '{}'; one folder per class with files of {} "
           "is expected.",
           classes_.size(), folder.string(), fmt::join(options.extensions, ", "));
    }
  }

  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(files_.size()); }

  [[nodiscard]] Sample get(std::int64_t i) const override {
    const ImageFile& file = files_[static_cast<std::size_t>(i)];
    const std::optional<std::string> bytes = os::read_file(file.path);
    if (!bytes) fail(ErrorKind::kIo, "'{}' cannot be opened.", file.path.string());
    return {{"image", decode_image(std::as_bytes(std::span(*bytes)), file.path.string(), {.channels = channels_})},
            {"label", file.label}};
  }

  [[nodiscard]] std::string name(std::int64_t i) const override {
    return files_[static_cast<std::size_t>(i)].path.string();
  }

  [[nodiscard]] Classes classes() const override { return {{"label", classes_}}; }

 private:
  std::vector<ImageFile> files_;
  std::vector<std::string> classes_;
  int channels_;
};

}  // namespace

DatasetPtr from_image_folder(const fs::path& folder, const ImageFolderOptions& options) {
  return std::make_shared<const ImageFolder>(folder, options);
}

}  // namespace tessera::data
