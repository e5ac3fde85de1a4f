#!/usr/bin/env bash
# Checks that all C files are formatted. Releases of clang-format differ, so one is the reference.
release=14
cd "$(dirname "$0")/../.."
format=clang-format-$release
command -v "$format" >/dev/null || format=clang-format
if ! "$format" --version 2>/dev/null | grep -q "version $release\."; then
    echo "clang-format $release is not here: the format was not checked"
    exit 77
fi
# The stubs are assembler, mpif.h is Fortran.
find base bench cli db include journal preload record tests wrappers -name '*.[ch]' -not -path 'tests/gen/golden/*' -not -path 'preload/stub*' -not -name mpif.h -print0 |
    xargs -0 "$format" --dry-run -Werror
