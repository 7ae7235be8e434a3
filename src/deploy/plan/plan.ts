import { createHash } from "node:crypto";
import { check } from "../../check/mod.ts";
import { type AgentGraph, fingerprint, toGraph } from "../../graph/mod.ts";
import { canonicalJson } from "../../values/mod.ts";
import {
  byAddress,
  checkWorkspace,
  type Deployment,
  emitted,
  type FoundAgent,
  openDeployment,
  readAgent,
} from "../deployment/mod.ts";
import { addressOf } from "../platforms/mod.ts";
import type { Resource } from "../resources/mod.ts";
import type { Baseline } from "../state/mod.ts";
import type { DeployTarget, Place } from "../target/mod.ts";
import { type ComparedResource, compareResources } from "./compare_resources.ts";
import type { DeployPlan, PlanParts } from "./deploy_plan.ts";
import { type PlannedNumber, planNumbers } from "./numbers.ts";
import { PreparedPlan } from "./prepared_plan.ts";
import { changesBetween, filled } from "./words.ts";

/**
 * Reads the platform, and computes what to write so that it matches the graph. Writes nothing there.
 *
 * @throws {DeployError} `unknown-platform`, `lock-file`, and errors of the platform.
 * @throws {PlatformError} What `emit()` and `importAgent()` throw, such as `missing-variable`.
 */
export async function plan(source: AgentGraph, target: DeployTarget): Promise<DeployPlan> {
  const graph = toGraph(source, "Cannot plan deployment");
  const deployment = await openDeployment(target, graph);
  const workspace = await checkWorkspace(deployment);
  const found = await readAgent(deployment, deployment.locked.ids);
  const mine = emitted(deployment, graph);
  const baseline = { ...rebuilt(deployment, found), ...deployment.baseline };
  const into =
    found.resources.length === 0 ? mine : emitted(deployment, graph, filled(found.resources, mine.resources));
  const compared = compareResources(
    { mine: mine.resources, found: found.resources, ids: deployment.locked.ids, baseline, into: into.resources },
    deployment.shape,
  );
  const findings = check(graph, { target: target.to });
  return preparedPlan({
    deployment,
    found,
    compared,
    baseline,
    graph,
    workspace,
    numbers: await planNumbers(deployment),
    losses: mine.losses,
    findings,
    secrets: new Map([...found.secrets, ...mine.secrets, ...into.secrets]),
  });
}

/** Assembles a plan, with sentences for its changes. */
export function preparedPlan(parts: PlanParts): DeployPlan {
  const { deployment, found, compared, baseline, graph, numbers, losses, findings } = parts;
  const { place, target, locked } = deployment;
  const root = compared.at(-1)?.address ?? "";
  const addresses = new Set(compared.map(({ address }) => address));
  const plan = {
    version: 1,
    place,
    to: target.to,
    fingerprint: fingerprint(graph),
    resources: compared.map(({ address, kind, id, state, action }) => ({
      address,
      kind,
      ...(id === undefined ? {} : { id }),
      state,
      action,
    })),
    changes: changesBetween(deployment, found.resources, wantedResources(compared), root),
    remoteChanges: changesBetween(deployment, answeredResources(found, baseline), found.resources, root),
    conflicts: compared.flatMap(({ conflicts }) => conflicts),
    numbers,
    unused: Object.entries(locked.ids).flatMap(([address, id]) => (addresses.has(address) ? [] : [{ address, id }])),
    losses,
    findings,
    digest: digestOf(place, compared, numbers),
    isEmpty: [...compared, ...numbers].every(({ action }) => action === "none"),
  } as const;
  return new PreparedPlan(plan, parts);
}

/** A baseline computed from the previously applied graph, for a machine that did not apply it. */
function rebuilt(deployment: Deployment, found: FoundAgent): Baseline {
  const { previous } = deployment.target;
  if (!previous || found.resources.length === 0) return {};
  const graph = toGraph(previous, "Cannot read the graph that was deployed last");
  const sent = emitted(deployment, graph).resources;
  const answered = byAddress(emitted(deployment, graph, filled(found.resources, sent)).resources);
  const there = byAddress(found.resources);
  return Object.fromEntries(
    sent.flatMap((resource) => {
      const address = addressOf(resource);
      const body = answered.get(address)?.body;
      return body && there.has(address) ? [[address, { sent: resource.body, answered: body }]] : [];
    }),
  );
}

function wantedResources(compared: readonly ComparedResource[]): readonly Resource[] {
  return compared.map(({ kind, name, id, body }) => ({ kind, name, ...(id === undefined ? {} : { id }), body }));
}

/** The resources that are unchanged on the platform since the last apply, as far as this machine knows. */
function answeredResources({ resources }: FoundAgent, baseline: Baseline): readonly Resource[] {
  return resources.map((resource) => ({ ...resource, body: baseline[addressOf(resource)]?.answered ?? resource.body }));
}

/** Secrets have different placeholders on every machine. */
const STAND_IN = /\{\{hidden:[0-9a-f]+\}\}/g;

function digestOf(place: Place, compared: readonly ComparedResource[], numbers: readonly PlannedNumber[]): string {
  const parts = compared.map(({ address, id, action, body, remote }) => ({ address, id, action, body, remote }));
  const text = canonicalJson({ place, parts, numbers }).replace(STAND_IN, "{{hidden}}");
  return createHash("sha256").update(text).digest("hex");
}
