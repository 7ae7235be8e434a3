import { createHash } from "node:crypto";
import * as v from "valibot";
import { addressOf, type PlannedRelease, type Resource } from "../../../platforms/mod.ts";
import { check } from "../../agent/check/mod.ts";
import { DeployError, type Issue } from "../../base/errors.ts";
import { canonicalJson, sameJson } from "../../base/values/mod.ts";
import { type AgentGraph, type Finding, fingerprint, toGraph } from "../../document/graph/mod.ts";
import { referencedNames } from "../../document/secrets/mod.ts";
import {
  byAddress,
  checkWorkspace,
  type Deployment,
  deploymentAs,
  emitted,
  type FoundAgent,
  locatedDeployment,
  openDeployment,
  readAgent,
  resourcesOfFormat,
  wholeResources,
} from "../deployment/mod.ts";
import { differences } from "../resources/mod.ts";
import { type AppliedResources, checkPlace } from "../state/mod.ts";
import type { DeployTarget } from "../target/mod.ts";
import {
  type ComparedResource,
  type Conflict,
  changesBetween,
  changesOfOthers,
  compareResources,
  engineChange,
  engineChangedThere,
  filled,
  planNumbers,
} from "./compare_resources.ts";
import type { DeployPlan, PlanParts } from "./deploy_plan.ts";

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
  const deployment = await locatedDeployment(await openDeployment(target, graph));
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
    releases: await planReleases(deployment, compared),
    losses,
    findings: [...check(graph, { target: target.to }), ...(root ? unanswered(deployment, root) : [])],
    secrets,
  });
}

/** What applying does with versions and branches of the agent. */
export async function planReleases(
  { adapter, client, locked }: Deployment,
  compared: readonly ComparedResource[],
): Promise<readonly PlannedRelease[]> {
  return (await adapter.releases?.plan(client, locked.ids, compared)) ?? [];
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
  const whole = wholeResources(deployment, parts);
  const into = whole.length === 0 ? mine : emitted(deployment, graph, filled(whole, mine.resources));
  const begun = new Set(parts.filter((each) => !whole.includes(each)).map(addressOf));
  const isIdle = (address: string) => begun.has(address) || !adapter.hasPart(locked.format, address);
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
  const {
    deployment,
    found,
    compared,
    retired,
    rootThere = "",
    baseline,
    graph,
    numbers,
    releases,
    losses,
    findings,
  } = parts;
  const { place, target, locked } = deployment;
  const root = compared.at(-1)?.address ?? "";
  const addresses = new Set(compared.map(({ address }) => address));
  const replaces = Object.keys(locked.ids).length > 0 && locked.format !== target.to ? locked.format : undefined;
  const there = deploymentAs(deployment, locked.format);
  const before = wholeResources(there, found.resources);
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
        wholeResources(deployment, found.resources),
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
    releases,
    unused: Object.entries(locked.ids).flatMap(([address, id]) => (addresses.has(address) ? [] : [{ address, id }])),
    losses,
    findings,
    digest: digestOf(parts),
    isEmpty: replaces === undefined && [...compared, ...numbers, ...releases].every(({ action }) => action === "none"),
  } as const;
  return new PreparedPlan(plan, parts);
}

/** A baseline computed from the previously applied graph, for a machine that did not apply it. */
function rebuilt(deployment: Deployment, found: FoundAgent): AppliedResources {
  const { previous } = deployment.target;
  if (!previous || found.resources.length === 0) return {};
  const graph = toGraph(previous, "Cannot read the graph that was deployed last");
  const sent = emitted(deployment, graph).resources;
  const parts = wholeResources(deployment, found.resources);
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

function digestOf({ deployment, compared, retired, numbers, releases, workspace }: PlanParts): string {
  const { place, target, locked } = deployment;
  const parts = [...compared, ...retired].map(({ address, id, action, body, remote }) => {
    return { address, id, action, body, remote };
  });
  const formats = { from: locked.format, to: target.to };
  const text = canonicalJson({
    place,
    formats,
    workspace,
    parts,
    numbers,
    ...(releases.length > 0 ? { releases } : {}),
  }).replace(STAND_IN, "{{hidden}}");
  return createHash("sha256").update(text).digest("hex");
}

/** A plan with the parts that are neither in its JSON nor in logs: connection, bodies and secrets. */
export class PreparedPlan implements DeployPlan {
  declare readonly version: 1;
  declare readonly place: DeployPlan["place"];
  declare readonly to: DeployPlan["to"];
  declare readonly replaces?: DeployPlan["replaces"];
  declare readonly fingerprint: string;
  declare readonly resources: DeployPlan["resources"];
  declare readonly changes: DeployPlan["changes"];
  declare readonly remoteChanges: DeployPlan["remoteChanges"];
  declare readonly conflicts: DeployPlan["conflicts"];
  declare readonly numbers: DeployPlan["numbers"];
  declare readonly releases: DeployPlan["releases"];
  declare readonly unused: DeployPlan["unused"];
  declare readonly losses: DeployPlan["losses"];
  declare readonly findings: DeployPlan["findings"];
  declare readonly digest: string;
  declare readonly isEmpty: boolean;
  readonly #parts: PlanParts;

  constructor(plan: DeployPlan, parts: PlanParts) {
    Object.assign(this, plan);
    this.#parts = parts;
  }

  /**
   * Returns the inputs of a plan.
   *
   * @throws {DeployError} `plan-outdated` if the plan was read from a file.
   */
  static partsOf(plan: DeployPlan): PlanParts {
    if (typeof plan === "object" && plan !== null && #parts in plan) return plan.#parts;
    throw new DeployError("Cannot apply: the plan is not one that plan() has returned", {
      code: "plan-outdated",
      hint: "Plan again, and compare the digest with that of the plan file",
    });
  }
}

const FILE = v.object({
  version: v.literal(1),
  place: v.object({ environment: v.string(), flow: v.string(), platform: v.string() }),
  to: v.string(),
  digest: v.string(),
});

/**
 * Refuses a plan that is not the one that was reviewed.
 *
 * @param plan What {@link plan} returns now.
 * @param reviewed The JSON of the reviewed plan, parsed.
 * @param name Name of its file, for messages.
 * @throws {DeployError} `wrong-place` for a plan of another flow, environment, platform or format; `plan-outdated` if the agent
 *   or the platform has changed since, or `reviewed` is not a plan.
 */
export function requireReviewedPlan(plan: DeployPlan, reviewed: unknown, name = "the reviewed plan"): void {
  const { place, target } = PreparedPlan.partsOf(plan).deployment;
  const hint = "Plan again, and review that plan: callweave deploy plan --out PLAN.json";
  const parsed = v.safeParse(FILE, reviewed);
  if (!parsed.success) throw new DeployError(`Cannot apply ${name}: it is not a plan`, { code: "plan-outdated", hint });
  const { place: of, to, digest } = parsed.output;
  checkPlace(name, of, place, { action: "Cannot apply", what: "a plan", hint });
  if (to !== target.to) {
    throw new DeployError(`Cannot apply: ${name} is a plan for ${to}, not for ${target.to}`, {
      code: "wrong-place",
      path: ["to"],
      hint,
    });
  }
  if (digest === plan.digest) return;
  throw new DeployError(`Cannot apply ${name}: the agent or the platform has changed since`, {
    code: "plan-outdated",
    path: ["digest"],
    hint,
  });
}

/** Overwrites that the user has confirmed. */
export interface ConfirmedOverwrites {
  readonly overwriteRemote?: boolean;
  readonly recreate?: boolean;
}

/**
 * Checks that applying a plan overwrites nothing without confirmation.
 *
 * @param found The current state of the platform.
 * @throws {DeployError} `plan-outdated`, `remote-changed`, `deploy-conflict`, `no-baseline`, `agent-missing`,
 *   `unresolved-reference`.
 */
export function checkApplicable(
  { compared, retired, deployment: { place, locked, adapter } }: PlanParts,
  { resources }: FoundAgent,
  { overwriteRemote = false, recreate = false }: ConfirmedOverwrites,
): void {
  for (const { address, mine } of compared) {
    const [name] = referencedNames(mine);
    if (name === undefined) continue;
    throw new DeployError(`Cannot apply: ${address} refers to the environment variable ${name}, which has no value`, {
      code: "unresolved-reference",
      path: [address],
      hint: "Pass its value in env, and its name in allowEnv if the value may be sent there",
    });
  }
  const isGone = Object.keys(locked.ids).length > 0 || compared.every(({ state }) => state === "missing");
  if (compared.length > 0 && isGone && resources.length === 0 && !recreate) {
    throw new DeployError(`Cannot apply: nothing of "${place.flow}" is on the platform any more`, {
      code: "agent-missing",
      hint: "Check that the key is that of the workspace it was created in; to create it again, pass --recreate",
    });
  }
  if (overwriteRemote) return;
  const now = byAddress(resources);
  const used = [...compared, ...retired];
  const changed = used.find(({ address, remote }) => {
    const there = now.get(address);
    return remote !== undefined && !sameJson(there?.body, remote);
  });
  if (changed) {
    throw new DeployError(`Cannot apply: ${changed.address} has changed on the platform since the plan was made`, {
      code: "remote-changed",
      hint: "Plan again, or apply with --overwrite-remote",
    });
  }
  const unknown = used.find(({ state }) => state === "no-baseline");
  if (unknown) {
    throw new DeployError(
      `Cannot apply: ${unknown.address} differs from the code, and this machine did not deploy it last`,
      {
        code: "no-baseline",
        hint: "Pull it, name the version that was deployed last with --base, or apply with --overwrite-remote",
      },
    );
  }
  const issues = used.flatMap(({ conflicts }) => conflicts).map((each) => conflictIssue(each, retired, adapter));
  const [first] = issues;
  if (first) throw new DeployError(`Cannot apply: ${first.message}`, { ...first, issues });
}

function conflictIssue(
  { address, path }: Conflict,
  retired: PlanParts["retired"],
  { engineKey }: Pick<Deployment["adapter"], "engineKey">,
): Issue {
  const place = path.length === 0 ? address : `${path.join(".")} of ${address}`;
  const at = { code: "deploy-conflict", path: [address, ...path] } as const;
  if (path[0] === engineKey && engineKey !== undefined) {
    const message = `the dashboard has given another engine to ${address}, which the code would take away`;
    return { ...at, message, hint: "Adopt it with callweave deploy import, or apply with --overwrite-remote" };
  }
  return retired.some((each) => each.address === address)
    ? {
        ...at,
        message: `the dashboard has changed ${place}, which the agent will no longer use`,
        hint: "Pull the change into the code, or apply with --overwrite-remote",
      }
    : {
        ...at,
        message: `code and dashboard have both changed ${place}`,
        hint: "Pull the change, or apply with --overwrite-remote",
      };
}
