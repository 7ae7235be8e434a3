import type { JsonObject } from "../../../src/base/values/mod.ts";
import { vapiRefusals } from "../api/mod.ts";
import { VAPI_SERVER_KEYS } from "../traits/mod.ts";

/** Kinds of resources of the local Vapi. */
export type VapiKind = "assistant" | "squad" | "tool" | "phone-number";

/** The settable keys of a phone number of any provider. */
const NUMBER_KEYS = [
  ...["provider", "name", "number", "numberDesiredAreaCode", "sipUri", "authentication", "credentialId"],
  ...["assistantId", "squadId", "workflowId", "server", "hooks", "fallbackDestination"],
  ...["twilioAccountSid", "twilioAuthToken", "twilioApiKey", "twilioApiSecret", "smsEnabled", "numberE164CheckEnabled"],
];

/**
 * Validates a request like Vapi, with the messages of its API.
 *
 * @param body The whole resource as it would be.
 * @param sent The top-level keys that the request sends; the others were accepted before.
 * @param isStrict Whether to reject keys and choices that the published schemas lack.
 */
export function vapiFaults(
  kind: VapiKind,
  body: JsonObject,
  sent: readonly string[],
  isStrict: boolean,
): readonly string[] {
  const managed = sent.filter((key) => VAPI_SERVER_KEYS.includes(key)).map((key) => `property ${key} should not exist`);
  if (kind === "phone-number") {
    const unknown = sent.filter((key) => !NUMBER_KEYS.includes(key)).map((key) => `property ${key} should not exist`);
    return [...managed, ...unknown, ...(typeof body.provider === "string" ? [] : ["provider must be a string"])];
  }
  const members =
    kind === "squad" && sent.includes("members") && !hasMembers(body) ? ["members should not be empty"] : [];
  const faults = vapiRefusals(kind, body)
    .filter(({ path }) => path.length === 0 || sent.includes(String(path[0])))
    .filter(({ mayPass }) => isStrict || !mayPass)
    .map(({ message }) => message);
  return [...new Set([...managed, ...members, ...faults])];
}

function hasMembers({ members }: JsonObject): boolean {
  return Array.isArray(members) && members.length > 0;
}

/** A value without `server.secret`, which the API accepts, but neither returns nor documents. Metadata is the user's own. */
export function withoutSecrets(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clean(key, item)]));
}

function clean(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => clean("", item));
  if (typeof value !== "object" || value === null || key === "metadata") return value;
  const entries = Object.entries(value).filter(([name]) => !(key === "server" && name === "secret"));
  return Object.fromEntries(entries.map(([name, item]) => [name, clean(name, item)]));
}
