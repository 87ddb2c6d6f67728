package netem_test
import ("testing";"bullring/netem";"bullring/des";"time";"bullring/protocols";"bullring/protocols/links")
func TestZZFlat(t *testing.T) {
	cfg := netem.Config{Topology: netem.Complete(3), Delay: des.Uniform(0, ms), FIFO: true}
	self := all(script{start: func(n node) { n.Send(n.ID(), note{x: 1}) }})
	net := netem.New(cfg, self)
	net.StartAt(0, 0); finish(t, net)
	cfg.Topology = netem.Complete(1)
	net.Reset(cfg, self)
	net.StartAt(0, 0); finish(t, net)
}
func TestZZServe(t *testing.T) {
	for _, k := range []int{500, 1000, 2000, 4000} {
	begin := time.Now()
	net := netem.New(netem.Config{Topology: netem.Ring(2), Delay: des.Constant(ms), FIFO: true, Lines: []netem.Line{{Line: line(t, "slot 1ms packets 1")}}},
	 all(script{start: func(n node) { for i := range k { n.Send(1, note{x: i}) } }}))
	net.StartAt(0, 0); finish(t, net)
	t.Log(k, time.Since(begin))
	}
}
func TestZZFifo(t *testing.T) {
	var got []int
	net := netem.New(netem.Config{Topology: netem.Ring(2), Delay: des.Constant(ms), FIFO: true, Lines: []netem.Line{{Line: line(t, "loss 50%")}}, Delta: 10*ms},
	 all(script{start: func(n node) { k:=int(n.(protocols.Clocked).Now()/ms); n.Send(1, note{x: k}) }, receive: func(n node, _ protocols.ID, m note) { got = append(got, m.x) }}))
	for i := range 20 { net.StartAt(0, at(i)) }
	finish(t, net)
	t.Log(got, net.Counters().Reordered)
	net = netem.New(netem.Config{Topology: netem.Ring(2), Delay: des.Exponential(10*ms), FIFO: true, Delta: 12*ms},
	 all(script{start: func(n node) { k:=int(n.(protocols.Clocked).Now()/ms); n.Send(1, note{x: k}) }, receive: func(n node, _ protocols.ID, m note) { got = append(got, m.x) }}))
	for i := range 20 { net.StartAt(0, at(i)) }
	got = nil
	finish(t, net)
	t.Log(got, net.Counters().Reordered)
	d := broadcast(2, nil)
	d.net.Oppose(&foe{due: func(token uint32) { d.net.SetLine(set(t, "0->1"), line(t, "delay 1ms")) }})
	d.net.SetLine(links.Set{}, line(t, "delay 10ms"))
	d.net.InterveneAt(at(5), 0)
	for _, k := range []int{0, 4, 5} { d.net.StartAt(0, at(k)) }
	finish(t, d.net)
	t.Log(d.lines, d.net.Counters().Reordered)
}
