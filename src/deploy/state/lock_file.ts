import { join } from "node:path";
import * as v from "valibot";
import type { ResourceIds } from "../../../platforms/mod.ts";
import { platformOf } from "../../../platforms/mod.ts";
import { DeployError } from "../../base/errors.ts";
import { withLock, writeFileTo } from "../../base/files/mod.ts";
import { isRecord, type JsonObject, own, shown } from "../../base/values/mod.ts";
import { DEPLOY_FORMATS, type DeployFormat, type DeployScope } from "../target/mod.ts";
import { readStateFile, whileWriting } from "./owned_file.ts";

/** The ids of an environment's flow, their format and their workspace. */
export interface LockedAgent {
  /** Format of the resource that answers the agent's calls. Ids of another format are those that it no longer uses. */
  readonly format: DeployFormat;
  /** Workspace of the key that created it, if the platform reports one. */
  readonly workspace?: string;
  readonly ids: ResourceIds;
}

/** Environment → flow → platform → ids. Contains only formats and ids, so that it can be committed. */
export interface LockFile {
  readonly version: 2;
  readonly environments: {
    readonly [environment: string]: { readonly [flow: string]: { readonly [platform: string]: LockedAgent } };
  };
}

export const LOCK_FILE = "callweave.lock.json";

const VERSION = 2;

/** Addresses of resources that belong to one agent alone: others can be shared. */
const ROOTS = ["agent", "squad", "assistant"];

const AGENT = v.strictObject({
  format: v.picklist(DEPLOY_FORMATS),
  workspace: v.optional(v.string()),
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
  const wanted = ROOTS.flatMap((address) => ids[address] ?? []);
  return lockedAgents(lock).find(
    (other) =>
      other.platform === place.platform &&
      (other.environment !== place.environment || other.flow !== place.flow) &&
      ROOTS.some((address) => wanted.includes(other.ids[address] ?? "")),
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
