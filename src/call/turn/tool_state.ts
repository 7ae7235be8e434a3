import { EngineError } from "../../base/errors.ts";
import { isRecord, type JsonObject, shown } from "../../base/values/mod.ts";
import type { ToolState } from "../../document/graph/mod.ts";

/** The state of the tools in one call. */
export interface CallToolState {
  readonly value: ToolState;
  /** False once a recorded result has answered: what its tool changed is not known. */
  isKnown: boolean;
}

/** The state with which calls start, or a function that makes it for each call. */
export type ToolStateSource = ToolState | (() => ToolState);

/**
 * Makes the state of a new call. An object is copied, so that calls do not share it; `changes` are laid over it.
 *
 * @throws {EngineError} `callback-return` when a function returns something else than an object.
 */
export function startToolState(source: ToolStateSource | undefined, changes: JsonObject = {}): ToolState {
  const made: unknown = typeof source === "function" ? source() : (source ?? {});
  if (!isRecord(made) || Array.isArray(made)) {
    throw new EngineError(`Cannot start a call: toolState() returned ${shown(made)}`, {
      code: "callback-return",
      path: ["toolState"],
      hint: "Return an object, such as { orders: {} }",
    });
  }
  const state: ToolState = typeof source === "function" ? made : copyToolState(made);
  mergePatch(state, changes);
  return state;
}

/**
 * Copies a state through JSON.
 *
 * @throws {EngineError} `invalid-option` when JSON cannot represent it.
 */
export function copyToolState(state: JsonObject): ToolState {
  try {
    return JSON.parse(JSON.stringify(state));
  } catch (cause) {
    throw new EngineError("Cannot copy the state of tools: JSON cannot represent it", {
      code: "invalid-option",
      path: ["toolState"],
      hint: "Keep texts, numbers, lists and plain objects in it, without circular references",
      cause,
    });
  }
}

/**
 * Changes a state by a JSON merge patch: objects are merged, `null` removes a key, and other values replace.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
export function mergePatch(state: ToolState, changes: JsonObject): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete state[key];
    else if (isRecord(value) && !Array.isArray(value)) {
      const before = Object.hasOwn(state, key) ? state[key] : undefined;
      const inner: ToolState = isRecord(before) && !Array.isArray(before) ? before : {};
      mergePatch(inner, value);
      define(state, key, inner);
    } else define(state, key, typeof value === "object" ? structuredClone(value) : value);
  }
}

/** Sets a key of the object itself, also if it is `__proto__`. */
function define(state: ToolState, key: string, value: unknown): void {
  Object.defineProperty(state, key, { value, enumerable: true, configurable: true, writable: true });
}
