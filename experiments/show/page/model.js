// @ts-check
"use strict";
// The model: all that is worked out from the data of a run. It touches no page, so that
// node can test it. In the data, events are numbered from 1; here an event is an index
// from 0, and events.length stands for "not in this run". The types are in types.d.ts.

/** Ends of a message that no process handles. */
const UNHANDLED = new Set(["lost", "damaged", "lose", "cut", "collide"]);
const SNAPSHOT = 256; // events between two snapshots of all states

/** Works out, once, what the page asks for again and again. @param {Data} data */
function understand(data) {
	/** @type {Step} */
	const blank = { t: 0, w: "", p: 0, f: 0, m: 0, x: "", k: 0, s: [], u: 0, a: [], n: "", v: {}, c: [], r: [], y: 0, l: [], o: [], i: "" };
	const events = data.events.map(e => ({ ...blank, ...e }));
	const lanes = Array.from({ length: data.n }, () => /** @type {number[]} */ ([]));
	const deaths = Array.from({ length: data.n }, () => /** @type {[number,number][]} */ ([]));
	/** @type {number[]} */ const marks = [], /** @type {number[]} */ changes = [];
	const start = Array.from(lanes, () => /** @type {State} */ ({ alive: true, news: "", last: -1, fields: {} }));
	for (const { p, down, n = "", v = {} } of data.before || []) {
		start[p] = { alive: !down, news: n, last: -1, fields: v };
		if (down) deaths[p].push([0, events.length]);
	}
	const few = events.filter(e => e.e).length <= 100; // changes: else they would hide what processes decide
	events.forEach((e, i) => {
		if (e.p >= 0 && !UNHANDLED.has(e.w)) lanes[e.p].push(i);
		if (e.e) changes.push(i);
		if (e.e && !few) return;
		if (e.n || e.w === "crash" || e.w === "restart" || e.w === "fault" && !e.x.startsWith("struck ")) marks.push(i);
		if (e.w === "crash") deaths[e.p].push([i, events.length]);
		const death = deaths[e.p]?.at(-1);
		if (e.w === "restart" && death) death[1] = i;
	});
	const base = data.cut?.from || 1, part = !!data.cut && data.cut.of > events.length, arrows = arrowsOf(events, base > 1), slice = new Uint8Array(events.length);
	for (const k of data.slice || []) slice[k - 1] = 1;
	// The latest end among the first arrows: a window can skip those that all ended before it.
	const reach = new Int32Array(arrows.length);
	arrows.forEach((a, i) => { reach[i] = Math.max(a.end, i ? reach[i - 1] : 0); });
	return {
		data, events, n: data.n, lanes, deaths, marks, changes, arrows, reach, moving: movingFields(events, lanes, start), slice,
		times: Float64Array.from(events, e => e.t), base, part, bad: !data.correct || !!data.checks?.some(c => c.verdict === "violated"), targets: (data.targets || []).map(k => k - 1),
		...staysOf(data, events.length), begun: begunOf(events, lanes, !!data.timeless), latest: { at: -1, states: /** @type {State[]} */ ([]) },
		snapshots: [start],
	};
}

/** The links that are there after an event, and those that were there and are down. @param {Run} run @param {number} at
 * @returns {{there:[number,number][], down:[number,number][]}} */
function linksAt({ data: { links, gone = [], topology }, n, events, changes }, at) {
	const key = (a = 0, b = 0) => Math.min(a, b) * n + Math.max(a, b), first = new Set(gone.map(([a, b]) => key(a, b)));
	const all = links || (topology === "complete" ? Array.from({ length: n * (n - 1) / 2 }, (_, k) => {
		const b = Math.floor((1 + Math.sqrt(1 + 8 * k)) / 2);
		return /** @type {[number,number]} */ ([k - b * (b - 1) / 2, b]);
	}) : []);
	/** @type {Map<number,boolean>} */ const changed = new Map();
	for (const i of changes) {
		const { e } = events[i];
		if (i > at || !e) break;
		changed.set(key(e[0], e[1]), !!e[2]);
	}
	const is = (/** @type {[number,number]} */ [a, b]) => changed.get(key(a, b)) ?? !first.has(key(a, b));
	return { there: all.filter(is), down: all.filter(link => changed.get(key(...link)) === false) };
}

/** The bands, and when each process was in one: by address, in the order of the run, and where the stays end; and the
 * bands in which two begin to be that are for one, by event. Events are counted from 0. @param {Data} data @param {number} end */
function staysOf({ n, bands = [] }, end) {
	const stays = Array.from({ length: n }, () => /** @type {Stay[]} */ ([]));
	/** @type {Map<number,string>} */ const clashing = new Map();
	bands.forEach(({ name, on, clashes = [] }, band) => {
		const both = clashes.map(([a, b]) => /** @type {[number,number]} */ ([a - 1, b ? b - 1 : end])), ends = both.map(c => c[1]);
		for (const [from] of both) clashing.set(from, name);
		for (const [p, a, b] of on) {
			const stay = /** @type {Stay} */ ({ from: a - 1, to: b ? b - 1 : end, band, clashes: [] });
			for (let k = lower(ends, stay.from + 1); k < both.length && both[k][0] < stay.to; k++)
				stay.clashes.push([Math.max(stay.from, both[k][0]), Math.min(stay.to, both[k][1])]);
			stays[p].push(stay);
		}
	});
	for (const list of stays) list.sort((s, t) => s.from - t.from);
	return { bands, stays, stayEnds: stays.map(list => Int32Array.from(list, s => s.to)), clashing };
}

/** The stay of a process in a band after an event, undefined if it is in none. @param {Run} run @param {number} p @param {number} at */
function stayAt({ stays, stayEnds }, p, at) {
	const stay = stays[p]?.[lower(stayEnds[p], at + 1)];
	return stay && stay.from <= at ? stay : undefined;
}

/** What an event changes about the condition of its process, in words; "" if nothing. @param {Run} run @param {number} at */
function condition(run, at) {
	const { p } = run.events[at], now = stayAt(run, p, at), before = stayAt(run, p, at - 1);
	if (now && now.from === at) return `p${p}: now ${run.bands[now.band].name}${run.clashing.has(at) ? ", and not the only one" : ""}`;
	return before && before !== now ? `p${p}: no longer ${run.bands[before.band].name}` : "";
}

/** @param {Step[]} events @param {boolean} part messages may come from before the events @returns {Arrow[]} in the order of their sending */
function arrowsOf(events, part) {
	/** @type {Map<number,[number,[number,number,number,string]]>} */ const sendings = new Map();
	/** @type {Arrow[]} */ const arrows = [];
	const ended = new Set();
	events.forEach((e, i) => {
		for (const s of e.s) if (s[1]) sendings.set(s[1], [i, s]);
		if (!e.m) return;
		ended.add(e.m);
		const sent = sendings.get(e.m)?.[0] ?? (part ? 0 : i);
		arrows.push({ from: e.f, to: e.p, sent, end: i, kind: e.k, text: e.x, how: e.w, early: part && !sendings.has(e.m) });
	});
	for (const [m, [i, [to, , kind, text]]] of sendings)
		if (!ended.has(m)) arrows.push({ from: events[i].p, to, sent: i, end: events.length, kind, text, how: "under way", early: false });
	return arrows.sort((a, b) => a.sent - b.sent || a.end - b.end);
}

/** The last event with which a process begins its part, or crashes before it starts. Nothing arrives before it.
 * @param {Step[]} events @param {number[][]} lanes @param {boolean} timeless */
function begunOf(events, lanes, timeless) {
	const arrival = events.findIndex(e => e.w === "deliver" || e.w === "timeout" || !timeless && e.t > events[0].t), end = arrival < 0 ? events.length : arrival;
	return events.findLastIndex((e, i) => e.w === "start" || e.w === "boot" || e.w === "crash" && i < end && !lanes[e.p].some(k => k < i && events[k].w === "start"));
}

/** Fields that change during the run; the others are configuration. @param {Step[]} events @param {number[][]} lanes @param {State[]} start */
function movingFields(events, lanes, start) {
	/** @type {Set<string>} */ const moving = new Set();
	lanes.forEach((lane, p) => {
		const seen = new Set(Object.keys(start[p].fields));
		for (const i of lane) for (const name in events[i].v) seen.has(name) ? moving.add(name) : seen.add(name);
	});
	return moving;
}

/** The place of each event on the axis "time", "gaps" or "steps", and of the end of the run. @param {Run} run @param {string} axis */
function places(run, axis) {
	const { times } = run, count = times.length, x = new Float64Array(count + 1);
	const gaps = times.map((t, i) => i ? t - times[i - 1] : 0);
	const silences = gaps.filter(g => g > 0).sort(), median = silences[silences.length >> 1] || 1;
	for (let i = 0; i < count; i++) {
		if (axis === "time") x[i] = times[i];
		else if (i) x[i] = x[i - 1] + (axis === "steps" ? 1 : gaps[i] > 0 ? Math.log2(1 + gaps[i] / median) + 0.15 : 0);
	}
	x[count] = count ? x[count - 1] + ((x[count - 1] - x[0]) * 0.03 || 1) : 1;
	return x;
}

/** The first index of xs, which do not decrease, with a value of at least v. @param {ArrayLike<number>} xs @param {number} v */
function lower(xs, v) {
	let lo = 0, hi = xs.length;
	while (lo < hi) {
		const mid = (lo + hi) >> 1;
		if (xs[mid] < v) lo = mid + 1; else hi = mid;
	}
	return lo;
}

/** Marks with 1 the event and all that it follows from (back) or that follows from it. @param {Run} run @param {number} at @param {boolean} back */
function cone(run, at, back) {
	const { events } = run, mark = new Uint8Array(events.length);
	if (at < mark.length) mark[at] = 1;
	// A cause comes before its effect, so one pass is enough.
	if (back) for (let i = at; i >= 0; i--) { if (mark[i]) for (const a of events[i].a) mark[a - 1] = 1; }
	else for (let i = at + 1; i < mark.length; i++) for (const a of events[i].a) if (mark[a - 1]) mark[i] = 1;
	return mark;
}

/** How many events come before an event, after it, and are concurrent with it. @param {Run} run @param {number} at */
function order(run, at) {
	const count = (/** @type {Uint8Array} */ mark) => mark.reduce((sum, x) => sum + x, -1);
	const before = count(cone(run, at, true)), after = count(cone(run, at, false));
	return { before, after, concurrent: run.events.length - 1 - before - after };
}

/** The state of each process after an event. Do not change it. @param {Run} run @param {number} at */
function statesAt(run, at) {
	const { snapshots } = run, block = Math.floor(at / SNAPSHOT);
	for (let k = snapshots.length; k <= block; k++) snapshots[k] = advance(run, snapshots[k - 1], (k - 1) * SNAPSHOT, k * SNAPSHOT);
	// The states that were asked for last are often nearer; the parts that stay the same stay the same objects.
	const { latest } = run, near = latest.at <= at && latest.at >= block * SNAPSHOT;
	run.latest = { at, states: near ? advance(run, latest.states, latest.at + 1, at + 1) : advance(run, snapshots[block], block * SNAPSHOT, at + 1) };
	return run.latest.states;
}

/** The states after the events from..to-1. @param {Run} run @param {State[]} states @param {number} from @param {number} to */
function advance(run, states, from, to) {
	const now = states.slice();
	for (let i = from; i < Math.min(to, run.events.length); i++) {
		const e = run.events[i];
		if (e.p < 0 || UNHANDLED.has(e.w)) continue;
		const s = now[e.p], back = e.w === "restart";
		now[e.p] = { alive: back || s.alive && e.w !== "crash", news: e.n || (back ? "" : s.news), last: i, fields: { ...s.fields, ...e.v } };
	}
	return now;
}

/** The lanes from top to bottom. Neighbours that are folded share one thin lane.
 * @param {Run} run @param {string} by "address", "identity", "first" (event) or "activity" @param {Set<number>} folded
 * @returns {{rows:{of:number[],folded:boolean,y:number}[], y:Float64Array, height:number}} places in heights of a lane */
function arrange(run, by, folded) {
	const { n, data: { ids }, lanes, events } = run;
	/** @type {Record<string,(p:number)=>number>} */ const keys = {
		identity: p => ids ? ids[p] : p, first: p => lanes[p][0] ?? events.length, activity: p => -lanes[p].length,
	};
	const key = keys[by] || (p => p);
	/** @type {{of:number[],folded:boolean,y:number}[]} */ const rows = [];
	for (const p of Array.from({ length: n }, (_, p) => p).sort((p, q) => key(p) - key(q) || p - q)) {
		const thin = folded.has(p), above = rows.at(-1);
		if (thin && above?.folded) above.of.push(p); else rows.push({ of: [p], folded: thin, y: 0 });
	}
	const y = new Float64Array(n);
	let height = 0;
	for (const row of rows) {
		const size = row.folded ? 0.45 : 1;
		row.y = height + size / 2;
		height += size;
		for (const p of row.of) y[p] = row.y;
	}
	return { rows, y, height };
}

/** Processes without an event or a message among the events from..to-1. @param {Run} run @param {number} from @param {number} to */
function idle(run, from, to) {
	const quiet = new Set(Array.from({ length: run.n }, (_, p) => p));
	for (let i = Math.max(0, from); i < Math.min(to, run.events.length) && quiet.size; i++) {
		const e = run.events[i];
		quiet.delete(e.p);
		for (const s of e.s) quiet.delete(s[0]);
	}
	return quiet;
}

/** A moment as text: in constant delays if there is a unit and counted is set. @param {Run} run @param {number} t @param {boolean} [counted] */
function instant(run, t, counted) {
	const { unit, timeless } = run.data, rounded = (x = 0) => String(+x.toFixed(3));
	if (timeless) return counted ? String(t) : `step ${t}`;
	if (unit && counted) return rounded(t / unit);
	for (const [size, name] of /** @type {[number,string][]} */ ([[1e9, "s"], [1e6, "ms"], [1e3, "µs"]])) if (t >= size) return `${rounded(t / size)} ${name}`;
	return t ? `${rounded(t)} ns` : "0";
}

/** What happened, as a sentence. @param {Step} e */
function said(e) {
	const p = `p${e.p}`, f = `p${e.f}`;
	switch (e.w) {
		case "start": return `${p} starts`;
		case "boot": return `${p} boots`;
		case "deliver": return `${p} receives ${e.x} from ${f}`;
		case "lost": return `${e.x} from ${f} reaches ${p}, which has crashed`;
		case "damaged": return `${p} drops the damaged ${e.x} from ${f}`;
		case "lose": return `the link loses ${e.x} from ${f} to ${p}`;
		case "cut": return `a fault stops ${e.x} from ${f} to ${p}`;
		case "collide": return `${e.x} from ${f} collides at ${p}, ${e.i}`;
		case "timeout": return `timeout ${e.x || e.y} at ${p}`;
		case "linkup": return `${p} is told that its link to ${f} is up`;
		case "linkdown": return `${p} is told that its link to ${f} is down`;
		case "crash": return `${p} crashes`;
		case "restart": return `${p} restarts`;
		case "fault": return e.e ? `the link of p${e.e[0]} and p${e.e[1]} ${e.e[2] ? "comes up" : "goes down"}` : `fault: ${e.x}`;
	}
	return `${p}: ${e.w} ${e.x}`;
}

/** The messages that an event sends, equal ones together. @param {Step} e */
function sends(e) {
	/** @type {Map<string,string[]>} */ const by = new Map();
	for (const [to, , , text] of e.s) by.set(text, [...by.get(text) || [], `p${to}`]);
	return [...by].map(([text, to]) => `${text} to ${to.length > 12 ? `${to.length} processes` : to.join(", ")}`).join("; ");
}

/** The events whose words hold a text, whatever its case. @param {Run} run @param {string} text */
function search(run, text) {
	const wanted = text.trim().toLowerCase();
	/** @type {number[]} */ const hits = [];
	if (wanted) run.events.forEach((e, i) => {
		const news = e.n ? `p${e.p} ${e.n}` : "", sent = e.s.map(s => s[3]).join(" ");
		if ([said(e), news, sent, ...e.l, ...e.o].join("\n").toLowerCase().includes(wanted)) hits.push(i);
	});
	return hits;
}

/** The block of the pseudocode that ran in an event, -1 if none. The most specific label counts. @param {Run} run @param {Step} e */
function blockOf(run, e) {
	const blocks = run.data.pseudocode || [];
	const detail = e.w === "deliver" ? run.data.kinds[e.k] : e.w === "timeout" ? e.x : "";
	// A timer may have a name such as "contest 3" where the pseudocode says "timeout contest".
	for (let label = `${e.w} ${detail}`.trim(); label; label = label.slice(0, Math.max(0, label.lastIndexOf(" ")))) {
		const at = blocks.findIndex(b => b.on.includes(label));
		if (at >= 0) return at;
	}
	return -1;
}

/** Places of the processes in the unit circle: a ring, or as far apart as the number of links between them asks for.
 * @param {Run} run @returns {[number,number][]} */
function layout({ n, data: { links, topology } }) {
	const at = Array.from({ length: n }, (_, p) => /** @type {[number,number]} */ ([Math.sin(2 * Math.PI * p / n), -Math.cos(2 * Math.PI * p / n)]));
	if (n === 1) return [[0, 0]];
	if (!links || /ring|complete/.test(topology) || n > 120) return at;
	const hops = at.map((_, i) => at.map((_, j) => i === j ? 0 : n));
	for (const [i, j] of links) hops[i][j] = hops[j][i] = 1;
	for (let k = 0; k < n; k++) for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) hops[i][j] = Math.min(hops[i][j], hops[i][k] + hops[k][j]);
	// Each pair is moved towards its distance, by less and less (stress, by gradient descent).
	for (let pull = n * n; pull > 0.01; pull *= 0.8) for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) {
		const dx = at[i][0] - at[j][0], dy = at[i][1] - at[j][1], now = Math.hypot(dx, dy) || 1e-3, want = hops[i][j];
		const move = Math.min(1, pull / want ** 2) * (want - now) / 2 / now;
		at[i][0] += dx * move; at[i][1] += dy * move;
		at[j][0] -= dx * move; at[j][1] -= dy * move;
	}
	const mid = [0, 1].map(c => at.reduce((sum, spot) => sum + spot[c], 0) / n);
	const far = Math.max(...at.map(([x, y]) => Math.hypot(x - mid[0], y - mid[1])));
	return at.map(([x, y]) => [(x - mid[0]) / far, (y - mid[1]) / far]);
}

/** Where the processes are at an instant, in metres. @param {Ground} ground @param {number} t @returns {[number,number][]} */
function groundAt({ paths }, t) {
	return paths.map(path => {
		let i = 0, end = path.length - 1;
		while (i < end) { // the last corner before t
			const mid = (i + end + 1) >> 1;
			if (path[mid][0] <= t) i = mid; else end = mid - 1;
		}
		const [t0, x0, y0] = path[i], [t1, x1, y1] = path[i + 1] ?? path[i], part = t1 > t0 ? Math.max(0, (t - t0) / (t1 - t0)) : 0;
		return [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part];
	});
}

/** For each event of a the event of b that is the same by cause: the k-th of its process with its words; -1 if none. @param {Run} a @param {Run} b */
function pairs(a, b) {
	/** @type {Map<string,number[]>} */ const waiting = new Map();
	const key = (/** @type {Step} */ e) => `${e.p} ${said(e)}`;
	for (let i = b.events.length - 1; i >= 0; i--) {
		const list = waiting.get(key(b.events[i]));
		if (list) list.push(i); else waiting.set(key(b.events[i]), [i]);
	}
	return Int32Array.from(a.events, e => waiting.get(key(e))?.pop() ?? -1);
}

/** The first event of a that b does not have: at the same instant and place in order, or by cause; a.events.length if none.
 * @param {Run} a @param {Run} b @param {boolean} byCause */
function parting(a, b, byCause) {
	const match = byCause ? pairs(a, b) : null;
	const same = (/** @type {Step} */ e, i = 0) =>
		match ? match[i] >= 0 : i < b.events.length && e.t === b.events[i].t && e.p === b.events[i].p && said(e) === said(b.events[i]);
	const at = a.events.findIndex((e, i) => !same(e, i));
	return at < 0 ? a.events.length : at;
}

/** The event of b that is shown beside an event of a. match is pairs(a, b), or null to go by time. @param {Run} a @param {Run} b @param {number} at @param {Int32Array|null} match */
function beside(a, b, at, match) {
	if (!match) return Math.max(0, lower(b.times, a.times[at] + 1) - 1);
	let i = at;
	while (i > 0 && match[i] < 0) i--;
	return Math.max(0, match[i]);
}

// ---- other runs: schedules, for `bullring run --schedule` ----

/** The steps of a run before an event, as lines of a schedule, and the messages on each link then. Where the schedule
 * restarts a process, messages to a crashed one stay on their links; otherwise they are gone with it. */
class Schedule {
	/** @param {Run} run @param {number} until @param {boolean} [restarts] a later step restarts a process */
	constructor(run, until, restarts) {
		const past = run.events.slice(0, until), { timers = "timers free", dead } = run.data.branch || {};
		this.run = run;
		this.lines = [timers];
		this.crashed = new Set(dead);
		this.keeps = restarts || past.some(e => e.w === "restart");
		/** By link. @type {Map<string,{m:number,text:string,lost:boolean}[]>} */ this.links = new Map();
		/** How often a message arrives in the whole run. @type {Map<number,number>} */ this.copies = new Map();
		for (const e of run.events) if (e.w === "deliver" || e.w === "lost" && this.keeps) this.copies.set(e.m, (this.copies.get(e.m) || 0) + 1);
		past.forEach((e, i) => this.add(e, i));
		if (until > run.begun) this.lose();
	}

	/** @param {Step} e @param {number} i */
	add(e, i) {
		const handled = !UNHANDLED.has(e.w);
		if (e.w === "fault" || !handled && this.crashed.has(e.p) && !this.keeps) return;
		if (e.w === "crash") return this.crash(e.p);
		if (e.m && !handled && e.w !== "lost") return this.mark(e);
		if (e.w !== "start" && e.w !== "boot") this.lose();
		if (e.m) this.remove(e);
		const cut = crashesIn(this.run, i);
		this.lines.push(stepOf(e) + drawn(e) + (cut ? `, crash after ${e.u || e.s.length} sends` : ""));
		if (e.w === "restart") this.crashed.delete(e.p);
		for (const [to, m, , text] of e.s) if (this.keeps || !this.crashed.has(to)) this.on(`${e.p}->${to}`).push({ m, text, lost: false });
		if (cut) this.crash(e.p, true);
	}

	on(link = "") {
		if (!this.links.has(link)) this.links.set(link, []);
		return this.links.get(link) || [];
	}

	/** Marks a message as lost, if no copy of it arrives. @param {Step} e */
	mark(e) {
		for (const f of this.on(`${e.f}->${e.p}`)) f.lost ||= f.m === e.m && !this.copies.has(e.m);
	}

	/** Takes the message of an event from its link. Before its first arrival it is duplicated, as often as it arrives once more. @param {Step} e */
	remove(e) {
		const link = `${e.f}->${e.p}`, list = this.on(link), i = list.findIndex(f => f.m === e.m);
		for (let k = this.copies.get(e.m) || 1; k > 1; k--) {
			this.lines.push(`duplicate ${link} ${e.x}`);
			list.splice(i, 0, { ...list[i] });
		}
		this.copies.set(e.m, 1);
		list.splice(i, 1);
	}

	/** Loses what was lost in the run. A link that keeps the order can only lose its first message. */
	lose() {
		for (const [link, list] of this.links)
			for (let i; (i = list.findIndex(f => f.lost)) >= 0 && (i === 0 || !this.run.data.fifo);) this.lines.push(`lose ${link} ${list.splice(i, 1)[0].text}`);
	}

	crash(p = 0, amid = false) {
		if (!amid && !this.crashed.has(p)) this.lines.push(`crash ${p}`);
		this.crashed.add(p);
		if (!this.keeps) for (const [link, list] of this.links) if (link.endsWith(`->${p}`)) list.length = 0;
	}
}

/** Whether a process crashes in the middle of an event, after some of its messages have left. @param {Run} run @param {number} i */
function crashesIn({ events, data }, i) {
	const { p, t } = events[i];
	let amid = !!data.timeless;
	for (const e of events.slice(i + 1, i + 99)) {
		if (e.t !== t || e.w !== "fault") return amid && e.t === t && e.w === "crash" && e.p === p;
		amid ||= e.x.startsWith("crashed a process ");
	}
	return false;
}

/** An event as a step, without what it drew and read. @param {Step} e */
function stepOf(e) {
	if (e.w === "deliver" || e.w === "lost") return `deliver ${e.f}->${e.p} ${e.x}`;
	return e.w === "timeout" ? `timeout ${e.p} timer ${e.y}` : `${e.w} ${e.p}`;
}
/** @param {Step} e */
const drawn = e => (e.c.length ? `, choose ${e.c.join(" ")}` : "") + (e.r.length ? `, reads ${e.r.map(ns => `${ns}ns`).join(" ")}` : "");

/** What can happen instead of an event. @param {Run} run @param {number} at @returns {Choice[]} */
function choices(run, at) {
	const { links, crashed } = new Schedule(run, at), { events, lanes, begun, data: { fifo } } = run;
	/** The next event of each process. */
	const next = lanes.map(lane => events[lane[lower(lane, at)]]);
	/** @type {Map<string,Choice>} */ const found = new Map();
	const offer = (step = "", p = 0, text = "") => {
		// A process that takes this step next in the run, too, draws and reads the same in it.
		if (step !== stepOf(events[at])) found.set(step, { line: step + (next[p] && stepOf(next[p]) === step ? drawn(next[p]) : ""), text });
	};
	const heads = [...links].flatMap(([link, list]) => list.filter((f, i) => !f.lost && (i === 0 || !fifo)).map(({ text }) => ({ link, text })));
	for (const e of events.slice(at, begun + 1)) if (e.w === "start" || e.w === "boot") offer(stepOf(e), e.p, said(e));
	// Messages arrive and timers expire when all processes have begun.
	if (at > begun) for (const verb of ["deliver", "lose", "duplicate"]) for (const { link, text } of heads) {
		const [from, to] = link.split("->"), does = verb === "lose" ? "loses" : "doubles";
		if (!crashed.has(+to)) offer(`${verb} ${link} ${text}`, +to, verb === "deliver" ? `p${to} receives ${text} from p${from}` : `the link from p${from} to p${to} ${does} ${text}`);
	}
	// A timer that expires in the next step of its process is armed by now.
	if (at > begun) next.forEach((e, p) => { if (e?.w === "timeout" && !crashed.has(p)) offer(stepOf(e), p, said(e)); });
	for (let p = 0; p < run.n; p++) offer(`${crashed.has(p) ? "restart" : "crash"} ${p}`, p, `p${p} ${crashed.has(p) ? "restarts" : "crashes"}`);
	return [...found.values()];
}

/** The file of a run that takes another step instead of an event: a case with its schedule. @param {Run} run @param {number} at @param {string} line */
function branchFile(run, at, line) {
	const { lines } = new Schedule(run, at, line.startsWith("restart")), base = run.data.branch?.case || { setting: {} };
	return JSON.stringify({ ...base, setting: { ...base.setting, schedule: [...lines, line, "go on"] } }, null, 2) + "\n";
}
