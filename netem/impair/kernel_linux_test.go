package impair_test

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bullring/netem/impair"
)

var kernel = flag.Bool("kernel", false, "compare mode compat with the netem of this kernel")

// role is the variable that tells a process of this test what it is.
const role = "BULLRING_KERNEL_TEST"

// TestKernel compares mode compat with the netem of this kernel: probes go from one network
// namespace to another, over a veth with the line.
func TestKernel(t *testing.T) {
	switch {
	case !*kernel:
		t.Skip("it takes some minutes, and a kernel with netem; make netem runs it")
	case os.Getenv(role) == "":
		again(t, "^TestKernel$", "sender", "unshare", "-rn").run(t)
		return
	}
	w := newWire(t)
	sent, arrivals := w.probe(t, 1000)
	floor := behaviourOf(sent, arrivals)
	t.Logf("without a line, of 1000 probes: %.2f %% lost, delay %.3f ms", 100*floor[0], 1000*floor[firstDelay])
	if floor[0] > 0 {
		t.Fatal("a wire without a line loses probes")
	}
	if out, err := exec.Command("tc", "qdisc", "add", "dev", "probe0", "root", "netem", "delay", "1ms").CombinedOutput(); err != nil {
		if strings.Contains(string(out), "qdisc kind is unknown") {
			t.Skip("NOT CHECKED here: this kernel has no netem")
		}
		t.Fatalf("tc: %v, %s", err, out)
	}
	for _, text := range kernelLines {
		line := parse(t, text)
		words, notes := line.TC(impair.Compat)
		if len(notes.Missing) > 0 {
			t.Fatalf("%s: %q", text, notes.Missing)
		}
		w.set(t, words)
		sent, arrivals := w.probe(t, 8000)
		seen := behaviourOf(sent, arrivals)
		seen[firstDelay] -= floor[firstDelay]
		const noise = 1e-3 // of timers and of a busy machine, in seconds
		report, bad := unlike(line, sent, seen, noise)
		t.Logf("%s: %s", text, strings.Join(report, ", "))
		if len(bad) > 0 {
			t.Errorf("%s: the kernel differs in %s", text, strings.Join(bad, ", "))
		}
	}
}

// process is this test program, called again.
type process struct{ *exec.Cmd }

func again(t *testing.T, test, as string, before ...string) process {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(before[0], append(before[1:], self, "-test.run="+test, "-test.v", "-kernel")...)
	cmd.Env, cmd.Stderr = append(os.Environ(), role+"="+as), os.Stderr
	return process{cmd}
}

// run runs the process to its end, and repeats what it says of the test.
func (p process) run(t *testing.T) {
	out, err := p.Output()
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, " ") {
			t.Log(strings.TrimSpace(line))
		}
	}
	switch {
	case err != nil && len(out) == 0:
		t.Skipf("NOT CHECKED here: there are no network namespaces: %v", err)
	case err != nil:
		t.Fatal(err)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skip("NOT CHECKED here")
	}
}

// wire is a veth to a receiver in another namespace.
type wire struct {
	socket   net.Conn
	mu       sync.Mutex
	run      uint32
	arrivals []record // of this run
}

// record is a probe as the receiver writes it, with the time of Unix.
type record struct {
	run, probe uint32
	at         int64
}

func command(t *testing.T, words string) {
	t.Helper()
	args := strings.Fields(words)
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v, %s", words, err, out)
	}
}

func newWire(t *testing.T) *wire {
	receiver := again(t, "^TestKernelReceiver$", "receiver", "unshare", "-n")
	out, err := receiver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := receiver.StdinPipe()
	if err == nil {
		err = receiver.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); receiver.Wait() })
	lines := bufio.NewScanner(out)
	await(t, lines, "namespace")
	command(t, fmt.Sprintf("ip link add probe0 address 02:00:00:00:00:01 type veth peer name probe1 address 02:00:00:00:00:02 netns %d", receiver.Process.Pid))
	command(t, "ip addr add 10.77.0.1/24 dev probe0")
	command(t, "ip link set probe0 up")
	command(t, "ip neigh add 10.77.0.2 lladdr 02:00:00:00:00:02 dev probe0")
	io.WriteString(in, "\n") // the wire is there
	await(t, lines, "listening")
	w := new(wire)
	go func() {
		for lines.Scan() {
			if r, ok := parseRecord(lines.Text()); ok {
				w.mu.Lock()
				w.arrivals = append(w.arrivals, r)
				w.mu.Unlock()
			}
		}
	}()
	if w.socket, err = net.Dial("udp", "10.77.0.2:7777"); err != nil {
		t.Fatal(err)
	}
	return w
}

func await(t *testing.T, lines *bufio.Scanner, want string) {
	t.Helper()
	for lines.Scan() {
		if lines.Text() == want {
			return
		}
	}
	t.Fatalf("the receiver ended before %q", want)
}

func parseRecord(text string) (r record, ok bool) {
	n, err := fmt.Sscanf(text, "%d %d %d", &r.run, &r.probe, &r.at)
	return r, n == 3 && err == nil
}

// set gives the wire a line. netem keeps options that a change leaves out.
func (w *wire) set(t *testing.T, words string) {
	command(t, "tc qdisc del dev probe0 root")
	command(t, "tc qdisc add dev probe0 root netem "+words)
}

// probe sends probes, one each millisecond or later. The times are from the first.
func (w *wire) probe(t *testing.T, n int) (sent []time.Duration, arrivals []arrival) {
	w.mu.Lock()
	w.run++
	w.arrivals = nil
	w.mu.Unlock()
	began, packet := time.Now(), make([]byte, 100)
	binary.BigEndian.PutUint32(packet, w.run)
	for i := range n {
		time.Sleep(time.Millisecond) // after a pause of this machine, probes must not come in a crowd
		binary.BigEndian.PutUint32(packet[4:], uint32(i))
		sent = append(sent, time.Since(began))
		if _, err := w.socket.Write(packet); err != nil {
			t.Fatal(err)
		}
	}
	w.drain()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.arrivals {
		if r.run == w.run {
			arrivals = append(arrivals, arrival{int(r.probe), time.Unix(0, r.at).Sub(began.Round(0))})
		}
	}
	return sent, arrivals
}

// drain waits until nothing has arrived for a second.
func (w *wire) drain() {
	for before := -1; ; {
		time.Sleep(time.Second)
		w.mu.Lock()
		now := len(w.arrivals)
		w.mu.Unlock()
		if now == before {
			return
		}
		before = now
	}
}

// TestKernelReceiver is the receiver of TestKernel, in a process of its own. It writes a line
// for each probe until its standard input ends.
func TestKernelReceiver(t *testing.T) {
	if os.Getenv(role) != "receiver" {
		t.Skip("TestKernel calls it")
	}
	fmt.Println("\nnamespace")
	in := bufio.NewReader(os.Stdin)
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	command(t, "ip addr add 10.77.0.2/24 dev probe1")
	command(t, "ip link set probe1 up")
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(10, 77, 0, 2), Port: 7777})
	if err != nil {
		t.Fatal(err)
	}
	if err := stamp(socket); err != nil {
		t.Fatal(err)
	}
	fmt.Println("\nlistening")
	go func() {
		io.Copy(io.Discard, in)
		socket.Close()
	}()
	out, packet, control := bufio.NewWriter(os.Stdout), make([]byte, 2000), make([]byte, 200)
	defer out.Flush()
	for {
		socket.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, size, _, _, err := socket.ReadMsgUDP(packet, control)
		switch timeout, _ := err.(net.Error); {
		case err == nil && n == 100:
			fmt.Fprintln(out, binary.BigEndian.Uint32(packet), binary.BigEndian.Uint32(packet[4:]), stamped(t, control[:size]))
		case timeout != nil && timeout.Timeout():
			out.Flush()
		case err != nil:
			return
		}
	}
}

// stamp has the kernel note when packets arrive, so that it does not matter when the receiver
// gets a processor.
func stamp(socket *net.UDPConn) error {
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	if e := raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1)
	}); e != nil {
		return e
	}
	return err
}

// stamped is the time of Unix that the kernel has noted.
func stamped(t *testing.T, control []byte) int64 {
	messages, err := syscall.ParseSocketControlMessage(control)
	if err != nil || len(messages) != 1 || len(messages[0].Data) != 16 {
		t.Fatalf("a packet without its time: %v, %v", messages, err)
	}
	data := messages[0].Data
	return int64(binary.NativeEndian.Uint64(data))*1e9 + int64(binary.NativeEndian.Uint64(data[8:]))
}
