# Sourced after tools/setup.sh: packages of this system or of another release of Debian, fetched into a folder. Nothing is installed or removed.

# with_aside FOLDER PROGRAM ARGUMENT...: apt-get or apt-cache with state and cache in a folder of its own. Its file `status` lists what
# counts as installed; its file `sources`, where there is one, takes the place of this system's sources.
with_aside() {
  local dir=$1 sources=()
  if [[ -f $dir/sources ]]; then
    sources=(-o Dir::Etc::sourcelist="$dir/sources" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferencesparts=/dev/null
      -o Acquire::Check-Valid-Until=false)
  fi
  "$2" -q -o APT::Get::Assume-Yes=true -o Dir::State="$dir" -o Dir::State::status="$dir/status" -o Dir::Cache="$dir" \
    "${sources[@]}" -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::Languages=none -o APT::Sandbox::User=root -o APT::Update::Post-Invoke::= -o Debug::NoLocking=true \
    "${@:3}"
}
apt_aside() { logged with_aside "$1" apt-get "${@:2}"; }

# update_aside FOLDER: prepares it with what is installed, and with lists from this system's sources as far as they can be had.
update_aside() {
  rm -rf "$1" && mkdir -p "$1"/{lists,archives}/partial && cp /var/lib/dpkg/status "$1/status" &&
    apt_aside "$1" -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 update
}

# fetch_aside FOLDER PACKAGE...: fetches them and what they depend on that counts as missing into FOLDER/archives, checked by apt.
fetch_aside() { apt_aside "$1" --no-install-recommends --download-only install "${@:2}"; }

# debian_mirrors: where this system gets Debian from.
debian_mirrors() {
  local codename
  codename=$(. /etc/os-release && [[ $ID == debian ]] && echo "${VERSION_CODENAME:-sid}")
  # shellcheck disable=SC2016
  apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>>"$log" |
    awk -v codename="$codename" \
      '$3 == "main" && ($2 == codename || $2 ~ /^(stable|testing|unstable|sid)$/) && !seen[$1]++ { print $1 }'
}

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# has_debian: whether packages can be fetched at all.
has_debian() { command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null && [[ -f $debian_keyring ]]; }

# fetch_debian RELEASE FOLDER PACKAGE...: fetches them and what they depend on into FOLDER/archives, checked by apt.
fetch_debian() {
  local release=$1 apt=$2 mirror
  for mirror in $(debian_mirrors); do
    rm -rf "$apt" && mkdir -p "$apt"/{lists,archives}/partial && : >"$apt/status"
    echo "deb [signed-by=$debian_keyring] $mirror $release main" >"$apt/sources"
    apt_aside "$apt" -o APT::Update::Error-Mode=any update &&
      fetch_aside "$apt" "${@:3}" && return
  done
  return 1
}
