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
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/lab"
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
	textFlag(cmd, &f.listen, "listen", "ADDR:PORT", "of --hosts: where to wait for them")
	textFlag(cmd, &f.tokenFile, "token-file", "FILE", "of --hosts: the secret of the run, which they have to show; it is written if it does not exist")
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
	p.Token, err = readToken(f.tokenFile)
	if errors.Is(err, fs.ErrNotExist) {
		p.Token = live.NewToken()
		err = os.WriteFile(f.tokenFile, []byte(p.Token.String()+"\n"), 0o600)
	}
	if err == nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "waiting for %s; on each: %s node --join %s --token-file FILE --listen ITS-ADDRESS\n", counts.Several(len(p.Hosts), "host"), cmd.Root().Name(), f.listen)
	}
	p.Joined = func(host string, missing int) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s has joined; %s missing\n", host, counts.Several(missing, "host"))
	}
	return p, err
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

func readToken(file string) (t live.Token, err error) {
	text, err := regular.ReadInput(file)
	if err != nil {
		return t, fmt.Errorf("--token-file: %w", err)
	}
	if t, err = live.ParseToken(string(text)); err != nil {
		return t, fmt.Errorf("--token-file %s: %w", file, err)
	}
	return t, nil
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

func nodeCommand(registry *experiments.Registry) *cobra.Command {
	var join, tokenFile, listen string
	var one bool
	f := &maelstromFlags{}
	cmd := &cobra.Command{
		Use:   "node --join ADDR:PORT --token-file FILE | --maelstrom ALGORITHM",
		Short: "Run nodes of a live run of another machine, or of Maelstrom",
		Long: `With --join: join a live run that bullring live --hosts makes on another machine, and run
the nodes that it deals to this one, each in an OS process of its own. The command ends
with the run. The machines need the same program and the same token file. Nodes take
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
			if net.ParseIP(listen) == nil {
				return fmt.Errorf("--listen %q is no IP address", listen)
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
