package raft

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The messages: two requests and the answers to them.
const (
	RequestVote   Type = iota // a candidate asks for a vote
	Vote                      // the answer: yes or no
	AppendEntries             // the leader of a term announces itself
	AppendReply               // the answer: the term of the receiver
)

// Message is one of them.
type Message struct {
	Type Type
	Term int               // of the sender
	ID   election.Identity // of the candidate or the leader; 0 in an answer
	// Granted: the sender of a Vote has voted for the receiver in this term.
	Granted bool
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"REQUESTVOTE", "VOTE", "APPENDENTRIES", "APPENDREPLY"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and Granted, 64 for the term and,
// in a request, 64 for the identity.
func (m Message) Bits() int {
	if m.request() {
		return 8 + 64 + 64
	}
	return 8 + 64
}

func (m Message) request() bool { return m.Type == RequestVote || m.Type == AppendEntries }

// String prints the message as a trace shows it: REQUESTVOTE(5, term 2).
func (m Message) String() string {
	switch {
	case m.request():
		return fmt.Sprintf("%s(%d, term %d)", kinds[m.Type], m.ID, m.Term)
	case m.Type == Vote && m.Granted:
		return fmt.Sprintf("VOTE(yes, term %d)", m.Term)
	case m.Type == Vote:
		return fmt.Sprintf("VOTE(no, term %d)", m.Term)
	}
	return fmt.Sprintf("%s(term %d)", kinds[m.Type], m.Term)
}

// Forge implements [protocols.Forgeable]. Answers hold no identity.
func (m Message) Forge(f func(identity int64) int64) Message {
	if m.request() {
		m.ID = election.Identity(f(int64(m.ID)))
	}
	return m
}
