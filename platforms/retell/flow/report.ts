import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import type { Finding } from "../../platform.ts";

/** Adds a finding at a place; all of Retell's known refusals are errors unless they say otherwise. */
export type Report = (code: string, path: Path, message: string, hint: string, severity?: Finding["severity"]) => void;

/** A list of objects, whatever was there. */
export function records(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Whether something is there at all. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
