// Package bank is an application to take snapshots of: accounts that pay each other.
//
// Source: the money of K. M. Chandy and L. Lamport, "Distributed Snapshots:
// Determining Global States of Distributed Systems", ACM TOCS 3(1), 1985, and of
// every course since.
//
// Model: one account a process, any topology; links that lose and duplicate
// nothing. An account acts from the beginning, and is not started.
//
// Cost: one TRANSFER a payment to another account. The number of payments is bounded, so
// runs end.
//
// Invariants: no account is overdrawn. Balances, money under way and money that has left
// the system add up to the balances at the beginning.
package bank

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/snapshot"
)

// Message is money on its way.
type Message struct{ Amount int64 }

var _ snapshot.Valued = Message{}

var kinds = []string{"TRANSFER"}

func (Message) Kind() int       { return 0 }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and 64 for the amount.
func (Message) Bits() int { return 8 + 64 }

// Value implements [snapshot.Valued].
func (m Message) Value() int64 { return m.Amount }

// String prints the message as a trace shows it: TRANSFER(20).
func (m Message) String() string { return fmt.Sprintf("TRANSFER(%d)", m.Amount) }

// Outside is the receiver of money that leaves the system.
const Outside protocols.ID = -1

// Order is a payment.
type Order struct {
	After  time.Duration // from the order before, or from the beginning
	To     protocols.ID  // a neighbour, or Outside
	Amount int64
}

// Config is the balance of an account, and its payments.
type Config struct {
	Balance int64
	// Orders come first, one after the other. One that would overdraw the account is
	// dropped.
	Orders []Order
	// Transfers is the number of random payments that follow. Receivers are drawn, and
	// amounts from 1 to Most, or to the balance if that is less.
	Transfers int
	Most      int
	// Leaks: Outside is drawn like a neighbour.
	Leaks bool
	// Pause is the time before each random payment. If Random, it is the mean of a time
	// that is drawn.
	Pause  time.Duration
	Random bool
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	switch {
	case c.Balance < 0:
		return fmt.Errorf("bank: a balance of %d, which must not be negative", c.Balance)
	case c.Transfers < 0, c.Transfers > 0 && c.Most < 1:
		return fmt.Errorf("bank: %d transfers of at most %d; both must be positive", c.Transfers, c.Most)
	case c.Pause < 0:
		return fmt.Errorf("bank: a pause of %v, which must not be negative", c.Pause)
	}
	for _, o := range c.Orders {
		if o.Amount < 1 || o.After < 0 || o.To < Outside {
			return fmt.Errorf("bank: an order to pay %d to %d after %v", o.Amount, o.To, o.After)
		}
	}
	return nil
}

// Account is the state of an account.
type Account struct {
	Balance int64
	Left    int64 // what it has paid to Outside
}

// Value implements [snapshot.Valued].
func (a Account) Value() int64 { return a.Balance + a.Left }

// Process is one account.
type Process struct {
	cfg     Config
	account Account
	done    int // the number of orders and transfers made
}

var (
	_ snapshot.Application[Message, Account] = (*Process)(nil)
	_ protocols.Booter[Message]              = (*Process)(nil)
)

// New returns the account. It panics on an invalid configuration.
func New(cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Process{cfg: cfg, account: Account{Balance: cfg.Balance}}
}

// State implements [snapshot.Application].
func (p *Process) State() Account { return p.account }

// nextPayment is the label of the timer.
const nextPayment protocols.Timer = 0

// Boot implements [protocols.Booter]: it prepares the first payment.
func (p *Process) Boot(n protocols.Node[Message]) { p.arm(n) }

// Start does nothing: an account acts from the beginning.
func (p *Process) Start(protocols.Node[Message]) {}

// Receive takes money.
func (p *Process) Receive(_ protocols.Node[Message], _ protocols.ID, m Message) {
	p.account.Balance += m.Amount
}

// Timeout makes the next payment.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t != nextPayment {
		panic(fmt.Sprintf("bank: process %d never sets timer %d, yet it expired", n.ID(), t))
	}
	if k := p.done; k < len(p.cfg.Orders) {
		p.pay(n, p.cfg.Orders[k].To, p.cfg.Orders[k].Amount)
	} else if most := min(int64(p.cfg.Most), p.account.Balance); most > 0 {
		to := p.draw(n)
		p.pay(n, to, int64(1+n.Intn(int(most))))
	}
	p.done++
	p.arm(n)
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "next payment" }

// draw draws a receiver.
func (p *Process) draw(n protocols.Node[Message]) protocols.ID {
	receivers := n.Degree()
	if p.cfg.Leaks {
		receivers++
	}
	if receivers == 0 {
		return Outside
	}
	if port := n.Intn(receivers); port < n.Degree() {
		return n.Neighbor(port)
	}
	return Outside
}

func (p *Process) pay(n protocols.Node[Message], to protocols.ID, amount int64) {
	if amount > p.account.Balance {
		return
	}
	p.account.Balance -= amount
	if to == Outside {
		p.account.Left += amount
	} else {
		n.Send(to, Message{amount})
	}
}

// arm sets the timer of the next payment, if there is one.
func (p *Process) arm(n protocols.Node[Message]) {
	switch k := p.done; {
	case k < len(p.cfg.Orders):
		n.SetTimer(nextPayment, p.cfg.Orders[k].After)
	case k >= len(p.cfg.Orders)+p.cfg.Transfers:
	case p.cfg.Random:
		n.SetTimer(nextPayment, p.cfg.Pause/grains*time.Duration(1+n.Intn(2*grains-1)))
	default:
		n.SetTimer(nextPayment, p.cfg.Pause)
	}
}

// grains is the number of parts of the mean pause. A random pause has 1..2*grains-1 of
// them, equally likely.
const grains = 500
