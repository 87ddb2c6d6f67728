#!/usr/bin/env bash
# Runs the shards of a sweep with GNU parallel and joins them:
#   parallel.sh SPEC.yaml DIR SHARDS [OPTION of parallel...]
# With --sshloginfile HOSTS --workdir . they run on other machines that see the
# same folder. A shard that fails is tried three times.
set -euo pipefail
spec=$1 dir=$2 shards=$3
shift 3
bullring=${BULLRING:-bullring}

seq 0 $((shards - 1)) | parallel --quote --retries 3 "$@" \
	"$bullring" sweep "$spec" -o "$dir" --shard {}/"$shards" --workers 1 --progress off
"$bullring" merge "$dir" --progress off
