import type { DocumentShape } from "../../../platforms/mod.ts";
import { type JsonObject, sameJson } from "../../values/mod.ts";
import { addressOf } from "../platforms/mod.ts";
import type { RemoteResource, Resource, ResourceIds } from "../resources/mod.ts";
import { type Difference, mergeThreeWays } from "../resources/mod.ts";
import type { Baseline } from "../state/mod.ts";

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

/** The versions of an agent. */
export interface AgentVersions {
  readonly mine: readonly Resource[];
  readonly found: readonly RemoteResource[];
  readonly ids: ResourceIds;
  /** The baseline; differences of resources that are not in it are of unknown origin. */
  readonly baseline: Baseline;
  /** The agent written into the platform's state, for resources without a baseline. */
  readonly into: readonly Resource[];
}

/** Compares what the code emits with the platform and with the baseline. */
export function compareResources(
  { mine, found, ids, baseline, into }: AgentVersions,
  shape: DocumentShape,
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
      const [state, action] = isSame ? (["clean", "none"] as const) : (["no-baseline", "update"] as const);
      return { ...there, state, action, body, local: body, theirs: remote.body, conflicts: [] };
    }
    const versions = { remote: remote.body, ...before, mine: resource.body };
    const { body, local, theirs, conflicts } = mergeThreeWays(versions, shape);
    const wasChanged = !sameJson(remote.body, before.answered);
    const merged = { ...there, body, local, theirs, conflicts: conflicts.map((each) => ({ address, ...each })) };
    if (!sameJson(body, remote.body))
      return { ...merged, state: wasChanged ? "both-changed" : "local-ahead", action: "update" };
    return { ...merged, state: wasChanged && !sameJson(local, remote.body) ? "remote-ahead" : "clean", action: "none" };
  });
  // a resource that is created again gets another id, which the others have to reference
  const isRestored = compared.some(({ state }) => state === "missing");
  return compared.map((each) => (isRestored && each.action === "none" ? { ...each, action: "update" } : each));
}
