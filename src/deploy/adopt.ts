import { DeployError } from "../errors.ts";
import { type AgentGraph, agentName } from "../graph/mod.ts";
import { extractSecrets, revealSecrets } from "../secrets/mod.ts";
import { checkWorkspace, emitted, graphOf, openDeployment, readAgent } from "./deployment/mod.ts";
import { addressOf } from "./platforms/mod.ts";
import { lockedAgent, readLockFile, whileApplying, writeBaseline, writeLockedAgent } from "./state/mod.ts";
import type { DeployTarget, Place } from "./target/mod.ts";
import { checkTarget, checkText } from "./target/mod.ts";

/** An agent that was created in the dashboard, as a graph. */
export interface AdoptedAgent {
  readonly graph: AgentGraph;
  readonly place: Place;
}

/**
 * Adopts an agent that was created in the dashboard: reads it as a graph, and records its ids, so that applying the graph changes
 * that agent. Nothing is written to the platform. Secrets become references to environment variables.
 *
 * @param id Id of a Retell agent, or of a Vapi squad or assistant.
 * @throws {DeployError} `already-deployed` if the lock file has another agent of that name, `wrong-workspace`, and errors of
 * the platform.
 */
export async function importDeployed(id: string, target: DeployTarget): Promise<AdoptedAgent> {
  checkTarget(target);
  checkText(id, "id");
  const unnamed = await openDeployment({ ...target, flow: target.flow ?? "" });
  const ids = await unnamed.adapter.find(unnamed.client, id);
  const { resources, secrets } = await readAgent(unnamed, ids);
  const read = graphOf(unnamed, resources);
  const graph = extractSecrets(revealSecrets(read, secrets)).graph;
  const deployment = await openDeployment({ ...target, flow: target.flow ?? agentName(graph) ?? id });
  const { folder, place } = deployment;
  return await whileApplying(folder, place, async () => {
    const locked = lockedAgent(await readLockFile(folder), place);
    if (Object.entries(locked.ids).some(([address, known]) => ids[address] !== known)) {
      throw new DeployError(`The lock file has another agent "${place.flow}" in ${place.environment}`, {
        code: "already-deployed",
        path: ["flow"],
        hint: "Pass another name with --flow, or delete the other agent",
      });
    }
    const workspace = await checkWorkspace(deployment);
    const sent = new Map(emitted(deployment, read).resources.map((resource) => [addressOf(resource), resource.body]));
    const baseline = resources.flatMap((resource) => {
      const body = sent.get(addressOf(resource));
      return body ? [[addressOf(resource), { sent: body, answered: resource.body }] as const] : [];
    });
    await writeLockedAgent(folder, place, { ...(workspace === undefined ? {} : { workspace }), ids });
    await writeBaseline(folder, place, Object.fromEntries(baseline));
    return { graph, place };
  });
}
