// A process in JavaScript, for `bullring run --node` and for Maelstrom. See docs/nodes.md.
//
// A process is a class with a method on_TYPE(source, message) for each type of message that it
// takes. on_start makes it an initiator, and on_timeout tells that a timer has expired.
// Handlers are functions that return when they are done: await has no place in them.
import { readSync, writeFileSync } from 'node:fs'

const lines = [] // that were read
const kept = [] // lines for later: they came while a handler waited for an answer
let rest = '' // of what was read: a line that has no end yet
let out = '' // what waits to be written
let number = 0

export class Node {
  on_init(source, message) {
    this.name = message.node_id
    this.names = message.node_ids
    const here = this.names.indexOf(this.name)
    this.neighbors = message.neighbors ?? [...this.names.slice(here + 1), ...this.names.slice(0, here)]
    this.rank = message.rank ?? here + 1
    this.restarted = message.restarted ?? false
    this.stored = message.stored ?? {}
    ;({ input: this.input, f: this.f, bound: this.bound, params: this.params } = message)
    this.send(source, { type: 'init_ok', in_reply_to: message.msg_id, reusable: true })
  }

  send(dest, body) { out += JSON.stringify({ src: this.name, dest, body }) + '\n' }
  setTimer(label, after) { this.send('timer', { type: 'set', label, after }) } // an integer; a text such as '1.5ms'
  stopTimer(label) { this.send('timer', { type: 'stop', label }) }
  store(value) { this.send('storage', { type: 'write', value }) } // what this.stored is after a restart
  intn(n) { return this._ask('random', { type: 'intn', n }).value } // a random number from 0 to n-1
  now() { return this._ask('clock', { type: 'now' }).now } // what its clock shows, in nanoseconds
  suspects(node) { return this._ask('detector', { type: 'suspects', node }).suspects } // is it taken for dead?
  near() { return this._ask('links', { type: 'neighbors' }).neighbors } // those to whom there is a link now
  broadcast(message) { this.send('links', { type: 'broadcast', message }) } // one message to all of them
  on_link_up(source, message) {} // the link to message.node has come up
  on_link_down(source, message) {}
  say(word, fields) { this.send('c0', { type: word, ...fields }) } // tells the judge: say('decide', { value: 1 })
  log(...words) { this.say('log', { text: words.map(shown).join(' ') }) } // a line in the trace
  decide(leader, elected) { this.say('decide', { leader, elected }) }

  _ask(service, body) {
    const msg_id = ++number
    this.send(service, { ...body, msg_id })
    for (;;) {
      const line = read()
      if (line.body.in_reply_to === msg_id) return line.body
      if (!this._refuse(line)) kept.push(line)
    }
  }

  getState() { return plain({ ...this }, 'its fields') } // what the process is, as JSON: for explore
  setState(state) { Object.assign(this, whole(state)) } // a new object becomes what getState has told

  _refuse({ src, body }) { // answers a request of an unknown type
    if (body.msg_id === undefined || `on_${body.type}` in this) return false
    this.send(src, { type: 'error', in_reply_to: body.msg_id, code: 10, text: 'not supported' })
    return true
  }
}

const shown = word => typeof word === 'string' ? word : JSON.stringify(word) ?? String(word)

// plain is a value as JSON; what JSON does not have is an object { kind: [items] }.
function plain(value, field) {
  if (value === null || ['boolean', 'string', 'undefined'].includes(typeof value) || Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map(item => plain(item, field))
  if (value instanceof Map || value instanceof Set) return { [value.constructor.name]: [...value].map(item => plain(item, field)) }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype || value.Map || value.Set)
    throw new TypeError(`getState does not know the ${value?.constructor?.name ?? typeof value} in ${field}: numbers, texts, arrays, objects without a class, Map, Set`)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, key)]))
}

// whole is the value that plain has made plain.
function whole(value) {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(whole)
  if (value.Map) return new Map(whole(value.Map))
  if (value.Set) return new Set(whole(value.Set))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, whole(item)]))
}

const decoder = new TextDecoder()
const piece = new Uint8Array(1 << 16)

function read() {
  while (lines.length === 0) {
    writeFileSync(1, out)
    out = ''
    const size = readSync(0, piece)
    if (size === 0) process.exit()
    lines.push(...(rest + decoder.decode(piece.subarray(0, size), { stream: true })).split('\n'))
    rest = lines.pop()
  }
  return JSON.parse(lines.shift())
}

// run runs processes of a class, a new one at each init.
export function run(Kind) {
  for (let node; ;) {
    const line = kept.shift() ?? read()
    const { src, body } = line
    const loads = src === 'c0' && body.type === 'load'
    if (body.type === 'init' || loads) node = new Kind()
    if (loads) {
      node.name = line.dest
      node.setState(body.state)
      node.send(src, { type: 'load_ok', in_reply_to: body.msg_id })
    } else if (src === 'c0' && body.type === 'state') {
      node.send(src, { type: 'state_ok', in_reply_to: body.msg_id, state: node.getState() })
    } else if (!node._refuse(line)) node[`on_${body.type}`](src, body)
  }
}
