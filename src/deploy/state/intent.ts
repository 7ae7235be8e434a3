import { rm } from "node:fs/promises";
import * as v from "valibot";
import { readIfPresent, writeFileTo } from "../../files/mod.ts";
import { isRecord, parsedJson, sameJson } from "../../values/mod.ts";
import type { Place } from "../target/mod.ts";
import { statePath } from "./baseline.ts";

/**
 * Recorded before a resource is created. If the process ends before the id is in the lock file, the next apply uses it to
 * find the resource instead of creating a second one.
 */
export interface Intent {
  readonly address: string;
  readonly kind: string;
  /** Ids of the resources of this kind that existed before. */
  readonly known: readonly string[];
  /** The request body, without secrets. */
  readonly body: unknown;
}

const SCHEMA = v.object({
  address: v.string(),
  kind: v.string(),
  known: v.array(v.string()),
  body: v.unknown(),
});

export async function readIntent(folder: string, place: Place): Promise<Intent | undefined> {
  const text = await readIfPresent(intentPath(folder, place));
  if (text === undefined) return undefined;
  const parsed = v.safeParse(SCHEMA, parsedJson(text));
  return parsed.success ? parsed.output : undefined; // files are written atomically, so somebody has edited it
}

export async function writeIntent(folder: string, place: Place, intent: Intent): Promise<void> {
  await writeFileTo(intentPath(folder, place), `${JSON.stringify(intent)}\n`, { mode: 0o600 });
}

export async function removeIntent(folder: string, place: Place): Promise<void> {
  await rm(intentPath(folder, place), { force: true });
}

/** Whether a body contains everything that was sent; the server may have added more. */
export function holdsAll(body: unknown, sent: unknown): boolean {
  if (isRecord(sent)) return isRecord(body) && Object.entries(sent).every(([key, value]) => holdsAll(body[key], value));
  if (Array.isArray(sent))
    return (
      Array.isArray(body) && body.length === sent.length && sent.every((item, index) => holdsAll(body[index], item))
    );
  return sameJson(body, sent);
}

function intentPath(folder: string, place: Place): string {
  return statePath(folder, place, "intent.json");
}
