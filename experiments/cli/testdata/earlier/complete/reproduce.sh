#!/bin/sh
# Makes the results of the sweep earlier again, and says whether they are the same.
#
#   ./reproduce.sh            all 64 trials, into ../earlier-again, and compares the tables
#   ./reproduce.sh DIR        into another folder
#   ./reproduce.sh --smoke    20 trials or 1 % of them, compared one by one
#
# It ends with status 0 if they are.
#
# It takes bullring v0.0.0-20261122055517-17217287b143, or another version of epoch 1, in the path, or
# BULLRING=/path/of/bullring. manifest.json tells how long it took.
# Expected, by SHA-256:
#   58080bedc0449a2859ee210159274ce8b1483a8ccec96839b3cdb921220e6716  spec.yaml
#   61f6a590b1b309f77912d1833c187a8c7e749dad6bb5bb5b00e546cfb1d425cc  results.csv
#   a657e8c25b8ae303af2835778a0146a29cbd9569e0b678c00dbbb162a7024743  summary.csv
#   9d37789656186cc33fe067e12fdff8ba14a94b3d03bcdd9047989299718d91a6  growth.csv
set -eu
case ${1:-} in
	"" | --smoke | /*) out=${1:-../earlier-again} ;;
	*) out=$PWD/$1 ;;
esac
cd "$(dirname "$0")"
bullring=${BULLRING:-bullring}
if [ "${1:-}" = --smoke ]; then
	exec "$bullring" verify . --sample 1%
fi
# Statuses 1 and 3 are of checks that are violated or undecided: so are the recorded ones.
ran=0
"$bullring" sweep spec.yaml -o "$out" || ran=$?
case $ran in
	0 | 1 | 3) ;;
	*) exit $ran ;;
esac
status=0
for file in spec.yaml results.csv summary.csv growth.csv; do
	if cmp "$file" "$out/$file"; then
		echo "same       $file"
	else
		status=1
	fi
done
exit $status
