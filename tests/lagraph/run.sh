#!/bin/bash
# Runs LAGraph's own test suite, built from its unmodified source, on SuiteSparse with libcugrb.so interposed.
#
#   tests/lagraph/run.sh --library build/release/lib/libcugrb.so --lagraph DIR [--mode MODE]... [--filter REGEX] [--jobs N]
#
# DIR is LAGraph's source folder or an existing build of it; without --lagraph the variable LAGRAPH_BUILD or
# LAGRAPH_SOURCE is used, and with none of them the run is skipped (exit code 77). A source is built out of tree into
# $LAGRAPH_BUILD, or a temporary folder.
#
# Modes (default: the first four):
#   plain          no interposer: LAGraph on SuiteSparse alone
#   forward        CUGRB_OFFLOAD=never: every call is passed on
#   evict-outputs  forward, with every output moved out of SuiteSparse after its call
#   evict-all      forward, with every input moved out as well
#   emulated       CUGRB_OFFLOAD=always on the emulated device
#   gpu            CUGRB_OFFLOAD=always on the GPU
#   emulated-evict-outputs, emulated-evict-all, gpu-evict-outputs, gpu-evict-all   both together
#   emulated-KERNEL, gpu-KERNEL   each product of matrix and vector on that kernel, where it applies (CUGRB_FORCE)
#   env            the CUGRB_* variables of the caller's environment
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
library='' lagraph=${LAGRAPH_BUILD:-${LAGRAPH_SOURCE:-}} filter=. jobs=1 timeout=900 modes=()

while [[ $# -gt 0 ]]; do
  case $1 in
    --library) library=$(realpath "$2") ;;
    --lagraph) lagraph=$2 ;;
    --mode) modes+=("$2") ;;
    --filter) filter=$2 ;;
    --jobs) jobs=$2 ;;
    --timeout) timeout=$2 ;;
    *) echo "unknown option $1; see the top of $0" >&2; exit 2 ;;
  esac
  shift 2
done
[[ ${#modes[@]} -gt 0 ]] || modes=(plain forward evict-outputs evict-all)

if [[ -z $lagraph || ! -d $lagraph ]]; then
  echo "skipped: no LAGraph; give its source or build folder with --lagraph, LAGRAPH_SOURCE or LAGRAPH_BUILD"
  exit 77
fi
lagraph=$(realpath "$lagraph")
if [[ ! -f $lagraph/CTestTestfile.cmake ]]; then # a source: build it, unmodified
  build=${LAGRAPH_BUILD:-$(mktemp -d)}
  cmake -S "$lagraph" -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_STATIC_LIBS=OFF -DSUITESPARSE_USE_CUDA=OFF \
    -DGRAPHBLAS_LIBRARY="${GRAPHBLAS_LIBRARY:-/usr/lib/x86_64-linux-gnu/libgraphblas.so}" \
    -DGRAPHBLAS_INCLUDE_DIR="${GRAPHBLAS_INCLUDE_DIR:-/usr/include}" > "$build.log"
  cmake --build "$build" -j "$jobs" >> "$build.log"
  lagraph=$build
fi

declare -A settings=(
  [forward]='CUGRB_OFFLOAD=never'
  [evict-outputs]='CUGRB_OFFLOAD=never CUGRB_STRESS=evict-outputs'
  [evict-all]='CUGRB_OFFLOAD=never CUGRB_STRESS=evict-all'
  [emulated]='CUGRB_OFFLOAD=always CUGRB_DEVICE=emulated'
  [gpu]='CUGRB_OFFLOAD=always CUGRB_DEVICE=gpu'
  [env]='')
for device in emulated gpu; do
  for stress in evict-outputs evict-all; do
    settings[$device-$stress]="${settings[$device]} CUGRB_STRESS=$stress"
  done
done
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
for mode in "${modes[@]}"; do
  device=${mode%%-*} kernel=${mode#*-}
  if [[ $kernel == mxv_* || $kernel == vxm_* ]]; then settings[$mode]="${settings[$device]} CUGRB_FORCE=$kernel"; fi
  variables=(OMP_WAIT_POLICY=passive) # the machine may be busy: threads that spin make it slow
  if [[ $mode != plain ]]; then
    [[ -v settings[$mode] ]] || { echo "unknown mode $mode" >&2; exit 2; }
    [[ -n $library ]] || { echo "mode $mode needs --library libcugrb.so" >&2; exit 2; }
    read -r -a variables <<< "${settings[$mode]}"
    variables+=("LD_PRELOAD=$library")
  fi
  (cd "$lagraph" && env "${variables[@]}" ctest -j "$jobs" -R "$filter" --timeout "$timeout" \
    --output-junit "$results/$mode.xml" > "$results/$mode.log" 2>&1) || true
done
python3 -B "$here/table.py" "$results" "${modes[@]}"
