import type { PlatformClient } from "../../src/base/http/mod.ts";
import type { JsonObject } from "../../src/base/values/mod.ts";
import type { ResourceIds } from "./references.ts";
import type { RemoteResource, Resource } from "./resource.ts";

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
  /** Publishes a version, so that calls use it. */
  readonly publish?: (client: PlatformClient, written: readonly RemoteResource[]) => Promise<void>;
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
