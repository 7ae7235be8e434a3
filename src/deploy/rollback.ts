import { addressOf } from "../../platforms/mod.ts";
import { DeployError } from "../base/errors.ts";
import { sameJson } from "../base/values/mod.ts";
import {
  byAddress,
  checkWorkspace,
  type Deployment,
  deploymentAs,
  graphOf,
  locatedDeployment,
  openDeployment,
  readAgent,
  resourcesOfFormat,
} from "./deployment/mod.ts";
import type { ComparedResource, DeployPlan } from "./plan/mod.ts";
import { planNumbers, planReleases, preparedPlan, withRestored } from "./plan/mod.ts";
import { readSnapshot, restorableSnapshots } from "./state/mod.ts";
import type { DeployTarget } from "./target/mod.ts";
import { checkTarget, checkText } from "./target/mod.ts";

const HIDDEN = /\{\{hidden:[0-9a-f]+\}\}/g;

/**
 * Plans to restore the platform's state before an apply, whatever was changed since. Applying the plan also restores the
 * baseline of that time, so that the next plan from code contains the changes since. The agent gets the engine that it had.
 *
 * @param snapshot File written by {@link apply}, or `latest`.
 * @throws {DeployError} `unknown-snapshot`; `wrong-place` for a snapshot of another flow, environment, platform, machine or
 *   agent; and errors of {@link plan}.
 */
export async function rollback(snapshot: string, target: DeployTarget): Promise<DeployPlan> {
  checkTarget(target);
  checkText(snapshot, "snapshot");
  const opened = await locatedDeployment(
    await openDeployment(target, undefined, "roll back to the same snapshot again"),
  );
  const { folder, place, locked } = opened;
  const path = snapshot === "latest" ? await latest(opened) : snapshot;
  const { resources, baseline, format } = await readSnapshot(path, folder, place, locked.ids);
  const deployment = deploymentAs(opened, format);
  const workspace = await checkWorkspace(deployment);
  const found = await readAgent(deployment, locked.ids);
  const there = byAddress(resourcesOfFormat(deployment, found.resources));
  const restored = resources.map((resource): ComparedResource => {
    const { kind, name, body } = resource;
    const address = addressOf(resource);
    const remote = there.get(address);
    const before = baseline[address];
    const own = { kind, name, address, body, local: before?.answered ?? body, theirs: body, conflicts: [] };
    const known = before ? { ...own, mine: before.sent } : own;
    if (!remote) return { ...known, state: "missing", action: "create" };
    const isSame = sameJson(remote.body, body);
    const [state, action] = isSame ? (["clean", "none"] as const) : (["local-ahead", "update"] as const);
    return { ...known, state, action, id: remote.id, remote: remote.body };
  });
  const compared = withRestored(restored);
  const { secrets } = found;
  checkSecrets(compared, secrets);
  const graph = graphOf(deployment, resources);
  const root = compared.at(-1);
  const numbers = root ? await planNumbers(deployment, root, []) : [];
  const before = resourcesOfFormat(deploymentAs(opened, locked.format), found.resources).at(-1);
  const rootThere = before && addressOf(before);
  const releases = await planReleases(deployment, compared);
  const parts = { deployment, found, compared, baseline, graph, workspace, releases, secrets };
  return preparedPlan({ ...parts, retired: [], rootThere, numbers, losses: [], findings: [] });
}

async function latest({ folder, place, locked }: Deployment): Promise<string> {
  const [first] = await restorableSnapshots(folder, place, locked.ids);
  if (first) return first.path;
  throw new DeployError(`Cannot roll back: "${place.flow}" in ${place.environment} has no snapshot on this machine`, {
    code: "unknown-snapshot",
    path: ["snapshot"],
    hint: "Roll back on the machine that applied, or apply an earlier revision of the code",
  });
}

/** Snapshots contain no secrets: those that the platform no longer has cannot be restored. */
function checkSecrets(compared: readonly ComparedResource[], secrets: ReadonlyMap<string, string>): void {
  const lost = compared.find(
    ({ action, body }) =>
      action !== "none" && [...JSON.stringify(body).matchAll(HIDDEN)].some(([token]) => !secrets.has(token)),
  );
  if (!lost) return;
  throw new DeployError(
    `Cannot roll back: a secret of ${lost.address} was changed since, and snapshots hold no secrets`,
    {
      code: "unresolved-reference",
      path: [lost.address],
      hint: "Apply an earlier revision of the code, with the secret in the environment",
    },
  );
}
