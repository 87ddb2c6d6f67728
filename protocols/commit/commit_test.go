package commit_test

import (
	"testing"

	"bullring/protocols/commit"
)

func TestSaid(t *testing.T) {
	for said, want := range map[commit.Said]string{
		{}:                                   "has not voted",
		{Yes: true}:                          "votes yes",
		{Decision: commit.Abort}:             "aborts",
		{Yes: true, Decision: commit.Commit}: "commits",
	} {
		if said.String() != want || said.InDoubt() != (want == "votes yes") {
			t.Errorf("%+v: %q, in doubt %v", said, said, said.InDoubt())
		}
	}
}
