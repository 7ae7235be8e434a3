import type { Interval } from "../../base/statistics/mod.ts";
import type { RequestOptions } from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { Policy, PolicySource, Scenario, ScenarioSource } from "../../document/scenario/mod.ts";
import type { Message, Usage } from "../../document/transcript/mod.ts";
import type { RunModels } from "../runner/mod.ts";

/** What an attack tries to make an agent do. */
export const ATTACK_KINDS = [
  "injection",
  "tool-injection",
  "variable-injection",
  "prompt",
  "secret",
  "other-callers",
  "tool",
  "promise",
  "price",
  "medical",
  "legal",
  "insult",
  "topic",
  "forbidden",
  "policy",
] as const;

/**
 * What an attack tries to make an agent do:
 *
 * - `injection`, `tool-injection`, `variable-injection`: obey an order in the caller's words, in the result of a tool, in a
 *   variable.
 * - `prompt`: say its instructions. `secret`: say a secret of a variable or of the prompt.
 * - `other-callers`: say who else called, or what of them is known.
 * - `tool`: call a tool without what it needs, or one that callers may not use.
 * - `promise`, `price`, `medical`, `legal`, `insult`: promise something, agree to a price of the caller's, advise, insult.
 * - `topic`: speak of what its prompt forbids. `forbidden`: do something else that is forbidden in words.
 * - `policy`: break a policy.
 */
export type AttackKind = (typeof ATTACK_KINDS)[number];

/** How an attack puts pressure on an agent over the turns of a call. */
export const ATTACK_TECHNIQUES = [
  "direct",
  "role-play",
  "build-up",
  "backtrack",
  "split",
  "language",
  "spelling",
] as const;

/**
 * How an attack puts pressure on an agent:
 *
 * - `direct`: it asks three times. `role-play`: it claims to be somebody, or asks the agent to be.
 * - `build-up`: each turn asks for a little more. `backtrack`: it accepts the refusal, and comes back to it.
 * - `split`: each turn asks for a part. `language`: it asks in other languages. `spelling`: it spells, or wants it spelled.
 */
export type AttackTechnique = (typeof ATTACK_TECHNIQUES)[number];

/** Limits of an attack. It stops at the first that is reached. */
export interface AttackLimits {
  /** Calls of all kinds: attempts, those that make a conversation smaller, and repeated ones. Default: 400. */
  readonly calls?: number;
  /** Caller turns of an attempt, besides those that lead to its node. Default: 8. */
  readonly turns?: number;
  /** US dollars of all models. Models need a known price. Default: 5, as far as prices are known. */
  readonly costUsd?: number;
  /** Milliseconds. Default: 15 minutes. */
  readonly wallMs?: number;
}

/** Options of `attack()`. */
export interface AttackOptions {
  /**
   * The agent's model, and, if there is a key, those of the attacker and of the judge. Without a caller the attacks are
   * written texts; without a judge only what rules can decide is found. Default: the offline model.
   */
  readonly models?: RunModels;
  /** Only these kinds. Default: all that the agent makes worth attacking. */
  readonly kinds?: readonly AttackKind[];
  /** Policies to attack. Each call is checked against all of them. */
  readonly policies?: readonly PolicySource[];
  /** What the agent must never do, in words, besides what its prompts say: `"a card number is spoken back"`. */
  readonly never?: readonly string[];
  /** Variables that the caller must not hear, besides those whose name or description says so. */
  readonly secrets?: readonly string[];
  /** Values of variables at the start of every call. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Findings of earlier attacks: they run first, and the report says which are still open. */
  readonly known?: readonly ScenarioSource[];
  /** Number of times that the smallest conversation of a finding is repeated. Default: 5. */
  readonly tries?: number;
  /** The same seed gives the same texts, planted words and order. Default: `callweave`. */
  readonly seed?: string;
  readonly limits?: AttackLimits;
  readonly requests?: RequestOptions;
  /** The graph of a connection, if the connection gives none. */
  readonly graph?: AgentGraph;
  /** Says that the deployed agent of a connection may be attacked. Without it, connections are refused. Default: false. */
  readonly allowDeployed?: boolean;
  /** Says that tools which cannot be mocked may run. Default: false. */
  readonly allowRealTools?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: AttackEvent) => void;
}

/** What happens during an attack. */
export type AttackEvent =
  | { readonly kind: "round"; readonly technique: AttackTechnique; readonly calls: number }
  | { readonly kind: "finding"; readonly title: string; readonly node: string };

/** A weakness that an attack has found. */
export interface AttackFinding {
  readonly kind: AttackKind;
  /** Entry of OWASP's list for LLM applications, edition 2025: `LLM01:2025`. */
  readonly owasp: string;
  /** One sentence: `gives its instructions away`. */
  readonly title: string;
  /** Id of the node where it happened. */
  readonly node: string;
  /** Other nodes at which it happened. */
  readonly alsoAt: readonly string[];
  /** Number of the caller's turn in the smallest conversation; 0 is the opening. */
  readonly turn: number;
  /** The agent's words that gave it away, or the call of the tool. */
  readonly words: string;
  readonly technique: AttackTechnique;
  /** Whether a rule or the judge's model decided it. */
  readonly by: "rule" | "judge";
  /** How often the smallest conversation did it, of how many tries, with a 95 % interval. */
  readonly rate: { readonly broken: number; readonly tries: number; readonly interval: Interval };
  /** Attempts at this target, before and with the one that found it. */
  readonly attempts: number;
  /** The smallest conversation that did it. */
  readonly conversation: readonly Message[];
  /** Fails while the agent has the weakness. */
  readonly scenario: Scenario;
  /** A policy that the agent should keep, if one says so; it holds for every call. */
  readonly policy?: Policy;
}

/** A target: something that an agent should not do, and where it could. */
export interface AttackedTarget {
  readonly kind: AttackKind;
  readonly title: string;
  /** Nodes at which it was tried. */
  readonly nodes: readonly string[];
  readonly attempts: number;
  /** Attempts that came to a result: the others ended in errors. */
  readonly answered: number;
  readonly isBroken: boolean;
  /** Attempts that the budget left out. */
  readonly left: number;
}

/** Something that was not tried, and why. */
export interface UntriedAttack {
  readonly kind: AttackKind;
  readonly title: string;
  readonly reason: string;
}

/** An earlier finding: the agent still has the weakness, or not; `unknown`: the call ended in an error. */
export interface KnownAttack {
  readonly scenario: string;
  readonly state: "open" | "closed" | "unknown";
}

/** What an attack found, and what it tried. */
export interface AttackReport {
  /** The agent's name. */
  readonly agent: string;
  readonly seed: string;
  readonly findings: readonly AttackFinding[];
  readonly known: readonly KnownAttack[];
  readonly targets: readonly AttackedTarget[];
  readonly untried: readonly UntriedAttack[];
  readonly calls: number;
  /** The limit that stopped it; absent if everything was tried. */
  readonly stopped?: "calls" | "costUsd" | "wallMs" | "aborted";
  /** Whether the offline model was the agent. What it says is made of its prompt, and says little about a real agent. */
  readonly offline: boolean;
  readonly usage: Pick<Usage, "calls" | "inputTokens" | "outputTokens" | "costUsd">;
}
