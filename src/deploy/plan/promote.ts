import { DeployError, type Path } from "../../base/errors.ts";
import { type AgentGraph, fingerprint, toGraph } from "../../document/graph/mod.ts";
import { openDeployment } from "../deployment/mod.ts";
import { checkPlace } from "../state/mod.ts";
import type { DeployTarget } from "../target/mod.ts";
import type { DeployPlan } from "./deploy_plan.ts";
import { plan } from "./plan.ts";

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
