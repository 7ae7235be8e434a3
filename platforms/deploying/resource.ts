import type { JsonObject } from "../../src/base/values/mod.ts";

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
