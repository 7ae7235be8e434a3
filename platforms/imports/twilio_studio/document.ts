import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, recordAt, records } from "../../../src/base/values/mod.ts";
import type { Target } from "../shared/mod.ts";

/** A widget of a flow. */
export interface Widget {
  readonly name: string;
  readonly type: string;
  readonly path: Path;
  readonly properties: JsonObject;
  readonly exits: readonly Exit[];
}

/** A transition of a widget: what happens, and where the flow then goes. */
export interface Exit {
  readonly event: string;
  /** `undefined` where the flow ends. */
  readonly next: Target;
  readonly path: Path;
  readonly conditions: readonly JsonObject[];
}

/** Path to the flow in a document: the API of Twilio answers with the flow under `definition`. */
export function rootOf(document: unknown): readonly string[] | undefined {
  if (isFlow(document)) return [];
  return isRecord(document) && isFlow(document.definition) ? ["definition"] : undefined;
}

const isFlow = (value: unknown): boolean =>
  isRecord(value) && typeof value.initial_state === "string" && Array.isArray(value.states);

/** Reads one state of a flow; `undefined` for a value that is none. */
export function readWidget(state: unknown, path: Path): Widget | undefined {
  if (!isRecord(state) || typeof state.name !== "string") return undefined;
  const list: readonly unknown[] = Array.isArray(state.transitions) ? state.transitions : [];
  return {
    name: state.name,
    type: typeof state.type === "string" ? state.type : "",
    path,
    properties: recordAt(state, "properties"),
    exits: list.flatMap((each, index) => (isRecord(each) ? [readExit(each, [...path, "transitions", index])] : [])),
  };
}

function readExit({ event, next, conditions }: JsonObject, path: Path): Exit {
  return {
    event: typeof event === "string" ? event : "",
    next: typeof next === "string" && next !== "" ? next : undefined,
    path,
    conditions: records(conditions),
  };
}
