import { createHash } from "node:crypto";
import { addressOf, type Resource } from "../../../platforms/mod.ts";
import { check } from "../../agent/check/mod.ts";
import { canonicalJson } from "../../base/values/mod.ts";
import { type AgentGraph, type Finding, fingerprint, toGraph } from "../../document/graph/mod.ts";
import {
  byAddress,
  checkWorkspace,
  type Deployment,
  deploymentAs,
  emitted,
  type FoundAgent,
  openDeployment,
  readAgent,
  resourcesOfFormat,
} from "../deployment/mod.ts";
import { differences } from "../resources/mod.ts";
import type { AppliedResources } from "../state/mod.ts";
import type { DeployTarget } from "../target/mod.ts";
import { type ComparedResource, compareResources } from "./compare_resources.ts";
import type { DeployPlan, PlanParts } from "./deploy_plan.ts";
import { planNumbers } from "./numbers.ts";
import { PreparedPlan } from "./prepared_plan.ts";
import { changesBetween, changesOfOthers, engineChange, engineChangedThere, filled } from "./words.ts";

/**
 * Reads the platform, and computes what to write so that it matches the graph. Writes nothing there.
 *
 * An agent that is deployed in another format of the platform stays the same agent: its engine changes.
 *
 * @throws {DeployError} `unknown-platform`, `lock-file`, `state-file`, `wrong-place`, and errors of the platform.
 * @throws {PlatformError} What `emit()` and `importAgent()` throw, such as `missing-variable`.
 */
export async function plan(source: AgentGraph, target: DeployTarget): Promise<DeployPlan> {
  const graph = toGraph(source, "Cannot plan deployment");
  const deployment = await openDeployment(target, graph);
  const workspace = await checkWorkspace(deployment);
  const { locked } = deployment;
  const found = await readAgent(deployment, locked.ids);
  const there = deploymentAs(deployment, locked.format);
  const baseline = { ...rebuilt(there, found), ...deployment.baseline };
  const { compared, losses, secrets } = compareWith(deployment, graph, found, baseline);
  const isSame = locked.format === target.to;
  const former = isSame ? compared : compareWith(there, graph, found, baseline).compared;
  const retired = former.filter(({ address }) => !deployment.adapter.hasPart(target.to, address));
  const root = compared.at(-1);
  return preparedPlan({
    deployment,
    found,
    compared,
    retired: retired.map(withLostChanges),
    rootThere: former.at(-1)?.address,
    baseline,
    graph,
    workspace,
    numbers: root ? await planNumbers(deployment, root, target.settings?.numbers ?? []) : [],
    losses,
    findings: [...check(graph, { target: target.to }), ...(root ? unanswered(deployment, root) : [])],
    secrets,
  });
}

/** Warns before the first apply of a document without an agent: after it, nobody can call what was created. */
function unanswered({ adapter }: Deployment, { address, kind, state }: ComparedResource): readonly Finding[] {
  if (state !== "new" || adapter.answersCalls(kind)) return [];
  const message = `The document has no agent, only a ${kind}: no call reaches it until an agent uses it`;
  const hint = `Create an agent with it in ${adapter.title}'s dashboard, or deploy an export of the whole agent`;
  return [{ code: "no-agent", severity: "warning", path: [address], message, hint }];
}

/** Plans in the format that is deployed, whichever the target names: for what was changed on the platform. */
export async function planAsDeployed(graph: AgentGraph, target: DeployTarget): Promise<DeployPlan> {
  const { locked } = await openDeployment(target, toGraph(graph, "Cannot plan deployment"));
  return await plan(graph, { ...target, to: locked.format });
}

/** Compares a graph with what was found, in the deployment's format. */
function compareWith(deployment: Deployment, graph: AgentGraph, found: FoundAgent, baseline: AppliedResources) {
  const { locked, adapter } = deployment;
  const parts = resourcesOfFormat(deployment, found.resources);
  const mine = emitted(deployment, graph);
  const into = parts.length === 0 ? mine : emitted(deployment, graph, filled(parts, mine.resources));
  const isIdle = (address: string) => !adapter.hasPart(locked.format, address);
  const versions = { mine: mine.resources, found: parts, ids: locked.ids, baseline, into: into.resources, isIdle };
  return {
    compared: compareResources(versions, deployment),
    losses: mine.losses,
    secrets: new Map([...found.secrets, ...mine.secrets, ...into.secrets]),
  };
}

/** A resource that the agent will no longer use: changes made on the platform since the last apply would be lost with it. */
function withLostChanges(resource: ComparedResource): ComparedResource {
  const { address, state, local, remote } = resource;
  const isChanged = state === "remote-ahead" || state === "both-changed";
  const lost = isChanged ? differences(local, remote, { keys: [] }) : [];
  return { ...resource, action: "none", conflicts: lost.map((each) => ({ address, ...each })) };
}

/** Assembles a plan, with sentences for its changes. */
export function preparedPlan(parts: PlanParts): DeployPlan {
  const { deployment, found, compared, retired, rootThere = "", baseline, graph, numbers, losses, findings } = parts;
  const { place, target, locked } = deployment;
  const root = compared.at(-1)?.address ?? "";
  const addresses = new Set(compared.map(({ address }) => address));
  const replaces = Object.keys(locked.ids).length > 0 && locked.format !== target.to ? locked.format : undefined;
  const there = deploymentAs(deployment, locked.format);
  const before = resourcesOfFormat(there, found.resources);
  const conflicts = [...compared, ...retired].flatMap((each) => each.conflicts);
  const plan = {
    version: 1,
    place,
    to: target.to,
    ...(replaces === undefined ? {} : { replaces }),
    fingerprint: fingerprint(graph),
    resources: compared.map(({ address, kind, id, state, action }) => ({
      address,
      kind,
      ...(id === undefined ? {} : { id }),
      state,
      action,
    })),
    changes: [
      ...(replaces === undefined ? [] : [engineChange(deployment, replaces)]),
      ...changesBetween(
        deployment,
        resourcesOfFormat(deployment, found.resources),
        wantedResources(compared),
        root,
      ).filter(({ path }) => replaces === undefined || path[1] !== deployment.adapter.engineKey),
    ],
    remoteChanges: [
      ...conflicts.flatMap((conflict) => engineChangedThere(deployment, conflict)),
      ...changesOfOthers(there, { found: before, baseline, compared, root: rootThere }),
    ],
    conflicts,
    numbers,
    unused: Object.entries(locked.ids).flatMap(([address, id]) => (addresses.has(address) ? [] : [{ address, id }])),
    losses,
    findings,
    digest: digestOf(parts),
    isEmpty: replaces === undefined && [...compared, ...numbers].every(({ action }) => action === "none"),
  } as const;
  return new PreparedPlan(plan, parts);
}

/** A baseline computed from the previously applied graph, for a machine that did not apply it. */
function rebuilt(deployment: Deployment, found: FoundAgent): AppliedResources {
  const { previous } = deployment.target;
  if (!previous || found.resources.length === 0) return {};
  const graph = toGraph(previous, "Cannot read the graph that was deployed last");
  const sent = emitted(deployment, graph).resources;
  const parts = resourcesOfFormat(deployment, found.resources);
  const answered = byAddress(emitted(deployment, graph, filled(parts, sent)).resources);
  const there = byAddress(parts);
  return Object.fromEntries(
    sent.flatMap((resource) => {
      const address = addressOf(resource);
      const [body, id] = [answered.get(address)?.body, there.get(address)?.id];
      return body && id !== undefined ? [[address, { id, sent: resource.body, answered: body }]] : [];
    }),
  );
}

function wantedResources(compared: readonly ComparedResource[]): readonly Resource[] {
  return compared.map(({ kind, name, id, body }) => ({ kind, name, ...(id === undefined ? {} : { id }), body }));
}

/** Secrets have different placeholders on every machine. */
const STAND_IN = /\{\{hidden:[0-9a-f]+\}\}/g;

function digestOf({ deployment, compared, retired, numbers, workspace }: PlanParts): string {
  const { place, target, locked } = deployment;
  const parts = [...compared, ...retired].map(({ address, id, action, body, remote }) => {
    return { address, id, action, body, remote };
  });
  const formats = { from: locked.format, to: target.to };
  const text = canonicalJson({ place, formats, workspace, parts, numbers }).replace(STAND_IN, "{{hidden}}");
  return createHash("sha256").update(text).digest("hex");
}
