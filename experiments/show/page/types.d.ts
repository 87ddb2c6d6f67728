// The types of the page, for tsc alone. `bullring view --data` writes Data in format 2; 1 has no bands:
// keys that are absent are 0, "" or empty, and events are numbered from 1.

interface Data {
	format: 1 | 2; made_by: string;
	algorithm: string; variant?: string; title: string; scene: string; again?: string; about?: string; source?: string;
	n: number; ids?: number[]; topology: string; directed?: boolean; links?: [number, number][]; fifo?: boolean;
	/** links that are not there before the first event */ gone?: [number, number][];
	/** where processes with places move, in metres */ ground?: Ground;
	/** ns of the constant delay */ unit?: number;
	/** t counts steps of a schedule */ timeless?: boolean;
	kinds: string[]; /** kinds of transformers */ apart?: number[];
	outside?: string[]; outcome: string; correct: boolean; failed?: string; messages: number; fingerprint: string;
	checks?: Check[]; what?: string; targets?: number[]; slice?: number[]; because?: string[];
	spans?: { text: string; from: number; to?: number }[];
	/** conditions of processes: who was in one, from and up to which event; 0 is the end */
	bands?: Band[];
	pseudocode?: { on: string[]; lines: string[] }[];
	branch?: Branch;
	/** the data is a part of a run: the number of its first event there, and the events of the run */
	cut?: { from: number; of: number };
	/** processes before the first event: absent ones are alive and have no news and no fields */
	before?: { p: number; down?: boolean; n?: string; v?: Record<string, string> }[];
	events: Partial<Step>[];
}

/** One event. */
interface Step {
	/** ns, or the step of a schedule */ t: number;
	/** start, boot, deliver, lost, damaged, lose, cut, collide, timeout, crash, restart, linkup, linkdown or fault */ w: string;
	/** process, -1 for none */ p: number;
	/** sender, or the other end of a link */ f: number; /** a link that comes or goes: its ends, and whether it comes up */ e?: [number, number, number]; /** number of the message */ m: number; /** its kind */ k: number;
	/** text of the message, name of the timer, or fault */ x: string;
	/** messages sent: to, number, kind, text */ s: [number, number, number, string][];
	/** how many messages those are if there is a broadcast, which is one; else 0 */ u: number;
	/** direct causes */ a: number[];
	/** news: what the process decided */ n: string;
	/** fields that changed */ v: Record<string, string>;
	/** numbers drawn */ c: number[];
	/** ns that its clock showed */ r: number[];
	/** label of the timer */ y: number;
	/** lines that its program logged */ l: string[];
	/** lines of its program's standard error */ o: string[];
	/** with what a message collided */ i: string;
	panics?: boolean;
}

/** box: left, bottom, width, height. paths: by address, the corners of the way, an instant in ns and the place then. */
interface Ground { box: [number, number, number, number]; range: number; paths: [number, number, number][][] }

/** A condition of processes. on: process, from, to. clashes: when more than one was in a band for one alone. */
interface Band { name: string; means: string; colour: string; texture: string; on: [number, number, number][]; clashes?: [number, number][] }

/** A process in a band, and the parts of it in which another one is there and should not be. */
interface Stay { from: number; to: number; band: number; clashes: [number, number][] }

interface Check { name: string; means: string; verdict: "holds" | "violated" | "undecided"; detail?: string; broke?: number }

/** What a branch of the run is made of: a case without its schedule, or why there is none. dead are the processes that never start. */
interface Branch { timers?: string; case?: { setting: Record<string, unknown> }; dead?: number[]; refused?: string }

/** A message from its sending to its end. how is the w of its end, or "under way". It is early if it was sent before a part of a run. */
interface Arrow { from: number; to: number; sent: number; end: number; kind: number; text: string; how: string; early: boolean }

/** A process after an event; last is its last event. */
interface State { alive: boolean; news: string; last: number; fields: Record<string, string> }

/** A step that can be taken instead of an event: a line of a schedule, and the sentence for it. */
interface Choice { line: string; text: string }

/** Where a text stands: its middle, and half of its size. */
interface Place { x: number; y: number; w: number; h: number }

type Canvas2D = CanvasRenderingContext2D;
type Run = ReturnType<typeof understand>;
type Frame = ReturnType<typeof frameOf>;
