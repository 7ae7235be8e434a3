import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { readIfPresent, withLock, writeFileTo } from "../../files/mod.ts";
import { isRecord, type JsonObject, parsedJson } from "../../values/mod.ts";
import type { Place } from "../target/mod.ts";

/** One resource as this machine last applied it, without secrets and with references in place of ids. */
export interface AppliedResource {
  /** As emitted. */
  readonly sent: JsonObject;
  /** As the platform returned it after the write. */
  readonly answered: JsonObject;
}

/** The resources that this machine last applied, by address. */
export interface Baseline {
  readonly [address: string]: AppliedResource;
}

/** Folder of local state, which is not committed. */
export const STATE_FOLDER = ".callweave";

const body = v.custom<JsonObject>(isRecord);
export const BASELINE_SCHEMA = v.record(v.string(), v.object({ sent: body, answered: body }));

/** Reads a baseline; `undefined` if this machine has never applied the agent, or the file is damaged. */
export async function readBaseline(folder: string, place: Place): Promise<Baseline | undefined> {
  const text = await readIfPresent(statePath(folder, place, "json"));
  if (text === undefined) return undefined;
  const parsed = v.safeParse(BASELINE_SCHEMA, parsedJson(text));
  return parsed.success ? parsed.output : undefined; // it can be recreated; the next plan compares without it
}

/** Writes a baseline; `undefined` deletes it. */
export async function writeBaseline(folder: string, place: Place, baseline: Baseline | undefined): Promise<void> {
  const path = statePath(folder, place, "json");
  if (!baseline) return await rm(path, { force: true });
  await writeFileTo(path, `${JSON.stringify(baseline)}\n`, { mode: 0o600 });
}

/** The machine's salt for placeholders of secrets in stored documents; created on first use. */
export async function stateSalt(folder: string): Promise<string> {
  const path = join(folder, STATE_FOLDER, "salt");
  const known = await readIfPresent(path);
  if (known !== undefined && known.length >= 32) return known.trim();
  return await withLock(path, async () => {
    const written = await readIfPresent(path);
    if (written !== undefined && written.length >= 32) return written.trim();
    const salt = randomBytes(32).toString("hex");
    await writeFileTo(path, `${salt}\n`, { mode: 0o600 });
    return salt;
  });
}

/** A file of an agent's local state. */
export function statePath(folder: string, { environment, flow, platform }: Place, ending: string): string {
  const name = [environment, flow, platform].map(encodeURIComponent).join("/");
  return join(folder, STATE_FOLDER, "deploy", `${name}.${ending}`);
}
