import type { DocumentShape } from "../../platforms/mod.ts";
import { type JsonObject, sameJson } from "../values/mod.ts";
import { addressOf } from "./platforms/mod.ts";
import type { ResourceIds } from "./references.ts";
import type { RemoteResource, Resource } from "./resource.ts";
import type { Baseline } from "./state/mod.ts";
import { type Difference, mergeThreeWays } from "./three_way.ts";

/**
 * How a resource stands. `clean`: the platform has what it should. `local-ahead`: only the code changed. `remote-ahead`: only
 * the platform. `both-changed`: both. `no-baseline`: they differ, and this machine does not know who changed what.
 * `missing`: it was deleted on the platform. `new`: it was never there.
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
  /** As it is emitted. Absent where that is not known: going back to what this machine has not deployed. */
  readonly mine?: JsonObject;
  /** As it is on the platform; absent: it is not there. */
  readonly remote?: JsonObject;
  /** As it would be if nobody had changed it on the platform since it was last applied. */
  readonly local: JsonObject;
  /** As `body`, with the platform's value where both sides have changed the same place. */
  readonly theirs: JsonObject;
  readonly conflicts: readonly Conflict[];
}

/** The versions of an agent. */
export interface AgentVersions {
  readonly mine: readonly Resource[];
  readonly found: readonly RemoteResource[];
  readonly ids: ResourceIds;
  /** What was last applied; resources that are not in it have unknown differences. */
  readonly baseline: Baseline;
  /** The agent written into what is on the platform, for resources without a baseline. */
  readonly into: readonly Resource[];
}

/** Compares what the code emits with what is on the platform and with what was last applied. */
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
  // what is created again has another id, which the others have to name
  const isRestored = compared.some(({ state }) => state === "missing");
  return compared.map((each) => (isRestored && each.action === "none" ? { ...each, action: "update" } : each));
}
