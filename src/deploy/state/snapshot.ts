import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { DeployError } from "../../errors.ts";
import { readIfPresent, writeFileTo } from "../../files/mod.ts";
import { isRecord, type JsonObject, parsedJson } from "../../values/mod.ts";
import type { RemoteResource } from "../resources/mod.ts";
import type { Place } from "../target/mod.ts";
import { BASELINE_SCHEMA, type Baseline, STATE_FOLDER } from "./baseline.ts";

/** The platform's state before an apply, without secrets. */
export interface Snapshot {
  readonly to: string;
  readonly resources: readonly SnapshotResource[];
  /** The baseline at that time. */
  readonly baseline: Baseline;
}

/** A resource of a snapshot. */
export type SnapshotResource = Pick<RemoteResource, "kind" | "name" | "id" | "body">;

/** The file of a snapshot, and when it was taken. */
export interface SnapshotFile {
  readonly path: string;
  /** When it was taken, as an ISO time. */
  readonly taken: string;
}

const body = v.custom<JsonObject>(isRecord);
const SCHEMA = v.object({
  taken: v.string(),
  to: v.string(),
  resources: v.array(v.object({ kind: v.string(), name: v.string(), id: v.string(), body })),
  baseline: BASELINE_SCHEMA,
});

/** Writes a snapshot to a file of its own. */
export async function writeSnapshot(folder: string, place: Place, snapshot: Snapshot): Promise<string> {
  const taken = new Date().toISOString();
  const path = join(snapshotFolder(folder, place), `${taken.replace(/[:.]/g, "-")}-${randomUUID().slice(0, 8)}.json`);
  const resources = snapshot.resources.map(({ kind, name, id, body }) => ({ kind, name, id, body }));
  const text = JSON.stringify({ taken, ...place, ...snapshot, resources }, null, 2);
  await writeFileTo(path, `${text}\n`, { mode: 0o600 });
  return path;
}

/** The snapshots of an agent, the latest first. */
export async function listSnapshots(folder: string, place: Place): Promise<readonly SnapshotFile[]> {
  const of = snapshotFolder(folder, place);
  const names = await readdir(of).catch(() => []);
  const found = await Promise.all(names.filter((name) => name.endsWith(".json")).map((name) => headOf(join(of, name))));
  return found.flatMap((file) => file ?? []).sort((a, b) => (a.taken < b.taken ? 1 : -1));
}

/** @throws {DeployError} `unknown-snapshot` if the file does not exist or is not a snapshot. */
export async function readSnapshot(path: string): Promise<Snapshot> {
  const parsed = v.safeParse(SCHEMA, parsedJson((await readIfPresent(path)) ?? ""));
  if (parsed.success) return parsed.output;
  throw new DeployError(`Cannot roll back: ${path} is not a snapshot`, {
    code: "unknown-snapshot",
    path: ["snapshot"],
    hint: "Pass a snapshot file of an apply, or latest",
  });
}

async function headOf(path: string): Promise<SnapshotFile | undefined> {
  const parsed = v.safeParse(SCHEMA, parsedJson((await readIfPresent(path)) ?? ""));
  return parsed.success ? { path, taken: parsed.output.taken } : undefined;
}

function snapshotFolder(folder: string, { environment, flow, platform }: Place): string {
  return join(folder, STATE_FOLDER, "snapshots", ...[environment, flow, platform].map(encodeURIComponent));
}
