import { DeployError } from "../../base/errors.ts";
import type { Deployment } from "./deployment.ts";

/**
 * The workspace of a target's key, if the platform reports one.
 *
 * @throws {DeployError} `wrong-workspace` if the agent was deployed to another one, or the target names another one.
 */
export async function checkWorkspace({
  adapter,
  client,
  target,
  locked,
  place,
}: Deployment): Promise<string | undefined> {
  const expected = target.workspace ?? locked.workspace;
  const workspace = await adapter.workspaceOf(client);
  if (expected === undefined || workspace === undefined || workspace === expected) return workspace;
  throw new DeployError(
    `The key is that of workspace ${workspace}; "${place.flow}" in ${place.environment} belongs to ${expected}`,
    { code: "wrong-workspace", path: ["key"], hint: `Use a key of workspace ${expected}` },
  );
}
