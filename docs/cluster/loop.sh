#!/usr/bin/env bash
# Runs the shards of a sweep one after the other and joins them:
#   loop.sh SPEC.yaml DIR SHARDS
# Killed anywhere and started again, it goes on where it was.
set -euo pipefail
spec=$1 dir=$2 shards=$3
bullring=${BULLRING:-bullring}

for ((i = 0; i < shards; i++)); do
	"$bullring" sweep "$spec" -o "$dir" --shard "$i/$shards" --progress off
done
"$bullring" merge "$dir" --progress off
