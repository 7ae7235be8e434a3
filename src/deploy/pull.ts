import { merge, type Resource } from "../../platforms/mod.ts";
import { diffGraphs, type GraphChange, namedChanges } from "../agent/analysis/mod.ts";
import { DeployError } from "../base/errors.ts";
import { checkOptions, isRecord, oneOf, sameJson } from "../base/values/mod.ts";
import { type AgentGraph, parseGraph, toGraph, withoutOriginal } from "../document/graph/mod.ts";
import { extractSecrets, revealSecrets } from "../document/secrets/mod.ts";
import { byAddress, type Deployment, emitted, graphOf } from "./deployment/mod.ts";
import type { ComparedResource, Conflict } from "./plan/mod.ts";
import { PreparedPlan, planAsDeployed } from "./plan/mod.ts";
import { differences, mergeBodies } from "./resources/mod.ts";
import { readBaseline, whileApplying, writeBaseline } from "./state/mod.ts";
import type { DeployTarget } from "./target/mod.ts";

/** Options of {@link pull}. */
export interface PullOptions {
  /** The side that wins if both have changed the same place. Default: `local`. */
  readonly take?: "local" | "remote";
}

/** A graph with the changes that were made on the platform. */
export interface Pulled {
  readonly graph: AgentGraph;
  /** Changes that the pull makes in the graph, as sentences. */
  readonly changes: readonly GraphChange[];
  /** Places that code and dashboard have both changed. */
  readonly conflicts: readonly Conflict[];
  /** Changes on the platform that a graph cannot represent: they stay there, and applying keeps them. */
  readonly notPulled: readonly Conflict[];
  /**
   * Records on this machine that the code has the graph now: later plans compare with the platform as it was pulled, so
   * that editing a pulled text is no conflict. Call it when the graph is saved. If the agent was applied meanwhile, it
   * does nothing.
   *
   * @throws {DeployError} `apply-running`.
   */
  readonly saved: () => Promise<void>;
}

/**
 * Merges changes made on the platform into a graph, and returns a new one. A machine without a
 * baseline takes the platform's value wherever the two differ. Reads the format that is deployed, whichever the target names.
 *
 * @throws {DeployError} `agent-missing` if the platform has no such agent, `engine-changed` if somebody has given it another
 *   engine there, and errors of {@link plan}.
 */
export async function pull(source: AgentGraph, target: DeployTarget, options: PullOptions = {}): Promise<Pulled> {
  const graph = toGraph(source, "Cannot pull");
  checkOptions(options, { take: oneOf("local", "remote") }, DeployError, "Cannot pull");
  const { take = "local" } = options;
  const planned = await planAsDeployed(graph, target);
  const { deployment, compared, secrets } = PreparedPlan.partsOf(planned);
  if (compared.every(({ remote }) => remote === undefined)) {
    throw new DeployError(`Cannot pull: "${planned.place.flow}" is not on the platform`, {
      code: "agent-missing",
      hint: "Apply it first, or check the environment",
    });
  }
  const { engineKey } = deployment.adapter;
  const engine = planned.conflicts.find(({ path }) => engineKey !== undefined && path[0] === engineKey);
  if (engine) {
    throw new DeployError(`Cannot pull: ${planned.remoteChanges[0]?.message ?? "the agent has another engine"}`, {
      code: "engine-changed",
      path: [engine.address, ...engine.path],
      hint: "Adopt the agent with callweave deploy import, or give it its engine back: apply with --overwrite-remote",
    });
  }
  // without a baseline, `local` is what applying would write: the graph's side of every difference
  const before = resourcesOf(compared, ({ local }) => local);
  const after = resourcesOf(compared, ({ state, body, theirs }) =>
    take === "remote" || state === "no-baseline" ? theirs : body,
  );
  const merged = withChanges(graph, graphOf(deployment, before), graphOf(deployment, after));
  const pulled = withoutHidden(merged, secrets);
  return {
    graph: pulled,
    changes: namedChanges(diffGraphs(graph, pulled), graph, pulled),
    conflicts: compared.flatMap(({ conflicts }) => conflicts),
    notPulled: leftBehind(deployment, merged, compared, after),
    saved: async () => await record(deployment, merged, compared, after),
  };
}

/**
 * Writes the baseline of a saved pull: what the platform has now, and what the code would emit for it. The difference to
 * what the code emits is what it has changed alone, and its side of conflicts.
 */
async function record(
  deployment: Deployment,
  pulled: AgentGraph,
  compared: readonly ComparedResource[],
  after: readonly Resource[],
): Promise<void> {
  const { folder, place, locked, baseline: known, shape } = deployment;
  const now = byAddress(emitted(deployment, pulled).resources);
  const seen = compared.flatMap(({ address, id, remote }, index) => {
    const [mine, merged] = [now.get(address)?.body, after[index]?.body];
    if (id === undefined || !remote || !mine || !merged) return [];
    return [[address, { id, sent: mergeBodies(mine, merged, remote, shape), answered: remote }] as const];
  });
  await whileApplying(folder, place, async () => {
    if (!sameJson(await readBaseline(folder, place, locked.ids), known)) return;
    await writeBaseline(folder, place, { ...known, ...Object.fromEntries(seen) });
  });
}

function resourcesOf(
  compared: readonly ComparedResource[],
  bodyOf: (resource: ComparedResource) => Resource["body"],
): readonly Resource[] {
  return compared.map((resource) => ({
    kind: resource.kind,
    name: resource.name,
    ...(resource.id === undefined ? {} : { id: resource.id }),
    body: bodyOf(resource),
  }));
}

/** Applies to a graph the changes between two graphs that were read from the platform. */
function withChanges(graph: AgentGraph, before: AgentGraph, after: AgentGraph): AgentGraph {
  const [from, to] = [withoutOriginal(before), withoutOriginal(after)];
  return parseGraph(merge(withPlaces(graph, from, to), from, to, { keys: ["id", "name"] }));
}

/** Adds empty objects where both others have one, so that changes inside can be applied. */
function withPlaces(value: unknown, before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after) || !(value === undefined || isRecord(value))) return value;
  const own = value ?? {};
  const shared = Object.keys(before).filter((key) => isRecord(before[key]) && !sameJson(before[key], after[key]));
  return { ...own, ...Object.fromEntries(shared.map((key) => [key, withPlaces(own[key], before[key], after[key])])) };
}

/** A secret that was changed on the platform becomes a reference to an environment variable. */
function withoutHidden(graph: AgentGraph, secrets: ReadonlyMap<string, string>): AgentGraph {
  const revealed = revealSecrets(graph, secrets);
  return revealed === graph ? graph : extractSecrets(revealed).graph;
}

/** Changes on the platform that are missing from what the pulled graph emits, because a graph cannot represent them. */
function leftBehind(
  deployment: Deployment,
  pulled: AgentGraph,
  compared: readonly ComparedResource[],
  after: readonly Resource[],
): readonly Conflict[] {
  const now = byAddress(emitted(deployment, pulled).resources);
  return compared.flatMap(({ address, mine = {}, local }, index) => {
    const wanted = mergeBodies(mine, local, after[index]?.body ?? local, deployment.shape);
    const found = differences(now.get(address)?.body, wanted, deployment.shape);
    return found.map((each) => ({ address, ...each }));
  });
}
