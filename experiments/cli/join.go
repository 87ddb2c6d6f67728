package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/internal/regular"
	"bullring/netem/live"
	"bullring/netem/live/remote"
)

// apartFlags are the flags of live about nodes in OS processes of their own.
type apartFlags struct {
	given     bool
	hosts     string
	listen    string
	tokenFile string
}

func (f *apartFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.given, "processes", false, "give each node an OS process of its own")
	textFlag(cmd, &f.hosts, "hosts", "ADDR,...", "wait for bullring node on the hosts with these IP addresses, or those in this file, and deal the nodes to them in turn")
	textFlag(cmd, &f.listen, "listen", "ADDR:PORT", "of --hosts: where to wait for them; with port 0 the system chooses one, which is printed")
	textFlag(cmd, &f.tokenFile, "token-file", "FILE", "of --hosts: the secret of the run, which they have to know; it is written if it does not exist")
}

// processes returns nil if all nodes are in this OS process.
func (f *apartFlags) processes(cmd *cobra.Command) (p *lab.Processes, err error) {
	switch {
	case f.hosts == "" && (f.listen != "" || f.tokenFile != ""):
		return nil, errors.New("--listen and --token-file go with --hosts")
	case f.hosts == "" && !f.given:
		return nil, nil
	case f.hosts == "":
		return &lab.Processes{Command: nodeProcess, Token: live.NewToken()}, nil
	case f.listen == "" || f.tokenFile == "":
		return nil, errors.New("--hosts needs --listen ADDR:PORT, where they join, and --token-file FILE")
	}
	p = &lab.Processes{Listen: f.listen}
	if p.Hosts, err = readHosts(f.hosts); err != nil {
		return nil, err
	}
	if p.Token, err = readToken(f.tokenFile); errors.Is(err, fs.ErrNotExist) {
		p.Token = live.NewToken()
		err = writeToken(f.tokenFile, p.Token)
	}
	p.Listening = func(addr net.Addr) {
		fmt.Fprintf(cmd.ErrOrStderr(), "waiting for %s; on each: %s node --join %s --token-file FILE --listen ITS-ADDRESS\n", counts.Several(len(p.Hosts), "host"), cmd.Root().Name(), joinAt(f.listen, addr))
	}
	p.Tell = func(what string) { fmt.Fprintln(cmd.ErrOrStderr(), what) }
	return p, err
}

// joinAt is where hosts join: the address that was given, with the port that the system chose if
// that was 0.
func joinAt(given string, real net.Addr) string {
	host, _, _ := net.SplitHostPort(given)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "ADDRESS-OF-THIS-MACHINE"
	}
	_, port, _ := net.SplitHostPort(real.String())
	return net.JoinHostPort(host, port)
}

// readHosts reads a list of IP addresses, or a file with such a list.
func readHosts(text string) (hosts []string, err error) {
	separates := func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }
	words := strings.FieldsFunc(text, separates)
	if len(words) == 0 {
		return nil, fmt.Errorf("--hosts %q names no host", text)
	}
	if _, err := netip.ParseAddr(words[0]); err != nil {
		content, unread := regular.ReadInput(text)
		if unread != nil {
			return nil, fmt.Errorf("--hosts %q: it is no list of IP addresses, and no file: %w", text, unread)
		}
		words = strings.FieldsFunc(string(content), separates)
	}
	for _, word := range words {
		a, err := netip.ParseAddr(word)
		if err != nil {
			return nil, fmt.Errorf("--hosts: %q is no IP address", word)
		}
		hosts = append(hosts, a.String())
	}
	if len(hosts) == 0 {
		return nil, fmt.Errorf("--hosts: %s names no host", text)
	}
	return hosts, nil
}

// readToken reads a token. Others may not read its file, where files have modes.
func readToken(file string) (t live.Token, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return t, fmt.Errorf("--token-file: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return t, fmt.Errorf("--token-file %s: others may read or change it (mode %#o); make it yours alone: chmod 600 %[1]s", file, mode)
	}
	text, err := regular.ReadInput(file)
	if err != nil {
		return t, fmt.Errorf("--token-file: %w", err)
	}
	if t, err = live.ParseToken(string(text)); err != nil {
		return t, fmt.Errorf("--token-file %s: %w", file, err)
	}
	return t, nil
}

// writeToken writes a token into a new file.
func writeToken(file string, t live.Token) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, t)
	return errors.Join(err, f.Close())
}

// nodeProcess is this program as one node.
func nodeProcess() *exec.Cmd {
	program, err := os.Executable()
	return exec.Command(cmp.Or(program, fmt.Sprint(err)), "node", "--"+asOneNode)
}

// asOneNode is the flag of the OS process of one node.
const asOneNode = "standard-streams"

// canListen refuses an address that is not one of this machine.
func canListen(addr string) error {
	l, err := net.Listen("tcp", net.JoinHostPort(addr, "0"))
	if err != nil {
		return fmt.Errorf("--listen: nodes cannot take connections at %s: %w", addr, err)
	}
	return l.Close()
}

func nodeCommand(registry *trial.Registry) *cobra.Command {
	var join, tokenFile, listen string
	var one bool
	f := &maelstromFlags{}
	cmd := &cobra.Command{
		Use:   "node --join ADDR:PORT --token-file FILE | --maelstrom ALGORITHM",
		Short: "Run nodes of a live run of another machine, or of Maelstrom",
		Long: `With --join: join a live run that bullring live --hosts makes on another machine, and run
the nodes that it deals to this one, each in an OS process of its own. The command ends
with the run. The machines need the same program and the same token file, which others may
not read; both ends prove that they know the token, and do not send it. Nodes take
connections at 127.0.0.1; --listen gives the address at which other machines reach them.

With --maelstrom: be one node of Maelstrom, JSON lines on standard input and output, in
real time. The init that it is told says how many processes there are. Each node gets the
same flags; --assume is 50ms unless it is given. docs/nodes.md has the protocol.`,
		Example: examples(registry,
			"bullring node --join 10.0.0.1:7000 --token-file token --listen 10.0.0.2",
			"bullring node --maelstrom lcr --ids 3,1,2"),
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if one {
				return remote.Node(cmd.InOrStdin(), cmd.OutOrStdout(), lab.Build(registry))
			}
			if err := f.check(cmd, "join", "token-file", "listen"); err != nil {
				return err
			}
			if f.algorithm != "" {
				return f.serve(cmd, registry)
			}
			if join == "" || tokenFile == "" {
				return errors.New("a node needs --join ADDR:PORT, where the run is, and --token-file FILE")
			}
			token, err := readToken(tokenFile)
			if err != nil {
				return err
			}
			switch ip := net.ParseIP(listen); {
			case ip == nil:
				return fmt.Errorf("--listen %q is no IP address", listen)
			case ip.IsUnspecified():
				return fmt.Errorf("--listen %s: other machines cannot reach that; it takes the address of this machine", listen)
			}
			if err := canListen(listen); err != nil {
				return err
			}
			h := remote.Host{Token: token, Listen: listen, Command: nodeProcess}
			if err := h.Join(orderly(cmd), join); err != nil {
				return exit{statusFailed, err}
			}
			return nil
		},
	}
	textFlag(cmd, &join, "join", "ADDR:PORT", "where the run waits for hosts")
	textFlag(cmd, &tokenFile, "token-file", "FILE", "the secret of the run")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1", "the IP address of this machine where nodes take connections")
	cmd.Flags().BoolVar(&one, asOneNode, false, "")
	cmd.Flags().MarkHidden(asOneNode)
	f.register(cmd, registry)
	return cmd
}
