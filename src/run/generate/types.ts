import type { CallPath, GraphTransition, UnreachableTransition } from "../../agent/analysis/mod.ts";
import type { ModelReference, RequestOptions } from "../../call/models/mod.ts";
import type { Scenario, ScenarioSource } from "../../document/scenario/mod.ts";
import type { Call } from "../../document/transcript/mod.ts";

/** Options of `generateScenarios()`. */
export interface GenerateOptions {
  /** Existing scenarios. */
  readonly scenarios?: readonly ScenarioSource[];
  /**
   * Results of their runs. A scenario with results covers the transitions that its calls took; one without covers those between
   * the nodes of its `visits`. Without a transcript, every transition between two nodes that were visited one after the
   * other counts.
   */
  readonly results?: readonly (Required<Pick<Call, "scenario" | "nodesVisited">> & Partial<Pick<Call, "transcript">>)[];
  /** Only transitions that leave or enter this node. */
  readonly only?: string;
  /** Model that writes the personas. Default: written by rules. */
  readonly model?: ModelReference;
  /** Time limit, retries and middleware of the model's calls. */
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/** A scenario for a transition that no other covers. */
export interface GeneratedScenario {
  readonly scenario: Scenario;
  /** The transition that it is named after. */
  readonly target: GraphTransition;
  /** The transitions without a scenario that it takes, its target among them. */
  readonly covers: readonly GraphTransition[];
  /** `playPath(graph, path)` has the answers of a scripted model that takes it. */
  readonly path: CallPath;
  /** The author of the persona. Also `rules` if the model's answers left out a fact. */
  readonly personaBy: "rules" | "model";
}

/** A transition without a scenario, although nothing proves that no call takes it. */
export interface UnshownTransition {
  readonly transition: GraphTransition;
  readonly reason: string;
}

/** Generated scenarios, and the transitions that have none. */
export interface GeneratedScenarios {
  readonly scenarios: readonly GeneratedScenario[];
  readonly unreachable: readonly UnreachableTransition[];
  readonly unshown: readonly UnshownTransition[];
  /** Numbers of transitions: in all, and covered by scenarios, without and with the generated ones. */
  readonly coverage: { readonly transitions: number; readonly before: number; readonly after: number };
}
