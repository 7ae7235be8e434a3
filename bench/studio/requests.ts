import type { MadeDatabase } from "./database.ts";

/** A request of the page. */
export interface Question {
  readonly name: string;
  /** Path of the API, by the number of times that it was asked. */
  readonly path: (time: number) => string;
  readonly bounds: Bounds;
  /** How often it is asked, where each time is another question. */
  readonly times?: number;
  /** Whether the longest time counts, and not the middle one. */
  readonly isLongest?: boolean;
}

/** Bounds of an answer: its time, and its processor time in times that of a handler that only sends it. */
interface Bounds {
  readonly ms: number;
  readonly overBare: number;
}

const PAGE: Bounds = { ms: 300, overBare: 75 };
const CALL: Bounds = { ms: 200, overBare: 15 };
const SEARCH: Bounds = { ms: 500, overBare: 250 };
const COMPARE: Bounds = { ms: 500, overBare: 100 };

/** Searches that could be slow, or operators if they were not quoted. Every call has the first word. */
const SEARCHES = {
  rare: "ref4242",
  common: "order",
  three_common: "order parcel invoice",
  words_together: '"agent morning"',
  two_letters: "re",
  three_letters: "ref",
  absent: "order zebra",
};
const HOSTILE = [
  "order OR agent NOT parcel",
  "NEAR(order agent, 5)",
  "words:order AND *",
  `'; DROP TABLE callweave_runs; --`,
  `"order" "agent" "parcel`,
  `${'"a '.repeat(60)}z`,
  "o e r a m ".repeat(20),
  "ﷺ".repeat(150),
];

/** What the page asks. Requests for runs that nobody has read come first. */
export function questionsOf({ agent, large }: MadeDatabase, call: (time: number) => string): readonly Question[] {
  const run = (time: number) => large[time % large.length] ?? "";
  const half = Math.floor(large.length / 2);
  const pairs = Math.floor((large.length - half) / 2);
  const compare = (time: number) => `runs/${run(half + 2 * time + 1)}/compare?with=${run(half + 2 * time)}`;
  const page = (name: string, path: string): Question => ({ name, path: () => path, bounds: PAGE });
  const found = (name: string, words: string, more = ""): Question => ({
    ...{ name: `search_${name}`, path: () => `search?q=${encodeURIComponent(words)}${more}`, bounds: SEARCH },
  });
  const last = run(large.length - 1);
  const hostile: Question = {
    name: "search_hostile",
    path: (time) => `search?q=${encodeURIComponent(HOSTILE[time] ?? "")}`,
    bounds: SEARCH,
    times: HOSTILE.length,
    isLongest: true,
  };
  return [
    { name: "compare_first_time", path: compare, bounds: COMPARE, times: pairs },
    { name: "run_first_time", path: (time) => `runs/${run(time)}`, bounds: PAGE, times: half },
    { name: "compare", path: () => compare(0), bounds: COMPARE },
    { name: "run", path: (time) => `runs/${run(time)}`, bounds: PAGE },
    page("project", "project"),
    page("runs", "runs"),
    page("runs_by_agent", `runs?agent=${encodeURIComponent(agent)}`),
    page("runs_by_branch", "runs?branch=main&environment=staging"),
    page("runs_by_tag", "runs?tag=release"),
    page("runs_by_absent_tag", "runs?tag=absent&branch=absent"),
    page("calls", "calls"),
    page("calls_of_run", `calls?run=${last}`),
    page("calls_failed_of_run", `calls?run=${last}&status=fail`),
    page("calls_of_scenario", `calls?run=${last}&scenario=${encodeURIComponent(scenarioOf(3))}`),
    page("trend", `scenarios/${encodeURIComponent(scenarioOf(3))}/trend`),
    page("agent", `agents/${encodeURIComponent(agent)}`),
    page("queue", "queue"),
    page("queue_of_run", `queue?run=${last}&reason=low-confidence`),
    { name: "call", path: (time) => `calls/${call(time)}`, bounds: CALL },
    ...Object.entries(SEARCHES).map(([name, words]) => found(name, words)),
    found("absent_status", "order", "&status=error"),
    found("in_run", "order", `&run=${large[0]}&status=fail`),
    hostile,
  ];
}

/** The name of a scenario by its number. */
export function scenarioOf(number: number): string {
  return `caller ${number} asks about order ${number * 37}`;
}
