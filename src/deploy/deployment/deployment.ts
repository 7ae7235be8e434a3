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
import { defined, didYouMean, isRecord, type JsonObject, jsonText, own } from "../../base/values/mod.ts";
import { type AgentGraph, agentName, withOriginal } from "../../document/graph/mod.ts";
import { hideSecrets, referencedNames } from "../../document/secrets/mod.ts";
import {
  type AppliedResources,
  LOCK_FILE,
  type LockedAgent,
  lockedAgent,
  readBaseline,
  readLockFile,
  stateSalt,
} from "../state/mod.ts";
import type { DeployScope, DeployTarget } from "../target/mod.ts";
import { checkTarget, withEnvironment, withIds, withoutIds } from "../target/mod.ts";
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
  const { deploy, connection } = deployablePlatform(target.to);
  const adapter = await deploy.adapter();
  const folder = target.folder ?? ".";
  const { environment = "default", key, env = {}, clock, signal, requestTimeoutMs } = target;
  const lockFile = await readLockFile(folder);
  const flows = Object.keys(own(lockFile.environments, environment) ?? {});
  const flow = target.flow ?? (graph && agentName(graph)) ?? onlyFlow(flows, environment);
  const place = { environment, flow, platform: adapter.name };
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
    baseline: await readBaseline(folder, place, locked.ids),
    hide: (body) => {
      const { document, values } = hideSecrets(withoutNulls(body), salt, known);
      return { body: isRecord(document) ? document : body, secrets: values };
    },
  };
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
  const whole = withKeptSettings(resources, into, (parts) => graphOf(deployment, parts));
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
