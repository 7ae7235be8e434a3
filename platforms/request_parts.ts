import { isTextMap } from "../src/base/values/mod.ts";
import type { RequestPart } from "./facts.ts";

/** The method of a request, if a setting has one. */
export function methodPart(setting: string, method: unknown): readonly RequestPart[] {
  return typeof method === "string" ? [{ setting, kind: "method", value: method.toUpperCase() }] : [];
}

/** The time limit of a request, if a setting has one in milliseconds. */
export function timeoutPart(setting: string, milliseconds: unknown): readonly RequestPart[] {
  return typeof milliseconds === "number" ? [{ setting, kind: "timeoutMs", value: milliseconds }] : [];
}

/** The headers of a request, if a setting has some and all are texts. */
export function headersPart(setting: string, headers: unknown): readonly RequestPart[] {
  const isFilled = isTextMap(headers) && Object.keys(headers).length > 0;
  return isFilled ? [{ setting, kind: "headers", value: headers }] : [];
}
