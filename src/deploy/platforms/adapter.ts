import type { JsonObject } from "../../values/mod.ts";
import type { PlatformClient } from "../http/mod.ts";
import type { ResourceIds } from "../references.ts";
import type { RemoteResource, Resource } from "../resource.ts";

/** What is written, and where. */
export interface WriteOptions {
  /** The resource on the platform; absent: it is created. */
  readonly remote?: RemoteResource;
  /** Resources that were written before, with their ids. */
  readonly written: ReadonlyMap<string, RemoteResource>;
}

/** How one platform keeps an agent. */
export interface Adapter {
  readonly name: string;
  /** Kinds of its resources in the order in which they are written; they are deleted in the reverse order. */
  readonly kinds: readonly string[];
  /**
   * Takes a document out of what stands around it: a list, an envelope, a bundle of resources. The result has the form that
   * {@link join} gives.
   *
   * @throws {DeployError} `not-deployable` for a document without an agent, or with one that the platform no longer runs.
   */
  readonly open: (document: unknown) => JsonObject;
  /**
   * Takes an emitted document apart, in the order in which resources have to be written: the last one holds the others together. Bodies name other resources of
   * the document by `referenceTo(address)`, not by id; so do the bodies that {@link join} takes.
   */
  readonly split: (document: unknown) => readonly Resource[];
  /**
   * Puts resources together as the document that `emit()` writes and `importAgent()` reads, with the ids of those that have
   * one.
   */
  readonly join: (resources: readonly Resource[]) => unknown;
  /** Reads resources, with the ids that the platform has in their bodies. One that no longer exists is left out. */
  readonly read: (client: PlatformClient, ids: ResourceIds) => Promise<readonly RemoteResource[]>;
  /** Gets an agent ready to be written: a version that can be changed, where the latest one cannot. */
  readonly prepare?: (client: PlatformClient, remote: readonly RemoteResource[]) => Promise<readonly RemoteResource[]>;
  /** Creates or changes a resource, with ids in its body, and returns it as the platform does. */
  readonly write: (client: PlatformClient, resource: Resource, options: WriteOptions) => Promise<RemoteResource>;
  /** Makes a version the one that calls use. */
  readonly publish?: (client: PlatformClient, written: readonly RemoteResource[]) => Promise<void>;
  readonly remove: (client: PlatformClient, resource: RemoteResource) => Promise<void>;
  /** Ids of the resources of a kind, with their names: to find what was created but not noted. */
  readonly list: (
    client: PlatformClient,
    kind: string,
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /**
   * Finds what an existing agent consists of, by its id alone, with the addresses that {@link split} gives.
   *
   * @throws {DeployError} `platform-missing` where the workspace has no such agent.
   */
  readonly find: (client: PlatformClient, id: string) => Promise<ResourceIds>;
  /** The workspace of the client's key; `undefined` where the platform does not name it, or it is still empty. */
  readonly workspaceOf: (client: PlatformClient) => Promise<string | undefined>;
  readonly numbers: PhoneNumbers;
}

/** Who answers the calls of a number. */
export interface NumberTarget {
  readonly kind: "agent" | "assistant" | "squad";
  readonly id: string;
  /** A version's number, or a tag. Absent: the latest published one. */
  readonly version?: number | string;
  /** Share of the calls, where several targets have one. */
  readonly weight?: number;
}

/** A phone number of a workspace. */
export interface PhoneNumber {
  readonly id: string;
  /** In E.164 form, such as `+14155550100`, where it is no SIP address. */
  readonly number: string;
  /** Who answers its calls; empty where nobody does. */
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
