import type { GraphChange } from "../change.ts";
import { type OtherPlace, otherChanges } from "./other_changes.ts";

/** The changes of the platform options of an object. */
export function metadataChanges(before: unknown, after: unknown, place: OtherPlace): readonly GraphChange[] {
  return otherChanges(before ?? {}, after ?? {}, { ...place, kind: "platform-changed" });
}
