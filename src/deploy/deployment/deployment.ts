import {
  type Adapter,
  addressOf,
  DEPLOY_FORMATS,
  type DeployFormat,
  type DocumentShape,
  emit,
  formatNamed,
  importAgent,
  type Loss,
  platformOf,
  type RemoteResource,
  type Resource,
  type ResourceIds,
  unlinkIds,
} from "../../../platforms/mod.ts";
import { DeployError } from "../../base/errors.ts";
import { createPlatformClient, type PlatformClient } from "../../base/http/mod.ts";
import {
  defined,
  didYouMean,
  isRecord,
  type JsonObject,
  jsonText,
  own,
  pick,
  recordAt,
} from "../../base/values/mod.ts";
import { type AgentGraph, agentName, withOriginal } from "../../document/graph/mod.ts";
import { hideSecrets, referencedNames } from "../../document/secrets/mod.ts";
import {
  type AppliedResources,
  holdsAll,
  LOCK_FILE,
  type LockedAgent,
  lockedAgent,
  lockedAgents,
  readBaseline,
  readIntent,
  readLockFile,
  removeIntent,
  stateSalt,
  writeLockedAgent,
} from "../state/mod.ts";
import {
  checkTarget,
  type DeployScope,
  type DeployTarget,
  withEnvironment,
  withIds,
  withoutIds,
} from "../target/mod.ts";
import { withKeptSettings } from "./kept_settings.ts";

/** A target with its platform's client, lock file entry and local state. */
export interface Deployment {
  readonly target: DeployTarget;
  readonly place: DeployScope;
  readonly folder: string;
  readonly adapter: Adapter;
  readonly client: PlatformClient;
  readonly shape: DocumentShape;
  /** The lock file's entry; without ids, in the target's format, if there is none. */
  readonly locked: LockedAgent;
  /** Ids of `locked` that the lock file lacks: the environment names what they are of. */
  readonly located: ResourceIds;
  readonly baseline: AppliedResources | undefined;
  /** Removes unset settings from a resource's body, and replaces secrets. */
  readonly hide: <Body extends JsonObject>(body: Body) => BodyWithoutSecrets;
}

/** A body without its secrets. */
export interface BodyWithoutSecrets {
  readonly body: JsonObject;
  readonly secrets: ReadonlyMap<string, string>;
}

/** Values shorter than this are not treated as secrets: they may occur anywhere in a text. */
const SHORTEST_SECRET = 8;

/**
 * Opens a target: reads its files, but not the platform.
 *
 * @param graph Names the agent if the target does not.
 * @param again How to finish what a busy platform has interrupted, for hints.
 * @throws {DeployError} `unknown-platform`, `lock-file`, `state-file`, `wrong-place`, `unknown-flow` if the target names no
 *   agent and the lock file has several.
 */
export async function openDeployment(
  target: DeployTarget,
  graph?: AgentGraph,
  again = "apply again",
): Promise<Deployment> {
  checkTarget(target);
  const { deploy, connection, name: platform } = deployablePlatform(target.to);
  const folder = target.folder ?? ".";
  const { environment = "default", key, env = {}, clock, signal, requestTimeoutMs } = target;
  const lockFile = await readLockFile(folder);
  const flows = Object.keys(own(lockFile.environments, environment) ?? {});
  const flow = target.flow ?? (graph && agentName(graph)) ?? onlyFlow(flows, environment);
  const place = { environment, flow, platform };
  const others = lockedAgents(lockFile).filter(
    (each) => each.platform === platform && each.flow === flow && each.environment !== environment,
  );
  const settings = pick(recordAt({ ...target.settings }, platform), deploy.environmentKeys ?? []);
  const adapter = await deploy.adapter({ settings, others: others.map(({ ids }) => ids) });
  const locked = lockedAgent(lockFile, place) ?? { format: target.to, ids: {} };
  checkKinds(locked, adapter, place);
  const salt = await stateSalt(folder);
  const named = [...(target.allowEnv ?? []), ...(graph ? referencedNames(graph) : [])];
  const known = [key, ...named.flatMap((name) => env[name] ?? [])].filter((value) => value.length >= SHORTEST_SECRET);
  return {
    target,
    place,
    folder,
    adapter,
    client: createPlatformClient({
      ...connection,
      platform: adapter.title,
      baseUrl: target.baseUrl ?? connection.baseUrl,
      key,
      words: {
        error: DeployError,
        key: "Set the key of the workspace that the agent is in",
        readAgain: "Wait a minute, then try again",
        writeAgain: `Wait a minute, then ${again}: what was done is kept`,
      },
      ...defined({ requestTimeoutMs, fetch: target.fetch, clock, signal }),
    }),
    shape: bodyShape(target.to),
    locked,
    located: {},
    baseline: await readBaseline(folder, place, locked.ids),
    hide: (body) => {
      const { document, values } = hideSecrets(withoutNulls(body), salt, known);
      return { body: isRecord(document) ? document : body, secrets: values };
    },
  };
}

/** The same deployment with the resources that the environment names, such as a branch that the lock file lacks. */
export async function locatedDeployment(deployment: Deployment): Promise<Deployment> {
  const { adapter, client, locked, folder, place } = deployment;
  const found = (await adapter.locate?.(client, locked.ids)) ?? {};
  const begun = Object.keys(found).length > 0 ? await readIntent(folder, place) : undefined;
  const located = begun ? omitIds(found, begun.address) : found; // the next apply finishes what was begun
  return { ...deployment, located, locked: { ...locked, ids: { ...locked.ids, ...located } } };
}

function omitIds(all: ResourceIds, address: string): ResourceIds {
  const { [address]: _, ...ids } = all;
  return ids;
}

/** The same deployment in another format of its platform. */
export function deploymentAs(deployment: Deployment, to: DeployFormat): Deployment {
  return { ...deployment, target: { ...deployment.target, to }, shape: bodyShape(to) };
}

/** The resources that an agent of the deployment's format can have. */
export function resourcesOfFormat<Kind extends Resource>(
  { adapter, target }: Pick<Deployment, "adapter" | "target">,
  resources: readonly Kind[],
): readonly Kind[] {
  return resources.filter((resource) => adapter.hasPart(target.to, addressOf(resource)));
}

/** The same, without resources whose creation was interrupted: those hold nothing yet, and are no documents. */
export function wholeResources<Kind extends Resource>(
  deployment: Pick<Deployment, "adapter" | "target">,
  resources: readonly Kind[],
): readonly Kind[] {
  const { adapter } = deployment;
  return resourcesOfFormat(deployment, resources).filter(({ body }) => !adapter.isEmpty?.(body));
}

/** The kind of resource that answers calls in a format: `a Retell LLM`. */
export function engineWords({ adapter }: Pick<Deployment, "adapter">, format: DeployFormat): string {
  return adapter.engines[format] ?? format;
}

/** @throws {DeployError} `lock-file` if an entry has ids of another platform. */
function checkKinds(
  { ids }: LockedAgent,
  { name, kinds }: Adapter,
  { environment, flow, platform }: DeployScope,
): void {
  const wrong = Object.keys(ids).find((address) => !kinds.includes(address.replace(/:.*/s, "")));
  if (wrong === undefined) return;
  throw new DeployError(`Cannot read ${LOCK_FILE}: "${flow}" in ${environment} has "${wrong}", which ${name} has not`, {
    code: "lock-file",
    path: ["environments", environment, flow, platform, "ids", wrong],
    hint: "Restore it from git",
  });
}

/** @throws {DeployError} `unknown-platform` if agents of the format cannot be deployed. */
function deployablePlatform(format: string) {
  const platform = platformOf(format);
  if (platform?.deploy?.formats.includes(format)) return { ...platform, deploy: platform.deploy };
  throw new DeployError(`Cannot deploy to "${format}"`, {
    code: "unknown-platform",
    path: ["to"],
    hint: didYouMean(format, DEPLOY_FORMATS, `Use one of ${DEPLOY_FORMATS.join(", ")}`),
  });
}

function onlyFlow(flows: readonly string[], environment: string): string {
  const [only, ...others] = flows;
  if (only !== undefined && others.length === 0) return only;
  throw new DeployError(
    only === undefined
      ? `The lock file has no agent in environment "${environment}"`
      : `The lock file has ${flows.length} agents in environment "${environment}"`,
    {
      code: "unknown-flow",
      path: ["flow"],
      hint: only === undefined ? "Apply the agent first, or check the environment" : `Name one of ${flows.join(", ")}`,
    },
  );
}

/** Adapts resources for the lens: their lists are those of a document. */
function bodyShape(format: DeployFormat): DocumentShape {
  const { keys = [], kindOf, derived, defaults, respell } = formatNamed(format).shape ?? {};
  return defined({ keys: [...keys, "assistantId"], kindOf, derived, defaults, respell });
}

/** Converts a graph to a platform's document, and to its resources without secrets. */
export interface EmittedAgent {
  readonly resources: readonly Resource[];
  readonly losses: readonly Loss[];
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Emits a graph for a target.
 *
 * @param into Resources on the platform to write the graph into: what the graph does not change stays.
 */
export function emitted(deployment: Deployment, graph: AgentGraph, into?: readonly Resource[]): EmittedAgent {
  const { target, adapter, hide } = deployment;
  const { env, allowEnv, settings = {} } = target;
  const inEnvironment = withEnvironment(graph, settings);
  const source = into
    ? withOriginal(inEnvironment, { format: target.to, text: jsonText(withoutIds(adapter.join(into), settings.ids)) })
    : inEnvironment;
  const { config, losses } = emit(source, target.to, defined({ env, allowEnv }));
  const { resources, secrets } = hideAll(hide, adapter.split(withIds(config, settings.ids)));
  if (!into) return { resources, losses, secrets };
  const options = { shape: deployment.shape, graphOf: (parts: readonly Resource[]) => graphOf(deployment, parts) };
  const whole = withKeptSettings(resources, into, options);
  return { resources: whole, losses, secrets };
}

function hideAll<Kind extends Resource>(
  hide: Deployment["hide"],
  resources: readonly Kind[],
): { readonly resources: readonly Kind[]; readonly secrets: ReadonlyMap<string, string> } {
  const secrets = new Map<string, string>();
  const hidden = resources.map((resource) => {
    const { body, secrets: found } = hide(resource.body);
    for (const [token, value] of found) secrets.set(token, value);
    return { ...resource, body };
  });
  return { resources: hidden, secrets };
}

/** Some platforms return a setting that was unset as `null`, others leave it out. */
function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Resources of an agent on the platform, without secrets and with references in place of ids. */
export interface FoundAgent {
  readonly resources: readonly RemoteResource[];
  readonly secrets: ReadonlyMap<string, string>;
}

/** Reads an agent's resources, also those that it no longer uses, in the order of writing. */
export async function readAgent({ adapter, client, hide }: Deployment, ids: ResourceIds): Promise<FoundAgent> {
  const found = await adapter.read(client, ids);
  const rank = ({ kind }: Resource) => adapter.kinds.indexOf(kind);
  return hideAll(
    hide,
    found
      .map((resource) => ({ ...resource, body: unlinkIds(resource.body, ids) }))
      .sort((one, other) => rank(one) - rank(other)),
  );
}

/** The graph of resources as they are on the platform. Secrets stay hidden. */
export function graphOf({ target, adapter }: Deployment, resources: readonly Resource[]): AgentGraph {
  return importAgent(withoutIds(adapter.join(resources), target.settings?.ids), { format: target.to }).graph;
}

/** Resources by address. */
export function byAddress<Kind extends Resource>(resources: readonly Kind[]): ReadonlyMap<string, Kind> {
  return new Map(resources.map((resource) => [addressOf(resource), resource]));
}

/**
 * The workspace of a target's key, if the platform reports one.
 *
 * @throws {DeployError} `wrong-workspace` if the agent was deployed to another one, or the target names another one.
 */
export async function checkWorkspace({
  adapter,
  client,
  target,
  locked,
  place,
}: Deployment): Promise<string | undefined> {
  const expected = target.workspace ?? locked.workspace;
  const workspace = await adapter.workspaceOf(client);
  if (expected === undefined || workspace === undefined || workspace === expected) return workspace;
  throw new DeployError(
    `The key is that of workspace ${workspace}; "${place.flow}" in ${place.environment} belongs to ${expected}`,
    { code: "wrong-workspace", path: ["key"], hint: `Use a key of workspace ${expected}` },
  );
}

/** Adds to the lock file's ids the resource that an interrupted apply created without recording its id. */
export async function withCreated(
  { adapter, client, folder, place, hide, locked }: Deployment,
  ids: ResourceIds,
): Promise<ResourceIds> {
  const intent = await readIntent(folder, place);
  if (!intent) return ids;
  const isKnown = ids[intent.address] !== undefined && !intent.known.includes(ids[intent.address] ?? "");
  const listed = isKnown ? [] : await adapter.list(client, intent.kind);
  for (const { id } of listed) {
    if (intent.known.includes(id)) continue;
    const found = (await adapter.read(client, { [intent.address]: id })).find((each) => each.id === id);
    if (!found) continue;
    const { body } = hide(found.body);
    const isBegun = isRecord(body) && isRecord(intent.body) && adapter.isBegun?.(body, intent.body);
    if (!isBegun && !holdsAll(body, intent.body)) continue;
    const all = { ...ids, [intent.address]: id };
    await writeLockedAgent(folder, place, { ...locked, ids: all });
    await removeIntent(folder, place);
    return all;
  }
  await removeIntent(folder, place);
  return ids;
}
