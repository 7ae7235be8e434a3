import { randomBytes } from "node:crypto";
import { StudioError } from "../../../base/errors.ts";
import { KEY_HEADER, ROLES, type Role, type StudioAnswer } from "../api/mod.ts";
import { findToken, listTokens, type StudioData, type TokenRecord } from "../data/mod.ts";
import type { Person } from "./studio.ts";

/** How a server decides who asks. */
export interface AccessOptions {
  /** Whether people sign in with a token. Without it, everybody on this machine is an editor. */
  readonly needsToken: boolean;
  /** Name of whoever works on this machine. */
  readonly localName: string;
  /** Address that people see, such as `https://studio.example.com`, behind a proxy. */
  readonly origin?: string | undefined;
}

/** Decides who asks, and keeps those who have signed in. */
export interface Access {
  /** Whether the request is for this server and not from another site's page. */
  readonly check: (request: Request, isApi: boolean) => void;
  /** @returns Who asks, by token, cookie or machine; `undefined`: nobody is signed in. */
  readonly personOf: (request: Request) => Promise<Identity | undefined>;
  readonly signIn: (token: string) => Promise<{ readonly answer: StudioAnswer<"session">; readonly cookie: string }>;
  readonly signOut: (request: Request) => string;
  readonly sessionOf: (request: Request) => Promise<StudioAnswer<"session">>;
}

/** Who asks, and the key that a request that changes something has to send; `null`: a token was sent. */
export interface Identity extends Person {
  readonly key: string | null;
}

interface SignedIn {
  readonly token: TokenRecord;
  readonly key: string;
  readonly until: number;
}

const COOKIE = "callweave_session";
const SESSION_MS = 12 * 60 * 60 * 1000;
const MOST_SESSIONS = 1_000;

const newKey = () => randomBytes(32).toString("base64url");

/**
 * Creates the access of a server.
 *
 * @param hosts Names under which it can be reached from this machine, with the port.
 */
export function createAccess(data: StudioData, options: AccessOptions, hosts: () => readonly string[]): Access {
  const { needsToken, localName, origin: ownOrigin } = options;
  const sessions = new Map<string, SignedIn>();
  const localKey = newKey();
  const attributes = `Path=/; HttpOnly; SameSite=Strict${ownOrigin?.startsWith("https:") ? "; Secure" : ""}`;

  return { check, personOf, signIn, signOut, sessionOf };

  function check(request: Request, isApi: boolean): void {
    const host = request.headers.get("host") ?? "";
    // with tokens, another name for this address gains nothing: it has neither a token nor a cookie
    if (!needsToken && !hosts().includes(host.toLowerCase()))
      throw refused("it was asked for under another name", "Open the address that the command printed");
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== ownOrigin && !isSameHost(origin, host))
      throw refused("a page of another site asks", "Open the studio itself");
    const site = request.headers.get("sec-fetch-site");
    // a link of another site may open the page, and not more
    if (isApi && (site === "cross-site" || site === "same-site"))
      throw refused("a page of another site asks", "Open the studio itself");
  }

  async function personOf(request: Request): Promise<Identity | undefined> {
    const authorization = request.headers.get("authorization");
    if (authorization !== null) {
      const [, token = ""] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
      const found = await findToken(data, token);
      return found && { name: found.name, role: found.role, key: null };
    }
    if (!needsToken) return { name: localName, role: "editor", key: localKey };
    const id = cookieIn(request);
    const session = sessions.get(id);
    if (!session) return undefined;
    const current = (await listTokens(data)).find(({ name }) => name === session.token.name);
    if (session.until > Date.now() && current?.createdAt === session.token.createdAt)
      return { name: current.name, role: current.role, key: session.key };
    sessions.delete(id);
    return undefined;
  }

  async function signIn(token: string) {
    const found = await findToken(data, token);
    if (!found)
      throw new StudioError("Cannot sign in: nobody has this token", {
        code: "not-signed-in",
        hint: "Copy the token again; callweave studio token create makes one",
      });
    const [id, key] = [newKey(), newKey()];
    sessions.set(id, { token: found, key, until: Date.now() + SESSION_MS });
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    const { name, role } = found;
    const cookie = `${COOKIE}=${id}; ${attributes}; Max-Age=${SESSION_MS / 1000}`;
    return { answer: { role, name, key, needsToken }, cookie };
  }

  function signOut(request: Request): string {
    sessions.delete(cookieIn(request));
    return `${COOKIE}=; ${attributes}; Max-Age=0`;
  }

  async function sessionOf(request: Request): Promise<StudioAnswer<"session">> {
    const who = await personOf(request);
    return { role: who?.role ?? null, name: who?.name ?? null, key: who?.key ?? null, needsToken };
  }
}

/** Refuses a request of somebody whose role is too low, or that another page could have sent. */
export function requireRole(
  who: Identity | undefined,
  role: Role,
  { changes, request }: { readonly changes: boolean; readonly request: Request },
): Person {
  if (!who)
    throw new StudioError("Cannot answer: nobody is signed in", {
      code: "not-signed-in",
      hint: "Sign in, or send a token: authorization: Bearer TOKEN",
    });
  if (ROLES.indexOf(who.role) < ROLES.indexOf(role))
    throw new StudioError(`Cannot do this: it needs the role ${role}, and "${who.name}" is a ${who.role}`, {
      code: "not-allowed",
      hint: `Ask for a token with the role ${role}`,
    });
  if (changes && who.key !== null && request.headers.get(KEY_HEADER) !== who.key)
    throw new StudioError("Cannot do this: the request does not have the session's key", {
      code: "not-allowed",
      hint: `Send the key of GET /api/v1/session as ${KEY_HEADER}, or a token`,
    });
  return { name: who.name, role: who.role };
}

function cookieIn(request: Request): string {
  const found = (request.headers.get("cookie") ?? "")
    .split(";")
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${COOKIE}=`));
  return found?.slice(COOKIE.length + 1) ?? "";
}

function isSameHost(origin: string, host: string): boolean {
  if (host === "" || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return /^https?:$/.test(url.protocol) && url.host === host.toLowerCase();
}

function refused(state: string, hint: string): StudioError {
  return new StudioError(`Cannot answer: ${state}`, { code: "other-origin", hint });
}
