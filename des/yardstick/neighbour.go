package yardstick

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// neighbour is set in the environment of a process that is a neighbour.
const neighbour = "BULLRING_NEIGHBOUR"

// neighbourBytes is the memory that a neighbour goes through. No cache holds it.
const neighbourBytes = 256 << 20

// BeNeighbour is the body of a test named TestNeighbour. [BesideNeighbour] runs that test in another process, where it
// reads and writes memory until its input ends. Elsewhere the test is skipped.
func BeNeighbour(t *testing.T) {
	if os.Getenv(neighbour) == "" {
		t.Skip("it is a neighbour of others, in a process of its own")
	}
	ended := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	memory := make([]uint64, neighbourBytes/8)
	for pass := 0; ; pass++ {
		for i := 0; i < len(memory); i += 8 { // a word of each cache line
			memory[i]++
		}
		if pass == 0 {
			fmt.Println("streams")
		}
		select {
		case <-ended:
			return
		default:
		}
	}
}

// BesideNeighbour does work while another process streams through memory: it takes what the processors of the
// machine share, and its time is not counted.
func BesideNeighbour(t *testing.T, work func()) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^TestNeighbour$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), neighbour+"=1", "GOMAXPROCS=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	var word string
	if _, err := fmt.Fscan(out, &word); err != nil || word != "streams" {
		t.Fatalf("the neighbour says %q: %v", word, err)
	}
	go io.Copy(io.Discard, out)
	work()
}
