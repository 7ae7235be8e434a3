import type { GraphChange } from "../../agent/analysis/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { DeployScope, DeployTarget } from "../target/mod.ts";
import type { ResourceState } from "./compare_resources.ts";
import type { PlannedResource } from "./deploy_plan.ts";
import { type plan, planAsDeployed } from "./plan.ts";

/** Changes made on the platform outside the code. */
export interface Drift {
  readonly place: DeployScope;
  readonly isDrifted: boolean;
  /** The resources that somebody has changed or deleted there. */
  readonly resources: readonly PlannedResource[];
  /** The same changes, with a sentence each. */
  readonly changes: readonly GraphChange[];
}

/** States without drift: the platform is as it was applied. */
const STEADY: ReadonlySet<ResourceState> = new Set(["clean", "local-ahead", "new"]);

/**
 * Compares the platform with the baseline, which is what this machine applied last. A machine that did not apply the
 * agent compares with the graph, or with `previous` of the target.
 *
 * @throws {DeployError | PlatformError} What {@link plan} throws.
 */
export async function drift(graph: AgentGraph, target: DeployTarget): Promise<Drift> {
  const { place, resources, remoteChanges, changes } = await planAsDeployed(graph, target);
  const drifted = resources.filter(({ state }) => !STEADY.has(state));
  const isUnknown = drifted.some(({ state }) => state === "no-baseline");
  return { place, isDrifted: drifted.length > 0, resources: drifted, changes: isUnknown ? changes : remoteChanges };
}
