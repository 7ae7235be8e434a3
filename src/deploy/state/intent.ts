import * as v from "valibot";
import { isRecord, sameJson } from "../../base/values/mod.ts";
import type { DeployScope } from "../target/mod.ts";
import { STATE_FILE_WORDS } from "./baseline.ts";
import {
  fileOwner,
  OWNER_FIELDS,
  ownedText,
  parseOwned,
  readStateFile,
  statePath,
  writeStateFile,
} from "./owned_file.ts";

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
  ...OWNER_FIELDS,
  address: v.string(),
  kind: v.string(),
  known: v.array(v.string()),
  body: v.unknown(),
});

/** @throws {DeployError} `state-file` or `wrong-place`, like the baseline. */
export async function readIntent(folder: string, place: DeployScope): Promise<Intent | undefined> {
  const path = intentPath(folder, place);
  const text = await readStateFile(path);
  if (text === undefined) return undefined;
  const hint = "Remove the file, and check the platform for a resource that an interrupted apply created";
  return parseOwned({ path, text }, SCHEMA, await fileOwner(folder, place), { ...STATE_FILE_WORDS, hint });
}

export async function writeIntent(folder: string, place: DeployScope, intent: Intent): Promise<void> {
  const text = ownedText(await fileOwner(folder, place), { ...intent });
  await writeStateFile(intentPath(folder, place), text);
}

export async function removeIntent(folder: string, place: DeployScope): Promise<void> {
  await writeStateFile(intentPath(folder, place), undefined);
}

/** A value that is a secret as a whole. */
const SECRET = /^\{\{hidden:[0-9a-f]+\}\}$/;

/**
 * Whether a body contains everything that was sent. The server may have added more, left out what is empty, and does not
 * return secrets.
 */
export function holdsAll(body: unknown, sent: unknown): boolean {
  if (body === undefined || body === null || typeof sent === "string") return isNothing(sent) || sent === body;
  if (isRecord(sent)) return isRecord(body) && Object.entries(sent).every(([key, value]) => holdsAll(body[key], value));
  if (Array.isArray(sent))
    return (
      Array.isArray(body) && body.length === sent.length && sent.every((item, index) => holdsAll(body[index], item))
    );
  return sameJson(body, sent);
}

function isNothing(value: unknown): boolean {
  if (typeof value === "string") return SECRET.test(value);
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) ? Object.values(value).every(isNothing) : value === undefined || value === null;
}

function intentPath(folder: string, place: DeployScope): string {
  return statePath(folder, place, "intent.json");
}
