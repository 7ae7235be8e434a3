import type { Loss, PlannedRelease } from "../../../platforms/mod.ts";
import type { GraphChange } from "../../agent/analysis/mod.ts";
import type { AgentGraph, Finding } from "../../document/graph/mod.ts";
import type { Deployment, FoundAgent } from "../deployment/mod.ts";
import type { AppliedResources } from "../state/mod.ts";
import type { DeployFormat, DeployScope } from "../target/mod.ts";
import type { ComparedResource, Conflict, PlannedNumber, ResourceState } from "./compare_resources.ts";

/** The effect of a plan on one resource. */
export interface PlannedResource {
  /** Its key in the lock file: `agent`, `assistant:welcome`. */
  readonly address: string;
  readonly kind: string;
  /** Its id on the platform; absent if it will be created. */
  readonly id?: string;
  readonly state: ResourceState;
  readonly action: "create" | "update" | "none";
}

/** The writes of an apply, computed from the platform's state at that time. Plan files are its JSON; it has no secrets. */
export interface DeployPlan {
  readonly version: 1;
  readonly place: DeployScope;
  /** Format of the platform's documents. */
  readonly to: DeployFormat;
  /** Format of what is deployed, if applying changes it: the agent stays, and gets another engine. */
  readonly replaces?: DeployFormat;
  /** Fingerprint of the graph without the settings of an environment. */
  readonly fingerprint: string;
  /** In the order in which they are written. */
  readonly resources: readonly PlannedResource[];
  /** Changes that applying makes on the platform, as sentences. Empty for a new agent. */
  readonly changes: readonly GraphChange[];
  /** Changes on the platform since the last apply that are not in the code, as sentences. */
  readonly remoteChanges: readonly GraphChange[];
  /** Places that code and dashboard have both changed. */
  readonly conflicts: readonly Conflict[];
  /** The phone numbers that the environment names, and those that follow the agent from what it was before. */
  readonly numbers: readonly PlannedNumber[];
  /** What applying does with versions and branches, where the platform has several at once. */
  readonly releases: readonly PlannedRelease[];
  /** Resources of the lock file that the agent no longer uses. */
  readonly unused: readonly { readonly address: string; readonly id: string }[];
  readonly losses: readonly Loss[];
  readonly findings: readonly Finding[];
  /** Hash of everything that applying reads and writes: the same input gives the same hash. */
  readonly digest: string;
  /** Whether there is nothing to apply. */
  readonly isEmpty: boolean;
}

export interface PlanParts {
  readonly deployment: Deployment;
  readonly found: FoundAgent;
  readonly compared: readonly ComparedResource[];
  /** Resources of the format that is replaced, which the agent no longer uses. */
  readonly retired: readonly ComparedResource[];
  /** Address of the resource that references the others in what is deployed. */
  readonly rootThere?: string | undefined;
  readonly baseline: AppliedResources;
  readonly graph: AgentGraph;
  readonly workspace: string | undefined;
  readonly numbers: readonly PlannedNumber[];
  readonly releases: readonly PlannedRelease[];
  readonly losses: readonly Loss[];
  readonly findings: readonly Finding[];
  readonly secrets: ReadonlyMap<string, string>;
}
