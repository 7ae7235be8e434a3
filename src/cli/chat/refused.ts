import { UsageError } from "../../errors.ts";

/** An error for what cannot be done in a chat: `Cannot undo: there is no turn`. */
export function refused(action: string, state: string, hint: string): UsageError {
  return new UsageError(`Cannot ${action}: ${state}`, { code: "usage", hint });
}
