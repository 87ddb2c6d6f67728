package cluster

import "testing"

// What stands in a script is one option, and none that decides what runs when.
func TestSlurmOption(t *testing.T) {
	for given, want := range map[string]string{
		"--qos=long": "--qos=long", "--exclusive": "--exclusive", "--wait-all-nodes=1": "--wait-all-nodes=1",
		"--comment=two words": `--comment="two words"`, "--comment=#1": `--comment="#1"`, "--comment=it's": `--comment="it's"`,
	} {
		if got, err := quoteOption(given); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", given, got, err, want)
		}
	}
	for _, given := range []string{
		"", "-", "--", "--=", "qos", "-q", "-a 0-1", "-a0-1", "--array", "--array=0-1", "--arra=0", "--a=0", "--wrap", "--wrap=true", "--wra=x",
		"--wait", "--dependency=singleton", "--depend=x", "--time=1 --array=0-1", "--time=1 -a0", "--qos long", "--qos=a\n#SBATCH --array=0", "--qos=\ta",
		`--comment="a" --array=0`, `--comment=a" --array=0 "`, `--comment=\`, "--test-only", "--Array=0", " --qos=a",
	} {
		if got, err := quoteOption(given); err == nil {
			t.Errorf("%q stands in the script as %s", given, got)
		}
	}
}
