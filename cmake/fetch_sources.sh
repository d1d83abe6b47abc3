#!/usr/bin/env bash
# Fetches the source packages of cmake/sources.txt into the user's cache, once per user:
#
#   $XDG_CACHE_HOME/sinew/sources/<package>-<version>/   the folders that Sinew needs
#   $XDG_CACHE_HOME/sinew/sources/<package>.version      which version this user has
#
# CMake calls it while configuring, and only when something is missing; with everything in
# place it ends at once and asks nobody. It uses apt with a configuration of its own, so the
# machine's package lists are neither read nor changed, and root is not needed.
#
#   cmake/fetch_sources.sh           fetch what is missing
#   cmake/fetch_sources.sh --check   fetch nothing; succeed if nothing is missing
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
list=$here/sources.txt
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sinew
sources=$cache/sources
apt_home=$cache/apt
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf 'sources: %s\n' "$*" >&2; }
die() { printf 'sources: error: %s\n' "$*" >&2; exit 1; }

# --- the list -------------------------------------------------------------------------------

packages() { awk '!/^#/ && NF { print $1 }' "$list" | uniq; }

# Columns of the list for one package: "folder in the tarball" "folder in the cache".
folders() { awk -v package="$1" '!/^#/ && $1 == package { print $3, $4 }' "$list"; }

at_least() { awk -v package="$1" '!/^#/ && $1 == package { print $2; exit }' "$list"; }

# A package is complete when the recorded version holds every folder that the list names. So a
# longer list in a newer commit is noticed, and a shorter one in an older commit still served.
complete() {
  local package=$1 version from to
  [[ -f $sources/$package.version ]] || return 1
  version=$(<"$sources/$package.version")
  while read -r from to; do
    [[ -d $sources/$package-$version/$to ]] || return 1
  done < <(folders "$package")
}

missing_packages() {
  local package
  for package in $(packages); do
    complete "$package" || printf '%s\n' "$package"
  done
}

# --- apt, with a configuration of its own ---------------------------------------------------

# The machine's own mirror of Debian's main archive: the first repository that calls itself
# Debian. Where no package lists are kept, repositories have no names; then the first one that
# serves this release's section "main" and is not the security archive.
mirror() {
  # The $(...) in single quotes are apt's own placeholders.
  # shellcheck disable=SC2016,SC1091
  {
    apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
      awk -F'|' '$1 == "Debian" && $2 == "Debian" { print $3 }'
    apt-get indextargets --no-release-info \
      --format '$(RELEASE)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' |
      awk -F'|' -v release="$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")" \
        '$1 == release && $2 == "main" && $3 !~ /security/ { print $3 }'
  } | awk 'NR == 1'
}

write_apt_configuration() {
  local uri suite
  uri=$(mirror || true)
  [[ -n $uri ]] || die "this machine's apt knows no Debian mirror; see 'Other systems' in docs/building.md"
  [[ -r $keyring ]] || die "Debian's keyring is missing; do: apt-get install debian-archive-keyring"
  mkdir -p "$apt_home"/lists/partial "$apt_home"/cache/archives/partial
  for suite in sid testing stable; do
    printf 'deb-src [signed-by=%s] %s %s main\n' "$keyring" "$uri" "$suite"
  done >"$apt_home/sources.list"
  # Hooks of the machine that follow an update (catalogues, cleaning) are none of our business.
  # An index past its date is still signed, and older sources are as good: mirrors that keep a
  # frozen copy would otherwise serve nothing.
  cat >"$apt_home/apt.conf" <<EOF
Dir::Etc::sourcelist "$apt_home/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$apt_home/lists";
Dir::Cache "$apt_home/cache";
APT::Sandbox::User "$(id -un)";
Acquire::Retries "2";
Acquire::Check-Valid-Until "false";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
EOF
}

# Quiet in a log; with apt's own progress on a terminal, for these are large files.
private_apt() {
  local tool=$1 quiet=(-qq)
  shift
  [[ -t 2 ]] && quiet=(-q=0)
  "$tool" -c "$apt_home/apt.conf" "${quiet[@]}" "$@"
}

update_lists() {
  say "reading Debian's index of source packages"
  private_apt apt-get update >&2 ||
    say "some of the index could not be read; trying with what there is"
}

# Every version of a package in the three suites that is new enough, newest first.
versions() {
  local package=$1 least version
  least=$(at_least "$package")
  private_apt apt-cache showsrc --only-source "$package" 2>/dev/null |
    sed -n 's/^Version: //p' | sort -rVu | while read -r version; do
    if dpkg --compare-versions "$version" ge "$least"; then printf '%s\n' "$version"; fi
  done
}

# "file size sha256" of the upstream tarball of one version, as the signed index states them.
tarball() {
  private_apt apt-get source --only-source --tar-only --print-uris "$1=$2" 2>/dev/null |
    sed -nE "s/^'[^']*' ([^ ]+\.orig\.tar\.[a-z0-9]+) ([0-9]+) SHA256:([0-9a-f]+)$/\1 \2 \3/p" | head -n 1
}

# --- fetching -------------------------------------------------------------------------------

# Unpacks the listed folders of a tarball into a directory; fails if one is not in it.
unpack() {
  local package=$1 file=$2 into=$3 from to patterns=()
  while read -r from to; do
    if [[ $from == . ]]; then patterns+=('*'); else patterns+=("*/$from"); fi
  done < <(folders "$package")
  mkdir "$into.tar"
  tar -x -f "$file" -C "$into.tar" --strip-components=1 --no-same-owner \
    --wildcards --no-wildcards-match-slash "${patterns[@]}" 2>/dev/null || return 1
  while read -r from to; do
    mkdir -p "$into/$(dirname "$to")"
    mv -T "$(realpath "$into.tar/$from")" "$into/$to" || return 1
  done < <(folders "$package")
}

# One version of one package: download, check, unpack, and only then show it to others.
fetch_version() {
  local package=$1 version=$2 file size sha256 upstream work=$partial/$1
  read -r file size sha256 < <(tarball "$package" "$version") || return 1
  upstream=${version#*:}
  upstream=${upstream%-*}
  say "fetching $package $upstream ($(((size + 999999) / 1000000)) MB)"
  rm -rf "$work"
  mkdir -p "$work"
  # apt's exit code does not count: what does is whether the right file has arrived.
  (cd "$work" && private_apt apt-get source --only-source --tar-only --download-only \
    "$package=$version" >&2) || true
  sha256sum --check --status <<<"$sha256  $work/$file" 2>/dev/null || return 1
  unpack "$package" "$work/$file" "$work/tree" || return 1
  rm -rf "${sources:?}/$package-$upstream"
  mv "$work/tree" "$sources/$package-$upstream"
  printf '%s\n' "$upstream" >"$work/version"
  mv "$work/version" "$sources/$package.version"
  rm -rf "$work"
}

fetch() {
  local package=$1 version
  for version in $(versions "$package"); do
    if fetch_version "$package" "$version"; then return; fi
    say "$package $version cannot be had, or lacks a folder; trying another version"
  done
  return 1
}

main() {
  local missing package failed=()
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  [[ ${1:-} != --check ]] || return 1
  command -v apt-get >/dev/null || die "no apt on this system; see 'Other systems' in docs/building.md"

  # One fetch at a time per user; the second waits, and then finds nothing left to do.
  mkdir -p "$sources"
  exec 9>"$sources/.lock"
  flock 9
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  rm -rf "$sources"/.partial.*
  partial=$(mktemp -d "$sources/.partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT

  write_apt_configuration
  update_lists
  for package in $missing; do
    fetch "$package" || failed+=("$package")
  done
  ((${#failed[@]} == 0)) ||
    die "could not fetch: ${failed[*]}; check the network, then do: ./dev setup"
  rm -rf "$apt_home"
  say "all in $sources"
}

main "$@"
