import { DeployError } from "../../errors.ts";
import { type AgentGraph, fingerprint } from "../../graph/mod.ts";
import type { DeployTarget } from "../target/mod.ts";
import type { DeployPlan } from "./deploy_plan.ts";
import { plan } from "./plan.ts";

/**
 * Plans to deploy the agent of one environment to another. Refused unless the first environment has exactly this graph.
 *
 * @throws {DeployError} `not-verified` if the first environment differs, and errors of {@link plan}.
 */
export async function promote(graph: AgentGraph, from: DeployTarget, to: DeployTarget): Promise<DeployPlan> {
  const there = await plan(graph, from);
  const other = there.resources.find(({ state }) => state !== "clean");
  if (other) {
    const { environment } = there.place;
    throw new DeployError(
      `Cannot promote: ${environment} does not have the graph ${fingerprint(graph).slice(0, 12)}: ${other.address} is ${other.state}`,
      {
        code: "not-verified",
        path: [other.address],
        hint: `Apply the graph to ${environment}, test it there, and promote again`,
      },
    );
  }
  return await plan(graph, to);
}
