import { DeployError } from "../../errors.ts";
import type { Deployment } from "../deployment/mod.ts";
import type { NumberTarget, PhoneNumber } from "../platforms/mod.ts";
import type { ResourceIds } from "../resources/mod.ts";

/** The effect of an apply on a configured phone number. */
export interface PlannedNumber {
  readonly number: string;
  readonly action: "point" | "none";
  /** Who answers its calls now; empty if nobody does. */
  readonly now: readonly NumberTarget[];
}

/**
 * Compares the configured numbers with their current targets. Other numbers are ignored.
 *
 * @throws {DeployError} `unknown-number` if the workspace does not have the number.
 */
export async function planNumbers(deployment: Deployment): Promise<readonly PlannedNumber[]> {
  const wanted = deployment.target.settings?.numbers ?? [];
  if (wanted.length === 0) return [];
  const known = await deployment.adapter.numbers.list(deployment.client);
  return wanted.map((number) => {
    const { targets } = numberIn(known, number);
    return { number, action: isOurs(targets, deployment.locked.ids) ? "none" : "point", now: targets };
  });
}

/**
 * Points numbers to the agent.
 *
 * @returns Those that pointed elsewhere before.
 */
export async function pointNumbers(
  { adapter, client }: Deployment,
  planned: readonly PlannedNumber[],
  ids: ResourceIds,
): Promise<readonly string[]> {
  const target = targetOf(ids);
  const open = planned.filter(({ action }) => action === "point");
  if (!target || open.length === 0) return [];
  const known = await adapter.numbers.list(client);
  for (const { number } of open) await adapter.numbers.point(client, numberIn(known, number), target);
  return open.map(({ number }) => number);
}

function numberIn(known: readonly PhoneNumber[], number: string): PhoneNumber {
  const found = known.find((each) => each.number === number);
  if (found) return found;
  throw new DeployError(`The workspace has no phone number ${number}`, {
    code: "unknown-number",
    path: ["settings", "numbers"],
    hint:
      known.length === 0
        ? "Buy or import the number on the platform first"
        : `Use one of ${known.map((each) => each.number).join(", ")}`,
  });
}

/** Whether only the agent answers, in its latest published version. */
function isOurs(targets: readonly NumberTarget[], ids: ResourceIds): boolean {
  const target = targetOf(ids);
  const [only, ...others] = targets;
  return target !== undefined && only?.id === target.id && others.length === 0 && typeof only.version !== "number";
}

function targetOf(ids: ResourceIds): NumberTarget | undefined {
  if (ids.agent !== undefined) return { kind: "agent", id: ids.agent };
  if (ids.squad !== undefined) return { kind: "squad", id: ids.squad };
  return ids.assistant === undefined ? undefined : { kind: "assistant", id: ids.assistant };
}
