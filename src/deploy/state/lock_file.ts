import { createHmac, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { PLATFORMS, type PlatformFacts, platformOf, type ResourceIds } from "../../../platforms/mod.ts";
import { DeployError, type ErrorCode, isCallweaveError } from "../../base/errors.ts";
import { fileProblem, readIfPresent, withLock, writeFileTo } from "../../base/files/mod.ts";
import { isRecord, type JsonObject, own, parsedJson, shown } from "../../base/values/mod.ts";
import { DEPLOY_FORMATS, type DeployFormat, type DeployScope } from "../target/mod.ts";

/** The ids of an environment's flow, their format and their workspace. */
export interface LockedAgent {
  /** Format of the resource that answers the agent's calls. Ids of another format are those that it no longer uses. */
  readonly format: DeployFormat;
  /** Workspace of the key that created it, if the platform reports one. */
  readonly workspace?: string;
  /** Version of the agent that the last apply wrote, if the platform has versions. */
  readonly agentVersion?: string;
  readonly ids: ResourceIds;
}

/** Environment → flow → platform → ids. Contains only formats, versions and ids, so that it can be committed. */
export interface LockFile {
  readonly version: 2;
  readonly environments: {
    readonly [environment: string]: { readonly [flow: string]: { readonly [platform: string]: LockedAgent } };
  };
}

export const LOCK_FILE = "callweave.lock.json";

const VERSION = 2;

const AGENT = v.strictObject({
  format: v.picklist(DEPLOY_FORMATS),
  workspace: v.optional(v.string()),
  agentVersion: v.optional(v.string()),
  ids: v.record(v.string(), v.string()),
});
const SCHEMA = v.strictObject({
  version: v.literal(VERSION),
  environments: byName(byName(byName(AGENT))),
});

/** An object with any keys, also those that `v.record` leaves out: a flow can be called `constructor`. */
function byName<Item>(
  item: v.GenericSchema<unknown, Item>,
): v.GenericSchema<unknown, { readonly [name: string]: Item }> {
  return v.pipe(
    v.custom<JsonObject>(isRecord),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const entries: [string, Item][] = [];
      for (const [name, value] of Object.entries(dataset.value)) {
        const parsed = v.safeParse(item, value);
        if (parsed.success) entries.push([name, parsed.output]);
        else addIssue({ message: `${parsed.issues[0].message} in "${name}"` });
      }
      return dataset.issues ? NEVER : Object.fromEntries(entries);
    }),
  );
}

/**
 * Reads the lock file of a folder; empty if there is none.
 *
 * @throws {DeployError} `lock-file` if it is damaged, of another version, contains a merge conflict, or has one agent twice.
 */
export async function readLockFile(folder: string): Promise<LockFile> {
  const path = join(folder, LOCK_FILE);
  const text = await readStateFile(path, "lock-file");
  if (text === undefined) return { version: VERSION, environments: {} };
  if (/^<{7} /m.test(text)) {
    throw new DeployError(`Cannot read ${path}: it has a merge conflict`, {
      code: "lock-file",
      path: [path],
      hint: "Keep the entries of both sides; where both have an id for one agent, keep the one that exists",
    });
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new DeployError(`Cannot read ${path}: it is not JSON`, {
      code: "lock-file",
      path: [path],
      hint: "Restore it from git",
      cause,
    });
  }
  const parsed = v.safeParse(SCHEMA, document);
  if (parsed.success) return withoutDoubles(parsed.output, path);
  if (isRecord(document) && document.version !== VERSION) {
    throw new DeployError(`Cannot read ${path}: it has version ${shown(document.version)} instead of ${VERSION}`, {
      code: "lock-file",
      path: ["version"],
      hint: "Move it away, and record each agent again: callweave deploy import ID --to FORMAT",
    });
  }
  const [issue] = parsed.issues;
  throw new DeployError(`Cannot read ${path}: ${issue.message} at ${v.getDotPath(issue) ?? "its root"}`, {
    code: "lock-file",
    path: [path],
    hint: "Restore it from git",
  });
}

/** An agent's entry; `undefined` if it was never applied. */
export function lockedAgent(
  { environments }: LockFile,
  { environment, flow, platform }: DeployScope,
): LockedAgent | undefined {
  return own(own(own(environments, environment) ?? {}, flow) ?? {}, platform);
}

/** All entries, with their places. */
export function lockedAgents({ environments }: LockFile): readonly (DeployScope & LockedAgent)[] {
  return Object.entries(environments).flatMap(([environment, flows]) =>
    Object.entries(flows).flatMap(([flow, platforms]) =>
      Object.entries(platforms).map(([platform, agent]) => ({ environment, flow, platform, ...agent })),
    ),
  );
}

/** The entry of another place that has one of these ids as its agent. */
export function placeWithAgent(lock: LockFile, place: DeployScope, ids: ResourceIds): DeployScope | undefined {
  const roots =
    Object.values<PlatformFacts>(PLATFORMS).find(({ name }) => name === place.platform)?.deploy?.roots ?? [];
  const wanted = roots.flatMap((address) => ids[address] ?? []);
  return lockedAgents(lock).find(
    (other) =>
      other.platform === place.platform &&
      (other.environment !== place.environment || other.flow !== place.flow) &&
      roots.some((address) => wanted.includes(other.ids[address] ?? "")),
  );
}

/** An entry that was copied to another place would make one agent overwrite the other. */
function withoutDoubles(lock: LockFile, path: string): LockFile {
  for (const entry of lockedAgents(lock)) {
    const { environment, flow, platform, format, ids } = entry;
    const at = ["environments", environment, flow, platform];
    if (platformOf(format)?.name !== platform) {
      throw new DeployError(`Cannot read ${path}: "${flow}" in ${environment} at ${platform} has format ${format}`, {
        code: "lock-file",
        path: [...at, "format"],
        hint: "Restore it from git",
      });
    }
    const other = placeWithAgent(lock, entry, ids);
    if (!other) continue;
    throw new DeployError(
      `Cannot read ${path}: "${flow}" in ${environment} has the agent of "${other.flow}" in ${other.environment}`,
      { code: "lock-file", path: at, hint: "Remove one of the two entries" },
    );
  }
  return lock;
}

/** Writes one agent's entry, immediately and sorted; other entries stay as they are on disk. */
export async function writeLockedAgent(
  folder: string,
  place: DeployScope,
  agent: LockedAgent | undefined,
): Promise<void> {
  const path = join(folder, LOCK_FILE);
  const write = async (confirm: () => Promise<void>) => {
    const { environments } = await readLockFile(folder);
    const { environment, flow, platform } = place;
    const flows = own(environments, environment) ?? {};
    const { [platform]: _, ...others } = own(flows, flow) ?? {};
    const platforms = agent ? { ...others, [platform]: agent } : others;
    const next = { ...environments, [environment]: { ...flows, [flow]: platforms } };
    await writeFileTo(path, `${JSON.stringify(sorted({ version: VERSION, environments: next }), null, 2)}\n`, {
      confirm,
    });
  };
  await whileWriting(path, () => withLock(path, write), "lock-file");
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

/** Folder of local state, which is not committed. */
export const STATE_FOLDER = ".callweave";

const OWNED_VERSION = 1;

/** The agent that a file of local state belongs to, and the machine that wrote it. */
export interface Owner extends DeployScope {
  readonly machine: string;
}

/** The keys of an owner in a file. */
export const OWNER_FIELDS = {
  version: v.literal(OWNED_VERSION),
  environment: v.string(),
  flow: v.string(),
  platform: v.string(),
  machine: v.string(),
};

/**
 * Reads a file of the state; `undefined` if it does not exist.
 *
 * @throws {DeployError} The code, for a file that cannot be read: a folder, one without permission, or one that is no text.
 */
export async function readStateFile(path: string, code: ErrorCode = "state-file"): Promise<string | undefined> {
  try {
    return await readIfPresent(path);
  } catch (cause) {
    throw cannotRead(path, cause, code);
  }
}

/** The error of a file or folder that exists and cannot be read. */
export function cannotRead(path: string, cause: unknown, code: ErrorCode): DeployError {
  const { state, hint } = fileProblem(cause, "read");
  return new DeployError(`Cannot read ${path}: ${state}`, { code, path: [path], hint, cause });
}

/** Writes a file of the state that only this user can read; a text of `undefined` removes it. */
export async function writeStateFile(path: string, text: string | undefined): Promise<void> {
  await whileWriting(path, () =>
    text === undefined ? rm(path, { force: true }) : writeFileTo(path, text, { mode: 0o600 }),
  );
}

/**
 * Does what writes a file of the state.
 *
 * @throws {DeployError} The code, for a file that cannot be written: without permission, on a full disk, or in a folder that
 *   is a file.
 */
export async function whileWriting<Result>(
  path: string,
  work: () => Promise<Result>,
  code: ErrorCode = "state-file",
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (isCallweaveError(cause)) throw cause;
    const { state, hint } = fileProblem(cause, "write");
    throw new DeployError(`Cannot write ${path}: ${state}`, { code, path: [path], hint, cause });
  }
}

/** The owner of files that this machine writes for an agent. */
export async function fileOwner(folder: string, { environment, flow, platform }: DeployScope): Promise<Owner> {
  // the salt stays on the machine: placeholders of secrets in a file have a meaning only together with it
  const machine = createHmac("sha256", await stateSalt(folder))
    .update("machine")
    .digest("hex")
    .slice(0, 16);
  return { environment, flow, platform, machine };
}

/** The text of a file that names its owner. */
export function ownedText(owner: Owner, content: JsonObject): string {
  return `${JSON.stringify({ version: OWNED_VERSION, ...owner, ...content })}\n`;
}

/** How errors call a file, and what to do about it. */
export interface FileWords {
  /** Such as `Cannot roll back`. */
  readonly action: string;
  /** Such as `a snapshot`. */
  readonly what: string;
  readonly code: ErrorCode;
  readonly hint: string;
}

/**
 * Parses a file that names its owner.
 *
 * @throws {DeployError} `wrong-place` for a file of another agent or machine; the code of `words` for anything else.
 */
export function parseOwned<Content extends Owner>(
  { path, text }: { readonly path: string; readonly text: string },
  schema: v.GenericSchema<unknown, Content>,
  owner: Owner,
  words: FileWords,
): Content {
  const document = parsedJson(text);
  const parsed = v.safeParse(schema, document);
  if (parsed.success) {
    checkPlace(path, parsed.output, owner, words);
    return parsed.output;
  }
  const { action, what, code, hint } = words;
  const isOlder = isRecord(document) && document.version !== OWNED_VERSION;
  const why = isOlder ? `is not ${what} of this version of Callweave` : `is not ${what}`;
  throw new DeployError(`${action}: ${path} ${why}`, { code, path: [path], hint });
}

/** @throws {DeployError} `wrong-place` if a file belongs to another flow, environment, platform or machine. */
export function checkPlace(
  file: string,
  found: DeployScope & { readonly machine?: string },
  wanted: DeployScope & { readonly machine?: string },
  { action, what, hint }: Pick<FileWords, "action" | "what" | "hint">,
): void {
  const key = (["platform", "flow", "environment", "machine"] as const).find((each) => found[each] !== wanted[each]);
  if (key === undefined) return;
  const placed = ({ flow, environment, platform }: DeployScope) => `"${flow}" in ${environment} at ${platform}`;
  const why =
    key === "machine"
      ? `is ${what} that another machine wrote for ${placed(found)}`
      : `is ${what} of ${placed(found)}, not of ${placed(wanted)}`;
  throw new DeployError(`${action}: ${file} ${why}`, { code: "wrong-place", path: [key], hint });
}

/** The machine's salt for placeholders of secrets in stored documents; created on first use. */
export async function stateSalt(folder: string): Promise<string> {
  const path = join(folder, STATE_FOLDER, "salt");
  const known = await readStateFile(path);
  if (known !== undefined && known.length >= 32) return known.trim();
  const create = async () => {
    const written = await readStateFile(path);
    if (written !== undefined && written.length >= 32) return written.trim();
    const salt = randomBytes(32).toString("hex");
    await writeStateFile(path, `${salt}\n`);
    return salt;
  };
  return await whileWriting(path, () => withLock(path, create));
}

/** A path of an agent's files in a folder of the local state. */
export function placePath(folder: string, kind: "deploy" | "snapshots", place: DeployScope): string {
  const { environment, flow, platform } = place;
  const names = [environment, flow, platform].map((name) =>
    encodeURIComponent(name).replace(/^\.+$/, (dots) => "%2E".repeat(dots.length)),
  );
  return join(folder, STATE_FOLDER, kind, ...names);
}

/** A file of an agent's local state. */
export function statePath(folder: string, place: DeployScope, ending: string): string {
  return `${placePath(folder, "deploy", place)}.${ending}`;
}
