import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { VapiKind } from "./rules.ts";

/** Defaults that the platform adds. */
const DEFAULTS: { readonly [kind in VapiKind]: JsonObject } = {
  assistant: { isServerUrlSecretSet: false },
  squad: {},
  tool: {},
  "phone-number": { status: "active" },
};

const SERVER = { timeoutSeconds: 20, staticIpAddressesEnabled: false };

/** A resource with the defaults that the platform adds, also to its tools and servers. */
export function withDefaults(kind: VapiKind, body: JsonObject): JsonObject {
  const own = kind === "tool" ? toolDefaults(body) : body;
  return { ...DEFAULTS[kind], ...inner(own) };
}

function inner(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, defaulted(key, value)]));
}

function defaulted(key: string, value: unknown): unknown {
  if (key === "tools" || key === "tools:append")
    return Array.isArray(value) ? value.map((tool) => (isRecord(tool) ? inner(toolDefaults(tool)) : tool)) : value;
  if (Array.isArray(value)) return value.map((item) => defaulted("", item));
  if (!isRecord(value)) return value;
  return key === "server" && typeof value.url === "string" ? { ...SERVER, ...inner(value) } : inner(value);
}

function toolDefaults(tool: JsonObject): JsonObject {
  return tool.type === "function" || tool.type === "handoff" ? { async: false, ...tool } : tool;
}
