import type { GraphChange } from "../../agent/analysis/mod.ts";
import { DeployError, type Path } from "../../base/errors.ts";
import { defined } from "../../base/values/mod.ts";
import { type AgentGraph, fingerprint, toGraph } from "../../document/graph/mod.ts";
import { openDeployment } from "../deployment/mod.ts";
import { checkPlace } from "../state/mod.ts";
import type { DeployScope, DeployTarget } from "../target/mod.ts";
import type { ResourceState } from "./compare_resources.ts";
import type { DeployPlan, PlannedResource, PlanParts } from "./deploy_plan.ts";
import { PreparedPlan, plan, planAsDeployed } from "./plan.ts";

/** Changes made on the platform outside the code. */
export interface Drift {
  readonly place: DeployScope;
  readonly isDrifted: boolean;
  /** The resources that somebody has changed or deleted there. */
  readonly resources: readonly PlannedResource[];
  /** The same changes, with a sentence each. */
  readonly changes: readonly GraphChange[];
  /** Present if the agent has another version than the one that was applied last. Its content may be the same. */
  readonly version?: ChangedVersion;
}

/** The version of an agent that somebody made after the last apply. */
export interface ChangedVersion {
  /** The version in the lock file. */
  readonly applied: string;
  readonly now: string;
  /** When it was made, as an ISO time, if the platform says so. */
  readonly changed?: string;
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
  const planned = await planAsDeployed(graph, target);
  const { place, resources, remoteChanges, changes } = planned;
  const drifted = resources.filter(({ state }) => !STEADY.has(state));
  const isUnknown = drifted.some(({ state }) => state === "no-baseline");
  return {
    place,
    isDrifted: drifted.length > 0,
    resources: drifted,
    changes: isUnknown ? changes : remoteChanges,
    ...defined({ version: changedVersion(PreparedPlan.partsOf(planned)) }),
  };
}

function changedVersion({ deployment: { adapter, locked }, found }: PlanParts): ChangedVersion | undefined {
  const applied = locked.agentVersion;
  const agent = found.resources.find(({ kind, id }) => adapter.answersCalls(kind) && id === locked.ids[kind]);
  const now = agent?.version === undefined ? undefined : String(agent.version);
  if (applied === undefined || now === undefined || now === applied) return undefined;
  return { applied, now, ...defined({ changed: agent?.changed }) };
}

/**
 * Plans to deploy the agent of one environment to another. Refused unless the first environment has exactly this graph, in
 * the same format.
 *
 * @throws {DeployError} `wrong-place` if flow or platform differ, or the environments do not; `not-verified` if the first
 *   environment has another graph or format; and errors of {@link plan}.
 */
export async function promote(source: AgentGraph, from: DeployTarget, to: DeployTarget): Promise<DeployPlan> {
  const graph = toGraph(source, "Cannot promote");
  await checkTargets(graph, from, to);
  const there = await plan(graph, from);
  const other = there.resources.find(({ state }) => state !== "clean");
  if (other || there.replaces !== undefined) {
    const why = other ? `${other.address} is ${other.state}` : `it is deployed as ${there.replaces}`;
    throw notVerified(
      `${there.place.environment} does not have the graph ${fingerprint(graph).slice(0, 12)} as ${from.to}: ${why}`,
      other ? [other.address] : ["to"],
      `Apply the graph to ${there.place.environment}, test it there, and promote again`,
    );
  }
  return await plan(graph, to);
}

/** Checks that a promotion deploys what was tested: the same flow on the same platform, in the same format. */
async function checkTargets(graph: AgentGraph, from: DeployTarget, to: DeployTarget): Promise<void> {
  const [{ place }, { place: into }] = [await openDeployment(from, graph), await openDeployment(to, graph)];
  const what = "the environment to promote from";
  const words = { action: "Cannot promote", what, hint: "Promote between environments of one agent and platform" };
  checkPlace(place.environment, { ...place, environment: into.environment }, into, words);
  if (place.environment === into.environment) {
    throw new DeployError(`Cannot promote: ${place.environment} is both where to promote from and to`, {
      code: "wrong-place",
      path: ["environment"],
      hint: "Name two environments",
    });
  }
  if (from.to === to.to) return;
  throw notVerified(
    `${place.environment} has ${from.to}, and ${into.environment} has ${to.to}`,
    ["to"],
    "Give both environments one format",
  );
}

function notVerified(why: string, path: Path, hint: string): DeployError {
  return new DeployError(`Cannot promote: ${why}`, { code: "not-verified", path, hint });
}
