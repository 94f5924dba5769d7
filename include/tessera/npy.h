// NumPy's files: npy, one array, and npz, arrays by name.
#pragma once

#include <filesystem>

#include "tessera/device.h"
#include "tessera/export.h"
#include "tessera/load_options.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace io {

/// Reads a npy file of versions 1 to 3, in either order of bytes and of axes. The CPU backend uses the mapped bytes in
/// place where it can. Error of kind io if the file cannot be mapped, of kind parse if it is not a valid npy file of
/// bool, integers, f16 to f64 or complex elements, of kind unsupported for a dtype that the device does not have.
Tensor load_npy(const std::filesystem::path& path, const Device& device = {});

/// Reads the arrays of a npz file, stored (np.savez) or deflated (np.savez_compressed). Names are sorted as by
/// load_safetensors. Errors are those of load_npy and name the array; also of kind parse for a checksum that differs,
/// and for names that no Tree can have ("a" beside "a.b").
Tree load_npz(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace io
}  // namespace tessera
