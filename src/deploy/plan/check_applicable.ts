import { DeployError, type Issue } from "../../base/errors.ts";
import { sameJson } from "../../base/values/mod.ts";
import { referencedNames } from "../../document/secrets/mod.ts";
import { byAddress, type Deployment, type FoundAgent } from "../deployment/mod.ts";
import type { Conflict } from "./compare_resources.ts";
import type { PlanParts } from "./deploy_plan.ts";

/** Overwrites that the user has confirmed. */
export interface ConfirmedOverwrites {
  readonly overwriteRemote?: boolean;
  readonly recreate?: boolean;
}

/**
 * Checks that applying a plan overwrites nothing without confirmation.
 *
 * @param found The current state of the platform.
 * @throws {DeployError} `plan-outdated`, `remote-changed`, `deploy-conflict`, `no-baseline`, `agent-missing`,
 *   `unresolved-reference`.
 */
export function checkApplicable(
  { compared, retired, deployment: { place, locked, adapter } }: PlanParts,
  { resources }: FoundAgent,
  { overwriteRemote = false, recreate = false }: ConfirmedOverwrites,
): void {
  for (const { address, mine } of compared) {
    const [name] = referencedNames(mine);
    if (name === undefined) continue;
    throw new DeployError(`Cannot apply: ${address} refers to the environment variable ${name}, which has no value`, {
      code: "unresolved-reference",
      path: [address],
      hint: "Pass its value in env, and its name in allowEnv if the value may be sent there",
    });
  }
  const isGone = Object.keys(locked.ids).length > 0 || compared.every(({ state }) => state === "missing");
  if (compared.length > 0 && isGone && resources.length === 0 && !recreate) {
    throw new DeployError(`Cannot apply: nothing of "${place.flow}" is on the platform any more`, {
      code: "agent-missing",
      hint: "Check that the key is that of the workspace it was created in; to create it again, pass --recreate",
    });
  }
  if (overwriteRemote) return;
  const now = byAddress(resources);
  const used = [...compared, ...retired];
  const changed = used.find(({ address, remote }) => {
    const there = now.get(address);
    return remote !== undefined && !sameJson(there?.body, remote);
  });
  if (changed) {
    throw new DeployError(`Cannot apply: ${changed.address} has changed on the platform since the plan was made`, {
      code: "remote-changed",
      hint: "Plan again, or apply with --overwrite-remote",
    });
  }
  const unknown = used.find(({ state }) => state === "no-baseline");
  if (unknown) {
    throw new DeployError(
      `Cannot apply: ${unknown.address} differs from the code, and this machine did not deploy it last`,
      {
        code: "no-baseline",
        hint: "Pull it, name the version that was deployed last with --base, or apply with --overwrite-remote",
      },
    );
  }
  const issues = used.flatMap(({ conflicts }) => conflicts).map((each) => conflictIssue(each, retired, adapter));
  const [first] = issues;
  if (first) throw new DeployError(`Cannot apply: ${first.message}`, { ...first, issues });
}

function conflictIssue(
  { address, path }: Conflict,
  retired: PlanParts["retired"],
  { engineKey }: Pick<Deployment["adapter"], "engineKey">,
): Issue {
  const place = path.length === 0 ? address : `${path.join(".")} of ${address}`;
  const at = { code: "deploy-conflict", path: [address, ...path] } as const;
  if (path[0] === engineKey && engineKey !== undefined) {
    const message = `the dashboard has given another engine to ${address}, which the code would take away`;
    return { ...at, message, hint: "Adopt it with callweave deploy import, or apply with --overwrite-remote" };
  }
  return retired.some((each) => each.address === address)
    ? {
        ...at,
        message: `the dashboard has changed ${place}, which the agent will no longer use`,
        hint: "Pull the change into the code, or apply with --overwrite-remote",
      }
    : {
        ...at,
        message: `code and dashboard have both changed ${place}`,
        hint: "Pull the change, or apply with --overwrite-remote",
      };
}
