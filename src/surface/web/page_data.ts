import type { CheckResult, Usage } from "../../document/transcript/mod.ts";
import type { ResultStatus } from "../../run/store/mod.ts";

/** Status of a trial. */
export type PageStatus = ResultStatus;

/** Number of trials per status. */
export type PageCounts = { readonly [Status in PageStatus]?: number };

/** The data of the overview. The calls follow in their own blocks, which are parsed when they are opened. */
export interface PageData {
  readonly run: PageRun;
  /** Nodes by index: paths and messages refer to them by number. */
  readonly nodes: readonly PageNode[];
  readonly scenarios: readonly PageScenario[];
  /** The results by scenario and caller; absent for runs without sets of callers. */
  readonly callers?: PageCallers;
  readonly coverage?: PageCoverage;
  readonly comparison?: PageComparison;
  /** How long callers waited for the first word; absent if it was not measured. */
  readonly latency?: readonly PageLatency[];
  /** Words that audio lost, by scenario; absent for runs without audio. */
  readonly heard?: readonly PageHearing[];
}

/** The table of scenarios and callers, formatted. */
export interface PageCallers {
  /** Which callers it works for, in one sentence. */
  readonly sentence: string;
  readonly callers: readonly string[];
  readonly rows: readonly {
    readonly scenario: string;
    /** One for each caller, with the index of the scenario that it played; `null` if it played none. */
    readonly cells: readonly ((PageCallerRate & { readonly played: number }) | null)[];
  }[];
  readonly totals: readonly PageCallerRate[];
}

/** How often trials with a caller passed: `2/3`, and the interval. */
export interface PageCallerRate {
  readonly text: string;
  readonly passRate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** The words of a scenario that audio lost, formatted. */
export interface PageHearing {
  readonly scenario: string;
  readonly errors: string;
  readonly lost: string;
  readonly changes: string;
}

/** One message that went through audio, a verdict by what was heard, or a difference from the scenario in text. */
export interface PageHeard {
  readonly who: string;
  readonly written: string;
  readonly heard: string;
  readonly errors: string;
}

/** How long callers waited at a node, and the parts of that time on average, formatted. */
export interface PageLatency {
  readonly name: string;
  readonly turns: number;
  /** Median, 95th percentile and longest time. */
  readonly times: readonly string[];
  readonly made: string;
}

/** How long the caller waited in one turn, formatted. */
export interface PageWait {
  readonly turn: string;
  readonly node: string;
  readonly time: string;
  readonly made: string;
}

/** Facts of the whole run. */
export interface PageRun {
  readonly id: string;
  readonly agent: string;
  readonly verdict: PageVerdict;
  readonly startedAt: string;
  readonly ms: number;
  readonly store: string | null;
  readonly models: readonly (readonly [role: string, name: string])[];
  readonly counts: PageCounts;
  readonly usage: Usage;
  /** Notes at the top of the page. */
  readonly notices: readonly PageNotice[];
}

/** A note about the run, and its severity. */
export interface PageNotice {
  readonly level: "bad" | "warn";
  readonly text: string;
}

/** Verdict on a run or a scenario; `imported` for imported calls that were not judged. */
export type PageVerdict = "pass" | "fail" | "undecided" | "imported";

/** A node of the graph, or one that occurs only in transcripts. */
export interface PageNode {
  readonly id: string;
  /** Its name on its platform; absent if that is the id. */
  readonly name?: string;
  /** Type of the node; absent when the graph does not have it. */
  readonly type?: string;
  readonly prompt?: string;
  readonly isGlobal?: true;
}

export interface PageScenario {
  readonly name: string;
  readonly verdict: PageVerdict;
  /** The reason for the verdict, in one sentence. */
  readonly reason: string;
  /** The gate, formatted. */
  readonly gate: string;
  /** Pass rate that the gate needs, if it has one. */
  readonly needed?: number;
  readonly passRate: number | null;
  /** 95 % interval of the pass rate. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** pass^1, pass^2, … */
  readonly passHat: readonly number[];
  readonly planned: number;
  readonly counts: PageCounts;
  /** The source of flakiness, in one sentence; absent if it was not measured. */
  readonly variance?: string;
  readonly trials: readonly PageTrial[];
}

/** A trial without its call. */
export interface PageTrial {
  /** Number of its data block. */
  readonly block: number;
  /** Part of its link: the trial, and the attempt where it is not the first: `3`, `3.2`. */
  readonly key: string;
  readonly status: PageStatus;
  readonly ms: number;
  readonly turns: number;
  readonly end: string;
  readonly cost?: number;
  /** Indexes of the nodes in the order of entry. */
  readonly path: readonly number[];
  /** Keys of the arrows that were taken, see `arrowsOf()`. */
  readonly arrows: readonly string[];
  /** Titles of its problems. */
  readonly problems: readonly string[];
}

/** A trial's call, in a data block of its own. */
export interface PageCall {
  /** The page would be too large with the transcripts of all calls, and lacks this one. */
  readonly isWithoutTranscript?: true;
  readonly startedAt: string;
  readonly problems: readonly PageProblem[];
  readonly warnings: readonly PageProblem[];
  readonly lines: readonly PageLine[];
  readonly verdicts: readonly PageScore[];
  readonly checks: readonly CheckResult[];
  readonly variables: readonly PageValue[];
  readonly usage: Usage;
  readonly waits?: readonly PageWait[];
  readonly heard?: readonly PageHeard[];
  readonly recording?: PageRecording;
  /** What was measured of a call by voice: the turn, what it is, and the figure. */
  readonly figures?: readonly (readonly [turn: string, what: string, figure: string])[];
}

/** The recording of a call by voice. */
export interface PageRecording {
  readonly url: string;
  /** Whether it is a file, which the page can play without a network. */
  readonly isLocal: boolean;
  readonly marks: readonly PageMark[];
}

/** A turn in a recording. */
export interface PageMark {
  readonly speaker: "agent" | "caller";
  /** Number of the caller's turn; 0 for the opening. */
  readonly turn: number;
  readonly ms: number;
  /** Index of its line in the transcript; absent if it has none. */
  readonly line?: number;
}

/** A problem or a warning with its labelled details. */
export interface PageProblem {
  readonly title: string;
  readonly details: readonly { readonly label: string; readonly text: string }[];
}

/** A judge's verdict. */
export interface PageScore {
  readonly criterion: string;
  readonly requirement: string;
  readonly reason: string;
  readonly evidence: string;
  readonly passed: boolean;
  readonly score: number;
  readonly threshold: number;
  readonly confidence?: number;
  /** Indexes of the lines that the evidence quotes. */
  readonly quoted: readonly number[];
  /** Whether the evidence is not in the transcript. */
  readonly isUnfounded?: true;
}

/** Name and value, as text. */
export type PageValue = readonly [name: string, value: string];

/** A message of the transcript: speech, or an event in between. */
export type PageLine = {
  /** Index of the node in the page's list of nodes. */
  readonly node: number;
  /** Milliseconds since the first message. */
  readonly ms: number;
} & PageEvent;

/** The content of a line of the transcript. */
export type PageEvent =
  | { readonly kind: "agent" | "caller" | "system"; readonly text: string; readonly isCut?: true }
  | {
      readonly kind: "move";
      readonly to: number;
      readonly because: string;
      readonly reasoning?: string;
      readonly arrows: readonly string[];
    }
  | { readonly kind: "decision" | "unusable"; readonly text: string; readonly reasoning?: string }
  | { readonly kind: "values"; readonly values: readonly PageValue[] }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly input: string;
      readonly output: string;
      readonly failed?: true;
      readonly mocked?: true;
      readonly took?: number;
    }
  | { readonly kind: "note"; readonly text: string };

/** The coverage of a run. */
export interface PageCoverage {
  /** Number of calls that count. */
  readonly calls: number;
  readonly totals: readonly PageShare[];
  readonly missing: readonly PageMissing[];
}

/** How many of a kind were covered. */
export interface PageShare {
  readonly what: string;
  readonly covered: number;
  readonly total: number;
}

/** Something that no call has exercised. */
export interface PageMissing {
  readonly kind: string;
  readonly text: string;
  /** The shortest call that would cover it, one sentence per step. */
  readonly way?: readonly string[];
  /** The reason why there is none. */
  readonly reason?: string;
}

/** A difference from a baseline. */
export interface PageComparison {
  readonly base: string;
  readonly summary: string;
  readonly rows: readonly PageChange[];
}

/** How a scenario or a metric changed. */
export interface PageChange {
  readonly scenario: string;
  /** The judged criterion; absent for the pass rate. */
  readonly criterion?: string;
  readonly base: PageRate;
  readonly head: PageRate;
  readonly change: "better" | "worse" | "none";
  readonly reason: string;
}

/** Passed trials of those that passed or failed. */
export interface PageRate {
  readonly passes: number;
  readonly trials: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}
