import { DeployError, type Issue } from "../../errors.ts";
import { referencedNames } from "../../secrets/mod.ts";
import { sameJson } from "../../values/mod.ts";
import { byAddress, type FoundAgent } from "../deployment/mod.ts";
import type { Conflict } from "./compare_resources.ts";
import type { PlanParts } from "./deploy_plan.ts";

/** Overwrites that the user has confirmed. */
export interface Agreed {
  readonly overwriteRemote?: boolean;
  readonly recreate?: boolean;
}

/**
 * Checks that applying a plan overwrites nothing without confirmation.
 *
 * @param found The current state of the platform.
 * @throws {DeployError} `remote-changed`, `deploy-conflict`, `no-baseline`, `agent-missing`, `unresolved-reference`.
 */
export function checkApplicable(
  { compared, deployment: { place } }: PlanParts,
  { resources }: FoundAgent,
  { overwriteRemote = false, recreate = false }: Agreed,
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
  const isGone = compared.length > 0 && compared.every(({ state }) => state === "missing");
  if (isGone && resources.length === 0 && !recreate) {
    throw new DeployError(`Cannot apply: nothing of "${place.flow}" is on the platform any more`, {
      code: "agent-missing",
      hint: "Check that the key is that of the workspace it was created in; to create it again, pass --recreate",
    });
  }
  if (overwriteRemote) return;
  const now = byAddress(resources);
  const changed = compared.find(({ address, remote }) => {
    const there = now.get(address);
    return remote !== undefined && !sameJson(there?.body, remote);
  });
  if (changed) {
    throw new DeployError(`Cannot apply: ${changed.address} has changed on the platform since the plan was made`, {
      code: "remote-changed",
      hint: "Plan again, or apply with --overwrite-remote",
    });
  }
  const unknown = compared.find(({ state, action }) => state === "no-baseline" && action === "update");
  if (unknown) {
    throw new DeployError(
      `Cannot apply: ${unknown.address} differs from the code, and this machine did not deploy it last`,
      {
        code: "no-baseline",
        hint: "Pull it, name the version that was deployed last with --base, or apply with --overwrite-remote",
      },
    );
  }
  const issues = compared.flatMap(({ conflicts }) => conflicts).map(conflictIssue);
  const [first] = issues;
  if (first) throw new DeployError(`Cannot apply: ${first.message}`, { ...first, issues });
}

function conflictIssue({ address, path }: Conflict): Issue {
  return {
    code: "deploy-conflict",
    path: [address, ...path],
    message: `code and dashboard have both changed ${path.join(".")} of ${address}`,
    hint: "Pull the change, or apply with --overwrite-remote",
  };
}
