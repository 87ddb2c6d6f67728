// Asks the model of the page about the runs in a folder: node ask.mjs FOLDER BRANCHES. It prints a line of JSON for each
// run: the causes of the verdict as the page marks them, all causes of the events that the verdict is about, of the
// messages that did not arrive and of the faults but links that come or go, and for some events every branch that the page offers.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const [folder, branches] = process.argv.slice(2);
vm.runInThisContext(readFileSync(new URL("../model.js", import.meta.url), "utf8"));
const { understand, cone, choices, branchFile } = globalThis;
const numbers = mark => [...mark.keys()].filter(i => mark[i]).map(i => i + 1);

for (const file of readdirSync(folder).sort()) {
	const run = understand(JSON.parse(readFileSync(join(folder, file), "utf8")));
	const told = new Uint8Array(run.events.length);
	const [first] = run.targets, atOnce = run.targets.length === 1 && run.data.checks.some(c => c.broke === first + 1);
	const about = [...run.events.keys()].filter(i => !(atOnce && i > first) && !run.events[i].e && ["fault", "lost", "damaged", "lose", "cut"].includes(run.events[i].w));
	for (const i of [...run.targets, ...about]) cone(run, i, true).forEach((x, j) => { told[j] |= x; });
	const offered = [];
	if (run.data.branch.case) for (let b = 0; b < +branches && run.events.length; b++) {
		const at = Math.floor((b + 0.5) * run.events.length / branches);
		for (const choice of choices(run, at)) offered.push({ at: at + 1, line: choice.line, case: JSON.parse(branchFile(run, at, choice.line)) });
	}
	console.log(JSON.stringify({ file, marked: numbers(run.slice), told: numbers(told), offered }));
}
