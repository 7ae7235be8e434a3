import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import {
  type LocalAnswer,
  type LocalOptions,
  type LocalPlatform,
  type LocalRequest,
  RateLimit,
  Refusal,
  randomDigits,
  shuffleKeys,
  withDefaultOptions,
} from "../../serving/mod.ts";
import { vapiRefusals } from "../api/mod.ts";
import { VAPI_SERVER_KEYS } from "../traits/mod.ts";

const KINDS: readonly VapiKind[] = ["assistant", "squad", "tool", "phone-number"];

interface Stored {
  readonly id: string;
  readonly kind: VapiKind;
  readonly org: string;
  readonly created: number;
  body: JsonObject;
  updated: number;
  version: number;
}

const SERVER = { timeoutSeconds: 20, staticIpAddressesEnabled: false };

/** Defaults that the platform adds. */
const DEFAULTS: { readonly [kind in VapiKind]: JsonObject } = {
  assistant: { isServerUrlSecretSet: false },
  squad: {},
  tool: {},
  "phone-number": { status: "active" },
};

/** The settable keys of a phone number of any provider. */
const NUMBER_KEYS = [
  ...["provider", "name", "number", "numberDesiredAreaCode", "sipUri", "authentication", "credentialId"],
  ...["assistantId", "squadId", "workflowId", "server", "hooks", "fallbackDestination"],
  ...["twilioAccountSid", "twilioAuthToken", "twilioApiKey", "twilioApiSecret", "smsEnabled", "numberE164CheckEnabled"],
];

/**
 * A fake of Vapi's API: a change replaces whole top-level keys, `null` removes one, what its published
 * document does not allow is rejected, secrets are never returned, and resources in use cannot be deleted.
 */
export class LocalVapi implements LocalPlatform {
  readonly #options: Required<LocalOptions>;
  readonly #limit: RateLimit;
  readonly #stored = new Map<string, Stored>();

  constructor(options: LocalOptions) {
    this.#options = withDefaultOptions(options);
    const { now, requestsPerSecond, stored } = this.#options;
    this.#limit = new RateLimit(requestsPerSecond, now);
    for (const { kind: name, id, workspace: org, body } of stored) {
      const kind = KINDS.find((each) => each === name);
      if (!kind) throw new TypeError(`Vapi has no resources of kind "${name}"`);
      this.#stored.set(id, { id, kind, org, created: now(), updated: now(), version: 1, body });
    }
  }

  answer(request: LocalRequest): LocalAnswer {
    const { keys, random } = this.#options;
    try {
      const org = Object.hasOwn(keys, request.key) ? keys[request.key] : undefined;
      if (org === undefined)
        throw new Refusal(401, "Invalid Key. Hot tip, you may be using the public key instead of the private key");
      const tooMany = this.#limit.refuse(org);
      if (tooMany) return tooMany;
      const answer = this.#route(request, org);
      return { ...answer, body: shuffleKeys(answer.body, random) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message } = error;
      return { status, body: { message: status === 400 ? message.split("\n") : message, statusCode: status } };
    }
  }

  #route({ method, path, query, body }: LocalRequest, org: string): LocalAnswer {
    if (method === "GET" && path === "/credential") return { status: 200, body: this.#credentials(org) };
    const [, name = "", id = ""] = /^\/([a-z-]+)(?:\/(.+))?$/.exec(path) ?? [];
    const kind = KINDS.find((each) => each === name);
    if (!kind) throw new Refusal(404, `Cannot ${method} ${path}`);
    if (id === "") {
      if (method === "POST") return { status: 201, body: this.#create(kind, body, org) };
      if (method === "GET") return { status: 200, body: this.#list(kind, query, org) };
      throw new Refusal(404, `Cannot ${method} ${path}`);
    }
    const stored = this.#find(kind, id, org);
    if (method === "GET") return { status: 200, body: this.#shown(stored) };
    if (method === "PATCH") return { status: 200, body: this.#update(stored, body) };
    if (method === "DELETE") return { status: 200, body: this.#delete(stored) };
    throw new Refusal(404, `Cannot ${method} ${path}`);
  }

  #find(kind: VapiKind, id: string, org: string): Stored {
    const stored = this.#stored.get(id);
    if (stored?.kind === kind && stored.org === org) return stored;
    throw new Refusal(404, `Couldn't find ${kind}. Did you mean to use another key?`);
  }

  #create(kind: VapiKind, sent: JsonObject, org: string): JsonObject {
    const body = withoutNulls(sent);
    this.#check(kind, body, org, Object.keys(sent));
    const now = this.#options.now();
    const stored = { id: this.#uuid(), kind, org, created: now, updated: now, version: 1, body };
    this.#stored.set(stored.id, stored);
    return this.#shown(stored);
  }

  #update(stored: Stored, change: JsonObject): JsonObject {
    if (stored.kind === "tool" && change.type !== undefined) throw new Refusal(400, "property type should not exist");
    const body = withoutNulls({ ...stored.body, ...change });
    this.#check(stored.kind, body, stored.org, Object.keys(change));
    const isSame = JSON.stringify(body) === JSON.stringify(stored.body);
    const version = isSame ? stored.version : stored.version + 1;
    Object.assign(stored, { body, updated: this.#options.now(), version });
    return this.#shown(stored);
  }

  #check(kind: VapiKind, body: JsonObject, org: string, sent: readonly string[]): void {
    const faults = vapiFaults(kind, body, sent, this.#options.strictSchema);
    if (faults.length > 0) throw new Refusal(400, faults.join("\n"));
    for (const [target, id] of namedIn(kind, body)) {
      const found = this.#stored.get(id);
      if (found?.kind !== target || found.org !== org) throw new Refusal(400, `${target} ${id} does not exist`);
    }
  }

  #delete(stored: Stored): JsonObject {
    const isUsed = [...this.#stored.values()].some(
      ({ id, body }) => id !== stored.id && JSON.stringify(body).includes(JSON.stringify(stored.id)),
    );
    if (isUsed) throw new Refusal(409, `${stored.kind}_pinned`);
    this.#stored.delete(stored.id);
    return this.#shown(stored);
  }

  /** Newest first, at most `limit`; there is no paging, only a filter for older ones. */
  #list(kind: VapiKind, query: URLSearchParams, org: string): readonly JsonObject[] {
    const limit = Math.min(Number(query.get("limit") ?? 100), this.#options.maxPage);
    const [below, most] = ["createdAtLt", "createdAtLe"].map((key) => Date.parse(query.get(key) ?? ""));
    return [...this.#stored.values()]
      .filter((each) => each.kind === kind && each.org === org)
      .filter(({ created }) => !(created >= (below ?? Number.NaN)) && !(created > (most ?? Number.NaN)))
      .sort((a, b) => b.created - a.created)
      .slice(0, limit)
      .map((stored) => this.#shown(stored));
  }

  /** The credentials of the organisation, without their keys; a local one has those that its resources name. */
  #credentials(org: string): readonly JsonObject[] {
    const bodies = [...this.#stored.values()].filter((each) => each.org === org).map(({ body }) => body);
    return [...new Set(bodies.flatMap(credentialsIn))].map((id) => {
      const at = new Date(this.#options.now()).toISOString();
      return { id, orgId: org, provider: "custom-credential", name: id, createdAt: at, updatedAt: at };
    });
  }

  #shown({ id, kind, org, created, updated, version, body }: Stored): JsonObject {
    return {
      ...withDefaults(kind, withoutSecrets(body)),
      id,
      orgId: org,
      createdAt: new Date(created).toISOString(),
      updatedAt: new Date(updated).toISOString(),
      ...(kind === "assistant" ? { latestVersion: `v${version}` } : {}),
    };
  }

  #uuid(): string {
    const digits = randomDigits(this.#options, 32);
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
  }
}

/** The ids of credentials that a value names, at any depth. */
function credentialsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(credentialsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, own]) => {
    if (key === "credentialId") return typeof own === "string" ? [own] : [];
    if (key === "credentialIds") return Array.isArray(own) ? own.filter((each) => typeof each === "string") : [];
    return credentialsIn(own);
  });
}

function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The resources that a squad or a number references, which must exist. */
function namedIn(kind: VapiKind, body: JsonObject): readonly (readonly [kind: VapiKind, id: string])[] {
  const members = kind === "squad" && Array.isArray(body.members) ? body.members.filter(isRecord) : [];
  const number = kind === "phone-number" ? body : {};
  return [
    ...[...members, number].map(({ assistantId }) => ["assistant", assistantId] as const),
    ["squad", number.squadId] as const,
  ].flatMap(([target, id]) => (typeof id === "string" ? [[target, id] as const] : []));
}

/** A resource with the defaults that the platform adds, also to its tools and servers. */
function withDefaults(kind: VapiKind, body: JsonObject): JsonObject {
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

/** Kinds of resources of the local Vapi. */
export type VapiKind = "assistant" | "squad" | "tool" | "phone-number";

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
