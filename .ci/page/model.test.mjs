// The model of the page, on small runs: `make page`. TestBranches of experiments/show/page plays what it offers.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

const page = new URL("../../experiments/show/page/", import.meta.url);
const text = name => readFileSync(new URL(name, page), "utf8");
vm.runInThisContext(text("model.js")); // its functions are global, as in the page
const { understand, places, lower, cone, order, statesAt, arrange, idle, search, blockOf, layout, groundAt, pairs, parting, beside, choices, branchFile, instant, sends, stayAt, condition, linksAt, said } = globalThis;

const schedule = vm.runInThisContext("(...args) => new Schedule(...args)");

const load = name => understand(JSON.parse(text(`testdata/${name}`)));
const names = readdirSync(new URL("testdata/", page)).filter(name => name.endsWith(".json")).sort();
const each = (what, body) => { for (const name of names) test(`${what}: ${name}`, () => body(load(name))); };

/** A run of these events. */
function made(events, rest = {}) {
	return understand({ format: 1, algorithm: "made", title: "", scene: "", n: 3, topology: "ring", kinds: ["A", "B"], outcome: "", correct: true, messages: 0, fingerprint: "", events, ...rest });
}

/** A run of many events from a small generator of numbers. */
function long(count, n = 5) {
	let state = 7;
	const draw = k => (state = (state * 1103515245 + 12345) % 2147483648) % k;
	const last = Array(n).fill(0), events = [];
	for (let i = 0; i < count; i++) {
		const p = draw(n), w = draw(40) ? "timeout" : last[p] && events[last[p] - 1].w === "crash" ? "restart" : "crash";
		events.push({ t: i >> 1, w, p, a: [...last[p] ? [last[p]] : [], ...i && !draw(3) ? [1 + draw(i)] : []], v: { x: String(draw(9)), [`y${draw(3)}`]: String(i) }, n: draw(20) ? "" : `news ${i}` });
		last[p] = i + 1;
	}
	return made(events, { n });
}

test("there are runs to test with", () => assert(names.length >= 5));

each("every message is one arrow", run => {
	const ends = run.events.filter(e => e.m);
	assert.equal(run.arrows.filter(a => a.how !== "under way").length, ends.length);
	const sent = new Set(run.events.flatMap(e => e.s.map(s => s[1])));
	for (const e of ends) sent.delete(e.m);
	assert.equal(run.arrows.filter(a => a.how === "under way").length, sent.size);
	for (const a of run.arrows) {
		assert(a.sent <= a.end);
		if (a.how === "deliver") assert.equal(run.events[a.sent].p, a.from);
	}
	for (let i = 0; i <= run.events.length; i++) // reach leaves out no arrow that ends at i or later
		assert(run.arrows.slice(0, lower(run.reach, i)).every(a => a.end < i));
});

each("places do not decrease", run => {
	for (const axis of ["time", "gaps", "steps"]) {
		const x = places(run, axis);
		assert.equal(x.length, run.events.length + 1);
		for (let i = 1; i < x.length; i++) assert(x[i] >= x[i - 1], `${axis} at ${i}`);
		assert(x.at(-1) > x[0]);
	}
});

test("the axis of gaps shortens a silence to log2(1 + gap/median) + 0.15", () => {
	const x = places(made([0, 1, 2, 2, 9].map(t => ({ t, w: "start" }))), "gaps");
	const one = Math.log2(2) + 0.15;
	assert.deepEqual([...x.slice(0, 5)].map(v => v.toFixed(9)), [0, one, 2 * one, 2 * one, 2 * one + Math.log2(8) + 0.15].map(v => v.toFixed(9)));
	assert.deepEqual([...places(made([3, 3, 8].map(t => ({ t, w: "start" }))), "steps").slice(0, 3)], [0, 1, 2]);
});

test("lower finds the first value that is not below", () => {
	for (const xs of [[], [1], [1, 1, 2, 5], [0, 3, 3, 3]]) for (let v = -1; v < 7; v++) {
		const at = xs.findIndex(x => x >= v);
		assert.equal(lower(xs, v), at < 0 ? xs.length : at);
	}
});

const closure = (run, at) => {
	const seen = new Set(), open = [at];
	for (let i; (i = open.pop()) !== undefined;) if (!seen.has(i)) { seen.add(i); open.push(...run.events[i].a.map(k => k - 1)); }
	return seen;
};

test("past and future are the closure of the causes", () => {
	const run = long(300), pasts = run.events.map((_, i) => closure(run, i));
	for (const i of [0, 1, 57, 150, 299]) {
		assert.deepEqual([...cone(run, i, true)].flatMap((x, k) => x ? [k] : []), [...pasts[i]].sort((a, b) => a - b));
		assert.deepEqual([...cone(run, i, false)].flatMap((x, k) => x ? [k] : []), pasts.flatMap((past, k) => past.has(i) ? [k] : []));
		const { before, after, concurrent } = order(run, i);
		assert.equal(before + after + concurrent, 299);
	}
});

each("the causes of a verdict lie in what why prints", run => {
	for (const t of run.targets) cone(run, t, true).forEach((x, i) => { if (x) assert(run.slice[i], `#${i + 1} leads to #${t + 1}`); });
});

test("states from snapshots are those of the run from its beginning", () => {
	const run = long(1500), alive = Array(5).fill(true), fields = Array.from({ length: 5 }, () => ({}));
	const naive = run.events.map(e => {
		if (e.w === "crash") alive[e.p] = false;
		if (e.w === "restart") alive[e.p] = true;
		Object.assign(fields[e.p], e.v);
		return { alive: [...alive], fields: structuredClone(fields) };
	});
	for (const i of [1499, 0, 255, 256, 257, 511, 512, 900, 3, 1280]) {
		const states = statesAt(run, i);
		assert.deepEqual(states.map(s => s.alive), naive[i].alive);
		assert.deepEqual(states.map(s => s.fields), naive[i].fields);
		assert.deepEqual(states.map(s => s.last), states.map((_, p) => run.events.findLastIndex((e, k) => k <= i && e.p === p)));
	}
	assert.equal(run.snapshots.length, 1 + Math.floor(1499 / 256));
});

test("news ends with a restart, and a lost message changes no process", () => {
	const run = made([{ w: "start", n: "is the leader", s: [[1, 1, 0, "A"]] }, { w: "crash" }, { w: "restart", t: 1 }, { w: "lose", p: 1, f: 0, m: 1, x: "A" }]);
	assert.deepEqual([0, 1, 2].map(i => statesAt(run, i)[0].news), ["is the leader", "is the leader", ""]);
	assert.deepEqual([0, 1, 2].map(i => statesAt(run, i)[0].alive), [true, false, true]);
	assert.equal(statesAt(run, 3)[1].last, -1);
	assert.deepEqual(run.deaths[0], [[1, 2]]);
});

test("a run without events", () => {
	const run = made([]);
	assert.deepEqual(statesAt(run, 0).map(s => s.alive), [true, true, true]);
	assert.deepEqual([...places(run, "gaps")], [1]);
	assert.deepEqual(choices(made([{ w: "start" }]), 0).map(c => c.line), ["crash 0", "crash 1", "crash 2"]);
});

test("a part of a run begins with the processes as they were", () => {
	const run = made([{ w: "deliver", p: 1, f: 0, m: 9, x: "A" }, { w: "deliver", p: 0, f: 1, m: 8, x: "B", v: { x: "2" } }],
		{ cut: { from: 31, of: 50 }, before: [{ p: 0, n: "follows 5", v: { x: "1", y: "1" } }, { p: 2, down: true }] });
	assert.deepEqual(statesAt(run, 1).map(s => s.alive), [true, true, false]);
	assert.deepEqual(statesAt(run, 1)[0].fields, { x: "2", y: "1" });
	assert.equal(statesAt(run, 0)[0].news, "follows 5");
	assert.deepEqual(run.deaths[2], [[0, 2]]);
	assert.deepEqual([...run.moving], ["x"]);
	assert.equal(run.base, 31);
	assert(run.arrows.every(a => a.early && a.sent === 0), "sent before the part");
});

test("lanes are sorted, and neighbours that are folded share one", () => {
	const run = made([{ w: "start", p: 2 }, { w: "start", p: 1 }, { w: "timeout", p: 1 }], { n: 4, ids: [7, 3, 9, 1] });
	const of = (by, ...folded) => arrange(run, by, new Set(folded)).rows.map(row => row.of);
	assert.deepEqual(of("address"), [[0], [1], [2], [3]]);
	assert.deepEqual(of("identity"), [[3], [1], [0], [2]]);
	assert.deepEqual(of("first"), [[2], [1], [0], [3]]);
	assert.deepEqual(of("activity"), [[1], [2], [0], [3]]);
	assert.deepEqual(of("address", 0, 1, 3), [[0, 1], [2], [3]]);
	const { y, height } = arrange(run, "address", new Set([0, 1, 3]));
	assert.equal(y[0], y[1]);
	assert(y[1] < y[2] && y[2] < y[3] && y[3] < height && height < 4);
	assert.deepEqual([...idle(run, 0, 3)], [0, 3]);
	assert.deepEqual([...idle(run, 0, 1)], [0, 1, 3]);
});

test("a search finds events by what is said, decided or sent", () => {
	const run = load("split.json");
	const hits = search(run, "is the LEADER");
	assert.deepEqual(hits, run.events.flatMap((e, i) => e.n === "is the leader" ? [i] : []));
	assert(hits.length > 0);
	assert(search(run, "COORDINATOR(2)").some(i => run.events[i].s.length), "the sending");
	assert.deepEqual(search(run, "  "), []);
	assert.deepEqual(search(run, "no such text"), []);
});

test("the block of the pseudocode that ran", () => {
	const run = load("split.json"), on = i => run.data.pseudocode[blockOf(run, run.events[i])]?.on[0];
	run.events.forEach((e, i) => {
		if (e.w === "deliver") assert.equal(on(i), `deliver ${run.data.kinds[e.k]}`);
		if (e.w === "timeout") assert.equal(on(i), "timeout run");
		if (e.w === "fault" || e.w === "cut") assert.equal(on(i), undefined);
	});
	const timer = { ...run.events[0], w: "timeout", x: "run 3" };
	assert.equal(blockOf(run, timer), blockOf(run, { ...timer, x: "run" }), "a longer name of a timer");
});

test("processes stand apart in the unit circle", () => {
	const grid = [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5]];
	for (const run of [made([], { n: 1 }), made([], { n: 8 }), made([], { n: 6, topology: "grid", links: grid })]) {
		const at = layout(run);
		assert(at.every(([x, y]) => Math.hypot(x, y) < 1 + 1e-9));
		for (const [i, a] of at.entries()) for (const b of at.slice(0, i)) assert(Math.hypot(a[0] - b[0], a[1] - b[1]) > 0.2);
	}
	const at = layout(made([], { n: 6, topology: "grid", links: grid })), far = (i, j) => Math.hypot(at[i][0] - at[j][0], at[i][1] - at[j][1]);
	assert(Math.max(...grid.map(([i, j]) => far(i, j))) < far(0, 5), "links are short");
});

test("two runs part at the first event that the other does not have", () => {
	const a = load("lcr.json"), b = load("lcr-async.json"), time = load("lcr.json");
	for (const byCause of [true, false]) assert.equal(parting(a, time, byCause), a.events.length);
	time.events[9].t++;
	assert.equal(parting(a, time, false), 9);
	assert.equal(parting(a, time, true), a.events.length, "by cause, the time does not matter");
	time.events[5].x = "another";
	time.events[5].w = "timeout";
	assert.equal(parting(a, time, true), 5);
	const to = pairs(a, b), back = pairs(b, a);
	to.forEach((k, i) => { if (k >= 0) assert.equal(back[k], i); });
	assert(to.some(k => k >= 0));
	assert(a.events.every((e, i) => to[i] < 0 || e.p === b.events[to[i]].p && e.x === b.events[to[i]].x));
});

test("the event beside another", () => {
	const a = made([0, 1, 1, 4].map((t, p) => ({ t, w: "start", p: p % 3 }))), b = made([0, 2, 3, 9].map((t, p) => ({ t, w: "start", p: (p + 1) % 3 })));
	assert.deepEqual([0, 1, 2, 3].map(i => beside(a, b, i, null)), [0, 0, 0, 2]);
	assert.deepEqual([...pairs(a, b)], [2, 0, 1, -1]);
	assert.equal(beside(a, b, 3, pairs(a, b)), 1, "the last one before it that has a counterpart");
});

test("words for moments and sendings", () => {
	const run = made([], { unit: 2e6 });
	assert.equal(instant(run, 3e6), "3 ms");
	assert.equal(instant(run, 3e6, true), "1.5");
	assert.equal(instant(made([], { timeless: true }), 4), "step 4");
	assert.deepEqual([0, 7, 1500, 2.5e9].map(t => instant(made([]), t)), ["0", "7 ns", "1.5 µs", "2.5 s"]);
	assert.equal(sends({ s: [[1, 1, 0, "A"], [2, 2, 0, "B"], [0, 3, 0, "A"]] }), "A to p1, p0; B to p2");
});

// p0 sends A and B to p1, the link loses B; p2 crashes; p1 draws when it gets A.
const steps = [
	{ w: "start", p: 0, s: [[1, 1, 0, "A(1, 2)"], [1, 2, 1, "B"], [2, 3, 0, "A(1, 2)"]] }, { w: "start", p: 1 }, { w: "lose", p: 1, f: 0, m: 2, x: "B" },
	{ w: "crash", p: 2, t: 1 }, { w: "lost", p: 2, f: 0, m: 3, x: "A(1, 2)", t: 2 }, { w: "deliver", p: 1, f: 0, m: 1, x: "A(1, 2)", t: 2, c: [4, 0] }, { w: "timeout", p: 1, y: 3, x: "run", t: 5 },
];

test("a schedule has the steps of the run", () => {
	const fifo = made(steps, { fifo: true });
	assert.deepEqual(schedule(fifo, 7).lines, ["timers free", "start 0", "start 1", "crash 2", "deliver 0->1 A(1, 2), choose 4 0", "lose 0->1 B", "timeout 1 timer 3"]);
	assert.deepEqual(schedule(made(steps), 7).lines, ["timers free", "start 0", "start 1", "crash 2", "lose 0->1 B", "deliver 0->1 A(1, 2), choose 4 0", "timeout 1 timer 3"]);
	const back = [...steps, { w: "restart", p: 2, t: 6 }];
	assert.deepEqual(schedule(made(back), 8).lines.slice(3), ["crash 2", "lose 0->1 B", "deliver 0->2 A(1, 2)", "deliver 0->1 A(1, 2), choose 4 0", "timeout 1 timer 3", "restart 2"], "a message to a crashed process stays, where one restarts");
	const twice = [{ w: "start", p: 0, s: [[1, 1, 0, "A"]] }, { w: "deliver", p: 1, f: 0, m: 1, x: "A", t: 1 }, { w: "deliver", p: 1, f: 0, m: 1, x: "A", t: 2 }];
	assert.deepEqual(schedule(made(twice), 3).lines.slice(2), ["duplicate 0->1 A", "deliver 0->1 A", "deliver 0->1 A"]);
	const amid = [{ w: "start", p: 0, s: [[1, 1, 0, "A"]] }, { w: "fault", p: -1, x: "crashed a process 0->1: crash 0 after 1 sends" }, { w: "crash", p: 0 }];
	for (const until of [1, 2, 3]) assert.deepEqual(schedule(made(amid), until).lines.slice(1), ["start 0, crash after 1 sends"]);
	assert.deepEqual(schedule(made(amid.toSpliced(1, 1)), 3).lines.slice(1), ["start 0", "crash 0"], "after the step, at the same time");
	assert.deepEqual(schedule(made([{ w: "crash", p: 2 }, ...steps.slice(0, 2)], { branch: { dead: [2] } }), 3).lines.slice(1), ["start 0", "start 1"], "dead from the start");
});

test("the choices at an event", () => {
	const fifo = made(steps, { fifo: true }), lines = (run, at) => choices(run, at).map(c => c.line);
	assert.deepEqual(lines(fifo, 0), ["start 1", "crash 0", "crash 1", "crash 2"]);
	assert.deepEqual(lines(fifo, 3), ["deliver 0->1 A(1, 2), choose 4 0", "deliver 0->2 A(1, 2)", "lose 0->1 A(1, 2)", "lose 0->2 A(1, 2)", "duplicate 0->1 A(1, 2)", "duplicate 0->2 A(1, 2)", "crash 0", "crash 1"]);
	assert.deepEqual(lines(fifo, 5), ["lose 0->1 A(1, 2)", "duplicate 0->1 A(1, 2)", "crash 0", "crash 1", "restart 2"], "not what the run does itself");
	assert(lines(made(steps), 2).includes("deliver 0->1 B"), "any message, if links do not keep the order");
	assert(!lines(fifo, 2).includes("deliver 0->1 B"));
	assert(choices(made(steps.with(5, { w: "fault", p: -1 })), 5).some(c => c.line === "timeout 1 timer 3"), "a timer that is armed by now");
});

test("the file of a branch is the case with its schedule", () => {
	const run = load("split.json"), { line } = choices(run, 4)[0], file = JSON.parse(branchFile(run, 4, line));
	assert.deepEqual(file, { ...run.data.branch.case, setting: { ...run.data.branch.case.setting, schedule: [...schedule(run, 4).lines, line, "go on"] } });
});

test("texts have a contrast of 4.5 in both themes", () => {
	const css = text("view.css"), table = Object.fromEntries([...css.matchAll(/--(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(m => [m[1], [m[2], m[3]]]));
	const light = hex => {
		const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
	assert.equal(Object.keys(table).length, 21);
	for (const theme of [0, 1]) for (const under of ["paper", "panel"]) {
		for (const name of ["ink", "dim", "accent", "good", "bad", "warn", "past", "future", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"]) {
			const c = contrast(table[name][theme], table[under][theme]);
			assert(c >= 4.5, `${name} on ${under}, ${["light", "dark"][theme]}: ${c.toFixed(2)}`);
		}
	}
});

// ---- bands ----

/** Events 0..7 of two processes, each of which stays in bands; two are inside from 3 to 5. */
const inBands = made([0, 1, 0, 1, 1, 0, 1, 0].map((p, i) => ({ t: i, w: "timeout", p })), {
	n: 2, bands: [
		{ name: "inside", means: "", colour: "blue", texture: "full", on: [[0, 3, 6], [1, 4, 0]], clashes: [[4, 6]] },
		{ name: "waiting", means: "", colour: "orange", texture: "zigzag", on: [[0, 1, 3], [1, 2, 4]] },
	],
});

test("a process is in the band of the stay that an event lies in", () => {
	const names = p => [...inBands.events.keys()].map(i => { const s = stayAt(inBands, p, i); return s ? inBands.bands[s.band].name[0] : "-"; }).join("");
	assert.equal(names(0), "wwiii---");
	assert.equal(names(1), "-wwiiiii");
});

test("an event says what it changes about its process", () => {
	assert.deepEqual([...inBands.events.keys()].map(i => condition(inBands, i)), ["p0: now waiting", "p1: now waiting", "p0: now inside",
		"p1: now inside, and not the only one", "", "p0: no longer inside", "", ""]);
});

test("a clash is cut to the stays of each process", () => {
	assert.deepEqual(inBands.stays.map(list => list.flatMap(s => s.clashes)), [[[3, 5]], [[3, 5]]]);
});

each("the bands of a process follow one another", run => {
	for (const list of run.stays) list.forEach((s, k) => assert(s.from < s.to && (!k || list[k - 1].to <= s.from)));
});

each("a process is down from its crash to its restart", run => {
	run.events.forEach((e, i) => {
		if (run.data.format === 2 && e.w === "crash") assert.equal(condition(run, i), `p${e.p}: now down`);
	});
});

test("the links follow the changes", () => {
	const changes = [{ w: "fault", p: -1, x: "down 0-1", e: [0, 1, 0] }, { w: "linkdown", p: 0, f: 1 }, { w: "fault", p: -1, x: "up 0-1", e: [1, 0, 1] }, { w: "fault", p: -1, x: "up 1-2", e: [1, 2, 1] }];
	const run = made(changes, { n: 3, topology: "complete", gone: [[1, 2]] });
	const shown = at => Object.values(linksAt(run, at)).map(list => list.map(([a, b]) => `${a}${b}`).join(" ")).join(", ");
	assert.deepEqual([-1, 0, 1, 2, 3].map(shown), ["01 02, ", "02, 01", "02, 01", "01 02, ", "01 02 12, "]);
	assert.deepEqual(run.events.map(said), ["the link of p0 and p1 goes down", "p0 is told that its link to p1 is down", "the link of p1 and p0 comes up", "the link of p1 and p2 comes up"]);
	assert.deepEqual(run.marks, [0, 2, 3]);
	assert.deepEqual(made(Array(101).fill(changes[0])).marks, [], "so many changes are no marks");
	assert.equal(run.lanes[0].length, 1, "a notice is a step");
	assert.deepEqual(linksAt(made(changes.slice(0, 1), { links: [[1, 0], [1, 2]] }), 0), { there: [[1, 2]], down: [[1, 0]] });
});

test("processes go straight from corner to corner", () => {
	const ground = { box: [0, 0, 9, 9], range: 3, paths: [[[0, 1, 1], [10, 3, 1], [10, 3, 1], [20, 3, 5]], [[0, 7, 7]]] };
	const shown = t => groundAt(ground, t).map(place => place.join()).join(" ");
	assert.deepEqual([-5, 0, 5, 10, 15, 20, 99].map(shown), ["1,1 7,7", "1,1 7,7", "2,1 7,7", "3,1 7,7", "3,3 7,7", "3,5 7,7", "3,5 7,7"]);
});

test("with a link goes who is in range", () => {
	const run = load("places.json"), { ground, n } = run.data, apart = [];
	run.events.forEach((_, i) => {
		const at = groundAt(ground, run.times[i]), up = new Set(linksAt(run, i).there.map(String));
		for (let b = 1; b < n; b++) for (let a = 0; a < b; a++) {
			const far = Math.hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]) - ground.range;
			if (Math.abs(far) > 0.01) { assert.equal(up.has(`${a},${b}`), far < 0); apart.push(far); }
		}
	});
	assert(apart.length > 100 && apart.some(far => far < 0) && apart.some(far => far > 0));
});

test("all links are there before the first change", () => {
	const run = load("links.json"), { links } = run.data;
	assert.deepEqual(linksAt(run, -1), { there: links, down: [] });
	assert.equal(linksAt(run, run.events.length - 1).there.length, 2);
});
