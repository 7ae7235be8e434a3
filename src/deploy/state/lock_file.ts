import { join } from "node:path";
import * as v from "valibot";
import { DeployError } from "../../errors.ts";
import { readIfPresent, withLock, writeFileTo } from "../../files/mod.ts";
import type { ResourceIds } from "../resources/mod.ts";
import type { Place } from "../target/mod.ts";

/** The ids of an environment's flow, and their workspace. */
export interface LockedAgent {
  /** Workspace of the key that created it, if the platform reports one. */
  readonly workspace?: string;
  readonly ids: ResourceIds;
}

/** Environment → flow → platform → ids. Contains only ids, so that it can be committed. */
export interface LockFile {
  readonly version: 1;
  readonly environments: {
    readonly [environment: string]: { readonly [flow: string]: { readonly [platform: string]: LockedAgent } };
  };
}

export const LOCK_FILE = "callweave.lock.json";

const AGENT = v.strictObject({ workspace: v.optional(v.string()), ids: v.record(v.string(), v.string()) });
const SCHEMA = v.strictObject({
  version: v.literal(1),
  environments: v.record(v.string(), v.record(v.string(), v.record(v.string(), AGENT))),
});

/**
 * Reads the lock file of a folder; empty if there is none.
 *
 * @throws {DeployError} `lock-file` if it is damaged, or contains a merge conflict.
 */
export async function readLockFile(folder: string): Promise<LockFile> {
  const path = join(folder, LOCK_FILE);
  const text = await readIfPresent(path);
  if (text === undefined) return { version: 1, environments: {} };
  if (/^<{7} /m.test(text)) {
    throw new DeployError(`Cannot read ${path}: it has a merge conflict`, {
      code: "lock-file",
      hint: "Keep the entries of both sides; where both have an id for one agent, keep the one that exists",
    });
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new DeployError(`Cannot read ${path}: it is not JSON`, {
      code: "lock-file",
      hint: "Restore it from git",
      cause,
    });
  }
  const parsed = v.safeParse(SCHEMA, document);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new DeployError(`Cannot read ${path}: ${issue.message} at ${v.getDotPath(issue) ?? "its root"}`, {
    code: "lock-file",
    hint: "Restore it from git",
  });
}

/** The ids of an agent; empty if it was never applied. */
export function lockedAgent({ environments }: LockFile, { environment, flow, platform }: Place): LockedAgent {
  return environments[environment]?.[flow]?.[platform] ?? { ids: {} };
}

/** Writes one agent's entry, immediately and sorted; other entries stay as they are on disk. */
export async function writeLockedAgent(folder: string, place: Place, agent: LockedAgent | undefined): Promise<void> {
  const path = join(folder, LOCK_FILE);
  await withLock(path, async (confirm) => {
    const { environments } = await readLockFile(folder);
    const { environment, flow, platform } = place;
    const flows = environments[environment] ?? {};
    const { [platform]: _, ...others } = flows[flow] ?? {};
    const platforms = agent ? { ...others, [platform]: agent } : others;
    const next = { ...environments, [environment]: { ...flows, [flow]: platforms } };
    await writeFileTo(path, `${JSON.stringify(sorted({ version: 1, environments: next }), null, 2)}\n`, { confirm });
  });
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
