# Sourced after tools/setup.sh: packages of another release of Debian, fetched into a folder without installing anything.

# apt_aside FOLDER ARGUMENT...: apt-get with state, sources and cache in a folder of its own, as if nothing were installed.
apt_aside() {
  local dir=$1
  logged apt-get -qy -o Dir::State="$dir" -o Dir::State::status="$dir/status" -o Dir::Cache="$dir" \
    -o Dir::Etc::sourcelist="$dir/sources" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferencesparts=/dev/null \
    -o Acquire::Check-Valid-Until=false -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::Languages=none -o APT::Sandbox::User=root -o APT::Update::Post-Invoke::= -o Debug::NoLocking=true \
    "${@:2}"
}

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
      apt_aside "$apt" --no-install-recommends --download-only install "${@:3}" && return
  done
  return 1
}
