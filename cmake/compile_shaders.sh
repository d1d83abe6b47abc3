#!/usr/bin/env bash
# Compiles render/shaders/{vs,fs}_*.sc into headers that are part of the repository, so that only
# those who change a shader need bgfx's shader compiler:
#
#   render/shaders/compiled/NAME.h   one shader as GLSL 1.50, GLSL ES 3.00 and SPIR-V; its first
#                                    line holds a hash of what it was made from
#   render/shaders/compiled/all.h    includes them all and lists them in a table
#
# What is current stays as it is, and a header whose shader is gone is removed. `./dev shaders`
# builds the compiler and then calls this.
#
#   cmake/compile_shaders.sh BUILD         compile what changed, with the compiler in folder BUILD
#   cmake/compile_shaders.sh BUILD --all   compile every shader: bgfx itself has changed
#   cmake/compile_shaders.sh --check       write nothing; succeed if all is current
set -euo pipefail
export LC_ALL=C # one order of files, on every machine

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
shaders=$root/render/shaders
compiled=$shaders/compiled

say() { printf 'shaders: %s\n' "$*" >&2; }
die() { printf 'shaders: error: %s\n' "$*" >&2; exit 1; }

# The names of all shaders, one a line, in order.
names() {
  local file name
  for file in "$shaders"/{fs,vs}_*.sc; do
    [[ -e $file ]] || continue # the pattern itself, where nothing matches
    name=$(basename "$file" .sc)
    [[ $name =~ ^[a-z0-9_]+$ ]] || die "'$name' is to name a variable: use only a-z, 0-9 and _"
    printf '%s\n' "$name"
  done
}

# --- what is current ------------------------------------------------------------------------

# A hash over names and hashes of all files that a shader is made from. Any of the shared files may
# be included, so all of them count. tests/render/shaders_test.cpp computes the same.
source_hash() {
  local shared=("$shaders"/*.sh)
  [[ -e ${shared[0]} ]] || shared=()
  (cd "$shaders" && sha256sum "$1.sc" varying.def.sc "${shared[@]##*/}") | sha256sum | cut -d' ' -f1
}

first_line() { printf '// Sources: SHA-256 %s\n' "$1"; }

is_current() {
  local line=
  [[ -f $compiled/$1.h ]] || return 1
  read -r line <"$compiled/$1.h" || true
  [[ $line == "$(first_line "$(source_hash "$1")")" ]]
}

# Headers that no shader stands behind.
orphans() {
  local file name
  for file in "$compiled"/*.h; do
    name=$(basename "$file" .h)
    [[ ! -e $file || $name == all || -e $shaders/$name.sc ]] || printf '%s\n' "$file"
  done
}

check() {
  local name stale=()
  for name in $(names); do is_current "$name" || stale+=("$name"); done
  [[ ${#stale[@]} == 0 && -z $(orphans) ]] && cmp -s "$compiled/all.h" <(table)
}

# --- what is written ------------------------------------------------------------------------

# array NAME FILE: the bytes of a file as a C++ array, in decimal because that is shortest.
array() {
  printf '\ninline constexpr unsigned char %s[] = {\n' "$1"
  od -An -v -tu1 -w24 "$2" | sed -E 's/^ +//; s/ +/,/g; s/$/,/'
  printf '};\n'
}

header() {
  local name=$1 hash=$2 folder=$3
  first_line "$hash"
  printf '// Made from %s.sc by ./dev shaders.\n' "$name"
  printf '// clang-format off\n#pragma once\n\nnamespace sinew::shaders {\n'
  array "${name}_glsl" "$folder/glsl"
  array "${name}_essl" "$folder/essl"
  array "${name}_spirv" "$folder/spirv"
  printf '\n}  // namespace sinew::shaders\n'
}

table() {
  local all name
  mapfile -t all < <(names)
  cat <<'END'
// Every compiled shader. Made by ./dev shaders.
// clang-format off
#pragma once

#include <array>
#include <span>
#include <string_view>

END
  for name in "${all[@]}"; do printf '#include "render/shaders/compiled/%s.h"\n' "$name"; done
  cat <<END

namespace sinew::shaders {

// One shader in the forms that bgfx::createShader takes: each renderer has its own.
struct Compiled {
  std::string_view name;
  std::span<const unsigned char> glsl;   // OpenGL 3.2
  std::span<const unsigned char> essl;   // OpenGL ES 3.0
  std::span<const unsigned char> spirv;  // Vulkan
};

// Sorted by name.
inline constexpr std::array<Compiled, ${#all[@]}> all{{
END
  for name in "${all[@]}"; do printf '  {"%s", %s_glsl, %s_essl, %s_spirv},\n' "$name"{,,,}; done
  printf '}};\n\n}  // namespace sinew::shaders\n'
}

# Writes standard input to a file, but only if that changes it: what includes it is not built again.
update() {
  cat >"$work/new"
  cmp -s "$work/new" "$1" || cp "$work/new" "$1"
}

# --- compiling ------------------------------------------------------------------------------

# compile_as NAME FORM PROFILE PLATFORM: one shader, in one language, into $work/FORM.
compile_as() {
  local name=$1 form=$2 profile=$3 platform=$4 type=vertex failed="" log=$work/log
  [[ $name != fs_* ]] || type=fragment
  "$compiler" -f "$shaders/$name.sc" -o "$work/$form" --type "$type" \
    --varyingdef "$shaders/varying.def.sc" -i "$includes" -i "$shaders" \
    --platform "$platform" --profile "$profile" -O 3 >"$log" 2>&1 || failed=yes
  cat "$log" >&2
  # To the compiler, an include that is not there is not worth more than a warning.
  if [[ -n $failed ]] || grep -q 'Cannot open include file' "$log"; then
    die "$name.sc does not compile as $form; the reason stands above"
  fi
}

compile() {
  local name=$1 hash
  say "compiling $name"
  hash=$(source_hash "$name") # before it is read: what is saved meanwhile is compiled next time
  compile_as "$name" glsl 150 linux
  compile_as "$name" essl 300_es android
  compile_as "$name" spirv spirv linux
  header "$name" "$hash" "$work" >"$work/header"
  mv "$work/header" "$compiled/$name.h"
}

main() {
  local name file
  names >/dev/null # a bad name ends this here; in $(names) it would end only the subshell
  [[ -f $shaders/varying.def.sc ]] || die "there is no $shaders/varying.def.sc"
  if [[ ${1:-} == --check ]]; then
    check
    return
  fi
  [[ $# -ge 1 ]] || die "which build folder holds the compiler? Better: ./dev shaders"
  compiler=$1/bin/shaderc
  includes=$1/shader_includes
  [[ -x $compiler ]] || die "no compiler at $compiler; do: ./dev shaders"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT

  mkdir -p "$compiled"
  for name in $(names); do
    if [[ ${2:-} == --all ]] || ! is_current "$name"; then compile "$name"; fi
  done
  for file in $(orphans); do
    say "removing $(basename "$file"): its shader is gone"
    rm "$file"
  done
  table | update "$compiled/all.h"
}

main "$@"
