import type { JsonObject } from "../values/mod.ts";

/** Something that a platform stores under an id of its own. */
export interface Resource {
  /** Such as `agent`, `conversation-flow`, `assistant`. */
  readonly kind: string;
  /** Name within the agent: that of an assistant, else the kind. */
  readonly name: string;
  /** Absent: not on the platform yet. */
  readonly id?: string;
  /** What is written, without what the server manages. */
  readonly body: JsonObject;
}

/** A resource as the platform returned it. */
export interface RemoteResource extends Resource {
  readonly id: string;
  /** The server's version, where it has versions. */
  readonly version?: number | string;
  /** Whether the version can no longer be changed. */
  readonly isPublished?: boolean;
  /** When it was last changed, as an ISO time. */
  readonly changed?: string;
}
