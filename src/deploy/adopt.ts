import { addressOf, type Resource } from "../../platforms/mod.ts";
import { DeployError } from "../base/errors.ts";
import { type AgentGraph, agentName } from "../document/graph/mod.ts";
import { extractSecrets, revealSecrets } from "../document/secrets/mod.ts";
import {
  checkWorkspace,
  type Deployment,
  emitted,
  engineWords,
  graphOf,
  openDeployment,
  readAgent,
  resourcesOfFormat,
} from "./deployment/mod.ts";
import {
  LOCK_FILE,
  lockedAgent,
  placeWithAgent,
  readLockFile,
  whileApplying,
  writeBaseline,
  writeLockedAgent,
} from "./state/mod.ts";
import type { DeployFormat, DeployScope, DeployTarget } from "./target/mod.ts";
import { checkTarget, checkText, DEPLOY_FORMATS } from "./target/mod.ts";

/** An agent that was created in the dashboard, as a graph. */
export interface AdoptedAgent {
  readonly graph: AgentGraph;
  readonly place: DeployScope;
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
  checkFormat(unnamed, resources, id);
  const read = graphOf(unnamed, resources);
  const graph = extractSecrets(revealSecrets(read, secrets)).graph;
  const deployment = await openDeployment({ ...target, flow: target.flow ?? agentName(graph) ?? id });
  const { folder, place } = deployment;
  return await whileApplying(folder, place, async () => {
    const lock = await readLockFile(folder);
    const known = lockedAgent(lock, place)?.ids ?? {};
    const isKnown = Object.values(known).includes(ids[Object.keys(ids).at(-1) ?? ""] ?? "");
    const isOther = Object.entries(known).some(([address, each]) => (ids[address] ?? (isKnown ? each : "")) !== each);
    if (isOther) {
      throw new DeployError(`The lock file has another agent "${place.flow}" in ${place.environment}`, {
        code: "already-deployed",
        path: ["flow"],
        hint: "Pass another name with --flow, or delete the other agent",
      });
    }
    const double = placeWithAgent(lock, place, ids);
    if (double) {
      throw new DeployError(`The lock file has ${id} as "${double.flow}" in ${double.environment}`, {
        code: "already-deployed",
        path: ["id"],
        hint: `Deploy it as that, or remove the entry from ${LOCK_FILE}`,
      });
    }
    const workspace = await checkWorkspace(deployment);
    const sent = new Map(emitted(deployment, read).resources.map((resource) => [addressOf(resource), resource.body]));
    const baseline = resources.flatMap((resource) => {
      const body = sent.get(addressOf(resource));
      const applied = body && { id: resource.id, sent: body, answered: resource.body };
      return applied ? [[addressOf(resource), applied] as const] : [];
    });
    const entry = { format: target.to, ids: { ...known, ...ids }, ...(workspace === undefined ? {} : { workspace }) };
    await writeLockedAgent(folder, place, entry);
    await writeBaseline(folder, place, Object.fromEntries(baseline));
    return { graph, place };
  });
}

/** @throws {DeployError} `not-deployable` if the agent has the engine of another format than the target's. */
function checkFormat(deployment: Deployment, resources: readonly Resource[], id: string): void {
  const { adapter, target } = deployment;
  const engine = (to: DeployFormat) => resourcesOfFormat({ adapter, target: { ...target, to } }, resources).length;
  const format = DEPLOY_FORMATS.find(
    (each) => adapter.engines[each] !== undefined && engine(each) === resources.length,
  );
  if (format === undefined || engine(target.to) === resources.length) return;
  throw new DeployError(`Cannot adopt ${id} as ${target.to}: it is ${engineWords(deployment, format)}`, {
    code: "not-deployable",
    path: ["to"],
    hint: `Pass --to ${format}`,
  });
}
