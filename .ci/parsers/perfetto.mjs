// Perfetto's own reader of traces, its trace processor, as WebAssembly. The program is
// made for the worker of a web page; here it is given what it misses in node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'

/** A function that reads a trace and answers questions in SQL, a list of objects each. */
export async function traceProcessor(dir) {
	const { EngineBase } = await import(pathToFileURL(join(dir, 'engine.mjs')))
	const worker = { self: globalThis, WorkerGlobalScope: function () {}, location: pathToFileURL(dir + '/') }
	for (const [name, value] of Object.entries(worker)) Object.defineProperty(globalThis, name, { value, configurable: true })
	globalThis.wasmBytes = new Uint8Array(readFileSync(join(dir, 'trace_processor.wasm')))
	let program = readFileSync(join(dir, 'engine_bundle.node.js'), 'utf8')
	for (const [is, becomes] of [
		['this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;'],
		['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,'],
		['const wasmBridge = new wasm_bridge_1.WasmBridge();', '$& globalThis.wasmBridge = wasmBridge;'],
	]) {
		if (!program.includes(is)) throw new Error(`the trace processor has no ${is}`)
		program = program.replace(is, becomes)
	}

	class Engine extends EngineBase {
		mode = 'WASM'
		id = 'node'
		constructor(port) {
			super()
			this.port = port
			port.onmessage = (m) => this.onRpcResponseBytes(m.data)
		}
		rpcSendRequestBytes(bytes) {
			this.port.postMessage(bytes)
		}
	}

	console.warn = console.log = () => {} // it speaks of what it misses
	return async (text, questions) => {
		runInThisContext(program)
		const { port1, port2 } = new MessageChannel()
		globalThis.wasmBridge.initialize(port1)
		const engine = new Engine(port2)
		await new Promise((done) => setTimeout(done, 500)) // it compiles itself
		await engine.parse(new TextEncoder().encode(text))
		await engine.notifyEof()
		const answers = []
		for (const question of questions) {
			const answer = await engine.query(question)
			const rows = []
			for (const row = answer.iter({}); row.valid(); row.next()) rows.push(Object.fromEntries(answer.columns().map((c) => [c, row.get(c)])))
			answers.push(rows)
		}
		port1.close()
		port2.close()
		return answers
	}
}
