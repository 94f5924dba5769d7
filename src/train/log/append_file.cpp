// Appends records to a file.
#include "train/log/append_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/os/files.h"

namespace tessera::train {

namespace fs = std::filesystem;

AppendFile::AppendFile(fs::path path) : path_(std::move(path)) {
  if (path_.has_parent_path()) os::make_folders(path_.parent_path());
  open();
}

void AppendFile::open() {
  errno = 0;
  out_.open(path_, std::ios::binary | std::ios::app);
  std::error_code error;
  if (out_.is_open()) size_ = fs::file_size(path_, error);
  if (!out_.is_open() || error) {
    out_.close();
    fail(ErrorKind::kIo, "'{}' cannot be written: {}.", path_.string(),
         error ? error.message() : std::generic_category().message(errno));
  }
}

void AppendFile::append(std::string_view record) {
  if (!out_.is_open()) open();
  errno = 0;
  out_.write(record.data(), static_cast<std::streamsize>(record.size()));
  out_.flush();
  if (out_) {
    size_ += record.size();
    return;
  }
  const std::string why = std::generic_category().message(errno);
  out_.close();
  out_.clear();
  std::error_code error;
  fs::resize_file(path_, size_, error);  // without the part of the record
  fail(ErrorKind::kIo, "'{}' cannot be written: {}.", path_.string(), why);
}

}  // namespace tessera::train
