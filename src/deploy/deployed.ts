import { PLATFORMS, type ResourceIds } from "../../platforms/mod.ts";
import { DeployError } from "../base/errors.ts";
import { checkOptions, defined, OPTION } from "../base/values/mod.ts";
import { checkWorkspace, openDeployment, readAgent } from "./deployment/mod.ts";
import {
  lockedAgents,
  readLockFile,
  type SnapshotFile,
  restorableSnapshots as snapshotsOf,
  whileApplying,
  writeBaseline,
  writeLockedAgent,
} from "./state/mod.ts";
import type { DeployFormat, DeployScope, DeployTarget } from "./target/mod.ts";
import { checkText } from "./target/mod.ts";

/** An agent of the lock file. */
export interface DeployedAgent extends DeployScope {
  /** Format of the resource that answers its calls; ids of another format are no longer used. */
  readonly format: DeployFormat;
  readonly ids: ResourceIds;
  readonly workspace?: string;
  /** Id of the resource that answers its calls; absent if there is none yet. */
  readonly agentId?: string;
  /** Version of the agent that the last apply wrote, if the platform has versions. */
  readonly agentVersion?: string;
}

/**
 * Lists the agents of a lock file.
 *
 * @throws {DeployError} `lock-file`.
 */
export async function listDeployed(folder = "."): Promise<readonly DeployedAgent[]> {
  checkText(folder, "folder");
  const agents = lockedAgents(await readLockFile(folder));
  return await Promise.all(
    agents.map(async (agent) => ({ ...agent, ...defined({ agentId: await answeringId(agent) }) })),
  );
}

/** The id of the resource that answers the calls of an agent; `undefined` if there is none yet. */
async function answeringId({ platform, format, ids }: DeployedAgent): Promise<string | undefined> {
  const deploy = Object.values(PLATFORMS).find(({ name }) => name === platform)?.deploy;
  if (!deploy) return undefined;
  const { kinds, hasPart, answersCalls } = await deploy.adapter();
  const answers = (kind: string) => ids[kind] !== undefined && hasPart(format, kind) && answersCalls(kind);
  const root = kinds.findLast(answers);
  return root === undefined ? undefined : ids[root];
}

/** Lists the snapshots that this machine has of an agent, the latest first. */
export async function listSnapshots(target: DeployTarget): Promise<readonly SnapshotFile[]> {
  const { folder, place, locked } = await openDeployment(target);
  return await snapshotsOf(folder, place, locked.ids);
}

/** The result of {@link deleteDeployed}. */
export interface DeletedAgent {
  readonly place: DeployScope;
  readonly deleted: readonly { readonly address: string; readonly id: string }[];
}

/**
 * Deletes an agent on its platform, in reverse order of creation, and from the lock file.
 *
 * @param options.confirm The agent's name in the lock file.
 * @throws {DeployError} `not-confirmed`, `unknown-flow`, and errors of the platform. Resources deleted before the error are
 * removed from the lock file.
 */
export async function deleteDeployed(
  target: DeployTarget,
  options: { readonly confirm: string },
): Promise<DeletedAgent> {
  const deployment = await openDeployment(target, undefined, "delete it again");
  checkOptions(options, { confirm: OPTION.text }, DeployError, "Cannot delete agent");
  const { confirm } = options;
  const { adapter, client, folder, place, locked } = deployment;
  if (Object.keys(locked.ids).length === 0) {
    throw new DeployError(`"${place.flow}" is not deployed to ${place.environment}`, {
      code: "unknown-flow",
      path: ["flow"],
      hint: "List what is deployed with callweave deploy list",
    });
  }
  if (confirm !== place.flow) {
    throw new DeployError(`Deleting "${place.flow}" is not confirmed`, {
      code: "not-confirmed",
      path: ["confirm"],
      hint: `Pass its name: --confirm "${place.flow}"`,
    });
  }
  await checkWorkspace(deployment);
  return await whileApplying(folder, place, async () => {
    const found = await readAgent(deployment, locked.ids);
    let ids = locked.ids;
    const deleted: { address: string; id: string }[] = [];
    // resources are deleted before those that they reference
    const rank = (address: string) => adapter.kinds.indexOf(address.replace(/:.*/s, ""));
    for (const [address, id] of Object.entries(locked.ids).sort(([a], [b]) => rank(b) - rank(a))) {
      const resource = found.resources.find((each) => each.id === id);
      if (resource) {
        await adapter.remove(client, resource);
        deleted.push({ address, id });
      }
      const { [address]: _, ...rest } = ids;
      ids = rest;
      await writeLockedAgent(folder, place, Object.keys(ids).length > 0 ? { ...locked, ids } : undefined);
    }
    await writeBaseline(folder, place, undefined);
    return { place, deleted };
  });
}
