// Reads the tensors of objects with one wait per device, and makes tensors of what was read.
#include "train/host_copy.h"

#include <algorithm>

#include "base/fail.h"
#include "tessera/host.h"
#include "tessera/quant.h"

namespace tessera::train {

std::shared_ptr<HostCopy> HostCopy::start(const Saved& objects) {
  const std::shared_ptr<HostCopy> copy(new HostCopy());
  std::vector<std::vector<Tensor>> tensors;  // as items_
  for (const auto& [name, object] : objects) {
    copy->items_.emplace_back();
    tensors.emplace_back();
    nn::visit(*object, [&](const nn::Field& field) {
      const Tensor& t = field.tensor;
      copy->items_.back().push_back({field.name, t.dtype(), t.shape(), t.device()});
      tensors.back().push_back(t);
    });
  }
  std::vector<Device> devices;
  std::vector<std::vector<Tensor>> of_device;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (std::size_t k = 0; k < tensors[i].size(); ++k) {
      Item& item = copy->items_[i][k];
      if (is_block(item.dtype)) {
        copy->blocks_.push_back({&item, read_blocks(tensors[i][k])});
        continue;
      }
      const auto at = static_cast<std::size_t>(std::ranges::find(devices, item.device) - devices.begin());
      if (at == devices.size()) {
        devices.push_back(item.device);
        of_device.emplace_back();
        copy->readings_.emplace_back();
      }
      of_device[at].push_back(std::move(tensors[i][k]));
      copy->readings_[at].items.push_back(&item);
    }
  }
  for (std::size_t d = 0; d < devices.size(); ++d) copy->readings_[d].bytes = read_all(of_device[d]);
  return copy;
}

bool HostCopy::ready() const {
  const auto has_arrived = [](const auto& bytes, const Device& device) {
    if (!bytes.ready()) poll(device);
    return bytes.ready();
  };
  return std::ranges::all_of(readings_,
                             [&](const Reading& r) { return has_arrived(r.bytes, r.items.front()->device); }) &&
         std::ranges::all_of(blocks_, [&](const BlocksReading& b) { return has_arrived(b.bytes, b.item->device); });
}

void HostCopy::wait() {
  const auto attempt = [this](const auto& take) {
    try {
      take();
    } catch (...) {
      if (failed_ == nullptr) failed_ = std::current_exception();
    }
  };
  for (Reading& r : readings_) {
    attempt([&] {
      std::vector<std::vector<std::byte>> bytes = r.bytes.get();
      for (std::size_t i = 0; i < r.items.size(); ++i) r.items[i]->bytes = std::move(bytes[i]);
    });
  }
  for (BlocksReading& b : blocks_) {
    attempt([&] { b.item->bytes = b.bytes.get(); });
  }
  readings_.clear();
  blocks_.clear();
  if (failed_ != nullptr) std::rethrow_exception(failed_);
}

void HostCopy::restore(const Saved& objects) const {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::size_t k = 0;
    nn::visit(*objects[i].second, [&](const nn::Field& field) {
      if (i >= items_.size() || k >= items_[i].size() || items_[i][k].name != field.name) {
        fail(ErrorKind::kValue,
             "Trainer: the tensor '{}' of '{}' was not there when its state was copied to the host; objects keep their "
             "tensors during fit().",
             field.name, objects[i].first);
      }
      const Item& item = items_[i][k++];
      field.tensor = from_host({item.bytes, shared_from_this(), false}, item.dtype, item.shape, item.device);
    });
  }
}

}  // namespace tessera::train
