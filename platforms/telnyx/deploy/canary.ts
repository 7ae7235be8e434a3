import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { NOTHING, type PlatformClient } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, recordAt, records, sameJson, shown } from "../../../src/base/values/mod.ts";
import { sendIfPresent } from "../../deploying/mod.ts";
import { assistantPath } from "./versions.ts";

const CANARY = v.looseObject({ rules: v.nullish(v.array(v.looseObject({ serve: v.looseObject({}) }))) });

/** What an environment says about versions. */
export interface ReleaseSettings {
  /** Share of the calls that the newest version gets, in percent; 0 ends the canary. Absent: the canary is left alone. */
  readonly weight?: number;
  /** Whether each apply promotes what it wrote. */
  readonly isPromoting: boolean;
}

/** @throws {DeployError} `invalid-option` for a weight or switch of another kind. */
export function releaseSettings({ canary, publish = false }: JsonObject): ReleaseSettings {
  if (typeof publish !== "boolean") throw wrong("publish", publish, "telnyx: { publish: true }");
  if (canary === undefined) return { isPromoting: publish };
  const weight = isRecord(canary) && Object.keys(canary).length === 1 ? canary.weight : undefined;
  const isShare = typeof weight === "number" && Number.isInteger(weight) && weight >= 0 && weight < 100;
  if (!isShare) throw wrong("canary", canary, "telnyx: { canary: { weight: 10 } }, with 0 to 99 percent");
  if (publish && weight > 0) throw wrong("publish", publish, "canary or publish: a promotion ends the canary");
  return { weight, isPromoting: publish };
}

function wrong(key: string, value: unknown, words: string): DeployError {
  return new DeployError(`Cannot deploy to Telnyx: "${key}" of the environment is ${shown(value)}`, {
    code: "invalid-option",
    path: ["settings", "telnyx", key],
    hint: `Write ${words}`,
  });
}

/** The canary of an assistant: its own rules, and the share of all other calls. */
export interface Canary {
  readonly rules: readonly JsonObject[];
  /** The version that gets a share of all calls, and the share in percent. */
  readonly share?: { readonly version: string; readonly weight: number };
}

/** Reads the canary; `undefined` if there is none. */
export async function readCanary(client: PlatformClient, id: string): Promise<Canary | undefined> {
  const path = assistantPath(id, "canary-deploys");
  const about = `the canary of assistant ${id}`;
  const answer = await sendIfPresent(client, { method: "GET", path, about, answer: CANARY });
  const rules = records(answer?.rules);
  if (rules.length === 0) return undefined;
  const slots = rules.filter(isForAll).flatMap(({ serve }) => records(recordAt({ serve }, "serve").rollout));
  const [slot, ...others] = slots;
  const isShare = slot && others.length === 0 && typeof slot.weight === "number" && typeof slot.version_id === "string";
  return {
    rules,
    ...(isShare ? { share: { version: String(slot.version_id), weight: Number(slot.weight) } } : {}),
  };
}

/** A rule without conditions is for all calls. */
const isForAll = ({ match }: JsonObject) => records(match).length === 0;

/**
 * Gives a version a share of the calls, or ends the share; rules for some callers stay.
 *
 * @param share Absent: ends it.
 */
export async function writeCanary(
  client: PlatformClient,
  id: string,
  { now, share }: { readonly now: Canary | undefined; readonly share?: NonNullable<Canary["share"]> },
): Promise<void> {
  const kept = (now?.rules ?? []).filter((rule) => !isForAll(rule));
  const own = share && { match: [], serve: { rollout: [{ version_id: share.version, weight: share.weight }] } };
  const rules = [...kept, ...(own ? [own] : [])];
  const place = { path: assistantPath(id, "canary-deploys"), about: `the canary of assistant ${id}` };
  if (rules.length === 0) {
    if (now) await client.send({ ...place, method: "DELETE", answer: NOTHING });
    return;
  }
  const request = { ...place, method: now ? "PUT" : "POST", body: { rules }, answer: CANARY } as const;
  const answer = await client.send(request);
  const written = records(answer.rules).filter(isForAll).length;
  if (written !== (own ? 1 : 0)) throw client.unusable(request, "has other rules than those that were sent");
}

/** Whether the canary gives a version exactly this share. */
export const isShared = (canary: Canary | undefined, share: Canary["share"]) => sameJson(canary?.share, share);
