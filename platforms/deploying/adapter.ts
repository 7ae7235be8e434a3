import type * as v from "valibot";
import { isCallweaveError } from "../../src/base/errors.ts";
import type { AnswerShape, PlatformClient, PlatformRequest } from "../../src/base/http/mod.ts";
import { canonicalJson, isRecord, type JsonObject, omit, records, sameJson } from "../../src/base/values/mod.ts";
import { replaceTexts } from "../../src/document/secrets/mod.ts";

/** Sends a request for something that may not exist. */
export async function sendIfPresent<Shape extends AnswerShape>(
  client: PlatformClient,
  request: PlatformRequest<Shape>,
): Promise<v.InferInput<Shape> | undefined> {
  try {
    return await client.send(request);
  } catch (error) {
    if (isCallweaveError(error) && error.code === "platform-missing") return undefined;
    throw error;
  }
}

/** Sends a request that creates a resource. An answer with another resource is an error. */
export async function sendCreation<Shape extends v.GenericSchema<JsonObject>>(
  client: PlatformClient,
  request: PlatformRequest<Shape> & { readonly body: JsonObject },
): Promise<v.InferInput<Shape>> {
  const answer = await client.send(request);
  const [sent, made] = [outline(request.body), outline(answer)];
  const other = Object.keys(sent).find((key) => !sameJson(sent[key], made[key]));
  if (other === undefined) return answer;
  throw client.unusable(request, `is another resource than the one that was sent: its "${other}" differs`);
}

const NAMES = ["name", "agent_name", "type", "assistantId", "llm_id", "conversation_flow_id"];
const PARTS = ["nodes", "states", "members", "function", "response_engine"];

/** The identity of a resource: its names, and names and ids of its parts in any order. Servers may change the rest. */
function outline(body: JsonObject): JsonObject {
  const told = Object.entries(body).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (NAMES.includes(key)) return typeof value === "string" ? [[key, value]] : [];
    if (!PARTS.includes(key)) return [];
    if (isRecord(value)) return [[key, outline(value)]];
    if (!Array.isArray(value)) return [];
    const parts = records(value).map((part) => canonicalJson({ id: part.id, ...outline(omit(part, PARTS)) }));
    return [[key, parts.sort()]];
  });
  return Object.fromEntries(told);
}

/** Sends a request that deletes a resource, and checks that it is gone. */
export async function sendDeletion(
  client: PlatformClient,
  request: PlatformRequest,
  read: () => Promise<unknown>,
): Promise<void> {
  await client.send(request);
  if ((await read()) !== undefined) throw client.unusable(request, "is a success, and the resource is still there");
}

/** The top-level keys that a change sends: changed values, and `null` for removed keys. */
export function changedKeys(before: JsonObject, after: JsonObject): JsonObject {
  const differing = Object.entries(after).filter(([key, value]) => !sameJson(before[key], value));
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key) && before[key] !== null);
  return { ...Object.fromEntries(differing), ...Object.fromEntries(gone.map((key) => [key, null])) };
}

/** What an adapter can depend on, besides its platform. */
export interface DeployEnvironment {
  /** The settings of the environment that say how to deploy: the platform's `environmentKeys`. */
  readonly settings: JsonObject;
  /** Ids of the same flow in other environments. */
  readonly others: readonly ResourceIds[];
}

/** A write, and its context. */
export interface ResourceWrite {
  /** The resource on the platform; absent: create it. */
  readonly remote?: RemoteResource;
  /** Resources that were written before, with their ids. */
  readonly written: ReadonlyMap<string, RemoteResource>;
}

/** How a platform stores an agent. */
export interface Adapter {
  readonly name: string;
  /** Name in messages: `Retell`. */
  readonly title: string;
  /** Kinds of its resources in the order of writing; they are deleted in reverse order. */
  readonly kinds: readonly string[];
  /** The kind of resource that answers calls, by format, for sentences: `a conversation flow`. */
  readonly engines: { readonly [format: string]: string };
  /** Whether agents of a format can have resources with this address; an agent whose format changes keeps the others, unused. */
  readonly hasPart: (format: string, address: string) => boolean;
  /** Key of the agent that names its engine. The code alone decides it: another value on the platform is a conflict. */
  readonly engineKey?: string;
  /** Whether a resource that references the others answers calls; an engine of Retell does only once an agent uses it. */
  readonly answersCalls: (kind: string) => boolean;
  /**
   * Unwraps a document: from a list, an envelope, or a bundle of resources. The result has the form that
   * {@link join} returns.
   *
   * @throws {DeployError} `not-deployable` for a document without an agent, or of a kind that the platform no longer runs.
   */
  readonly open: (document: unknown) => JsonObject;
  /**
   * Splits an emitted document into resources, in the order of writing; the last one references the others. Bodies
   * reference resources of the same document by `referenceTo(address)`, not by id; so do the bodies that {@link join}
   * takes.
   */
  readonly split: (document: unknown) => readonly Resource[];
  /**
   * Joins resources into the document that `emit()` writes and `importAgent()` reads, with the ids of those that have
   * one.
   */
  readonly join: (resources: readonly Resource[]) => unknown;
  /**
   * Finds resources that the environment names and the lock file lacks, and checks that the lock file has those that it names.
   *
   * @param ids Ids in the lock file.
   * @returns The ids that the lock file lacks.
   */
  readonly locate?: (client: PlatformClient, ids: ResourceIds) => Promise<ResourceIds>;
  /** Reads resources; their bodies have the platform's ids. Resources that no longer exist are left out. */
  readonly read: (client: PlatformClient, ids: ResourceIds) => Promise<readonly RemoteResource[]>;
  /** Prepares an agent for writing the wanted resources: creates an editable version if the latest one is not. */
  readonly prepare?: (
    client: PlatformClient,
    remote: readonly RemoteResource[],
    wanted: readonly Resource[],
  ) => Promise<readonly RemoteResource[]>;
  /** Creates or changes a resource, with ids in its body, and returns it as the platform does. */
  readonly write: (client: PlatformClient, resource: Resource, options: ResourceWrite) => Promise<RemoteResource>;
  /**
   * Whether a new resource is one whose creation was interrupted, on a platform that creates in several requests. Absent:
   * a resource is created whole.
   */
  readonly isBegun?: (found: JsonObject, wanted: JsonObject) => boolean;
  /** Whether a resource holds nothing yet, because its creation was interrupted. Absent: none is created empty. */
  readonly isEmpty?: (found: JsonObject) => boolean;
  /** Publishes a version, so that calls use it. */
  readonly publish?: (client: PlatformClient, written: readonly RemoteResource[]) => Promise<void>;
  /** Absent: the platform has neither versions that share the calls nor branches. */
  readonly releases?: Releases;
  readonly remove: (client: PlatformClient, resource: RemoteResource) => Promise<void>;
  /** Ids and names of the resources of a kind, to find one that was created but not recorded. */
  readonly list: (
    client: PlatformClient,
    kind: string,
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /**
   * Finds the resources of an existing agent from its id alone, with the addresses of {@link split}.
   *
   * @throws {DeployError} `platform-missing` if the workspace has no such agent.
   */
  readonly find: (client: PlatformClient, id: string) => Promise<ResourceIds>;
  /** The workspace of the client's key; `undefined` if the platform does not report it, or the workspace is empty. */
  readonly workspaceOf: (client: PlatformClient) => Promise<string | undefined>;
  readonly numbers: PhoneNumbers;
}

/** What an apply does with the versions and branches of an agent, besides writing its resources. */
export interface PlannedRelease {
  /** `none`: there is nothing to do. */
  readonly action: "change" | "none";
  /** What applying does, or what is so already, as a sentence. */
  readonly message: string;
}

/** How versions and branches get calls, where an agent has several at once. */
export interface Releases {
  /** What applying does with them. Writes nothing. */
  readonly plan: (
    client: PlatformClient,
    ids: ResourceIds,
    planned: readonly { readonly kind: string; readonly name: string; readonly action: string }[],
  ) => Promise<readonly PlannedRelease[]>;
  /**
   * Does it, after the resources were written. It replaces `publish` of the adapter.
   *
   * @returns The version that an apply wrote last, and whether all calls use it because they were to.
   */
  readonly apply?: (
    client: PlatformClient,
    written: readonly RemoteResource[],
    options: { readonly publish: boolean },
  ) => Promise<{ readonly version?: string; readonly isPublished: boolean }>;
}

/** A target that answers the calls of a number. */
export interface NumberTarget {
  readonly kind: "agent" | "assistant" | "squad";
  readonly id: string;
  /** A version's number, or a tag. Absent: the latest published one. */
  readonly version?: number | string;
  /** Share of the calls, if there are several targets. */
  readonly weight?: number;
}

/** A phone number of a workspace. */
export interface PhoneNumber {
  readonly id: string;
  /** In E.164 form, such as `+14155550100`, unless it is a SIP address. */
  readonly number: string;
  /** Who answers its calls; empty if nobody does. */
  readonly targets: readonly NumberTarget[];
}

/** How a platform points phone numbers to agents. */
export interface PhoneNumbers {
  readonly list: (client: PlatformClient) => Promise<readonly PhoneNumber[]>;
  /** Points a number's incoming calls to an agent; its other settings stay. */
  readonly point: (client: PlatformClient, number: PhoneNumber, target: NumberTarget) => Promise<PhoneNumber>;
}

/** Key of a resource in the lock file. */
export function addressOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return kind === name ? kind : `${kind}:${name}`;
}

/** Something that a platform stores under its own id. */
export interface Resource {
  /** Such as `agent`, `conversation-flow`, `assistant`. */
  readonly kind: string;
  /** Name within the agent: the assistant's name, else the kind. */
  readonly name: string;
  /** Absent: not created yet. */
  readonly id?: string;
  /** The body to write, without read-only keys. */
  readonly body: JsonObject;
}

/** A resource as the platform returned it. */
export interface RemoteResource extends Resource {
  readonly id: string;
  /** Its version, if the platform has versions. */
  readonly version?: number | string;
  /** Whether the version is read-only. */
  readonly isPublished?: boolean;
  /** When it was last changed, as an ISO time. */
  readonly changed?: string;
}

/** Ids of the resources of one agent, by address: `agent`, `assistant:welcome`. */
export type ResourceIds = { readonly [address: string]: string };

const PREFIX = "callweave:";

/**
 * A reference in place of the id of another resource of the same agent, so that environments can be compared:
 * `callweave:assistant:welcome`.
 */
export function referenceTo(address: string): string {
  return `${PREFIX}${address}`;
}

/** The address in a reference; `undefined` for other texts. */
export function referencedAddress(text: unknown): string | undefined {
  return typeof text === "string" && text.startsWith(PREFIX) ? text.slice(PREFIX.length) : undefined;
}

/** Replaces ids with references. */
export function unlinkIds<Value>(value: Value, ids: ResourceIds): Value {
  const addresses = new Map(Object.entries(ids).map(([address, id]) => [id, address]));
  return replaceTexts(value, (text) => {
    const address = addresses.get(text);
    return address === undefined ? text : referenceTo(address);
  });
}

/** Replaces references with ids. References to missing resources stay. */
export function linkIds<Value>(value: Value, ids: ResourceIds): Value {
  return replaceTexts(value, (text) => {
    const address = referencedAddress(text);
    return address === undefined ? text : (ids[address] ?? text);
  });
}
