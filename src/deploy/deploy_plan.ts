import type { Loss } from "../../platforms/mod.ts";
import type { GraphChange } from "../analysis/mod.ts";
import type { AgentGraph, Finding } from "../graph/mod.ts";
import type { ComparedResource, Conflict, ResourceState } from "./compare_resources.ts";
import type { Deployment, FoundAgent } from "./deployment.ts";
import type { PlannedNumber } from "./numbers.ts";
import type { Baseline } from "./state/mod.ts";
import type { Place } from "./target.ts";

/** What applying a plan does to one resource. */
export interface PlannedResource {
  /** Its key in the lock file: `agent`, `assistant:welcome`. */
  readonly address: string;
  readonly kind: string;
  /** Its id on the platform; absent where it is created. */
  readonly id?: string;
  readonly state: ResourceState;
  readonly action: "create" | "update" | "none";
}

/** What applying does, made from what the platform had when it was planned. As JSON it is a plan file; it has no secrets. */
export interface DeployPlan {
  readonly version: 1;
  readonly place: Place;
  /** Format of the platform's documents. */
  readonly to: string;
  /** Of the graph, without what an environment changes. */
  readonly fingerprint: string;
  /** In the order in which they are written. */
  readonly resources: readonly PlannedResource[];
  /** What applying changes on the platform, in words. Empty for an agent that is not there yet. */
  readonly changes: readonly GraphChange[];
  /** What was changed on the platform since it was last applied, in words. */
  readonly remoteChanges: readonly GraphChange[];
  /** Places that code and dashboard have both changed. */
  readonly conflicts: readonly Conflict[];
  /** The phone numbers that the environment names. */
  readonly numbers: readonly PlannedNumber[];
  /** Resources of the lock file that the agent no longer uses. */
  readonly unused: readonly { readonly address: string; readonly id: string }[];
  readonly losses: readonly Loss[];
  readonly findings: readonly Finding[];
  /** Hash of everything that applying reads and writes: planning the same again gives the same. */
  readonly digest: string;
  /** Whether applying writes nothing. */
  readonly isEmpty: boolean;
}

/** What a plan is made of. */
export interface PlanParts {
  readonly deployment: Deployment;
  readonly found: FoundAgent;
  readonly compared: readonly ComparedResource[];
  readonly baseline: Baseline;
  readonly graph: AgentGraph;
  readonly workspace: string | undefined;
  readonly numbers: readonly PlannedNumber[];
  readonly losses: readonly Loss[];
  readonly findings: readonly Finding[];
  readonly secrets: ReadonlyMap<string, string>;
}
