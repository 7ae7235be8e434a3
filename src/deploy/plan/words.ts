import { addressOf, type Resource } from "../../../platforms/mod.ts";
import { diffGraphs, type GraphChange, namedChanges, otherChanges } from "../../agent/analysis/mod.ts";
import { isRecord, sameJson } from "../../base/values/mod.ts";
import { type AgentGraph, withoutOriginal } from "../../document/graph/mod.ts";
import { byAddress, type Deployment, emitted, engineWords, graphOf } from "../deployment/mod.ts";
import { mergeBodies } from "../resources/mod.ts";
import type { AppliedResources } from "../state/mod.ts";
import type { DeployFormat } from "../target/mod.ts";
import type { ComparedResource, Conflict } from "./compare_resources.ts";

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
