#!/usr/bin/env bash
# Bundles the built binaries with their libraries for a headless NVIDIA machine: tools/bundle.sh [build folder].
# Without a folder it builds the preset "bundle" (release without oneDNN) first; the result is build/bundle/.
set -u
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

limit_mib=55
from=${1:-build/bundle-build}
bundle=build/bundle
if (($# == 0)); then
  install_packages build
  build bundle "$from"
fi
[[ -d $from/bin ]] || fail "there is no $from/bin to bundle"

rm -rf "$bundle"
mkdir -p "$bundle/bin" "$bundle/lib/tessera"
for file in "$from"/bin/tessera "$from"/bin/{test,bench,example}_*; do
  if [[ -x $file ]]; then strip -o "$bundle/bin/$(basename "$file")" "$file" || fail "$file could not be stripped"; fi
done

# Everything the binaries link, except the C library, which has to be the machine's own.
own_libc='/(libc|libm|libdl|libpthread|librt|libresolv|libutil|ld-linux[^/]*)\.so'
libraries=$(for file in "$bundle"/bin/*; do ldd "$from/bin/$(basename "$file")"; done |
  awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | grep -vE "$own_libc")
vulkan=$(ldconfig -p | awk '$1 == "libvulkan.so.1" { print $NF; exit }')
for file in $libraries "${vulkan:?libvulkan1 is not installed}"; do
  strip --strip-unneeded -o "$bundle/lib/$(basename "$file")" "$file" || fail "$file could not be copied"
done
for file in "$from"/lib/tessera/*.so; do
  strip --strip-unneeded -o "$bundle/lib/tessera/$(basename "$file")" "$file" || fail "$file could not be copied"
done

# Nothing may be left that only this machine has.
outside=$(LD_LIBRARY_PATH=$root/$bundle/lib ldd "$bundle"/bin/* "$bundle"/lib/*.so* "$bundle"/lib/tessera/*.so |
  awk -v here="$root/$bundle/" '$2 == "=>" && index($3, here) != 1' | grep -vE "$own_libc" | sort -u)
if [[ $outside ]]; then
  echo "$outside" >>"$log"
  fail "the bundle needs libraries that are not inside"
fi

# Without X the Vulkan loader has to be led to NVIDIA's EGL library.
cat >"$bundle/egl.json" <<'JSON'
{"file_format_version":"1.0.1","ICD":{"library_path":"libEGL_nvidia.so.0","api_version":"1.4.312"}}
JSON

cat >"$bundle/go.sh" <<'GO'
#!/bin/sh
# Starts a bundled binary with the bundled libraries: go.sh tessera doctor
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib:/usr/local/nvidia/lib64:/usr/local/nvidia/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export VK_ICD_FILENAMES="$here/egl.json"
program=$1
shift
exec "$here/bin/$program" "$@"
GO
chmod +x "$bundle/go.sh"

bytes=$(du -sb "$bundle" | cut -f1)
say "$bundle: $((bytes / 1024 / 1024)) MiB in $(find "$bundle" -type f | wc -l) files"
if ((bytes > limit_mib * 1024 * 1024)); then
  du -ab "$bundle" | sort -rn | head -n 12 >"$log"
  fail "the bundle is larger than $limit_mib MiB; its largest parts are listed above"
fi
