// @ts-check
"use strict";
// The page: its words, the moves through a run, keys and pointers.

const plots = runs.map(({ data, n, events }, r) => {
	const canvas = el("canvas", { tabIndex: 0, role: "img" });
	canvas.setAttribute("aria-label", `${nameOf(data)}: ${events.length} events among ${n} processes, ${data.outcome}. The arrow keys step through them.`);
	const box = el("div", { className: "plot" }, canvas);
	if (twin) box.append(el("div", { className: "cap" }, el("b", {}, nameOf(data)), `${data.scene} · ${data.outcome} · ${data.messages} messages`));
	$("plots").append(box);
	return { box, canvas, r };
});

// ---- words ----

/** @param {Data} data */
function nameOf(data) { return `${data.algorithm} ${data.variant || ""}`.trim(); }

/** A line of text, none if it is empty. @param {string} className @param {unknown} text */
const words = (className, text) => text ? [el("div", { className }, String(text))] : [];

function tellRun() {
	const { data, arrows, targets, base, part, events } = run(), last = base + events.length - 1;
	$("name").replaceChildren(twin ? "Two runs" : data.algorithm, el("small", {}, twin ? "" : data.variant || ""));
	$("scene").textContent = twin ? `${nameOf(data)}: ${data.scene}` : `${data.title} · ${data.scene}${part ? ` · events ${base} to ${last} of ${data.cut?.of}` : ""}`;
	const chip = (kind = "", text = "", title = "") => el("span", { className: `chip ${kind}`, title }, text);
	$("verdicts").replaceChildren(
		...data.outside?.length ? [chip("warn", "outside the model", data.outside.join("; "))] : [],
		...data.failed ? [chip("bad", "failed", data.failed)] : [],
		chip(data.correct ? "good" : "bad", data.outcome, data.what),
		...(data.checks || []).filter(c => c.verdict === "violated").map(c => chip("bad", `${c.name} violated`, c.detail || c.means)), chip("", `${data.messages} messages`));
	$("again").textContent = $("again").title = data.again || "";
	$("copy").hidden = !data.again;
	$("print").textContent = `fingerprint ${data.fingerprint}`;
	$("target").disabled = !targets.length;
	const used = new Set(arrows.map(a => a.kind));
	$("kinds").replaceChildren(...data.kinds.flatMap((name, kind) => {
		const bar = el("i", {}, ...tagOf(kind) ? [el("b", {}, tagOf(kind))] : []), apart = data.apart?.includes(kind);
		const button = el("button", { className: `chip ${apart ? "apart" : ""}`, title: `show or hide (${kind + 1})${apart ? "; of the links or the failure detector" : ""}`, onclick: () => toggleKind(kind) }, bar, name);
		bar.style.background = dashed(`var(--k${kind % 8})`, dashOf(kind));
		button.setAttribute("aria-pressed", String(!view.hidden.has(kind)));
		return used.has(kind) ? [button] : [];
	}));
	const bands = runs.flatMap(r => r.bands).filter((band, k, all) => all.findIndex(other => other.name === band.name) === k);
	$("bands").replaceChildren(...bands.flatMap(band => [swatch(b => paintBand(b, band, [[0, 0, 26]], 12), band.name, band.means),
		...runs.some(r => r.bands.some(b => b.name === band.name && b.clashes)) ? [swatch(b => paintClash(b, 0, 0, 26, 12), "more than one at once", `more than one process is ${band.name}`)] : []]));
	$("bands").hidden = !bands.length;
	plots.forEach(({ box, r }) => box.classList.toggle("on", r === view.on));
	const { pseudocode = [], about = "", source } = data;
	$("code").replaceChildren(...pseudocode.map(b => el("pre", {}, ...b.lines.map(codeLine))),
		...about.split(/\n\n+/).map(text => el(/^\s/.test(text) ? "pre" : "p", {}, text)), el("p", { className: "dim" }, source || ""));
	shown.block = shown.states = null;
	tellChecks();
}

/** A line with dashes, as a background. @param {string} colour @param {number[]} dashes */
function dashed(colour, dashes) {
	let at = 0;
	const stops = dashes.flatMap((d, k) => [`${k % 2 ? "transparent" : colour} ${at}px`, `${k % 2 ? "transparent" : colour} ${at += d}px`]);
	return dashes.length ? `repeating-linear-gradient(90deg, ${stops.join(", ")})` : colour;
}

/** A sign of the legend with its words. @param {(g:Canvas2D) => void} paint @param {string} name @param {string} means */
function swatch(paint, name, means) {
	const canvas = el("canvas");
	canvas.setAttribute("aria-hidden", "true");
	swatches.set(canvas, paint);
	const chip = el("span", { className: "chip", role: "listitem", title: means }, canvas, name);
	chip.setAttribute("aria-description", means);
	return chip;
}

/** A line that keeps its indentation where it is wrapped. */
function codeLine(text = "") {
	const line = el("div", {}, text.trim());
	line.style.marginLeft = `${text.search(/\S/)}ch`;
	return line;
}

/** @param {number} kind */
function toggleKind(kind) {
	if (!view.hidden.delete(kind)) view.hidden.add(kind);
	tellRun();
	tell();
	draw();
}

/** The words for the present event. */
function tell() {
	const { events, data, targets, base, part } = run(), i = now(), e = events[i];
	Object.assign($("scrub"), { max: Math.max(0, events.length - 1), value: i });
	if (!e) return;
	const when = instant(run(), e.t), { before, after, concurrent } = order(run(), i);
	$("clock").textContent = `${i + base} of ${data.cut?.of || events.length} · ${when}`;
	$("scrub").setAttribute("aria-valuetext", `event ${i + base}, ${when}: ${said(e)}`);
	const causes = e.a.flatMap(k => [" ", el("a", { href: `#e=${k - 1 + base}`, onclick: () => { go(k - 1); return false; } }, `#${k - 1 + base}`)]);
	$("event").replaceChildren(
		...words("head", `#${i + base}  ${said(e)}`), ...words("good head", e.n && `p${e.p} ${e.n}`),
		...words(run().clashing.has(i) ? "bad head" : "", condition(run(), i)),
		...words("bad", e.panics && "the handler panics; its messages do not leave"),
		...words("", e.s.length && `sends ${sends(e)}`), ...words("dim", e.c.length && `draws ${e.c.join(", ")}`),
		...e.l.flatMap(line => words("", `logs ${line}`)), ...e.o.flatMap(line => words("dim", `standard error: ${line}`)),
		el("div", { className: "dim" }, ...causes.length ? ["follows from", ...causes, " · "] : [], `${part ? "in this part " : ""}${before} before, ${after} after, ${concurrent} concurrent`),
		...words(run().bad ? "bad" : "good", (view.causes === "why" || targets.includes(i)) && data.what),
		...view.causes === "why" ? (data.because || []).flatMap(line => words("", line)) : []);
	$("checks").style.setProperty("--now", `${100 * axes[view.on][i] / whole()}%`);
	tellStates();
	markBlock();
	tellHits();
	address();
}

const shown = { states: /** @type {State[]|null} */ (null), block: /** @type {Element|null} */ (null), last: -1 };

/** A row a process. Rows of processes that have not changed stay as they are. */
function tellStates() {
	const { events, data: { ids }, moving } = run(), states = statesAt(run(), now()), e = events[now()], rows = $("rows");
	if (!shown.states) rows.replaceChildren(...states.map((_, p) => el("tr", {}, el("th", { scope: "row" },
		el("button", { title: "fold or unfold the lane", onclick: () => fold(p) }, `p${p}`, el("small", {}, ids ? String(ids[p]) : ""))), el("td"))));
	states.forEach((state, p) => {
		const row = rows.children[p], looks = [e.p === p && "here", !state.alive && "dead", view.folded[view.on].has(p) && "folded"].filter(Boolean).join(" ");
		if (row.className !== looks) row.className = looks;
		if (shown.states?.[p] === state && p !== shown.last && p !== e.p) return;
		const changed = state.last === now() ? e.v : {};
		const stay = stayAt(run(), p, now());
		row.lastChild.replaceChildren(el("div", {}, el("b", {}, state.news), el("i", {}, stay ? run().bands[stay.band].name : ""), ...Object.entries(state.fields)
			.filter(([name]) => moving.has(name) || name in changed)
			.map(([name, value]) => el("span", { className: name in changed ? "new" : "" }, `${name} `, el("em", {}, value)))));
	});
	shown.states = states;
	shown.last = e.p;
	const panel = $("states"), row = rows.children[e.p];
	if (row && (row.offsetTop < panel.scrollTop || row.offsetTop + row.offsetHeight > panel.scrollTop + panel.clientHeight)) panel.scrollTop = row.offsetTop - panel.clientHeight / 3;
}

/** A row a check: open until it broke or the run ends, and its verdict, which is of the whole run. */
function tellChecks() {
	const { data, events, base, part } = run(), place = (i = 0) => 100 * axes[view.on][i] / whole(), end = place(events.length);
	$("checks").replaceChildren(...(data.checks || []).map(({ name, means, verdict, detail, broke }) => {
		const look = { holds: "good", violated: "bad", undecided: "warn" }[verdict], at = verdict === "violated" && broke ? place(broke - 1) : end;
		const open = el("i"), broken = el("i", { className: "bad" }), cross = el("u", { className: "bad", hidden: at === end }, "×"), word = el("em", { className: look }, part ? `run: ${verdict}` : verdict);
		open.style.width = cross.style.left = broken.style.left = `${at}%`;
		broken.style.width = `${end - at}%`;
		word.style.right = `${100 - end}%`;
		const text = `${name} ${verdict}${broke ? ` from #${broke - 1 + base} on` : ""}: ${means}${detail && detail !== means ? ` (${detail})` : ""}`;
		const row = el("button", { className: "check", onclick: () => go(broke ? broke - 1 : events.length - 1) }, el("b", { className: look }, name), el("span", {}, open, broken, cross, word));
		row.setAttribute("aria-label", text);
		row.onfocus = row.onmouseenter = () => tip(text, row.getBoundingClientRect().left + 60, row.getBoundingClientRect().top - 50);
		row.onblur = row.onmouseleave = () => tip();
		return row;
	}));
}
/** Shows a hint at a place of the window; nothing if there is none. */
function tip(text = "", x = 0, y = 0) {
	$("tip").textContent = text;
	Object.assign($("tip").style, { display: text ? "block" : "none", left: `${Math.min(x + 14, innerWidth - 260)}px`, top: `${y + 16}px` });
}

/** Marks the block of the pseudocode that ran. */
function markBlock() {
	const panel = $("code"), block = panel.children[blockOf(run(), run().events[now()])] || null;
	if (block === shown.block) return;
	shown.block?.removeAttribute("aria-current");
	block?.setAttribute("aria-current", "true");
	shown.block = block;
	if (block) panel.scrollTop = block.offsetTop - panel.offsetTop - clamp((panel.clientHeight - block.offsetHeight) / 2, 0, 40);
}

/** Shows what is chosen. */
function tellChosen() {
	for (const b of setters) {
		const [key, value] = (b.dataset.set || "").split(" ");
		b.setAttribute(key === "tab" ? "aria-selected" : "aria-checked", String(view[/** @type {"axis"} */ (key)] === value));
	}
	for (const id of TABS) $(id).classList.toggle("off", view.tab !== id);
	$("order").value = view.order;
	$("idle").setAttribute("aria-pressed", String(view.idle));
	$("differ").disabled = runs.every((r, k) => differs[k] >= r.events.length);
}

// ---- moves ----

/** To an event of the present run; the other run follows. @param {number} i @param {boolean} [still] does not scroll */
function go(i, still) {
	const r = view.on;
	view.at[r] = clamp(i, 0, Math.max(0, runs[r].events.length - 1));
	view.frac = 0;
	if (twin) view.at[1 - r] = beside(runs[r], runs[1 - r], view.at[r], view.align === "cause" ? match[r] : null);
	const at = (axes[r][view.at[r]] / whole() - view.left) * view.zoom;
	if (!still && (at < 0.04 || at > 0.96)) pan(view.left + (at - 0.5) / view.zoom);
	tell();
	draw();
}
const move = (by = 0) => go(now() + by);
function pan(left = 0) {
	view.left = clamp(left, 0, 1 - 1 / view.zoom);
	draw();
}

const mostZoom = Math.max(50, ...runs.map(r => r.events.length / 8));
/** @param {number} by @param {number} [about] in parts of the window; without it, about the event */
function zoom(by, about = clamp((axes[view.on][now()] / whole() - view.left) * view.zoom, 0, 1)) {
	const at = view.left + about / view.zoom;
	view.zoom = clamp(view.zoom * by, 1, mostZoom);
	pan(at - about / view.zoom);
	address();
}

/** Changes what is shown. @param {Partial<typeof view>} to */
function set(to) {
	Object.assign(view, to);
	if (to.axis) axes = runs.map(r => places(r, view.axis));
	if (to.axis) tellChecks();
	if (to.tab) shown.block = null; // a hidden panel does not scroll
	if (to.align) differs = partings();
	if (to.tab) shown.block = null; // a block that was out of sight is scrolled to now
	tellChosen();
	go(now());
}
/** To the next of the values. @param {"axis"|"causes"|"align"|"order"|"tab"} key @param {string[]} values */
const cycle = (key, values) => set({ [key]: values[(values.indexOf(view[key]) + 1) % values.length] });

/** @param {number} [p] */
function fold(p = run().events[now()]?.p) {
	const folded = view.folded[view.on];
	if (p >= 0 && !folded.delete(p)) folded.add(p);
	tell();
	draw();
}
function unfold() {
	view.folded[view.on].clear();
	set({ idle: false });
}
function choose(r = 0) {
	view.on = clamp(r, 0, runs.length - 1);
	tellRun();
	tell();
	draw();
}

/** To the next of some events (by 1) or the previous one (-1). @param {number[]} list increasing @param {number} by @param {boolean} [round] */
function along(list, by, round) {
	const to = list[by > 0 ? lower(list, now() + 1) : lower(list, now()) - 1] ?? (round ? list.at(by > 0 ? 0 : -1) : undefined);
	if (to !== undefined) go(to);
}
const inLane = (by = 0) => along(run().lanes[run().events[now()]?.p] || [], by);
const toSending = () => along(run().arrows.filter(a => a.end === now()).map(a => a.sent), -1);
function toDifference() {
	const r = [view.on, 1 - view.on].find(r => differs[r] < runs[r].events.length);
	if (r === undefined) return;
	if (r !== view.on) choose(r);
	go(differs[r]);
}

/** Plays the run in some seconds, whatever its length; with reduced motion event by event, two a second. */
function play() {
	cancelAnimationFrame(view.playing);
	view.playing = view.playing ? 0 : -1;
	$("play").textContent = view.playing ? "pause" : "play";
	if (!view.playing) return;
	if (now() >= run().events.length - 1) go(0);
	const x = axes[view.on], speed = (x[x.length - 1] - x[0]) / Math.min(30, 4 + run().events.length / 8);
	let before = 0, at = x[now()], mine = now();
	const frame = (time = 0) => {
		const passed = before ? (time - before) / 1000 : 0;
		if (!calm.matches || passed >= 0.5 || !before) before = time;
		if (!calm.matches) {
			if (mine !== now()) at = x[now()]; // the reader went elsewhere
			at += passed * speed;
			const to = lower(x, at + 1e-12) - 1;
			if (to > now()) go(to);
			mine = now();
			view.frac = clamp((at - x[now()]) / (x[now() + 1] - x[now()] || 1), 0, 1);
			paintMap();
		} else if (passed >= 0.5) move(1);
		view.playing = requestAnimationFrame(frame);
		if (now() >= run().events.length - 1) play();
	};
	view.playing = requestAnimationFrame(frame);
}

// ---- search ----

function find() {
	view.hits = search(run(), $("search").value);
	if (view.hits.length && !view.hits.includes(now())) along(view.hits, 1, true);
	tellHits();
	address();
	draw();
}
function tellHits() {
	const at = view.hits.indexOf(now());
	$("hits").textContent = $("search").value.trim() && `${at >= 0 ? `${at + 1} of ` : ""}${view.hits.length}`;
}

// ---- branch ----

function openBranch() {
	const { data: { branch }, events } = run(), i = now();
	if (!events[i]) return;
	const no = branch?.refused || (branch?.case ? "" : "this page holds no case"), offers = no ? [] : choices(run(), i);
	$("fork-about").textContent = no ? `A branch is not possible: ${no}.` : `The first ${i} events happen as in this run. Instead of #${i + run().base}, ${said(events[i])}:`;
	$("fork-body").hidden = !offers.length;
	$("choices").replaceChildren(...offers.map((offer, k) => el("label", {}, el("input", { type: "radio", name: "choice", checked: !k, autofocus: !k, onchange: () => showCase(offer) }), offer.text)));
	if (offers.length) showCase(offers[0]);
	$("fork").showModal();
	$("fork-case").scrollTop = 1e6;
}
/** @param {Choice} offer */
function showCase(offer) {
	const text = branchFile(run(), now(), offer.line);
	$("fork-case").value = text;
	$("fork-case").scrollTop = 1e6;
	$("fork-save").href = `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
}
/** @param {string} text @param {string} id of the button */
async function copy(text, id) {
	const before = $(id).textContent;
	const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
	$(id).textContent = done ? "copied" : "not allowed";
	setTimeout(() => { $(id).textContent = before; }, 1500);
}

// ---- the address: #e=19&c=why&x=gaps is a moment of a run ----

let due = 0;
function address() {
	clearTimeout(due);
	due = setTimeout(() => history.replaceState(null, "", `#${written()}`), 200);
}
const isDark = () => document.documentElement.dataset.theme === "dark";
function written() {
	const usual = { c: "all", x: usualAxis, r: 1, o: "address", z: 1, a: "states", q: "", k: "", theme: prefersDark.matches };
	const is = { c: view.causes, x: view.axis, r: view.on + 1, o: view.order, z: +view.zoom.toFixed(2), a: view.tab, q: $("search").value, k: [...view.hidden].sort().join(), theme: isDark() };
	const text = new URLSearchParams({ e: String(now() + run().base) });
	for (const [key, value] of Object.entries(is)) if (value !== usual[/** @type {"c"} */ (key)]) text.set(key, key === "theme" ? value ? "dark" : "light" : String(value));
	return text.toString();
}
function read() {
	const from = new URLSearchParams(location.hash.slice(1)), text = (key = "") => from.get(key) || "";
	const number = (key = "") => Number(text(key)) || 1;
	const one = (key = "", /** @type {string[]} */ of, usual = of[0]) => of.includes(text(key)) ? text(key) : usual;
	theme(one("theme", ["light", "dark"], prefersDark.matches ? "dark" : "light") === "dark");
	view.on = clamp(Math.trunc(number("r")) - 1, 0, runs.length - 1);
	view.zoom = clamp(number("z"), 1, mostZoom);
	view.hidden = new Set(text("k") ? text("k").split(",").map(Number) : []);
	$("search").value = text("q");
	view.hits = search(run(), text("q"));
	tellRun();
	view.at[view.on] = clamp(Math.trunc(number("e")) - run().base, 0, Math.max(0, run().events.length - 1));
	set({ axis: one("x", AXES, usualAxis), causes: one("c", CAUSES), order: one("o", ORDERS), tab: one("a", TABS) });
}

/** @param {boolean} dark */
function theme(dark) {
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	$("theme").textContent = dark ? "light" : "dark";
	readInk();
	draw();
}

// ---- keys and buttons ----

const ORDERS = ["address", "identity", "first", "activity"], TABS = ["states", "code"];
/** @type {NodeListOf<HTMLElement>} */ const setters = document.querySelectorAll("[data-set]");

/** What can be done: its key, its words, what it does, and the button that does it, too. @type {[string, string, () => void, string?][]} */
const ACTIONS = [
	["ArrowLeft", "previous event", () => move(-1), "back"],
	["ArrowRight", "next event", () => move(1), "next"],
	["ArrowUp", "previous event of the process", () => inLane(-1)],
	["ArrowDown", "next event of the process", () => inLane(1)],
	["Home", "first event", () => go(0), "first"],
	["End", "last event", () => go(Infinity), "last"],
	["Space", "play or pause", play, "play"],
	["s", "to the sending of the message", toSending],
	["n", "next decision or fault", () => along(run().marks, 1)],
	["p", "previous decision or fault", () => along(run().marks, -1)],
	["v", "to what the verdict is about", () => along(run().targets, 1, true), "target"],
	["c", "all, causes of the event or the verdict", () => cycle("causes", CAUSES)],
	["x", "axis: time, gaps or steps", () => cycle("axis", AXES)],
	["+", "zoom in", () => zoom(1.5), "in"],
	["-", "zoom out", () => zoom(1 / 1.5), "out"],
	["0", "whole run", () => zoom(1e-9), "fit"],
	["[", "scroll to the left", () => pan(view.left - 0.3 / view.zoom)],
	["]", "scroll to the right", () => pan(view.left + 0.3 / view.zoom)],
	["/", "search", () => $("search").focus(), "search"],
	[".", "next hit", () => along(view.hits, 1, true), "later"],
	[",", "previous hit", () => along(view.hits, -1, true), "prior"],
	["f", "fold or unfold the process", () => fold()],
	["u", "unfold all", unfold],
	["i", "fold processes without events in view", () => set({ idle: !view.idle }), "idle"],
	["o", "order of the lanes", () => cycle("order", ORDERS)],
	["a", "processes or algorithm", () => cycle("tab", TABS)],
	["b", "branch from here", openBranch, "branch"],
	["y", "copy the command", () => copy($("again").textContent, "copy"), "copy"],
	["l", "light or dark", () => { theme(!isDark()); address(); }, "theme"],
	["?", "the keys", () => $("keys").showModal(), "help"],
];
if (twin) ACTIONS.push(
	["r", "the other run", () => choose(1 - view.on)],
	["t", "align by time or by event", () => cycle("align", ["time", "cause"])],
	["d", "first difference of the runs", toDifference, "differ"]);

/** @type {Record<string,string>} */ const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Space: "space" };
for (const [key, text, does, id] of ACTIONS) {
	const name = SIGNS[key] || key;
	$("keylist").append(el("dt", {}, name), el("dd", {}, text));
	if (!id) continue;
	$(id).title = `${text} (${name})`;
	if ($(id).textContent.length === 1) $(id).setAttribute("aria-label", text);
	if (id !== "search") $(id).onclick = does;
}
$("keylist").append(el("dt", {}, [1, 2, 3, 4, 5, 6, 7, 8, 9].slice(0, run().data.kinds.length).join(" ")), el("dd", {}, "show or hide a kind of messages"));
for (const b of setters) b.onclick = () => {
	const [key, value] = (b.dataset.set || "").split(" ");
	set({ [key]: value });
};

addEventListener("keydown", e => {
	const at = /** @type {HTMLElement} */ (e.target), key = e.key === " " ? "Space" : e.key === "=" ? "+" : e.key;
	if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]") || at.matches("textarea, select, input:not([type=range])")) return;
	if (key === "Space" && at.matches("button, a")) return;
	if (key >= "1" && key <= "9" && run().data.kinds[+key - 1]) toggleKind(+key - 1);
	const action = ACTIONS.find(a => a[0] === key);
	if (action) { e.preventDefault(); action[2](); }
});
$("search").onkeydown = (/** @type {KeyboardEvent} */ e) => {
	if (e.key === "Enter") along(view.hits, e.shiftKey ? -1 : 1, true);
	if (e.key === "Escape") { $("search").value = ""; find(); $("search").blur(); }
};
$("search").oninput = find;
$("scrub").oninput = () => go(+$("scrub").value);
$("order").onchange = () => set({ order: $("order").value });
$("fork-copy").onclick = () => copy($("fork-case").value, "fork-copy");

// ---- pointers ----

/** What is near a point: an event, a message, the name of a lane, and the event before it. @param {number} r @param {PointerEvent} e */
function near(r, e) {
	const f = frameOf(r), { run, x, ex, y, value, folded } = f, mx = e.offsetX, my = e.offsetY;
	let best = 11, at = -1;
	for (let i = lower(x, value(mx - 12)); i < run.events.length && ex(i) <= mx + 12; i++) {
		const { p, w } = run.events[i], d = p < 0 || UNHANDLED.has(w) || folded.has(p) ? 99 : Math.hypot(ex(i) - mx, y(p) - my);
		if (d <= best) { best = d; at = i; }
	}
	/** @type {Arrow|null} */ let arrow = null;
	best = 7;
	if (at < 0) for (const { a } of arrowsIn(f)) {
		const { x0, y0, x1, y1 } = routeOf(f, a), dx = x1 - x0, dy = y1 - y0, part = clamp(((mx - x0) * dx + (my - y0) * dy) / (dx * dx + dy * dy || 1), 0, 1);
		const d = Math.hypot(x0 + part * dx - mx, y0 + part * dy - my);
		if (d < best) { best = d; arrow = a; }
	}
	const row = mx < f.left - EDGE ? f.lanes.rows.find(row => Math.abs(f.off + row.y * f.step - my) < Math.min(12, f.step / 2)) : undefined;
	return { at, arrow, row, before: Math.max(0, lower(x, value(mx)) - 1) };
}

/** @param {number} r @param {number} at @param {Arrow|null} arrow */
function hint(r, at, arrow) {
	const { events, base } = runs[r], e = events[at], when = (i = 0) => instant(runs[r], events[i].t);
	if (e) return [`#${at + base} · ${when(at)}`, said(e), e.n, condition(runs[r], at)].filter(Boolean).join("\n");
	if (!arrow) return "";
	const { text, from, to, sent, end, how, early } = arrow, ends = { deliver: "arrives", lost: "reaches a crashed process", lose: "is lost", cut: "is stopped by a fault", damaged: "is damaged", collide: "collides" }[how];
	return `${text}  p${from} → p${to}\nsent ${early ? "before this part" : when(sent)}, ${ends ? `${ends} ${when(end)}` : `still under way at the end${runs[r].part ? " of this part" : ""}`}`;
}

plots.forEach(({ canvas, r }) => {
	/** @type {{x:number,left:number,moved:boolean}|null} */ let drag = null;
	const room = () => canvas.clientWidth - gutter(canvas.clientWidth) - RIGHT;
	canvas.onpointerdown = e => {
		drag = { x: e.clientX, left: view.left, moved: false };
		canvas.setPointerCapture(e.pointerId);
		if (view.on !== r) choose(r);
	};
	canvas.onpointermove = e => {
		if (drag) {
			drag.moved ||= Math.abs(e.clientX - drag.x) > 3;
			if (drag.moved) pan(drag.left - (e.clientX - drag.x) / room() / view.zoom);
			return;
		}
		const { at, arrow, row } = near(r, e), text = row ? "fold or unfold" : hint(r, at, arrow);
		if (arrow !== view.hover) { view.hover = arrow; draw(); }
		canvas.style.cursor = text ? "pointer" : "";
		tip(text, e.clientX, e.clientY);
	};
	canvas.onpointerleave = () => { tip(); view.hover = null; draw(); };
	canvas.onpointercancel = () => { drag = null; };
	canvas.onpointerup = e => {
		const { at, arrow, row, before } = near(r, e), moved = drag?.moved;
		drag = null;
		if (moved) return;
		if (row) row.of.forEach(fold);
		else go(at >= 0 ? at : arrow ? arrow.end : before, true);
	};
	canvas.addEventListener("wheel", e => {
		e.preventDefault();
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan(view.left + (e.deltaX || e.deltaY) / 800 / view.zoom);
		else zoom(Math.exp(-e.deltaY / 350), clamp((e.offsetX - gutter(canvas.clientWidth)) / room(), 0, 1));
	}, { passive: false });
});
$("strip").onpointermove = $("strip").onpointerdown = (/** @type {PointerEvent} */ e) => {
	if (!(e.buttons & 1)) return;
	const w = $("strip").clientWidth, part = (e.offsetX - gutter(w)) / (w - gutter(w) - RIGHT);
	$("strip").setPointerCapture(e.pointerId);
	pan(part - 0.5 / view.zoom);
	go(lower(axes[view.on], part * whole()), true);
};

document.body.classList.toggle("twin", twin);
prefersDark.onchange = () => theme(prefersDark.matches);
read();
addEventListener("hashchange", () => { if (location.hash !== `#${written()}`) read(); });
for (const id of ["plots", "map"]) new ResizeObserver(paint).observe($(id)); // before the frame is shown
let wasDark = false;
addEventListener("beforeprint", () => { wasDark = isDark(); theme(false); paint(); });
addEventListener("afterprint", () => theme(wasDark));
Object.assign(window, { bullring: { view, runs, go, paint, zoom, set, choose, fold, find, frameOf, written, setAxis: (axis = "") => set({ axis }) } });
