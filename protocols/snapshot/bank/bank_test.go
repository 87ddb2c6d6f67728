package bank_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/snapshot/bank"
)

const unit = time.Millisecond

// run lets n accounts pay, and returns them, the number of messages and the trace.
func run(t *testing.T, n int, seed uint64, account func(protocols.ID) bank.Config) ([]bank.Account, int, []byte) {
	t.Helper()
	var trace bytes.Buffer
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: des.Constant(unit), FIFO: true, Seed: seed, MaxEvents: 1 << 20},
		func(p protocols.ID) protocols.Process[bank.Message] { return bank.New(account(p)) })
	state := func(p protocols.ID) bank.Account { return net.Process(p).(*bank.Process).State() }
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string { return fmt.Sprintf("has %d", state(p).Balance) }))
	net.Boot()
	net.StartAt(0, 0)
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	var accounts []bank.Account
	for p := range protocols.ID(n) {
		accounts = append(accounts, state(p))
	}
	c := net.Counters()
	return accounts, int(c.Messages()), trace.Bytes()
}

// Orders come before what is drawn; one that would overdraw the account is dropped.
func TestTrace(t *testing.T) {
	accounts, messages, trace := run(t, 2, 1, func(p protocols.ID) bank.Config {
		if p == 0 {
			return bank.Config{Balance: 10, Orders: []bank.Order{{After: unit, To: 1, Amount: 4}, {After: unit, To: 1, Amount: 7}, {To: bank.Outside, Amount: 6}}}
		}
		return bank.Config{Balance: 5, Transfers: 2, Most: 3, Pause: 2 * unit}
	})
	golden.Check(t, "two-accounts.txt", trace)
	if accounts[0].Left != 6 || messages != 3 {
		t.Errorf("%+v, %d messages", accounts, messages)
	}
}

// Money is neither made nor destroyed, and no account is overdrawn.
func TestConserved(t *testing.T) {
	left, paid := int64(0), 0
	for seed := range uint64(50) {
		n := int(seed%4) + 1
		accounts, messages, _ := run(t, n, seed, func(protocols.ID) bank.Config {
			return bank.Config{Balance: 50, Transfers: 10, Most: 30, Leaks: seed%2 == 0, Pause: unit, Random: true}
		})
		sum := int64(0)
		for _, a := range accounts {
			if a.Balance < 0 {
				t.Fatalf("seed %d: %+v is overdrawn", seed, a)
			}
			if n > 1 && seed%2 == 1 && a.Left > 0 {
				t.Fatalf("seed %d: %+v has paid to the outside", seed, a)
			}
			sum += a.Value()
			left += a.Left
		}
		if sum != int64(50*n) {
			t.Fatalf("seed %d: %d in the end, %d in the beginning", seed, sum, 50*n)
		}
		if messages > 10*n {
			t.Fatalf("seed %d: %d transfers", seed, messages)
		}
		paid += messages
	}
	if left < 100 || paid < 100 {
		t.Errorf("%d left, %d payments: too few to say anything", left, paid)
	}
}

func TestConfig(t *testing.T) {
	for _, cfg := range []bank.Config{
		{Balance: -1}, {Transfers: -1}, {Transfers: 1}, {Pause: -1},
		{Orders: []bank.Order{{To: 0}}}, {Orders: []bank.Order{{To: -2, Amount: 1}}}, {Orders: []bank.Order{{Amount: 1, After: -1}}},
	} {
		if cfg.Validate() == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an invalid configuration does not panic")
		}
	}()
	bank.New(bank.Config{Balance: -1})
}

func TestMessage(t *testing.T) {
	m := bank.Message{Amount: 7}
	if m.Bits() != 72 || m.Kinds()[m.Kind()] != "TRANSFER" || m.Value() != 7 || m.String() != "TRANSFER(7)" {
		t.Errorf("%v has %d bits", m, m.Bits())
	}
}
