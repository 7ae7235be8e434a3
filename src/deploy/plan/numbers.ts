import {
  addressOf,
  type NumberTarget,
  type PhoneNumber,
  type Resource,
  type ResourceIds,
} from "../../../platforms/mod.ts";
import { DeployError } from "../../base/errors.ts";
import type { Deployment } from "../deployment/mod.ts";

/** Kinds of resources that answer calls. */
const KINDS = ["agent", "squad", "assistant"] as const;

/** The effect of an apply on a phone number that the environment names, or that what the agent was before answers. */
export interface PlannedNumber {
  readonly number: string;
  readonly action: "point" | "none";
  /** Who answers its calls now; empty if nobody does. */
  readonly now: readonly NumberTarget[];
}

/**
 * Compares the wanted numbers with their current targets. If the agent was another resource before, such as a squad that
 * becomes a single assistant, the numbers of that resource follow. Other numbers are ignored.
 *
 * @param root The resource that answers calls.
 * @throws {DeployError} `unknown-number` if the workspace does not have the number.
 */
export async function planNumbers(
  { adapter, client, locked: { ids } }: Deployment,
  root: Pick<Resource, "kind" | "name">,
  wanted: readonly string[],
): Promise<readonly PlannedNumber[]> {
  const former = new Set(
    KINDS.flatMap((kind) => (ids[kind] === undefined || kind === addressOf(root) ? [] : [ids[kind]])),
  );
  if (wanted.length === 0 && former.size === 0) return [];
  const known = await adapter.numbers.list(client);
  const followers = known.filter(({ targets }) => targets.some(({ id }) => former.has(id))).map(({ number }) => number);
  return [...new Set([...wanted, ...followers])].map((number) => {
    const { targets } = numberIn(known, number);
    return { number, action: isOurs(targets, numberTargetOf(root, ids)) ? "none" : "point", now: targets };
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
  target: NumberTarget | undefined,
): Promise<readonly string[]> {
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
function isOurs(targets: readonly NumberTarget[], target: NumberTarget | undefined): boolean {
  const [only, ...others] = targets;
  return target !== undefined && only?.id === target.id && others.length === 0 && typeof only.version !== "number";
}

/** The resource that numbers point to; `undefined` if it cannot answer calls, such as a flow without an agent. */
export function numberTargetOf(root: Pick<Resource, "kind" | "name">, ids: ResourceIds): NumberTarget | undefined {
  const kind = KINDS.find((each) => each === addressOf(root));
  const id = kind && ids[kind];
  return kind === undefined || id === undefined ? undefined : { kind, id };
}
