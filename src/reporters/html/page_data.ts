import type { ResultStatus } from "../../store/mod.ts";
import type { CheckResult, Usage } from "../../transcript/mod.ts";
import type { PageComparison } from "./page_change.ts";

/** Status of a trial. */
export type PageStatus = ResultStatus;

/** Number of trials per status. */
export type PageCounts = { readonly [Status in PageStatus]?: number };

/** What the page shows first. The calls follow in blocks of their own, which are parsed when they are opened. */
export interface PageData {
  readonly run: PageRun;
  /** Nodes by index: paths and messages refer to them by number. */
  readonly nodes: readonly PageNode[];
  readonly scenarios: readonly PageScenario[];
  readonly coverage?: PageCoverage;
  readonly comparison?: PageComparison;
  /** How long callers waited for the first word; absent when it was not measured. */
  readonly latency?: readonly PageLatency[];
  /** What audio lost, by scenario; absent for runs without audio. */
  readonly heard?: readonly PageHearing[];
}

/** What audio lost of a scenario's words, as texts. */
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

/** How long callers waited at a node, as texts, and what the time was made of on average. */
export interface PageLatency {
  readonly name: string;
  readonly turns: number;
  /** Median, 95th percentile and longest time. */
  readonly times: readonly string[];
  readonly made: string;
}

/** How long the caller waited in one turn, as texts. */
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
  /** Sentences above everything else. */
  readonly notices: readonly PageNotice[];
}

/** A sentence about the run, and how serious it is. */
export interface PageNotice {
  readonly level: "bad" | "warn";
  readonly text: string;
}

/** Verdict on a run or a scenario; `imported` for calls that happened and were not judged. */
export type PageVerdict = "pass" | "fail" | "undecided" | "imported";

/** A node of the graph, or one that only the transcripts know. */
export interface PageNode {
  readonly id: string;
  /** Type of the node; absent when the graph does not have it. */
  readonly type?: string;
  readonly prompt?: string;
  readonly isGlobal?: true;
}

/** A scenario with its trials. */
export interface PageScenario {
  readonly name: string;
  readonly verdict: PageVerdict;
  /** Why the verdict is what it is, in one sentence. */
  readonly reason: string;
  /** The gate in words. */
  readonly gate: string;
  /** Pass rate that the gate needs, if it is one. */
  readonly needed?: number;
  readonly passRate: number | null;
  /** 95 % interval of the pass rate. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** pass^1, pass^2, … */
  readonly passHat: readonly number[];
  readonly planned: number;
  readonly counts: PageCounts;
  /** Who is flaky, in one sentence; only where it was measured. */
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
  /** What failed, one title each. */
  readonly problems: readonly string[];
}

/** A trial's call, in a data block of its own. */
export interface PageCall {
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
  readonly confidence: number;
  /** Indexes of the lines that the evidence quotes. */
  readonly quoted: readonly number[];
  /** Whether the evidence is not in the transcript. */
  readonly isUnfounded?: true;
}

/** Name and value, as text. */
export type PageValue = readonly [name: string, value: string];

/** A message of the transcript: what was said, or what happened between. */
export type PageLine = {
  /** Index of the node. */
  readonly node: number;
  /** Milliseconds since the first message. */
  readonly ms: number;
} & PageEvent;

/** What a line of the transcript shows. */
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

/** What the run exercised. */
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
  /** The shortest call that would exercise it, a sentence a step. */
  readonly way?: readonly string[];
  /** Why there is none. */
  readonly reason?: string;
}
