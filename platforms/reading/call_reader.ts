import type { JsonObject } from "../../src/base/values/mod.ts";
import type { CallList, CallListOptions } from "./call_list.ts";
import type { RecordPlace } from "./read_context.ts";
import type { RecordedCall } from "./recorded_call.ts";

/** How the calls of a platform are recognised, read and listed. */
export interface CallReader {
  /** Whether a record is a call. */
  readonly isCall: (record: JsonObject) => boolean;
  /** Whether a record is an event of the platform's webhook that has a call in it. */
  readonly isEvent: (record: JsonObject) => boolean;
  /**
   * Returns the call of a webhook's event.
   *
   * @throws {NotACallError} `skipped` for events during a call.
   */
  readonly callOf: (event: JsonObject) => JsonObject;
  /**
   * Reads a call.
   *
   * @throws {NotACallError} `skipped` for a call that is not over.
   */
  readonly read: (record: JsonObject, place: RecordPlace) => RecordedCall;
  /** The calls of a workspace; `null` if the platform does not list them. */
  readonly list: ((options: CallListOptions) => CallList) | null;
}
