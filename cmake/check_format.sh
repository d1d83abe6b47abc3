#!/usr/bin/env bash
# Says which of our C++ files are not as .clang-format wants them; ./dev format mends them all.
set -u
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
command -v clang-format >/dev/null || { echo "clang-format is missing; do: apt-get install clang-format"; exit 1; }
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp' ':!render/shaders/compiled')
((${#files[@]} > 100)) || { echo "the source files were not found"; exit 1; }
wrong=$(for file in "${files[@]}"; do [[ -f $file ]] && printf '%s\0' "$file"; done |
  xargs -0 -n 40 -P 2 clang-format --dry-run -Werror 2>&1 | sed -n 's/^\([^:]*:[0-9]*\):.*error:.*/\1/p' | sort -u)
[[ -z $wrong ]] && { echo "${#files[@]} files are as .clang-format wants them"; exit 0; }
echo "these places are not as .clang-format wants them; do: ./dev format"
echo "$wrong"
exit 1
