import {
  type Adapter,
  addressOf,
  type DocumentShape,
  type NumberTarget,
  type PhoneNumber,
  type RemoteResource,
  type Resource,
  type ResourceIds,
} from "../../../platforms/mod.ts";
import { diffGraphs, type GraphChange, namedChanges, otherChanges } from "../../agent/analysis/mod.ts";
import { DeployError } from "../../base/errors.ts";
import { isRecord, isWithin, type JsonObject, omit, own, sameJson } from "../../base/values/mod.ts";
import { type AgentGraph, withoutOriginal } from "../../document/graph/mod.ts";
import { byAddress, type Deployment, emitted, engineWords, graphOf } from "../deployment/mod.ts";
import { type Difference, type Merged, mergeBodies, mergeThreeWays, type Versions } from "../resources/mod.ts";
import type { AppliedResources } from "../state/mod.ts";
import type { DeployFormat } from "../target/mod.ts";

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
  const wanted = key === undefined ? undefined : own(versions.mine, key);
  if (key === undefined || wanted === undefined) return mergeThreeWays(versions, shape);
  const rest = (body: JsonObject) => omit(body, [key]);
  const { remote, sent, answered, mine } = versions;
  const merged = mergeThreeWays(
    { remote: rest(remote), sent: rest(sent), answered: rest(answered), mine: rest(mine) },
    shape,
  );
  const there = own(remote, key);
  // the platform may say more of the engine than was sent
  const isKept = sameJson(there, own(answered, key)) && isWithin(wanted, there);
  const engine = isKept ? there : wanted;
  const isTheirs = !sameJson(there, own(answered, key)) && !sameJson(there, engine);
  return {
    body: { ...merged.body, [key]: engine },
    local: { ...merged.local, [key]: engine },
    theirs: { ...merged.theirs, [key]: isTheirs ? there : engine },
    conflicts: [...merged.conflicts, ...(isTheirs ? [{ path: [key], local: engine, remote: there }] : [])],
  };
}

/**
 * Describes the changes between two versions of an agent on its platform: those of its graph, then settings that a graph
 * does not represent, by address and key.
 *
 * @param root Address of the resource that references the others. If one version lacks it, there is nothing to compare.
 */
export function changesBetween(
  deployment: Deployment,
  before: readonly Resource[],
  after: readonly Resource[],
  root: string,
): readonly GraphChange[] {
  if (![before, after].every((resources) => byAddress(resources).has(root))) return [];
  const earlier = filled(before, after);
  const there = byAddress(earlier);
  if (after.every((resource) => sameJson(there.get(addressOf(resource))?.body, resource.body))) return [];
  const [one, other] = [graphOf(deployment, earlier), graphOf(deployment, after)];
  return [
    ...namedChanges(diffGraphs(one, other), one, other),
    ...settingChanges(deployment, [earlier, one], [after, other]),
  ];
}

/** The state of an agent on the platform, and what this machine last applied. */
export interface FoundState {
  readonly found: readonly Resource[];
  readonly baseline: AppliedResources;
  /** The same resources with their versions compared; those of another format are ignored. */
  readonly compared: readonly ComparedResource[];
  /** Address of the resource that references the others. */
  readonly root: string;
}

/**
 * The sentences for what others have changed on the platform since the last apply. What the code has too, such as
 * changes that were pulled, is left out.
 */
export function changesOfOthers(
  deployment: Deployment,
  { found, baseline, compared, root }: FoundState,
): readonly GraphChange[] {
  const answered = (resource: Resource) => baseline[addressOf(resource)]?.answered ?? resource.body;
  const versions = new Map(compared.map((each) => [each.address, each]));
  const changesFrom = (body: (resource: Resource) => Resource["body"]) =>
    changesBetween(
      deployment,
      found.map((resource) => ({ ...resource, body: body(resource) })),
      found,
      root,
    );
  const changes = changesFrom(answered);
  const isAsApplied = compared.every(({ address, local }) => sameJson(local, baseline[address]?.answered ?? local));
  if (changes.length === 0 || isAsApplied) return changes;
  const left = changesFrom((resource) => {
    const { address = "", local, theirs } = versions.get(addressOf(resource)) ?? {};
    if (!local || !theirs || !baseline[address]) return answered(resource);
    return mergeBodies(resource.body, theirs, local, deployment.shape);
  });
  // told as a change of what was applied, even where the code has another value now
  const placeOf = ({ kind, path }: GraphChange) => JSON.stringify([kind, path]);
  const told = new Map(changes.map((change) => [placeOf(change), change]));
  return left.map((change) => told.get(placeOf(change)) ?? change);
}

/** The sentence of a plan that changes the format of what is deployed. */
export function engineChange(deployment: Deployment, replaces: DeployFormat): GraphChange {
  const [before, after] = [engineWords(deployment, replaces), engineWords(deployment, deployment.target.to)];
  return {
    kind: "platform-changed",
    risk: "high",
    path: [],
    before,
    after,
    message: `The agent's engine changes from ${before} to ${after}`,
  };
}

/** The sentence for an engine that somebody has given to the agent on the platform. */
export function engineChangedThere(
  { adapter, locked: { format } }: Deployment,
  { address, path, local, remote }: Conflict,
): readonly GraphChange[] {
  if (adapter.engineKey === undefined || path[0] !== adapter.engineKey) return [];
  const { type, ...ids } = isRecord(remote) ? remote : {};
  const engine = [type, ...Object.values(ids)].filter(Boolean).join(" ") || "another engine";
  const message = `The agent answers with ${engine} instead of ${adapter.engines[format] ?? format}`;
  return [{ kind: "platform-changed", risk: "high", path: [address, ...path], before: local, after: remote, message }];
}

/** Adds missing resources from another version. */
export function filled(found: readonly Resource[], others: readonly Resource[]): readonly Resource[] {
  const there = byAddress(found);
  return [...others.filter((resource) => !there.has(addressOf(resource))), ...found];
}

type Version = readonly [resources: readonly Resource[], graph: AgentGraph];

/** The remaining differences of the resources, without the changes of the graph. */
function settingChanges(deployment: Deployment, before: Version, after: Version): readonly GraphChange[] {
  const [plainBefore, plainAfter] = [before, after].map(([, graph]) =>
    byAddress(emitted(deployment, withoutOriginal(graph)).resources),
  );
  const there = byAddress(before[0]);
  return after[0].flatMap((resource) => {
    const address = addressOf(resource);
    const earlier = there.get(address);
    const [from, to] = [plainAfter?.get(address)?.body, plainBefore?.get(address)?.body];
    if (!earlier || !from || !to) return [];
    const rest = mergeBodies(resource.body, from, to, deployment.shape);
    return otherChanges(earlier.body, rest, { path: [address], kind: "platform-changed" });
  });
}

/** Kinds of resources that answer calls. */
const KINDS = ["agent", "squad", "assistant"] as const;

/** The effect of an apply on a phone number that the environment names, or that what the agent was before answers. */
export interface PlannedNumber {
  readonly number: string;
  readonly action: "point" | "none";
  /** Who answers its calls now; empty if nobody does. */
  readonly now: readonly NumberTarget[];
}

/**
 * Compares the wanted numbers with their current targets. If the agent was another resource before, such as a squad that
 * becomes a single assistant, the numbers of that resource follow. Other numbers are ignored.
 *
 * @param root The resource that answers calls.
 * @throws {DeployError} `unknown-number` if the workspace does not have the number.
 */
export async function planNumbers(
  { adapter, client, locked: { ids } }: Deployment,
  root: Pick<Resource, "kind" | "name">,
  wanted: readonly string[],
): Promise<readonly PlannedNumber[]> {
  const former = new Set(
    KINDS.flatMap((kind) => (ids[kind] === undefined || kind === addressOf(root) ? [] : [ids[kind]])),
  );
  if (wanted.length === 0 && former.size === 0) return [];
  const known = await adapter.numbers.list(client);
  const followers = known.filter(({ targets }) => targets.some(({ id }) => former.has(id))).map(({ number }) => number);
  return [...new Set([...wanted, ...followers])].map((number) => {
    const { targets } = numberIn(adapter, known, number);
    return { number, action: isOurs(targets, numberTargetOf(root, ids)) ? "none" : "point", now: targets };
  });
}

/**
 * Points numbers to the agent.
 *
 * @returns Those that pointed elsewhere before.
 */
export async function pointNumbers(
  { adapter, client }: Deployment,
  planned: readonly PlannedNumber[],
  target: NumberTarget | undefined,
): Promise<readonly string[]> {
  const open = planned.filter(({ action }) => action === "point");
  if (!target || open.length === 0) return [];
  const known = await adapter.numbers.list(client);
  for (const { number } of open) await adapter.numbers.point(client, numberIn(adapter, known, number), target);
  return open.map(({ number }) => number);
}

function numberIn({ title }: Adapter, known: readonly PhoneNumber[], number: string): PhoneNumber {
  const found = known.find((each) => each.number === number);
  if (found) return found;
  throw new DeployError(`The workspace of ${title} has no phone number ${number}`, {
    code: "unknown-number",
    path: ["settings", "numbers"],
    hint:
      known.length === 0
        ? "Buy or import the number on the platform first"
        : `Use one of ${known.map((each) => each.number).join(", ")}`,
  });
}

/** Whether only the agent answers, in its latest published version. */
function isOurs(targets: readonly NumberTarget[], target: NumberTarget | undefined): boolean {
  const [only, ...others] = targets;
  return target !== undefined && only?.id === target.id && others.length === 0 && typeof only.version !== "number";
}

/** The resource that numbers point to; `undefined` if it cannot answer calls, such as a flow without an agent. */
export function numberTargetOf(root: Pick<Resource, "kind" | "name">, ids: ResourceIds): NumberTarget | undefined {
  const kind = KINDS.find((each) => each === addressOf(root));
  const id = kind && ids[kind];
  return kind === undefined || id === undefined ? undefined : { kind, id };
}
