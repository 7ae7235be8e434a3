import { isTextMap, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import type { RequestPart, RequestWriter } from "../../facts.ts";
import { headersPart, methodPart, timeoutPart } from "../../request_parts.ts";

/** Keys of a destination. */
export const DESTINATION_KEYS: readonly string[] = ["type", "number", "sipUri", "extension"];

/** Reads a destination: `number` and `sipUri` are the words of every platform. */
export function readDestination({ type, phone_number: phone, sip_uri: sip, ...rest }: JsonObject): JsonObject {
  const isVariable = typeof type === "string" && type.endsWith("_dynamic_variable");
  const textOf = (value: string) => (isVariable && !value.includes("{{") ? `{{${value}}}` : value);
  const number = typeof phone === "string" ? { number: textOf(phone) } : {};
  return { ...rest, type, ...number, ...(typeof sip === "string" ? { sipUri: textOf(sip) } : {}) };
}

/** Writes a destination: the inverse of {@link readDestination}. */
export function writeDestination({ number, sipUri, ...rest }: JsonObject): JsonObject {
  const to = String(sipUri ?? number ?? "");
  const kind = sipUri !== undefined || /^sips?:/.test(to) ? "sip_uri" : "phone";
  const [, name] = /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(to) ?? [];
  const type = name === undefined ? kind : `${kind}_dynamic_variable`;
  return { ...omit(rest, ["type", "extension"]), type, [kind === "phone" ? "phone_number" : kind]: name ?? to };
}

/** Digits after the call is answered, for an extension. */
export function digitsOf({ extension }: JsonObject): JsonObject {
  const isDigits = typeof extension === "string" && /^[0-9*#wW]+$/.test(extension);
  return isDigits ? { post_dial_digits: { type: "static", value: extension } } : {};
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** How a webhook tool has the parts of a request. Its time limit is 5 to 300 seconds. */
export const REQUEST: RequestWriter = {
  method: (method) => (METHODS.includes(method) ? { method } : undefined),
  timeoutMs: (milliseconds) => {
    const isWritten = milliseconds >= 5_000 && milliseconds <= 300_000 && milliseconds % 1_000 === 0;
    return isWritten ? { response_timeout_secs: milliseconds / 1_000 } : undefined;
  },
  headers: (headers) => ({ request_headers: headers }),
};

/** The request in the settings of a webhook tool. Headers that name a stored secret belong to the workspace. */
export function readRequest({ response_timeout_secs: seconds, ...settings }: JsonObject): readonly RequestPart[] {
  const { method, request_headers: headers } = recordAt(settings, "api_schema");
  return [
    ...methodPart("method", method),
    ...timeoutPart("response_timeout_secs", typeof seconds === "number" ? seconds * 1_000 : undefined),
    ...(isTextMap(headers) ? headersPart("request_headers", headers) : []),
  ];
}
