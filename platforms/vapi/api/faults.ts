import type { Path } from "../../../src/base/errors.ts";
import { nearestKey, quotedList, shorten } from "../../../src/base/values/mod.ts";

/** A setting that Vapi would reject, and its replacement, if any. */
export interface Fault {
  readonly kind: "emulated" | "dropped";
  readonly at: Path;
  readonly message: string;
  readonly instead?: string;
  readonly hint?: string;
  /** Whether the schema has no such key. The published schemas lack keys that the API accepts. */
  readonly isUnknown?: boolean;
  /** The required keys that are missing, or whose values were removed. */
  readonly missing?: readonly string[];
}

/** Keys of a graph or document that contain the keys of an assistant or tool. */
const OWNERS: readonly unknown[] = ["assistant", "assistantOverrides", "membersOverrides", "vapi", "document", "node"];

/** Returns a setting's name within its assistant or tool: `voice.speed`. */
export function named(at: Path): string {
  return at.slice(at.findLastIndex((key) => OWNERS.includes(key)) + 1).join(".");
}

/** Lists the first choices, for a hint. */
export function someOf(known: readonly unknown[]): string {
  return `one of ${quotedList(known.map(String), 12)}`;
}

/** Reports a value that was replaced. */
export function correct(at: Path, what: string, instead: string, faults: Fault[]): void {
  const hint = "Set a value that Vapi accepts if this is not what you meant";
  faults.push({ kind: "emulated", at, message: `Vapi does not accept ${what}`, instead, hint });
}

/** Reports a value that was removed. */
export function refuse(value: unknown, at: Path, wanted: string, faults: Fault[]): undefined {
  const message =
    value === undefined ? `Vapi needs "${named(at)}"` : `Vapi does not accept ${spelt(value)} for "${named(at)}"`;
  faults.push({ kind: "dropped", at, message, hint: `Set ${wanted}` });
}

/** Reports a key that was removed. */
export function refuseKey(at: Path, known: readonly string[], faults: Fault[]): undefined {
  const message = `Vapi does not know "${named(at)}" and rejects unknown keys`;
  const meant = nearestKey(String(at.at(-1)), known);
  const hint = meant === undefined ? "Remove it if Vapi rejects it" : `Did you mean "${meant}"?`;
  faults.push({ kind: "dropped", at, message, instead: "the rest without it", hint, isUnknown: true });
}

/** Reports an object that was removed because it lacks required keys. */
export function refuseWithout(at: Path, missing: readonly string[], faults: Fault[]): undefined {
  const keys = quotedList(missing);
  const message = `Vapi does not accept "${named(at)}" without ${keys}`;
  faults.push({ kind: "dropped", at, message, hint: `Set ${keys}`, missing });
}

function spelt(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value), 60);
}
