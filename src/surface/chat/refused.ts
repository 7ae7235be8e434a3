import { UsageError } from "../../base/errors.ts";

/** The error of an action that a chat cannot do: `Cannot undo: there is no turn`. */
export function refusedAction(action: string, state: string, hint: string): UsageError {
  return new UsageError(`Cannot ${action}: ${state}`, { code: "usage", hint });
}
