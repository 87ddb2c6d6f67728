package journal_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bullring/experiments/campaign/journal"
)

// A program appends records and is killed in the middle of one. The next program reads the
// sound records and goes on.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trials")
	show := func(at int64, body []byte) error {
		fmt.Printf("byte %d: %s\n", at, body)
		return nil
	}

	j, _, err := journal.Open(path, show) // a new file
	if err != nil {
		log.Fatal(err)
	}
	for _, body := range []string{"trial 1", "trial 2", "trial 3"} {
		if _, err := j.Append([]byte(body)); err != nil {
			log.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.Truncate(path, 50); err != nil { // the kill
		log.Fatal(err)
	}

	j, damage, err := journal.Open(path, show)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(damage)
	if _, err := j.Append([]byte("trial 3 again")); err != nil {
		log.Fatal(err)
	}
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}
	damage, err = journal.Scan(path, show)
	fmt.Println(damage.Bytes, err)
	// Output:
	// byte 0: trial 1
	// byte 19: trial 2
	// the last 12 bytes were torn or damaged and are cut off
	// byte 0: trial 1
	// byte 19: trial 2
	// byte 38: trial 3 again
	// 0 <nil>
}

// A file that is no journal is not touched.
func ExampleOpen_foreign() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(path, []byte("to be read by people"), 0o644); err != nil {
		log.Fatal(err)
	}
	_, _, err = journal.Open(path, nil)
	fmt.Println(errors.Is(err, journal.ErrForeign))
	// Output: true
}
