// LCR: the largest identity survives the ring.
import { Node, run } from './bullring.mjs'

run(class extends Node {
  on_start() {
    this.send(this.neighbors[0], { type: 'probe', rank: this.rank })
  }

  on_probe(source, m) {
    if (m.rank > this.rank) this.send(this.neighbors[0], m)
    else if (m.rank === this.rank) this.decide(this.rank, true)
  }
})
