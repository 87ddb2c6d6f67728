// @ts-check
"use strict";
// The paper: what is shown of the runs, and how it is painted.

/** @type {(id:string) => any} */ const $ = id => document.getElementById(id);

/** An element with properties and children. @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string,unknown>} [props] @param {(Node|string)[]} kids */
function el(tag, props, ...kids) {
	const made = Object.assign(document.createElement(tag), props);
	made.append(...kids);
	return made;
}

/** @type {Run[]} */ const runs = JSON.parse($("runs").textContent).map(understand);
const twin = runs.length > 1, AXES = ["time", "gaps", "steps"], CAUSES = ["all", "event", "why"];
const usualAxis = runs.some(r => r.events.length > 400) ? "gaps" : "time";
const view = {
	on: 0, at: runs.map(() => 0), axis: usualAxis, causes: "all",
	align: runs.some(r => !!r.data.timeless) ? "cause" : "time", order: "address", idle: false, folded: runs.map(() => /** @type {Set<number>} */ (new Set())),
	hidden: /** @type {Set<number>} */ (new Set()), zoom: 1, left: 0, // left is a part of the whole run
	tab: "states", hits: /** @type {number[]} */ ([]), playing: 0, frac: 1, // frac is the part of the way to the next event, while it plays
	hover: /** @type {Arrow|null} */ (null),
};
let axes = runs.map(run => places(run, view.axis));
const match = twin ? [pairs(runs[0], runs[1]), pairs(runs[1], runs[0])] : [];
/** The first event of each run that the other one does not have. */
const partings = () => runs.map((run, r) => twin ? parting(run, runs[1 - r], view.align === "cause") : run.events.length);
let differs = partings();
const calm = matchMedia("(prefers-reduced-motion: reduce)"), prefersDark = matchMedia("(prefers-color-scheme: dark)");

const run = () => runs[view.on], now = () => view.at[view.on];
const clamp = (x = 0, lo = 0, hi = 0) => Math.max(lo, Math.min(hi, x));
const whole = () => Math.max(...axes.map(x => x[x.length - 1])) || 1;

// ---- paper and ink ----

const TOP = twin ? 52 : 38, BOTTOM = twin ? 36 : 24, RIGHT = 26, EDGE = 12;
const NAMED = 160, DASHED = 600, CROWD = 1500; // with more arrows in view: no texts; no dashes, which are slow; one path a kind
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
/** Of the first kinds, for who sees no colours. The others share these, and have a number; equal colours have other dashes. */
const DASHES = [[], [8, 3], [8, 3, 2, 3], [3, 2], [9, 3, 2, 3, 2, 3], [3, 6]];
/** @type {Record<string,string>} */ let ink = {};
const inkOf = (kind = 0) => ink[`k${kind % 8}`];
const dashOf = (kind = 0) => DASHES[kind % DASHES.length];
/** The number on the arrows of a kind that shares its dashes with another, "" for others. It is that of its key. */
const tagOf = (kind = 0) => kind < DASHES.length ? "" : String(kind + 1);

function readInk() {
	const style = getComputedStyle(document.documentElement), dark = document.documentElement.dataset.theme === "dark";
	for (const name of "paper panel ink dim line soft lane accent good bad warn past future k0 k1 k2 k3 k4 k5 k6 k7".split(" "))
		ink[name] = (style.getPropertyValue(`--${name}`).match(/#\w+/g) || [])[+dark];
}

/** @param {HTMLCanvasElement} canvas */
function fitted(canvas) {
	const dots = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
	const g = /** @type {Canvas2D} */ (canvas.getContext("2d"));
	if (canvas.width !== Math.round(w * dots)) canvas.width = Math.round(w * dots);
	if (canvas.height !== Math.round(h * dots)) canvas.height = Math.round(h * dots);
	g.setTransform(dots, 0, 0, dots, 0, 0);
	g.clearRect(0, 0, w, h);
	g.textBaseline = "middle";
	return { g, w, h };
}

/** @param {Canvas2D} g @param {string} colour @param {number} width @param {number[]} [dash] */
function pen(g, colour, width, dash) {
	g.strokeStyle = g.fillStyle = colour;
	g.lineWidth = width;
	g.setLineDash(dash || []);
}

/** @param {Canvas2D} g @param {number[]} xy x0, y0, x1, y1, ... of one line */
function line(g, ...xy) {
	g.beginPath();
	for (let i = 0; i < xy.length; i += 2) g.lineTo(xy[i], xy[i + 1]);
	g.stroke();
}

/** A text with a halo, and its width. @param {Canvas2D} g @param {string} text @param {number} x @param {number} y @param {string} colour */
function label(g, text, x, y, colour) {
	pen(g, ink.paper, 4);
	g.lineJoin = "round";
	g.strokeText(text, x, y);
	g.fillStyle = colour;
	g.fillText(text, x, y);
}

/** @type {Record<string,{key:string,canvas:HTMLCanvasElement}>} */ const pictures = {};
/** Paints what seldom changes: its picture is kept until the key, the size or the theme changes.
 * @param {Canvas2D} g @param {string} name @param {string} key @param {(g:Canvas2D) => void} paint */
function kept(g, name, key, paint) {
	const { width, height } = g.canvas, full = [key, width, height, ink.paper].join();
	const had = pictures[name] ||= { key: "", canvas: document.createElement("canvas") };
	if (!width || !height) return;
	if (had.key !== full) {
		Object.assign(had.canvas, { width, height });
		const own = /** @type {Canvas2D} */ (had.canvas.getContext("2d"));
		own.setTransform(g.getTransform());
		paint(own);
		had.key = full;
	}
	g.save();
	g.resetTransform();
	g.drawImage(had.canvas, 0, 0);
	g.restore();
}

/** The signs of the legend that are painted. */
const swatches = new Map();

let asked = false;
function draw() {
	if (asked) return;
	asked = true;
	requestAnimationFrame(() => { asked = false; paint(); });
}
function paint() {
	runs.forEach((_, r) => paintPlot(frameOf(r)));
	paintStrip();
	paintMap();
	for (const [canvas, paintOne] of swatches) if (canvas.isConnected) paintOne(fitted(canvas).g); else swatches.delete(canvas);
}

// ---- the diagram ----

const gutter = (w = 0) => w < 560 ? 52 : 92;

/** The scales of a plot: the events first..last-1 are in view. @param {number} r */
function frameOf(r) {
	const run = runs[r], { g, w, h } = fitted(plots[r].canvas), x = axes[r], all = whole(), left = gutter(w), room = w - left - RIGHT;
	const px = (v = 0) => left + (v / all - view.left) * view.zoom * room;
	const value = (p = 0) => ((p - left) / room / view.zoom + view.left) * all;
	const first = Math.max(0, lower(x, value(left - 8)) - 1), last = Math.min(run.events.length, lower(x, value(w)) + 1);
	const folded = new Set([...view.folded[r], ...view.idle ? idle(run, first, last) : []]);
	const lanes = arrange(run, view.order, folded), step = Math.min((h - TOP - BOTTOM) / lanes.height, 92), off = TOP + (h - TOP - BOTTOM - step * lanes.height) / 2;
	return {
		r, run, g, w, h, left, first, last, lanes, step, px, value, x, ex: (i = 0) => px(x[i]),
		y: (p = 0) => off + lanes.y[p] * step, off, mark: markOf(r), sparse: last - first < 1200, folded,
	};
}

let marked = { key: "", mark: new Uint8Array() };
/** What stands out: 1 leads to the event, 2 follows from it, 0 is faded; null if nothing is faded. @param {number} r */
function markOf(r) {
	const run = runs[r], at = view.at[r];
	if (view.causes === "all" || !run.events.length) return null;
	if (view.causes === "why") return run.slice;
	if (marked.key !== `${r} ${at}`) {
		const mark = cone(run, at, false).map(x => x * 2);
		cone(run, at, true).forEach((x, i) => { if (x) mark[i] = 1; });
		marked = { key: `${r} ${at}`, mark };
	}
	return marked.mark;
}

/** @param {Frame} f */
function paintPlot(f) {
	const { g, w, h, left, run, first, last } = f;
	paintAxis(f);
	g.save();
	g.beginPath();
	g.rect(left - EDGE, 0, w, h);
	g.clip();
	paintSpans(f);
	paintBands(f);
	paintLanes(f);
	paintChanges(f);
	paintArrows(f);
	g.setLineDash([]);
	for (let i = first; i < last; i++) paintEvent(f, i);
	paintCursor(f);
	if (f.sparse) paintNews(f);
	g.restore();
	paintNames(f);
	if (!run.events.length) label(g, "nothing happens in this run", left, h / 2, ink.dim);
}

/** @param {Frame} f */
function paintAxis({ g, w, h, run, left, px, value, ex, x, first }) {
	const axis = view.axis;
	pen(g, ink.soft, 1);
	g.font = `11px ${FONT}`;
	g.textAlign = "center";
	const counted = runs.every(other => other.data.unit === run.data.unit);
	let free = 0, before = "";
	const tick = (at = 0, text = "") => {
		const half = g.measureText(text).width / 2;
		if (at < left - 1 || at > w - 8 || at - half < free || text === before) return;
		free = at + half + 14;
		before = text;
		line(g, at, TOP - 6, at, h - BOTTOM + 4);
		g.fillStyle = ink.dim;
		g.fillText(text, at, h - 10);
	};
	if (axis === "time") {
		const raw = (value(w) - value(left)) * 90 / (w - left), ten = 10 ** Math.floor(Math.log10(raw));
		const step = Math.max(run.data.timeless ? 1 : 0, [1, 2, 5, 10].map(k => k * ten).find(s => s >= raw) || raw);
		for (let t = Math.ceil(value(left) / step - 1e-9) * step; t < value(w); t += step) tick(px(t), instant(run, t, counted));
	} else {
		for (let i = first; i < run.events.length && ex(i) < w; i++) {
			if (ex(i) >= free) tick(ex(i), axis === "steps" ? `#${i + run.base}` : instant(run, run.times[i], counted));
		}
	}
	g.textAlign = "left";
	g.fillStyle = ink.dim;
	if (left > 60) g.fillText(axis === "steps" ? "event" : run.data.timeless ? "step" : run.data.unit && counted ? "delays" : "time", 14, h - 10);
}

/** Faults that last are shaded; one that strikes once is a dashed line. @param {Frame} f */
function paintSpans({ g, h, w, run, left, ex, first, last }) {
	let free = 0;
	const name = (text = "", x = 0) => {
		const wide = g.measureText(text).width, at = clamp(x + 4, left, w - wide - 4);
		if (at < free) return;
		label(g, text, at, TOP - 17, ink.bad);
		free = at + wide + 12;
	};
	g.font = `11px ${FONT}`;
	const ends = new Set(), shade = new Path2D(); // one path, so that faults at one time are not darker
	for (const { text, from, to } of run.data.spans || []) {
		ends.add(from - 1).add((to || 0) - 1);
		const x0 = ex(from - 1), x1 = ex(to ? to - 1 : run.events.length);
		if (x1 < left || x0 > w) continue;
		shade.rect(x0, TOP - 8, x1 - x0, h - TOP - BOTTOM + 12);
		pen(g, ink.bad, 1);
		line(g, x0, TOP - 8, x1, TOP - 8);
		name(text, x0);
	}
	pen(g, ink.bad, 1);
	g.globalAlpha = 0.08;
	g.fill(shade);
	g.globalAlpha = 1;
	for (let k = lower(run.marks, first); run.marks[k] < last; k++) {
		const i = run.marks[k], e = run.events[i];
		if (e.w !== "fault" || e.e || ends.has(i)) continue;
		pen(g, ink.bad, 1, [3, 3]);
		line(g, ex(i), TOP - 8, ex(i), h - BOTTOM + 4);
		name(e.x, ex(i));
	}
}

// ---- bands ----

/** @type {Record<string,string>} */ const BAND_INK = { blue: "k0", red: "k1", green: "k2", purple: "k3", orange: "k4", sky: "k5", black: "k6" };
/** How strong the ground of a texture is. @type {Record<string,number>} */ const GROUNDS = { full: 0.5, zigzag: 0.14, crossed: 0.14, dotted: 0.14, hollow: 0, pale: 0.2 };
const bandHeight = (step = 0) => clamp(step * 0.34, 3, 18);

/** @typedef {[number,number,number]} Box left and upper edge, and width */

/** Adds the pattern of a texture in a box to the present path. @param {Canvas2D} g @param {string} texture @param {Box} box @param {number} h */
function addPattern(g, texture, [x, y, w], h) {
	const pitch = Math.max(5, h * 0.6); // the zigzag depends on the place alone, so that it stays where it is while the box is cut
	const height = (at = 0) => { const leg = Math.floor(at / pitch), part = at / pitch - leg; return y + h * (leg % 2 ? 1 - part : part); };
	const zigzag = (/** @type {(at:number) => number} */ up) => {
		g.moveTo(x, up(x));
		for (let at = (Math.floor(x / pitch) + 1) * pitch; at < x + w; at += pitch) g.lineTo(at, up(at));
		g.lineTo(x + w, up(x + w));
	};
	if (texture === "zigzag" || texture === "crossed") zigzag(height);
	if (texture === "crossed") zigzag(at => 2 * y + h - height(at));
	if (texture === "dotted") for (const part of [0.25, 0.5, 0.75]) { g.moveTo(x, y + part * h); g.lineTo(x + w, y + part * h); }
	if (texture === "hollow") g.rect(x + 0.5, y + 0.5, w - 1, h - 1);
}

/** A band in boxes of one height. @param {Canvas2D} g @param {{colour:string,texture:string}} band @param {Box[]} boxes @param {number} h */
function paintBand(g, { colour, texture }, boxes, h) {
	pen(g, ink[BAND_INK[colour]], 1.1, texture === "dotted" ? [1.5, 2.5] : []);
	g.beginPath();
	for (const [x, y, w] of boxes) g.rect(x, y, w, h);
	g.globalAlpha = GROUNDS[texture];
	g.fill();
	g.globalAlpha = 1;
	g.beginPath();
	for (const box of boxes) if (box[2] > 3) addPattern(g, texture, box, h);
	g.stroke();
}

/** Two were in a band that is for one. @param {Canvas2D} g @param {number} x @param {number} y @param {number} w @param {number} h */
function paintClash(g, x, y, w, h) {
	g.fillStyle = ink.bad;
	g.fillRect(x, y, w, h);
	g.fillStyle = ink.ink;
	g.fillRect(x, y, w, 2);
	g.fillRect(x, y + h - 2, w, 2);
}

/** The conditions of the processes, behind all that happens. @param {Frame} f */
function paintBands({ g, w, left, run, ex, y, first, last, step, lanes }) {
	const h = bandHeight(step), at = (i = 0) => clamp(ex(i), left - EDGE - 2, w + 2);
	const boxes = run.bands.map(() => /** @type {Box[]} */ ([])), clashing = /** @type {Box[]} */ ([]);
	for (const { of: [p], folded } of lanes.rows) {
		if (folded) continue;
		const stays = run.stays[p], top = y(p) - h / 2;
		let drawn = -Infinity; // of many short ones in one pixel, the first is drawn
		for (let k = lower(run.stayEnds[p], first); k < stays.length && stays[k].from <= last; k++) {
			const { from, to, band, clashes } = stays[k], x0 = at(from), x1 = at(to);
			if (x1 > x0 && x1 > drawn + 0.5) {
				boxes[band].push([x0, top, x1 - x0]);
				drawn = x1;
			}
			for (const [a, b] of clashes) clashing.push([at(a), top, Math.max(2, at(b) - at(a))]);
		}
	}
	run.bands.forEach((band, k) => { if (boxes[k].length) paintBand(g, band, boxes[k], h); });
	for (const [x, top, wide] of clashing) paintClash(g, x, top, wide, h);
}

/** Lanes are solid while the process lives, and dotted after a crash. @param {Frame} f */
function paintLanes({ g, w, run, left, ex, x, px, y, lanes, step }) {
	for (const { of: [p], folded } of lanes.rows) {
		let at = px(0);
		const part = (to = 0, dead = false) => {
			const from = Math.max(at, left - EDGE), end = Math.min(to, w);
			if (dead) pen(g, ink.dim, 1, [1, 5]); else pen(g, ink.lane, folded ? Math.min(5, step / 5) : step < 8 ? 0.5 : 1.5);
			if (end > from) line(g, from, y(p), end, y(p));
			at = to;
		};
		g.globalAlpha = folded ? 0.35 : 1;
		if (!folded) for (const [dead, back] of run.deaths[p]) { part(ex(dead)); part(ex(back), true); }
		part(ex(x.length - 1));
		g.globalAlpha = 1;
	}
}

/** A link that comes up is a line between two lanes; that of one that goes down is broken. @param {Frame} f */
function paintChanges({ g, run, ex, y, first, last, mark, folded, step }) {
	for (let k = lower(run.changes, first); run.changes[k] < last; k++) {
		const i = run.changes[k], [a, b, up] = run.events[i].e || [0, 0, 0];
		if (folded.has(a) || folded.has(b)) continue;
		const x = ex(i), y0 = Math.min(y(a), y(b)), y1 = Math.max(y(a), y(b)), gap = Math.min(3, step / 5);
		const mid = y0 + step * (Math.floor((Math.round((y1 - y0) / step) - 1) / 2) + 0.5); // between two lanes
		pen(g, ink.dim, 1.5);
		g.globalAlpha = mark && !mark[i] ? 0.25 : 1;
		for (const end of [y0, y1]) g.fillRect(x - 2, end - 2, 4, 4);
		if (up) line(g, x, y0, x, y1);
		else for (const [from, to] of [[y0, mid - gap], [y1, mid + gap]]) {
			line(g, x, from, x, to);
			line(g, x - 3, to, x + 3, to);
		}
	}
	g.globalAlpha = 1;
}

/** The arrows in view, and how strongly each stands out. @param {Frame} f */
function arrowsIn({ run, first, last, mark, folded }) {
	const found = [];
	for (let j = lower(run.reach, first); j < run.arrows.length && run.arrows[j].sent <= last; j++) {
		const a = run.arrows[j];
		if (a.end < first || view.hidden.has(a.kind) || folded.has(a.from) && folded.has(a.to)) continue;
		found.push({ a, clear: !mark || !!mark[a.sent] && (a.end >= mark.length || !!mark[a.end]) });
	}
	return found;
}

/** @param {Frame} f */
function paintArrows(f) {
	const found = arrowsIn(f);
	if (found.length > CROWD) return paintCrowd(f, found);
	/** @type {Place[]|null} */ const taken = f.step > 11 && found.filter(x => x.clear).length <= NAMED ? [] : null;
	for (const pass of [false, true]) for (const { a, clear } of found) if (clear === pass) paintArrow(f, a, clear, taken, found.length <= DASHED);
}

/** Many arrows: one path a kind. @param {Frame} f @param {{a:Arrow,clear:boolean}[]} found */
function paintCrowd({ g, run, ex, y }, found) {
	for (const clear of [false, true]) run.data.kinds.forEach((_, kind) => {
		pen(g, inkOf(kind), 1);
		g.globalAlpha = clear ? clamp(CROWD / found.length, 0.12, 0.9) : 0.05;
		g.beginPath();
		for (const { a, clear: c } of found) if (a.kind === kind && c === clear) {
			g.moveTo(ex(a.sent), y(a.from));
			g.lineTo(ex(a.end), y(a.to));
		}
		g.stroke();
	});
	g.globalAlpha = 1;
}

/** Where an arrow goes. A message that is lost on its link ends at its instant, half a lane before its receiver; one that
 * is still under way ends before the end of the run. @param {Frame} f @param {Arrow} a */
function routeOf({ ex, y, step }, a) {
	const x0 = ex(a.sent), y0 = y(a.from), x1 = ex(a.end), y1 = y(a.to), down = y1 - y0;
	switch (a.how) {
		case "under way": return { x0, y0, x1: x0 + (x1 - x0) * 0.6, y1: y0 + down * 0.6 };
		case "lose":
		case "cut": return { x0, y0, x1: Math.max(x1, x0 + 15), y1: y1 - Math.sign(down) * Math.min(step, Math.abs(down)) / 2 }; // clear of its sender
	}
	return { x0, y0, x1, y1 };
}

/** @param {Frame} f @param {Arrow} a @param {boolean} clear @param {Place[]|null} taken the places of texts, null without texts @param {boolean} dashed */
function paintArrow(f, a, clear, taken, dashed) {
	const { g, mark } = f, { x0, y0, x1, y1 } = routeOf(f, a), hot = a === view.hover, arrives = a.how === "deliver";
	const lost = !arrives && a.how !== "under way", both = view.causes === "event" && clear && mark;
	const colour = lost ? ink.bad : both ? mark[a.sent] === 2 || mark[a.end] === 2 ? ink.future : ink.past : inkOf(a.kind);
	pen(g, colour, hot ? 2.6 : clear && mark ? 1.8 : 1.3, !dashed ? [] : arrives ? dashOf(a.kind) : [4, 3]);
	g.globalAlpha = !clear ? 0.13 : f.run.data.apart?.includes(a.kind) ? 0.5 : 1;
	const self = a.from === a.to, len = Math.hypot(x1 - x0, y1 - y0) || 1;
	g.beginPath();
	g.moveTo(x0, y0);
	if (self) g.quadraticCurveTo((x0 + x1) / 2, y0 - 34, x1, y1); else g.lineTo(x1, y1);
	g.stroke();
	g.setLineDash([]);
	if (lost) cross(g, x1, y1, 3.6, 1.8);
	else if (arrives) arrowhead(g, x1, y1, self ? 0.5 : (x1 - x0) / len, self ? 0.87 : (y1 - y0) / len);
	if (dashed && f.step > 14 && len > 24 && tagOf(a.kind)) {
		// Between two lanes, as near to the middle as that is.
		const between = Math.max(1, Math.round(Math.abs(y1 - y0) / f.step)), part = self ? 0.5 : (Math.floor((between - 1) / 2) + 0.5) / between;
		const x = x0 + (x1 - x0) * part, y = self ? y0 - 17 : y0 + (y1 - y0) * part;
		tag(g, tagOf(a.kind), x, y, colour);
		taken?.push({ x, y, w: 7, h: 7 });
	}
	if (hot || taken && clear && len > 80) nameArrow(f, a, colour, hot ? [] : taken || []);
	g.globalAlpha = 1;
}

/** @param {Canvas2D} g @param {number} x @param {number} y @param {number} r @param {number} width */
function cross(g, x, y, r, width) {
	g.lineWidth = width;
	line(g, x - r, y - r, x + r, y + r);
	line(g, x + r, y - r, x - r, y + r);
}

/** A number in a circle. @param {Canvas2D} g @param {string} text @param {number} x @param {number} y @param {string} colour */
function tag(g, text, x, y, colour) {
	ring(g, x, y, 6.5, colour, 1.2);
	g.fillStyle = ink.paper;
	g.fill();
	g.fillStyle = colour;
	g.font = `600 9px ${FONT}`;
	g.textAlign = "center";
	g.fillText(text, x, y + 0.5);
	g.textAlign = "left";
}

/** @param {Canvas2D} g @param {number} x @param {number} y @param {number} ux @param {number} uy the direction */
function arrowhead(g, x, y, ux, uy) {
	const tx = x - ux * 4.5, ty = y - uy * 4.5;
	g.beginPath();
	g.moveTo(tx, ty);
	g.lineTo(tx - ux * 7.5 - uy * 3, ty - uy * 7.5 + ux * 3);
	g.lineTo(tx - ux * 7.5 + uy * 3, ty - uy * 7.5 - ux * 3);
	g.fill();
}

/** Writes the message along its arrow where there is room. @param {Frame} f @param {Arrow} a @param {string} colour @param {Place[]} taken */
function nameArrow(f, a, colour, taken) {
	const { g } = f, { x0, y0, x1, y1 } = routeOf(f, a), turn = Math.atan2(y1 - y0, x1 - x0);
	g.font = `10.5px ${FONT}`;
	const wide = g.measureText(a.text).width, room = Math.hypot(x1 - x0, y1 - y0) - 22;
	if (wide > room || Math.abs(turn) > 1.25) return;
	for (const part of [0.4, 0.55, 0.28, 0.7]) {
		const x = x0 + (x1 - x0) * part, y = y0 + (y1 - y0) * part, w = Math.abs(Math.cos(turn)) * wide / 2 + 5, h = Math.abs(Math.sin(turn)) * wide / 2 + 7;
		if (x < f.left + 8 || x > f.w || taken.some(t => Math.abs(t.x - x) < t.w + w && Math.abs(t.y - y) < t.h + h)) continue;
		taken.push({ x, y, w, h });
		g.save();
		g.translate(x, y);
		g.rotate(turn);
		g.textAlign = "center";
		label(g, a.text, 0, -8, colour);
		g.restore();
		return;
	}
}

/** @param {Frame} f @param {number} i */
function paintEvent({ g, run, r, ex, y, mark, sparse, folded, step }, i) {
	const e = run.events[i];
	if (e.p < 0 || UNHANDLED.has(e.w) || folded.has(e.p)) return;
	const x = ex(i), cy = y(e.p), clear = !mark || mark[i] > 0, target = run.targets.includes(i);
	g.globalAlpha = clear ? 1 : 0.18;
	if (!sparse && e.w !== "crash" && !target) {
		g.fillStyle = e.w === "timeout" ? ink.warn : inkOf(e.k);
		g.fillRect(x - 1, cy - 1, 2, 2);
		return void (g.globalAlpha = 1);
	}
	const both = mark && clear && view.causes === "event" && i !== view.at[r];
	pen(g, e.w === "crash" ? ink.bad : e.w === "timeout" ? ink.warn : both ? mark[i] === 2 ? ink.future : ink.past : ink.ink, 1.6);
	const shape = (/** @type {number[]} */ ...xy) => {
		g.beginPath();
		for (let k = 0; k < xy.length; k += 2) g.lineTo(x + xy[k], cy + xy[k + 1]);
		g.closePath();
	};
	if (e.w === "crash") cross(g, x, cy, 5, 2.6);
	else if (e.w === "start" || e.w === "boot" || e.w === "restart") {
		shape(-4, -5.5, 5.5, 0, -4, 5.5);
		if (e.w === "restart") { g.fillStyle = ink.paper; g.fill(); g.stroke(); } else g.fill();
	} else if (e.w === "timeout") { shape(0, -5.5, 4.6, 0, 0, 5.5, -4.6, 0); g.fill(); }
	else { g.beginPath(); g.arc(x, cy, Math.min(3.1, Math.max(1.2, step / 3)), 0, 7); g.fill(); }
	if (target) ring(g, x, cy, clamp(step, 3.5, 7), run.bad ? ink.bad : ink.good);
	g.globalAlpha = 1;
}

/** @param {Canvas2D} g @param {number} x @param {number} y @param {number} r @param {string} colour @param {number} [width] */
function ring(g, x, y, r, colour, width = 2) {
	pen(g, colour, width);
	g.beginPath();
	g.arc(x, y, r, 0, 7);
	g.stroke();
}

/** The hits of a search, the present event, and the first difference of two runs. @param {Frame} f */
function paintCursor({ g, h, r, run, ex, y, first, last }) {
	if (r === view.on) for (let k = lower(view.hits, first); view.hits[k] < last; k++) {
		const i = view.hits[k], { p } = run.events[i];
		if (p >= 0) ring(g, ex(i), y(p), 6, ink.accent);
	}
	const e = run.events[view.at[r]], other = differs[r];
	if (other < run.events.length) {
		pen(g, ink.warn, 1.5, [6, 3]);
		line(g, ex(other), TOP - 8, ex(other), h - BOTTOM + 4);
		g.font = `600 11px ${FONT}`;
		label(g, "first difference", ex(other) + 5, h - BOTTOM, ink.warn);
	}
	if (!e) return;
	pen(g, ink.ink, 1);
	line(g, ex(view.at[r]), TOP - 10, ex(view.at[r]), h - BOTTOM + 4);
	if (e.p >= 0) ring(g, ex(view.at[r]), y(e.p), 9.5, ink.ink);
}

/** What processes decided, where there is room. @param {Frame} f */
function paintNews({ g, w, run, first, last, ex, y, step, folded, mark }) {
	/** @type {Map<number,number>} */ const free = new Map();
	g.font = `600 11px ${FONT}`;
	// From the right to the left: where texts clash, the last one stays.
	for (let k = lower(run.marks, last) - 1; run.marks[k] >= first; k--) {
		const i = run.marks[k], e = run.events[i], text = e.n || e.w;
		if (e.w === "fault" || folded.has(e.p) || step < 12) continue;
		const wide = g.measureText(text).width, at = Math.min(ex(i) - 4, w - wide - 4);
		if (at + wide > (free.get(e.p) ?? Infinity)) continue;
		free.set(e.p, at - 8);
		g.globalAlpha = mark && !mark[i] ? 0.3 : 1;
		label(g, text, at, y(e.p) - 15, !e.n || run.bad && run.targets.includes(i) ? ink.bad : ink.good);
	}
	g.globalAlpha = 1;
}

/** @param {Frame} f */
function paintNames({ g, run, r, left, lanes, y, step }) {
	const every = Math.ceil(13 / step), ids = left > 60 ? run.data.ids : undefined;
	g.textAlign = "right";
	g.font = `11px ${FONT}`;
	const wide = ids ? g.measureText(`id ${Math.max(...ids)}`).width + 8 : 0;
	lanes.rows.forEach((row, k) => {
		if (row.folded ? step < 24 : k % every) return;
		const p = row.of[0], alive = !run.deaths[p].some(([from, to]) => from <= view.at[r] && view.at[r] < to);
		g.font = row.folded ? `10px ${FONT}` : `600 12px ${FONT}`;
		g.fillStyle = row.folded || !alive ? ink.dim : ink.ink;
		if (row.folded) return g.fillText(row.of.length > 1 ? `${row.of.length} folded` : `p${p} folded`, left - 14, y(p));
		g.fillText(`p${p}`, left - 14 - wide, y(p));
		g.font = `11px ${FONT}`;
		g.fillStyle = ink.dim;
		if (ids) g.fillText(`id ${ids[p]}`, left - 14, y(p));
	});
	g.textAlign = "left";
}

// ---- the strip ----

/** The whole run: how much happens where. */
function paintStrip() {
	const { g, w, h } = fitted($("strip")), left = gutter(w), room = w - left - RIGHT, x = axes[view.on], all = whole();
	$("checks").style.setProperty("--gutter", `${left}px`); // its lines stand below the strip
	kept(g, "activity", [view.on, view.axis, ...view.hidden].join(), s => paintActivity(s, room, h, left));
	const a = left + view.left * room, b = a + room / view.zoom;
	if (view.zoom > 1.001) {
		pen(g, ink.paper, 1);
		g.globalAlpha = 0.6;
		g.fillRect(left, 0, a - left, h);
		g.fillRect(b, 0, left + room - b, h);
		g.globalAlpha = 1;
		pen(g, ink.dim, 1);
		g.strokeRect(a + 0.5, 1.5, b - a - 1, h - 3);
	}
	pen(g, ink.ink, 1.5);
	const cursor = left + x[now()] / all * room;
	line(g, cursor, 0, cursor, h);
	g.fillStyle = ink.dim;
	g.font = `11px ${FONT}`;
	g.fillText(w < 560 ? "all" : "overview", 14, h / 2);
}

/** @param {Canvas2D} g @param {number} room @param {number} h @param {number} left */
function paintActivity(g, room, h, left) {
	const { events, n, marks } = run(), x = axes[view.on], all = whole(), cols = Math.max(1, Math.floor(room / 3)), rows = Math.min(n, 16);
	const count = new Float64Array(cols * rows);
	let most = 1;
	events.forEach((e, i) => {
		if (e.p < 0 || e.m && view.hidden.has(e.k)) return;
		const cell = Math.min(cols - 1, Math.floor(x[i] / all * cols)) * rows + Math.floor(e.p / n * rows);
		most = Math.max(most, count[cell] += 1 + e.s.length);
	});
	const high = (h - 10) / rows;
	g.fillStyle = ink.accent;
	count.forEach((c, cell) => {
		g.globalAlpha = 0.2 + 0.8 * Math.sqrt(c / most);
		if (c) g.fillRect(left + Math.floor(cell / rows) * room / cols, 5 + cell % rows * high, Math.ceil(room / cols), Math.max(1, high - 0.6));
	});
	g.globalAlpha = clamp(60 / marks.length, 0.1, 1);
	for (const i of marks) {
		g.fillStyle = events[i].n ? ink.good : ink.bad;
		g.fillRect(left + x[i] / all * room - 0.5, 2, 1, h - 4);
	}
	g.globalAlpha = 1;
}

// ---- the topology ----

const spots = runs.map(layout);

/** The instant that is shown, which may be on the way to the next event. */
function instantShown() {
	const { times } = run(), i = now();
	return times[i] + ((times[i + 1] ?? times[i]) - times[i]) * view.frac;
}

/** The middles of the processes on a map of that size, and pixels a metre; 0 if they have no places. @param {number} w @param {number} h */
function middles(w, h) {
	const { ground } = run().data, room = 34;
	if (!ground) {
		const size = Math.min(w, h) / 2 - room, wide = w > h ? 1.12 : 1;
		return { spots: spots[view.on].map(([x, y]) => /** @type {[number,number]} */ ([w / 2 + x * size * wide, h / 2 + y * size])), scale: 0 };
	}
	const [left, bottom, width, height] = ground.box, scale = Math.min((w - 2 * room) / Math.max(width, 0.001), (h - 2 * room) / Math.max(height, 0.001));
	return {
		spots: groundAt(ground, instantShown()).map(([x, y]) => /** @type {[number,number]} */ ([w / 2 + (x - left - width / 2) * scale, h / 2 - (y - bottom - height / 2) * scale])),
		scale,
	};
}

/** The border within which processes move, and how far the one of the event reaches. @param {Canvas2D} g @param {Ground} ground @param {number} scale @param {[number,number]|undefined} from */
function paintGround(g, { box: [, , width, height], range }, scale, from) {
	const { width: w, height: h } = g.canvas.getBoundingClientRect();
	pen(g, ink.line, 1);
	g.strokeRect(w / 2 - width / 2 * scale, h / 2 - height / 2 * scale, width * scale, height * scale);
	g.font = `10.5px ${FONT}`;
	g.fillStyle = ink.dim;
	g.textAlign = "center";
	g.fillText(`${width} m x ${height} m, range ${range} m`, w / 2, h - 12);
	if (!from) return;
	pen(g, ink.dim, 1, [1, 3]);
	g.beginPath();
	g.arc(...from, range * scale, 0, 7);
	g.stroke();
}

function paintMap() {
	const { g, w, h } = fitted($("map")), { data, n, events } = run(), { spots: middle, scale } = middles(w, h);
	const at = (p = 0) => middle[p];
	const { changes } = run(), change = lower(changes, now() + 1); // how many have happened
	if (data.ground) paintGround(g, data.ground, scale, middle[events[now()]?.p]);
	kept(g, "links", [view.on, change, data.ground ? instantShown() : 0].join(), own => {
		const { there, down } = linksAt(run(), changes[change - 1] ?? -1);
		const draw = (/** @type {[number,number][]} */ links, /** @type {number[]} */ dash) => {
			pen(own, ink.line, 1, dash);
			own.beginPath();
			for (const [a, b] of links) { own.moveTo(...at(a)); own.lineTo(...at(b)); }
			own.stroke();
		};
		if (data.links || n <= 16 || data.gone) draw(there, []);
		if (n <= 16 && !data.ground) draw(down, [2, 4]);
	});
	const dot = clamp(0.45 * Math.PI * (Math.min(w, h) - 68) / n, 3, 13);
	paintFlights(g, at, dot + 2);
	const e = events[now()], states = statesAt(run(), now());
	g.textAlign = "center";
	states.forEach((s, p) => {
		const [x, y] = at(p), leads = s.alive && /leader/.test(s.news);
		g.beginPath();
		g.arc(x, y, dot, 0, 7);
		g.fillStyle = !s.alive ? ink.panel : leads ? ink.good : ink.paper;
		g.fill();
		pen(g, !s.alive ? ink.bad : s.news ? ink.good : ink.dim, e?.p === p ? 3 : 1.5, s.alive ? [] : [2, 3]);
		g.stroke();
		if (dot < 8) return;
		g.font = `600 11px ${FONT}`;
		g.fillStyle = leads ? ink.paper : s.alive ? ink.ink : ink.dim;
		g.fillText(String(p), x, y + 0.5);
		const text = s.alive ? s.news : "crashed", above = y <= h * 0.52;
		g.font = `10.5px ${FONT}`;
		if (!text || n > 8) return;
		const half = Math.min(w, g.measureText(text).width) / 2 + 3;
		pen(g, ink.panel, 3);
		g.strokeText(text, clamp(x, half, w - half), y + (above ? -22 : 23));
		g.fillStyle = s.alive ? ink.good : ink.bad;
		g.fillText(text, clamp(x, half, w - half), y + (above ? -22 : 23));
	});
	g.textAlign = "left";
}

/** Messages where they are on their way. @param {Canvas2D} g @param {(p:number)=>[number,number]} at @param {number} off from the middle of a process */
function paintFlights(g, at, off) {
	const { arrows, reach, times } = run(), i = now(), t = instantShown();
	for (let j = lower(reach, i); j < arrows.length && arrows[j].sent <= i; j++) {
		const a = arrows[j], ends = a.end === i;
		if (a.end < i || view.hidden.has(a.kind)) continue;
		const t0 = times[a.sent], t1 = times[a.end] ?? t0 + 1;
		const part = ends ? 1 : t1 > t0 ? clamp((t - t0) / (t1 - t0) * 0.8 + 0.14, 0.14, 0.94) : 0.3;
		const [ax, ay] = at(a.from), [bx, by] = at(a.to), d = Math.hypot(bx - ax, by - ay) || 1, ux = (bx - ax) / d, uy = (by - ay) / d;
		const x = ax + ux * (off + (d - 2 * off) * part), y = ay + uy * (off + (d - 2 * off) * part);
		pen(g, ends && a.how !== "deliver" ? ink.bad : inkOf(a.kind), ends ? 2.4 : 1.2);
		line(g, ax + ux * off, ay + uy * off, x, y);
		g.beginPath();
		g.arc(x, y, ends ? 4 : 3, 0, 7);
		g.fill();
	}
}
