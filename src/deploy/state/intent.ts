import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import type { ResourceIds } from "../../../platforms/mod.ts";
import { DeployError } from "../../base/errors.ts";
import { checkWritable, createFile, makeFolder, withLock } from "../../base/files/mod.ts";
import { errorCode, isRecord, type JsonObject, parsedJson, sameJson } from "../../base/values/mod.ts";
import type { DeployScope } from "../target/mod.ts";
import {
  fileOwner,
  LOCK_FILE,
  OWNER_FIELDS,
  ownedText,
  parseOwned,
  readStateFile,
  statePath,
  whileWriting,
  writeStateFile,
} from "./lock_file.ts";

/**
 * Runs work while no other process of this machine applies the same agent. A lock left by a killed process is taken
 * over at once.
 *
 * @throws {DeployError} `apply-running` with the process that holds the lock; `lock-file` or `state-file` if what is done could
 * not be recorded.
 */
export async function whileApplying<Result>(
  folder: string,
  place: DeployScope,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = statePath(folder, place, "applying");
  const token = JSON.stringify({ host: hostname(), pid: process.pid, id: randomUUID() });
  const take = async () => {
    await makeFolder(dirname(path));
    return await createFile(path, token, 0o600);
  };
  while (!(await whileWriting(path, take))) await removeAbandoned(path, place);
  try {
    await checkRecords(folder, place);
    return await work();
  } finally {
    if ((await readStateFile(path)) === token) await writeStateFile(path, undefined);
  }
}

/** What is done on the platform has to be recorded: nothing is sent while that is impossible. */
async function checkRecords(folder: string, place: DeployScope): Promise<void> {
  const lock = join(folder, LOCK_FILE);
  await whileWriting(lock, () => checkWritable(lock), "lock-file");
  const state = statePath(folder, place, "json");
  await whileWriting(state, () => checkWritable(state));
}

async function removeAbandoned(path: string, { environment, flow }: DeployScope): Promise<void> {
  const content = await readStateFile(path);
  if (content === undefined) return; // released in the meantime
  const holder = holderOf(content);
  if (holder === undefined || holder.host !== hostname() || isAlive(holder.pid)) {
    throw new DeployError(`Cannot apply: another process is applying "${flow}" to ${environment}`, {
      code: "apply-running",
      hint: holder
        ? `Wait for process ${holder.pid} on ${holder.host}; if it no longer runs, remove ${path}`
        : `If none is, remove ${path}`,
    });
  }
  const remove = async () => {
    // another process may have removed it in the meantime, and taken the lock
    if ((await readStateFile(path)) === content) await writeStateFile(path, undefined);
  };
  await whileWriting(path, () => withLock(path, remove));
}

function holderOf(content: string): { readonly host: string; readonly pid: number } | undefined {
  const holder = parsedJson(content);
  return isRecord(holder) && typeof holder.host === "string" && typeof holder.pid === "number"
    ? { host: holder.host, pid: holder.pid }
    : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

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

/** One resource as this machine last applied it, without secrets and with references in place of ids. */
export interface AppliedResource {
  readonly id: string;
  /** As emitted. */
  readonly sent: JsonObject;
  /** As the platform returned it after the write. */
  readonly answered: JsonObject;
}

/** The resources that this machine last applied, by address. */
export interface AppliedResources {
  readonly [address: string]: AppliedResource;
}

const body = v.custom<JsonObject>(isRecord);
export const BASELINE_SCHEMA = v.record(v.string(), v.object({ id: v.string(), sent: body, answered: body }));
const FILE = v.object({ ...OWNER_FIELDS, resources: BASELINE_SCHEMA });

/** How errors call a file of the local state. */
const STATE_FILE_WORDS = {
  action: "Cannot use the local state",
  what: "the state",
  code: "state-file",
  hint: "Remove the file: the next plan compares without it",
} as const;

/**
 * Reads a baseline; `undefined` if this machine has never applied the agent.
 *
 * @param ids Ids in the lock file: the baseline of a resource with another id, which it had earlier, is left out.
 * @throws {DeployError} `state-file` if it is damaged or of another version, `wrong-place` if it is of another agent.
 */
export async function readBaseline(
  folder: string,
  place: DeployScope,
  ids: ResourceIds,
): Promise<AppliedResources | undefined> {
  const path = statePath(folder, place, "json");
  const text = await readStateFile(path);
  if (text === undefined) return undefined;
  const { resources } = parseOwned({ path, text }, FILE, await fileOwner(folder, place), STATE_FILE_WORDS);
  return Object.fromEntries(Object.entries(resources).filter(([address, { id }]) => ids[address] === id));
}

/** Writes a baseline; `undefined` deletes it. */
export async function writeBaseline(
  folder: string,
  place: DeployScope,
  baseline: AppliedResources | undefined,
): Promise<void> {
  const path = statePath(folder, place, "json");
  const text = baseline && ownedText(await fileOwner(folder, place), { resources: baseline });
  await writeStateFile(path, text);
}
