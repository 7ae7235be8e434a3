import type { ModelReference, RequestOptions } from "../../../call/models/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";

/** Options of `scenarioFromCall()`. */
export interface ScenarioFromCallOptions {
  /** The agent of the scenario. Nodes, variables and tools that it does not have are left out. */
  readonly graph?: AgentGraph;
  /** Whether the caller says the recorded lines instead of following a persona. Default: false. */
  readonly script?: boolean;
  /** Name of the scenario. Default: the caller's request in their own words. */
  readonly name?: string;
  /** Model that writes persona and name. Default: written by rules. */
  readonly model?: ModelReference;
  /** Time limit, retries and middleware of the model's calls. */
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/** A fact that the caller told the agent. */
export interface CallFact {
  /** Name of the graph's variable, else the kind of value: `name`, `date`, `email`, … */
  readonly name: string;
  /** As the caller said it. */
  readonly value: string;
}

/** A scenario written from a call, for a person to edit. */
export interface ScenarioFromCall {
  readonly scenario: Scenario;
  readonly facts: readonly CallFact[];
  /** The author of the persona; `null` if the caller says the recorded lines. */
  readonly personaBy: "rules" | "model" | null;
  /** Points to review before the scenario is used, one sentence each. */
  readonly notes: readonly string[];
}
