// Reads exports with the parsers of the programs that they are for, and compares what these
// understood with the events of the same run, NAME.jsonl: node check.mjs DIR FORMAT...
import { execFileSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import mermaid from 'mermaid'
import { traceProcessor } from './perfetto.mjs'

const { ofItf, toItf } = createRequire(import.meta.url)('@informalsystems/quint/dist/src/itf')
const [dir, ...formats] = process.argv.slice(2)
const lost = ['lost', 'damaged', 'lose', 'cut', 'collide']

/** A text as the program writes it on one line: Go's escapes of letters that are not printed. */
const oneLine = (text = '') =>
	[...text].map((c) => (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(c) ? c : escaped(c))).join('')
const escaped = (c) => {
	const named = { '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' }[c]
	const code = c.codePointAt(0)
	const hex = (digits) => code.toString(16).padStart(digits, '0')
	return named ?? (code < 0x80 ? '\\x' + hex(2) : code > 0xffff ? '\\U' + hex(8) : '\\u' + hex(4))
}

/** Mermaid's own parser finds the participants, and each message with its ends and its text. */
async function checkMermaid(text, events) {
	await mermaid.parse(text)
	const { db } = await mermaid.mermaidAPI.getDiagramFromText(text)
	const plain = (t) => t.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(code))
	const { SOLID, SOLID_CROSS, NOTE } = db.LINETYPE
	const parsed = db.getMessages()
	const got = parsed.filter((m) => m.type !== NOTE).map((m) => [m.type, m.from, m.to, plain(m.message)])
	const moves = (e) => e.from !== undefined && !['linkup', 'linkdown'].includes(e.what) // a message
	const want = events
		.filter(moves)
		.map((e) => {
			const gone = lost.includes(e.what)
			const words = oneLine(e.message) + (gone ? ` (${e.what})` : '')
			return [gone ? SOLID_CROSS : SOLID, `p${e.from}`, `p${e.process}`, words.trim()]
		})
	assert.deepEqual(got, want)
	const notes = parsed.filter((m) => m.type === NOTE).length
	const decided = events.filter((e) => e.what === 'deliver' && e.decides).length
	assert.equal(notes, events.filter((e) => !moves(e)).length + decided, 'notes')
	return got.length
}

/** The expression in the first line, used as ShiViz does, finds each step with a true clock. */
function checkShiViz(text, events) {
	const [head, delimiter, ...lines] = text.split('\n')
	assert.equal(delimiter, '', 'the second line is the delimiter of runs')
	const found = [...lines.join('\n').trim().matchAll(new RegExp(head, 'gm'))]
	const steps = events.filter((e) => e.what !== 'fault' && !lost.includes(e.what))
	assert.equal(found.length, steps.length, 'events')
	const clocks = new Map() // of each host
	const sendings = new Map() // clock by number of the message
	steps.forEach((e, i) => {
		const { event, host, clock } = found[i].groups
		assert.equal(host, `p${e.process}`)
		assert.ok(event.includes(e.what) && event.includes(oneLine(e.message)), event)
		const want = { ...clocks.get(host) }
		for (const [p, v] of Object.entries(sendings.get(e.what === 'deliver' && e.number) ?? {})) want[p] = Math.max(want[p] ?? 0, v)
		want[host] = (want[host] ?? 0) + 1
		assert.deepEqual(JSON.parse(clock), want, event)
		clocks.set(host, want)
		for (const s of e.sends ?? []) sendings.set(s.number, want)
	})
	return found.length
}

/** Quint reads each state and writes it as it was. */
function checkITF(text, events) {
	const trace = JSON.parse(text)
	const states = ofItf(trace)
	assert.equal(states.length, events.length, 'states')
	const again = toItf(trace.vars, states)
	assert.ok(again.isRight(), String(again.value))
	assert.deepEqual(again.value.states, trace.states)
	trace.states.forEach((s, i) => assert.ok(s.event.includes(events[i].what), s.event))
	return states.length
}

/** Graphviz draws each event with its text, and an arrow from the sending to each delivery. */
function checkDot(text, events) {
	const svg = execFileSync('dot', ['-Tsvg'], { input: text, maxBuffer: 1 << 28 }).toString()
	const plain = (t) => t.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)).replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&').replace(/\u00a0/g, ' ')
	const nodes = [...svg.matchAll(/<title>e(\d+)<\/title>[^]*?<text[^>]*>(.*?)<\/text>/g)]
	const drawn = new Map(nodes.map(([, number, label]) => [Number(number), plain(label)]))
	const arrows = new Set([...svg.matchAll(/<title>e(\d+)&#45;&gt;e(\d+)<\/title>/g)].map(([, from, to]) => `${from} ${to}`))
	assert.equal(drawn.size, events.length, 'nodes')
	const sendings = new Map()
	events.forEach((e, i) => {
		const label = drawn.get(i + 1)
		for (const words of [`#${i + 1} `, e.what, oneLine(e.message), oneLine(e.decides), oneLine(e.fault)]) assert.ok(label.includes(words), `${label} lacks ${words}`)
		if (sendings.has(e.number) && e.from !== undefined) assert.ok(arrows.has(`${sendings.get(e.number)} ${i + 1}`), label)
		for (const s of e.sends ?? []) sendings.set(s.number, i + 1)
	})
	return drawn.size
}

/** Perfetto finds each step in the thread of its process, none in another, and the ends of each arrow. */
async function checkChrome(text, events) {
	const [errors, slices, arrows] = await ask(text, [
		`SELECT name, value FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0`,
		`SELECT tid - 1 AS process, depth, extract_arg(slice.arg_set_id, 'args.event') AS event
			FROM slice JOIN thread_track ON track_id = thread_track.id JOIN thread USING (utid) WHERE dur > 0`,
		`SELECT extract_arg(s.arg_set_id, 'args.event') AS sending, extract_arg(r.arg_set_id, 'args.event') AS delivery, r.name
			FROM flow JOIN slice s ON slice_out = s.id JOIN slice r ON slice_in = r.id`,
	])
	assert.deepEqual(errors, [])
	const sorted = (list) => list.map(String).sort()
	const steps = events.map((e, i) => ({ ...e, event: i + 1 })).filter((e) => e.what !== 'fault' && !lost.includes(e.what))
	assert.deepEqual(sorted(slices.map((s) => [s.event, s.process, s.depth])), sorted(steps.map((e) => [e.event, e.process, 0])))
	const sendings = new Map(steps.flatMap((e) => (e.sends ?? []).map((s) => [s.number, e.event])))
	const want = steps.filter((e) => e.what === 'deliver').map((e) => [sendings.get(e.number), e.event, oneLine(e.message) || e.what])
	assert.deepEqual(sorted(arrows.map((a) => [a.sending, a.delivery, a.name])), sorted(want))
	return slices.length
}

const checks = { mermaid: checkMermaid, shiviz: checkShiViz, itf: checkITF, dot: checkDot, chrome: checkChrome }
const say = console.log
const ask = formats.includes('chrome') && (await traceProcessor(join(import.meta.dirname, 'perfetto')))
await mermaid.parse('sequenceDiagram') // loads the parsers
for (const format of formats) {
	const check = checks[format]
	let runs = 0, things = 0
	for (const file of readdirSync(dir).filter((f) => f.endsWith('.' + format))) {
		const name = join(dir, file.slice(0, -format.length))
		const events = readFileSync(name + 'jsonl', 'utf8').trimEnd().split('\n').map((l) => JSON.parse(l))
		try {
			things += await check(readFileSync(name + format, 'utf8'), events)
		} catch (error) {
			error.message = `${file}: ${error.message}`
			throw error
		}
		runs++
	}
	assert.ok(runs > 1 && things > 100, `${format}: ${things} in ${runs} files`)
	say(`parsed     ${format}: ${runs} runs`)
}
