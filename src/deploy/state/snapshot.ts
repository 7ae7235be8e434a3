import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { addressOf, type RemoteResource, type ResourceIds } from "../../../platforms/mod.ts";
import { DeployError } from "../../base/errors.ts";
import { errorCode, isRecord, type JsonObject } from "../../base/values/mod.ts";
import { DEPLOY_FORMATS, type DeployFormat, type DeployScope } from "../target/mod.ts";
import { type AppliedResources, BASELINE_SCHEMA } from "./intent.ts";
import {
  cannotRead,
  fileOwner,
  OWNER_FIELDS,
  ownedText,
  parseOwned,
  placePath,
  readStateFile,
  writeStateFile,
} from "./lock_file.ts";

/** The platform's state before an apply, without secrets. */
export interface Snapshot {
  /** Format of what was deployed. */
  readonly format: DeployFormat;
  /** In the order of writing: the last one references the others. */
  readonly resources: readonly SnapshotResource[];
  /** The baseline at that time. */
  readonly baseline: AppliedResources;
}

export type SnapshotResource = Pick<RemoteResource, "kind" | "name" | "id" | "body">;

/** The file of a snapshot, and when it was taken. */
export interface SnapshotFile {
  readonly path: string;
  /** When it was taken, as an ISO time. */
  readonly taken: string;
}

const snapshotBody = v.custom<JsonObject>(isRecord);
const RESOURCE = v.object({ kind: v.string(), name: v.string(), id: v.string(), body: snapshotBody });
const SCHEMA = v.object({
  ...OWNER_FIELDS,
  taken: v.string(),
  format: v.picklist(DEPLOY_FORMATS),
  resources: v.pipe(v.array(RESOURCE), v.minLength(1)),
  baseline: BASELINE_SCHEMA,
});

const WORDS = {
  action: "Cannot roll back",
  what: "a snapshot",
  code: "unknown-snapshot",
  hint: "callweave deploy rollback --list shows the snapshots of this agent on this machine",
} as const;

/** Writes a snapshot to a file of its own. */
export async function writeSnapshot(folder: string, place: DeployScope, snapshot: Snapshot): Promise<string> {
  const taken = new Date().toISOString();
  const path = join(
    placePath(folder, "snapshots", place),
    `${taken.replace(/[:.]/g, "-")}-${randomUUID().slice(0, 8)}.json`,
  );
  const resources = snapshot.resources.map(({ kind, name, id, body }) => ({ kind, name, id, body }));
  const text = ownedText(await fileOwner(folder, place), { taken, ...snapshot, resources });
  await writeStateFile(path, text);
  return path;
}

/** The snapshots of an agent that can be restored, the latest first. */
export async function restorableSnapshots(
  folder: string,
  place: DeployScope,
  ids: ResourceIds,
): Promise<readonly SnapshotFile[]> {
  const of = placePath(folder, "snapshots", place);
  const names = (await namesIn(of)).filter((name) => name.endsWith(".json"));
  const found = await Promise.all(
    names.map(async (name): Promise<readonly SnapshotFile[]> => {
      const path = join(of, name);
      try {
        return [{ path, taken: (await readSnapshot(path, folder, place, ids)).taken }];
      } catch (error) {
        if (error instanceof DeployError) return []; // of another agent
        throw error;
      }
    }),
  );
  return found.flat().sort((a, b) => (a.taken < b.taken ? 1 : -1));
}

/** @throws {DeployError} `state-file` for a folder that exists and cannot be read: that it has no snapshots is not known. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return [];
    throw cannotRead(folder, cause, "state-file");
  }
}

/**
 * Reads a snapshot of an agent.
 *
 * @param ids The agent's ids in the lock file.
 * @throws {DeployError} `unknown-snapshot` if the file does not exist or is not a snapshot, `wrong-place` if it is of another
 *   flow, environment, platform, machine or agent.
 */
export async function readSnapshot(
  path: string,
  folder: string,
  place: DeployScope,
  ids: ResourceIds,
): Promise<Snapshot & Pick<SnapshotFile, "taken">> {
  const text = (await readStateFile(path, "unknown-snapshot")) ?? "";
  const snapshot = parseOwned({ path, text }, SCHEMA, await fileOwner(folder, place), WORDS);
  const root = snapshot.resources.at(-1);
  if (!root) return snapshot;
  const address = addressOf(root);
  const now = ids[address];
  if (now === undefined || now === root.id) return snapshot;
  throw new DeployError(`Cannot roll back: ${path} is of ${address} ${root.id}, and "${place.flow}" is ${now} now`, {
    code: "wrong-place",
    path: ["resources", address],
    hint: WORDS.hint,
  });
}
