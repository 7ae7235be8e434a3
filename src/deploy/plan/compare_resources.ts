import {
  addressOf,
  type DocumentShape,
  type RemoteResource,
  type Resource,
  type ResourceIds,
} from "../../../platforms/mod.ts";
import { type JsonObject, omit, own, sameJson } from "../../base/values/mod.ts";
import type { Deployment } from "../deployment/mod.ts";
import { type Difference, type Merged, mergeThreeWays, type Versions } from "../resources/mod.ts";
import type { AppliedResources } from "../state/mod.ts";

/**
 * State of a resource. `clean`: the platform matches the code. `local-ahead`: only the code changed. `remote-ahead`: only
 * the platform changed. `both-changed`: both. `no-baseline`: they differ, and this machine does not know who changed what.
 * `missing`: it was deleted on the platform. `new`: it does not exist there yet.
 */
export type ResourceState =
  | "clean"
  | "local-ahead"
  | "remote-ahead"
  | "both-changed"
  | "no-baseline"
  | "missing"
  | "new";

/** A place of a resource that code and dashboard have both changed, to different values. */
export interface Conflict extends Difference {
  readonly address: string;
}

/** A resource with its versions compared. */
export interface ComparedResource extends Resource {
  readonly address: string;
  readonly state: ResourceState;
  readonly action: "create" | "update" | "none";
  /** As emitted; absent when rolling back to a version that this machine has not deployed. */
  readonly mine?: JsonObject;
  /** As on the platform; absent if it does not exist there. */
  readonly remote?: JsonObject;
  /** The body without changes of the dashboard since the last apply. */
  readonly local: JsonObject;
  /** As `body`, but with the platform's value in conflicts. */
  readonly theirs: JsonObject;
  readonly conflicts: readonly Conflict[];
}

/** The versions that a plan compares: in the code, on the platform, and as last applied. */
export interface AgentVersions {
  readonly mine: readonly Resource[];
  readonly found: readonly RemoteResource[];
  readonly ids: ResourceIds;
  /** The baseline; differences of resources that are not in it are of unknown origin. */
  readonly baseline: AppliedResources;
  /** The agent written into the platform's state, for resources without a baseline. */
  readonly into: readonly Resource[];
  /** Whether the agent does not use a resource now, so that nobody hears what it holds. */
  readonly isIdle: (address: string) => boolean;
}

/** Compares what the code emits with the platform and with the baseline. */
export function compareResources(
  { mine, found, ids, baseline, into, isIdle }: AgentVersions,
  { shape, adapter: { engineKey } }: Pick<Deployment, "shape" | "adapter">,
): readonly ComparedResource[] {
  const remotes = new Map(found.map((resource) => [addressOf(resource), resource]));
  const written = new Map(into.map((resource) => [addressOf(resource), resource]));
  const compared = mine.map((resource): ComparedResource => {
    const { kind, name } = resource;
    const address = addressOf(resource);
    const remote = remotes.get(address);
    const own = { kind, name, address, mine: resource.body };
    if (!remote) {
      const state = ids[address] === undefined ? "new" : "missing";
      const { body } = resource;
      return { ...own, state, action: "create", body, local: body, theirs: body, conflicts: [] };
    }
    const there = { ...own, id: remote.id, remote: remote.body };
    const before = baseline[address];
    if (!before) {
      const { body } = written.get(address) ?? resource;
      const isSame = sameJson(body, remote.body);
      const state = isSame ? "clean" : isIdle(address) ? "local-ahead" : "no-baseline";
      const action = isSame ? "none" : "update";
      return { ...there, state, action, body, local: body, theirs: remote.body, conflicts: [] };
    }
    const versions = { remote: remote.body, ...before, mine: resource.body };
    const { body, local, theirs, conflicts } = mergeWithEngine(versions, shape, engineKey);
    const wasChanged = !sameJson(remote.body, before.answered);
    const merged = { ...there, body, local, theirs, conflicts: conflicts.map((each) => ({ address, ...each })) };
    if (!sameJson(body, remote.body))
      return { ...merged, state: wasChanged ? "both-changed" : "local-ahead", action: "update" };
    return { ...merged, state: wasChanged && !sameJson(local, remote.body) ? "remote-ahead" : "clean", action: "none" };
  });
  return withRestored(compared);
}

/** Updates everything if a resource is created again: it gets another id, which the others have to reference. */
export function withRestored(compared: readonly ComparedResource[]): readonly ComparedResource[] {
  const isRestored = compared.some(({ state }) => state === "missing");
  return compared.map((each) => (isRestored && each.action === "none" ? { ...each, action: "update" } : each));
}

/** Merges all but the key of the agent's engine, which is the code's: an agent cannot have parts of two engines. */
function mergeWithEngine(versions: Versions, shape: DocumentShape, key: string | undefined): Merged {
  const engine = key === undefined ? undefined : own(versions.mine, key);
  if (key === undefined || engine === undefined) return mergeThreeWays(versions, shape);
  const rest = (body: JsonObject) => omit(body, [key]);
  const { remote, sent, answered, mine } = versions;
  const merged = mergeThreeWays(
    { remote: rest(remote), sent: rest(sent), answered: rest(answered), mine: rest(mine) },
    shape,
  );
  const there = own(remote, key);
  const isTheirs = !sameJson(there, own(answered, key)) && !sameJson(there, engine);
  return {
    body: { ...merged.body, [key]: engine },
    local: { ...merged.local, [key]: engine },
    theirs: { ...merged.theirs, [key]: isTheirs ? there : engine },
    conflicts: [...merged.conflicts, ...(isTheirs ? [{ path: [key], local: engine, remote: there }] : [])],
  };
}
