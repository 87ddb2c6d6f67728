// @ts-check
"use strict";
// The page: its words, the moves through a run, keys and pointers.

const plots = runs.map(({ data, n, events }, r) => {
	const canvas = el("canvas", { tabIndex: 0 });
	canvas.setAttribute("role", "img");
	canvas.setAttribute("aria-label", `${data.algorithm}: ${events.length} events among ${n} processes, ${data.outcome}. The arrow keys step through them.`);
	const box = el("div", { className: "plot" }, canvas);
	if (twin) box.append(el("div", { className: "cap" }, el("b", {}, nameOf(data)), `${data.scene} · ${data.outcome} · ${data.messages} messages`));
	$("plots").append(box);
	return { box, canvas, r };
});

// ---- words ----

/** @param {Data} data */
function nameOf(data) { return `${data.algorithm} ${data.variant || ""}`.trim(); }

function tellRun() {
	const { data, arrows } = run();
	$("name").replaceChildren(twin ? "Two runs" : data.algorithm, el("small", {}, twin ? "" : data.variant || ""));
	$("scene").textContent = twin ? `${nameOf(data)}: ${data.scene}` : `${data.title} · ${data.scene}`;
	const chip = (/** @type {string} */ kind, /** @type {string} */ text, /** @type {string} */ title) => el("span", { className: `chip ${kind}`, title }, text);
	$("verdicts").replaceChildren(
		...data.outside?.length ? [chip("warn", "outside the model", data.outside.join("; "))] : [],
		...data.failed ? [chip("bad", "failed", data.failed)] : [],
		chip(data.correct ? "good" : "bad", data.outcome, data.what || ""), chip("", `${data.messages} messages`, ""));
	$("again").textContent = $("again").title = data.again || "";
	$("copy").hidden = !data.again;
	$("print").textContent = `fingerprint ${data.fingerprint}`;
	const used = new Set(arrows.map(a => a.kind));
	$("kinds").replaceChildren(...data.kinds.flatMap((name, kind) => {
		if (!used.has(kind)) return [];
		const bar = el("i"), button = el("button", { className: "chip", type: "button", title: `Show or hide (${kind + 1})`, onclick: () => toggleKind(kind) }, bar, name);
		bar.style.background = `var(--k${kind % 8})`;
		button.setAttribute("aria-pressed", String(!view.hidden.has(kind)));
		return [button];
	}));
	plots.forEach(({ box, r }) => box.classList.toggle("on", r === view.on));
	$("target").disabled = !run().targets.length;
	shownBlock = shownStates = null;
	tellCode();
	tellChecks();
}

/** @param {number} kind */
function toggleKind(kind) {
	if (!view.hidden.delete(kind)) view.hidden.add(kind);
	tellRun();
	draw();
}

/** The words for the present event. */
function tell() {
	const { events, data, targets } = run(), i = now(), e = events[i];
	$("scrub").max = Math.max(0, events.length - 1);
	$("scrub").value = i;
	if (!e) return;
	const when = instant(run(), e.t);
	$("clock").textContent = `${i + 1} of ${events.length} · ${when}`;
	$("scrub").setAttribute("aria-valuetext", `event ${i + 1}, ${when}: ${said(e)}`);
	const { before, after, concurrent } = order(run(), i), causes = e.a.flatMap(k => [" ", el("a", { href: `#e=${k}`, onclick: () => { go(k - 1); return false; } }, `#${k}`)]);
	$("event").replaceChildren(
		el("div", { className: "head" }, `#${i + 1}  ${said(e)}`),
		...e.n ? [el("div", { className: "good" }, el("b", {}, `p${e.p} ${e.n}`))] : [],
		...e.panics ? [el("div", { className: "bad" }, "the handler panics; its messages do not leave")] : [],
		...e.s.length ? [el("div", {}, `sends ${sends(e)}`)] : [],
		...e.c.length ? [el("div", { className: "dim" }, `draws ${e.c.join(", ")}`)] : [],
		el("div", { className: "dim" }, ...causes.length ? ["follows from", ...causes, " · "] : [], `${before} before, ${after} after, ${concurrent} concurrent`),
		...targets.includes(i) && data.what ? [el("div", { className: data.correct ? "good" : "bad" }, data.what)] : []);
	$("checks").style.setProperty("--now", `${100 * axes[view.on][i] / whole()}%`);
	tellStates();
	markBlock();
	tellHits();
	address();
}

/** @type {State[]|null} */ let shownStates = null;
/** A row a process. Rows whose process has not changed stay as they are. */
function tellStates() {
	const states = statesAt(run(), now()), e = run().events[now()], rows = $("rows"), fresh = !shownStates;
	if (fresh) rows.replaceChildren(...states.map((_, p) => el("tr", {}, el("th", { scope: "row" }, laneButton(p)), el("td"))));
	states.forEach((state, p) => {
		const row = rows.children[p], here = e.p === p;
		row.className = `${here ? "here " : ""}${state.alive ? "" : "dead "}${view.folded[view.on].has(p) ? "folded" : ""}`;
		if (shownStates?.[p] === state && !row.querySelector(".new")) return;
		const changed = state.last === now() ? e.v : {};
		row.lastElementChild.replaceChildren(el("div", {}, ...state.news ? [el("b", {}, state.news)] : [],
			...Object.entries(state.fields).filter(([name]) => run().moving.has(name) || name in changed)
				.map(([name, value]) => el("span", { className: name in changed ? "new" : "" }, `${name} `, el("em", {}, value)))));
	});
	shownStates = states;
	const panel = $("states"), row = rows.children[e.p];
	if (row && (row.offsetTop < panel.scrollTop || row.offsetTop + row.offsetHeight > panel.scrollTop + panel.clientHeight)) panel.scrollTop = row.offsetTop - panel.clientHeight / 3;
}

/** @param {number} p */
function laneButton(p) {
	const { ids } = run().data;
	return el("button", { type: "button", title: "Fold or unfold the lane (f)", onclick: () => fold(p) }, `p${p}`, el("small", {}, ids ? String(ids[p]) : ""));
}

/** @type {HTMLElement|null} */ let shownBlock = null;
function tellCode() {
	const { pseudocode = [], about = "", source } = run().data;
	$("code").replaceChildren(...pseudocode.map(b => el("pre", {}, b.lines.join("\n"))),
		...about.split(/\n\s*\n/).filter(Boolean).map(text => el("p", {}, text)), ...source ? [el("p", { className: "dim" }, source)] : []);
}

/** Marks the block of the pseudocode that ran. */
function markBlock() {
	const block = $("code").children[blockOf(run(), run().events[now()])] || null;
	if (block === shownBlock) return;
	shownBlock?.classList.remove("on");
	shownBlock?.removeAttribute("aria-current");
	block?.classList.add("on");
	block?.setAttribute("aria-current", "true");
	shownBlock = block;
	if (block) $("code").scrollTop = block.offsetTop - $("code").offsetTop - 40;
}

function tellChoices() {
	const radios = (/** @type {string} */ name, /** @type {string} */ value) => {
		for (const b of document.querySelectorAll(`[data-${name}]`)) b.setAttribute(name === "tab" ? "aria-selected" : "aria-checked", String(/** @type {HTMLElement} */ (b).dataset[name] === value));
	};
	radios("axis", view.axis);
	radios("causes", view.causes);
	radios("align", view.align);
	radios("tab", view.tab);
	$("states").classList.toggle("off", view.tab !== "states");
	$("code").classList.toggle("off", view.tab !== "code");
	$("order").value = view.order;
	$("idle").setAttribute("aria-pressed", String(view.idle));
	if (twin) $("differ").disabled = runs.every((r, k) => differs[k] >= r.events.length);
}

// ---- moves ----

/** To an event of the present run; the other run follows. @param {number} i @param {boolean} [still] do not scroll */
function go(i, still) {
	const r = view.on;
	view.at[r] = clamp(i, 0, Math.max(0, runs[r].events.length - 1));
	view.frac = 0;
	if (twin) view.at[1 - r] = beside(runs[r], runs[1 - r], view.at[r], view.align === "cause" ? match[r] : null);
	const at = axes[r][view.at[r]] / whole(), wide = 1 / view.zoom;
	if (!still && (at < view.left + wide * 0.04 || at > view.left + wide * 0.96)) pan(at - wide / 2);
	tell();
	draw();
}
const move = (/** @type {number} */ by) => go(now() + by);
function pan(/** @type {number} */ left) { view.left = clamp(left, 0, 1 - 1 / view.zoom); draw(); }

/** @param {number} by @param {number} [about] in parts of the window */
function zoom(by, about = clamp((axes[view.on][now()] / whole() - view.left) * view.zoom, 0, 1)) {
	const at = view.left + about / view.zoom, most = Math.max(1, ...runs.map(r => r.events.length / 8));
	view.zoom = clamp(view.zoom * by, 1, most);
	pan(at - about / view.zoom);
	address();
}
function fit() { view.zoom = 1; pan(0); address(); }

function setAxis(/** @type {string} */ axis) {
	view.axis = axis;
	axes = runs.map(r => places(r, axis));
	tellChecks();
	set({});
}
/** Changes what is shown. @param {Partial<typeof view>} to */
function set(to) {
	Object.assign(view, to);
	if (to.align) differs = partings();
	tellChoices();
	go(now());
}
const cycle = (/** @type {string[]} */ list, /** @type {string} */ value) => list[(list.indexOf(value) + 1) % list.length];
/** @param {number} p */
function fold(p) {
	const folded = view.folded[view.on];
	if (p >= 0 && !folded.delete(p)) folded.add(p);
	tellStates();
	draw();
}
function choose(/** @type {number} */ r) {
	view.on = clamp(r, 0, runs.length - 1);
	tellRun();
	tell();
	draw();
}
/** Along the lane of the process. @param {number} by */
function inLane(by) {
	const lane = run().lanes[run().events[now()]?.p] || [], k = lower(lane, now()), to = lane[by > 0 && lane[k] !== now() ? k : k + by];
	if (to !== undefined) go(to);
}
/** To the next of some events, or the previous one. @param {number[]} list increasing @param {number} by @param {boolean} [round] */
function along(list, by, round) {
	const k = by > 0 ? lower(list, now() + 1) : lower(list, now()) - 1, to = list[k] ?? (round ? list.at(by > 0 ? 0 : -1) : undefined);
	if (to !== undefined) go(to);
}
function toSending() {
	const a = run().arrows.find(a => a.end === now());
	if (a) go(a.sent);
}
function toDifference() {
	if (!twin) return;
	if (differs[view.on] >= run().events.length) choose(1 - view.on);
	if (differs[view.on] < run().events.length) go(differs[view.on]);
}

/** Plays the run in some seconds, whatever its length; with reduced motion event by event, two a second. */
function play() {
	cancelAnimationFrame(view.playing);
	if (view.playing) { view.playing = 0; $("play").textContent = "play"; return; }
	$("play").textContent = "pause";
	if (now() >= run().events.length - 1) go(0);
	const x = axes[view.on], speed = (x[x.length - 1] - x[0]) / Math.min(30, 4 + run().events.length / 8);
	let before = performance.now(), at = x[now()];
	const frame = (/** @type {number} */ time) => {
		const i = now(), passed = (time - before) / 1000;
		if (calm.matches) { if (passed >= 0.5) { before = time; move(1); } }
		else {
			at += passed * speed;
			before = time;
			const to = Math.max(0, lower(x, at + 1e-12) - 1);
			if (to !== i) go(to);
			view.frac = clamp((at - x[now()]) / (x[now() + 1] - x[now()] || 1), 0, 1);
			paintMap();
		}
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
}
function tellHits() {
	const at = view.hits.indexOf(now());
	$("hits").textContent = !$("search").value.trim() ? "" : `${at >= 0 ? `${at + 1} of ` : ""}${view.hits.length}`;
}

// ---- branch ----

function openBranch() {
	const { data, events } = run(), e = events[now()], { refused, case: base } = data.branch || {};
	if (!e) return;
	const no = refused || (base ? schedule(run(), now()).refused : "this page holds no case"), offers = no ? [] : choices(run(), now());
	$("fork-about").textContent = no ? `A branch is not possible: ${no}.` : `The first ${now()} events happen as in this run. Instead of #${now() + 1}, ${said(e)}:`;
	$("fork-body").hidden = !offers.length;
	$("choices").replaceChildren(...offers.map((offer, k) => el("label", {}, el("input", { type: "radio", name: "choice", checked: !k, onchange: () => showCase(offer) }), el("span", {}, offer.text))));
	if (offers.length) showCase(offers[0]);
	$("fork").showModal();
}
/** @param {Choice} offer */
function showCase(offer) {
	const text = branchFile(run(), now(), offer.line);
	$("fork-case").value = text;
	$("fork-case").scrollTop = 1e6;
	$("fork-save").href = `data:application/json;charset=utf-8,${encodeURIComponent(text)}`;
}
/** @param {string} text @param {HTMLElement} button */
async function copy(text, button) {
	const label = button.textContent;
	try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { button.textContent = "not allowed"; }
	setTimeout(() => { button.textContent = label; }, 1500);
}

// ---- the address: #e=19&c=why&x=gaps is a moment of a run ----

let due = 0;
function address() {
	clearTimeout(due);
	due = setTimeout(() => history.replaceState(null, "", `#${written()}`), 200);
}
function written() {
	const to = new URLSearchParams({ e: String(now() + 1) }), add = (/** @type {string} */ key, /** @type {unknown} */ value, /** @type {unknown} */ usual) => { if (value !== usual) to.set(key, String(value)); };
	add("c", view.causes, "all");
	add("x", view.axis, "time");
	add("r", view.on + 1, 1);
	add("o", view.order, "address");
	add("z", +view.zoom.toFixed(2), 1);
	add("q", $("search").value, "");
	return to;
}
function read() {
	const from = new URLSearchParams(location.hash.slice(1)), one = (/** @type {string} */ key, /** @type {string[]} */ of, /** @type {string} */ usual) => of.find(v => v === from.get(key)) || usual;
	if (from.toString() === written().toString()) return;
	Object.assign(view, { causes: one("c", CAUSES, "all"), order: one("o", ORDERS, "address"), on: clamp(Number(from.get("r")) - 1 || 0, 0, runs.length - 1), zoom: Math.max(1, Number(from.get("z")) || 1) });
	if (from.has("theme")) theme(from.get("theme") === "dark");
	$("search").value = from.get("q") || "";
	view.hits = search(run(), $("search").value);
	tellRun();
	view.at[view.on] = Math.max(0, Number(from.get("e")) - 1 || 0);
	setAxis(one("x", AXES, view.axis));
}

// ---- keys and pointers ----

const ORDERS = ["address", "identity", "first", "activity"];
/** @param {boolean} dark */
function theme(dark) {
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	$("theme").textContent = dark ? "light" : "dark";
	readInk();
	draw();
}
const otherTheme = () => theme(document.documentElement.dataset.theme !== "dark");

/** Keys, what they are called in the dialog, and what they do. @type {[string, string, string, () => void][]} */
const KEYS = [
	["ArrowLeft", "← →", "previous, next event", () => move(-1)], ["ArrowRight", "", "", () => move(1)],
	["ArrowUp", "↑ ↓", "previous, next event of the process", () => inLane(-1)], ["ArrowDown", "", "", () => inLane(1)],
	["Home", "Home End", "first, last event", () => go(0)], ["End", "", "", () => go(Infinity)],
	[" ", "space", "play, pause", play],
	["s", "s", "to the sending of the message", toSending],
	["n", "n p", "next, previous decision or fault", () => along(run().marks, 1)], ["p", "", "", () => along(run().marks, -1)],
	["v", "v", "to what the verdict is about", () => along(run().targets, 1, true)],
	["c", "c", "highlight all, causes of the event, of the verdict", () => set({ causes: cycle(CAUSES, view.causes) })],
	["x", "x", "axis: time, gaps, steps", () => setAxis(cycle(AXES, view.axis))],
	["+", "+ - 0", "zoom in, out, whole run", () => zoom(1.5)], ["-", "", "", () => zoom(1 / 1.5)], ["0", "", "", fit],
	["=", "", "", () => zoom(1.5)],
	["[", "[ ]", "scroll", () => pan(view.left - 0.3 / view.zoom)], ["]", "", "", () => pan(view.left + 0.3 / view.zoom)],
	["/", "/", "search", () => $("search").focus()],
	[".", ". ,", "next, previous hit", () => along(view.hits, 1, true)], [",", "", "", () => along(view.hits, -1, true)],
	["1", "1 … 9", "show or hide a kind of message", () => {}],
	["f", "f", "fold or unfold the process", () => fold(run().events[now()]?.p ?? -1)], ["u", "u", "unfold all", () => { view.folded[view.on].clear(); view.idle = false; set({}); }],
	["i", "i", "fold processes without events in view", () => set({ idle: !view.idle })],
	["o", "o", "order of the lanes", () => set({ order: cycle(ORDERS, view.order) })],
	["a", "a", "processes or algorithm", () => set({ tab: cycle(["states", "code"], view.tab) })],
	["b", "b", "branch from here", openBranch],
	["l", "l", "light or dark", otherTheme],
	["r", "r", "the other run", () => choose(1 - view.on)],
	["t", "t", "two runs: same time, same event", () => set({ align: cycle(["time", "cause"], view.align) })],
	["d", "d", "two runs: first difference", toDifference],
	["?", "?", "this list", () => $("keys").showModal()],
];

addEventListener("keydown", e => {
	const at = /** @type {HTMLElement} */ (e.target);
	if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]") || at.matches("textarea, select, input:not([type=range])")) return;
	if (e.key === " " && at.matches("button, a")) return;
	const kind = Number(e.key) - 1;
	if (kind >= 0 && kind < run().data.kinds.length) toggleKind(kind);
	const key = KEYS.find(k => k[0] === e.key);
	if (!key || key[0] === "r" && !twin) return;
	e.preventDefault();
	key[3]();
});
$("search").onkeydown = (/** @type {KeyboardEvent} */ e) => {
	if (e.key === "Enter") along(view.hits, e.shiftKey ? -1 : 1, true);
	if (e.key === "Escape") { $("search").value = ""; find(); $("search").blur(); }
};
$("search").oninput = find;

for (const [id, does] of Object.entries({
	first: () => go(0), last: () => go(Infinity), back: () => move(-1), next: () => move(1), play, fit, in: () => zoom(1.5), out: () => zoom(1 / 1.5),
	target: () => along(run().targets, 1, true), branch: openBranch, differ: toDifference, theme: otherTheme, help: () => $("keys").showModal(),
	idle: () => set({ idle: !view.idle }), prior: () => along(view.hits, -1, true), later: () => along(view.hits, 1, true),
	copy: () => copy($("again").textContent, $("copy")), "fork-copy": () => copy($("fork-case").value, $("fork-copy")),
})) $(id).onclick = does;
$("scrub").oninput = () => go(+$("scrub").value);
$("order").onchange = () => set({ order: $("order").value });
for (const b of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-axis], [data-causes], [data-align], [data-tab]"))) b.onclick = () => {
	const { axis, causes, align, tab } = b.dataset;
	if (axis) setAxis(axis); else set(causes ? { causes } : align ? { align } : { tab });
};
$("keylist").append(...KEYS.filter(k => k[1]).flatMap(([, keys, text]) => [el("dt", {}, keys), el("dd", {}, text)]));

/** What is near a point: an event, a message or a name. @param {number} r @param {PointerEvent} e */
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
	const row = mx < f.left - 8 ? f.lanes.rows.find(row => Math.abs(f.off + row.y * f.step - my) < Math.min(12, f.step / 2)) : undefined;
	return { at, arrow, row, index: Math.max(0, lower(x, value(mx)) - 1) };
}

/** @param {number} r @param {number} at @param {Arrow|null} arrow */
function hint(r, at, arrow) {
	const { events } = runs[r], when = (/** @type {number} */ i) => instant(runs[r], events[i].t);
	if (at >= 0) return [`#${at + 1} · ${when(at)}`, said(events[at]), events[at].n].filter(Boolean).join("\n");
	if (!arrow) return "";
	const end = arrow.end < events.length ? `, ${{ deliver: "arrives", lost: "reaches a crashed process" }[arrow.how] || arrow.how} ${when(arrow.end)}` : ", still under way at the end";
	return `${arrow.text}  p${arrow.from} → p${arrow.to}\nsent ${when(arrow.sent)}${end}`;
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
		$("tip").textContent = text;
		Object.assign($("tip").style, { display: text ? "block" : "none", left: `${Math.min(e.clientX + 14, innerWidth - 260)}px`, top: `${e.clientY + 16}px` });
	};
	canvas.onpointerleave = () => { $("tip").style.display = "none"; view.hover = null; draw(); };
	canvas.onpointercancel = () => { drag = null; };
	canvas.onpointerup = e => {
		const moved = drag?.moved;
		drag = null;
		if (moved) return;
		const { at, arrow, row, index } = near(r, e);
		if (row) row.of.forEach(fold);
		else go(at >= 0 ? at : arrow ? arrow.end : index, true);
	};
	canvas.addEventListener("wheel", e => {
		e.preventDefault();
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan(view.left + (e.deltaX || e.deltaY) / 800 / view.zoom);
		else zoom(Math.exp(-e.deltaY / 350), clamp((e.offsetX - gutter(canvas.clientWidth)) / room(), 0, 1));
	}, { passive: false });
});
/** @param {PointerEvent} e */
$("strip").onpointermove = $("strip").onpointerdown = e => {
	if (!(e.buttons & 1)) return;
	const w = $("strip").clientWidth, part = (e.offsetX - gutter(w)) / (w - gutter(w) - RIGHT);
	$("strip").setPointerCapture(e.pointerId);
	pan(part - 0.5 / view.zoom);
	go(lower(axes[view.on], part * whole()), true);
};

document.body.classList.toggle("twin", twin);
theme(prefersDark.matches);
prefersDark.onchange = () => theme(prefersDark.matches);
tellRun();
read();
addEventListener("hashchange", read);
new ResizeObserver(draw).observe($("plots"));
new ResizeObserver(draw).observe($("map"));
let printed = false;
addEventListener("beforeprint", () => { printed = document.documentElement.dataset.theme === "dark"; theme(false); paint(); });
addEventListener("afterprint", () => theme(printed));
Object.assign(window, { bullring: { view, runs, go, paint, zoom, setAxis, set, choose, fold, find, frameOf, written } });
