// Augmentation of batches of images for Python.
#include <nanobind/stl/vector.h>
#include <tessera/data/augment.h>

#include "call.h"

namespace tessera::python {

namespace {

ImageLayout layout_of(bool channels_last) {
  return channels_last ? ImageLayout::kChannelsLast : ImageLayout::kChannelsFirst;
}

data::BoxOptions box_from(const std::vector<double>& area, const std::vector<double>& ratio, const char* what) {
  if (area.size() != 2 || ratio.size() != 2) {
    raise(PyExc_ValueError, std::string(what) + ": " + std::to_string(area.size()) + " areas and " +
                                std::to_string(ratio.size()) + " ratios were given; two of each are expected.");
  }
  return {.min_area = area[0], .max_area = area[1], .min_ratio = ratio[0], .max_ratio = ratio[1]};
}

}  // namespace

void bind_data_augment(nb::module_& m) {
  m.def("_augment_normalize", [](nb::handle x, nb::handle mean, nb::handle deviation, bool last) {
    Call call("normalize");
    const Tensor images = call.get<Tensor>(x, "images");
    return give(data::normalize(images, call.get<std::vector<double>>(mean, "mean"),
                                call.get<std::vector<double>>(deviation, "deviation"), layout_of(last)));
  });
  m.def("_augment_resize", [](nb::handle x, std::int64_t height, std::int64_t width, nb::handle mode, bool last) {
    Call call("resize");
    const Tensor images = call.get<Tensor>(x, "images");
    const auto how = call.choose<InterpolationMode>(mode, "mode", {"nearest", "linear", "cubic"});
    return give(data::resize(images, height, width, how, layout_of(last)));
  });
  m.def("_augment_crop",
        [](nb::handle x, nb::handle tops, nb::handle lefts, std::int64_t height, std::int64_t width, bool last) {
          Call call("crop");
          const Tensor images = call.get<Tensor>(x, "images");
          return give(data::crop(images, call.get<Tensor>(tops, "tops"), call.get<Tensor>(lefts, "lefts"), height,
                                 width, layout_of(last)));
        });
  m.def("_augment_center_crop", [](nb::handle x, std::int64_t height, std::int64_t width, bool last) {
    return give(data::center_crop(Call("center_crop").get<Tensor>(x, "images"), height, width, layout_of(last)));
  });
  m.def("_augment_random_crop",
        [](nb::handle x, std::int64_t height, std::int64_t width, std::int64_t padding, bool last) {
          return give(
              data::random_crop(Call("random_crop").get<Tensor>(x, "images"), height, width, padding, layout_of(last)));
        });
  m.def("_augment_resized_crop",
        [](nb::handle x, nb::handle boxes, std::int64_t height, std::int64_t width, bool last) {
          Call call("resized_crop");
          const Tensor images = call.get<Tensor>(x, "images");
          return give(data::resized_crop(images, call.get<Tensor>(boxes, "boxes"), height, width, layout_of(last)));
        });
  m.def("_augment_random_resized_crop",
        [](nb::handle x, std::int64_t height, std::int64_t width, const std::vector<double>& area,
           const std::vector<double>& ratio, bool last) {
          return give(data::random_resized_crop(Call("random_resized_crop").get<Tensor>(x, "images"), height, width,
                                                box_from(area, ratio, "random_resized_crop"), layout_of(last)));
        });
  m.def("_augment_random_flip", [](nb::handle x, double horizontal, double vertical, bool last) {
    return give(data::random_flip(Call("random_flip").get<Tensor>(x, "images"), horizontal, vertical, layout_of(last)));
  });
  m.def("_augment_rotate", [](nb::handle x, nb::handle degrees, bool last) {
    Call call("rotate");
    const Tensor images = call.get<Tensor>(x, "images");
    return give(data::rotate(images, call.get<Tensor>(degrees, "degrees"), layout_of(last)));
  });
  m.def("_augment_random_rotate", [](nb::handle x, double degrees, bool last) {
    return give(data::random_rotate(Call("random_rotate").get<Tensor>(x, "images"), degrees, layout_of(last)));
  });
  m.def("_augment_cutout", [](nb::handle x, std::int64_t size, double value, bool last) {
    return give(data::cutout(Call("cutout").get<Tensor>(x, "images"), size, value, layout_of(last)));
  });
  m.def("_augment_random_erase", [](nb::handle x, double probability, const std::vector<double>& area,
                                    const std::vector<double>& ratio, double value, bool last) {
    const data::EraseOptions options{
        .probability = probability, .box = box_from(area, ratio, "random_erase"), .value = value};
    return give(data::random_erase(Call("random_erase").get<Tensor>(x, "images"), options, layout_of(last)));
  });
  m.def("_augment_mixup", [](nb::handle x, nb::handle labels, double alpha) {
    Call call("mixup");
    const Tensor images = call.get<Tensor>(x, "images");
    auto [mixed, mixed_labels] = data::mixup(images, call.get<Tensor>(labels, "labels"), alpha);
    return nb::make_tuple(give(std::move(mixed)), give(std::move(mixed_labels)));
  });
}

}  // namespace tessera::python
