import { readFile } from "node:fs/promises";
import { type Context, Hono } from "hono";
import * as v from "valibot";
import { isCallweaveError, type Path, StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { groupBy, isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { API_PATH, ROUTES, type Route, SCHEMAS, type StudioRouteName } from "../api/mod.ts";
import { addToAudit, finishAudit } from "../data/mod.ts";
import { type Access, requireRole } from "./access.ts";
import { errorAnswer, unknownThing } from "./answers.ts";
import { findCall, recordingFile } from "./calls/mod.ts";
import { EVENT_HEADERS, type EventLimits, streamEvents, streamReply } from "./event_streams.ts";
import { type ExportedFile, exportCall, exportComparison, exportExamples, exportRun } from "./exports/mod.ts";
import { HANDLERS, type PlainRoute } from "./handlers.ts";
import type { PageFiles } from "./page_files.ts";
import { readBody } from "./read_body.ts";
import type { Person, Studio } from "./studio.ts";

/** What a server's app is made of. */
export interface AppParts {
  readonly studio: Studio;
  readonly access: Access;
  /** Files of the page; `undefined`: only the API is served. */
  readonly page: PageFiles | undefined;
}

const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

/** The page loads nothing from elsewhere, and no text of a call can become a script or a style. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Routes whose requests are not in the audit: what is said in a chat, and reading. */
const NOT_AUDITED: readonly StudioRouteName[] = ["say", "undoChat", "setInChat", "gotoInChat", "endChat"];

/** Creates the app: access, checks of requests, and an answer for each route. */
export function createApp({ studio, access, page }: AppParts): Hono {
  const app = new Hono();
  const limits: EventLimits = { listeners: 0 };
  app.onError((error, context) => failed(studio, error, context));
  app.notFound((context) => {
    const error = unknownThing("route", new URL(context.req.url).pathname, `See GET ${API_PATH}/openapi.json`);
    return failed(studio, error, context);
  });
  app.use("*", async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
    if (!context.res.headers.has("content-security-policy"))
      context.res.headers.set("content-security-policy", DATA_POLICY);
    if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
  });
  app.use("*", async (context, next) => {
    access.check(context.req.raw, context.req.path.startsWith("/api/"));
    await next();
  });
  app.get(`${API_PATH}/session`, async (context) => context.json(await access.sessionOf(context.req.raw)));
  app.post(`${API_PATH}/session`, async (context) => {
    const { token } = checked(SCHEMAS.signIn.body, await readBody(context.req.raw), "body");
    const { answer, cookie } = await access.signIn(token);
    return context.json(answer, 200, { "set-cookie": cookie });
  });
  app.delete(`${API_PATH}/session`, (context) =>
    context.json({ done: true }, 200, { "set-cookie": access.signOut(context.req.raw) }),
  );
  for (const [name, route] of Object.entries(ROUTES)) {
    if (route.path === "/session") continue;
    const known = name as Exclude<StudioRouteName, "session" | "signIn" | "signOut">; // a key of ROUTES
    app.on(route.method, API_PATH + route.path, (context) => answer(known, route, context));
  }
  for (const [path, methods] of methodsByPath())
    app.all(API_PATH + path, (context) => {
      context.header("allow", methods.join(", "));
      throw new StudioError(`Cannot answer: ${context.req.path.slice(0, 200)} takes no ${context.req.method}`, {
        code: "unknown-method",
        hint: `Send ${methods.join(" or ")}`,
      });
    });
  app.get("*", (context) => {
    const path = context.req.path;
    if (path === API_PATH || path.startsWith("/api/")) return context.notFound();
    const file = page?.get(path);
    if (!file) return context.notFound();
    const headers = { "content-security-policy": PAGE_POLICY, "cache-control": "no-cache", etag: file.tag };
    if (context.req.header("if-none-match") === file.tag) return context.body(null, 304, headers);
    const isZipped = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
    return context.body(isZipped ? file.zipped : file.plain, 200, {
      ...headers,
      "content-type": file.type,
      vary: "accept-encoding",
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    });
  });
  return app;

  async function answer(
    name: Exclude<StudioRouteName, "session" | "signIn" | "signOut">,
    route: Route,
    context: Context,
  ): Promise<Response> {
    const request = context.req.raw;
    const changes = route.method !== "GET";
    const who =
      route.role === null ? NOBODY : requireRole(await access.personOf(request), route.role, { changes, request });
    // the answer to HEAD is an empty body, which would never end here
    if (name === "events" && request.method === "HEAD") return new Response(null, { headers: EVENT_HEADERS });
    const query = checked(SCHEMAS[name].query, Object.fromEntries(new URL(request.url).searchParams), "query");
    const body = checked(SCHEMAS[name].body, route.method === "POST" ? await readBody(request) : {}, "body");
    const params = context.req.param();
    if (Object.values(params).some((value) => value.length > 500))
      throw new StudioError("Cannot answer: a part of the address is too long", {
        code: "invalid-request",
        hint: "Use the ids of other answers",
      });
    const work = async (note: (detail: JsonObject) => void): Promise<Response> => {
      const given = { studio, who, params, query, body, signal: request.signal, note };
      switch (name) {
        case "events":
          return await streamEvents(studio, request, limits);
        case "say":
          return await streamReply(studio, request, { chat: params.chat ?? "", who, body });
        case "recording":
          return await recording(params.call ?? "");
        case "exportRun":
          return fileAnswer(await exportRun(studio, params.file ?? "", request.signal));
        case "exportCall":
          return fileAnswer(await exportCall(studio, params.file ?? ""));
        case "exportComparison":
          return fileAnswer(
            await exportComparison(
              studio,
              params.file ?? "",
              new URL(request.url).searchParams.get("with") ?? "",
              request.signal,
            ),
          );
        case "exportExamples":
          return fileAnswer(
            exportExamples(studio, params.file ?? "", new URL(request.url).searchParams, request.signal),
          );
        default:
          return context.json(await handlerOf(name)(given));
      }
    };
    if (!changes || NOT_AUDITED.includes(name)) return await work(() => {});
    return await audited({ name, who, params, body }, work);
  }

  /** Writes into the audit what begins, and then how it ended. */
  async function audited(
    deed: { readonly name: StudioRouteName; readonly who: Person; readonly params: JsonObject; readonly body: unknown },
    work: (note: (detail: JsonObject) => void) => Promise<Response>,
  ): Promise<Response> {
    const { name, who, params, body } = deed;
    const [target = null] = Object.values(params).map(String);
    const detail = isRecord(body) ? shortened(body) : {};
    const entry = await addToAudit(studio.data, { by: who.name, role: who.role, action: name, target, detail });
    let noted: JsonObject = {};
    try {
      const response = await work((more) => {
        noted = { ...noted, ...more };
      });
      await finishAudit(studio.data, entry, { ...noted, outcome: "done" });
      return response;
    } catch (error) {
      const outcome = isCallweaveError(error) ? error.code : "internal";
      await finishAudit(studio.data, entry, { ...noted, outcome }).catch(studio.onError);
      throw error;
    }
  }

  async function recording(id: string): Promise<Response> {
    const result = await findCall(studio, id);
    const named = result.connection?.recordingUrl ?? result.provenance?.facts?.recording_url;
    const file = typeof named === "string" ? recordingFile(studio, named) : undefined;
    if (file === undefined) throw unknownThing("recording", id, "The call has no recording in the project's folder");
    return new Response(new Uint8Array(await readFile(file)), { headers: { "content-type": "audio/wav" } });
  }
}

/** The methods of each path of the API, as the header `allow` names them. */
function methodsByPath(): ReadonlyMap<string, readonly string[]> {
  // those without parameters first: /labels/agreement is not a label
  const sorted = Object.values(ROUTES).toSorted((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")));
  const all = groupBy(sorted, ({ path }: Route) => path);
  const own = (method: Route["method"]) => (method === "GET" ? ["GET", "HEAD"] : [method]);
  return new Map([...all].map(([path, routes]) => [path, routes.flatMap(({ method }) => own(method))]));
}

const NOBODY: Person = { name: "", role: "viewer" };

type AnyHandler = (request: {
  readonly studio: Studio;
  readonly who: Person;
  readonly params: { readonly [name: string]: string };
  readonly query: never;
  readonly body: never;
  readonly signal: AbortSignal;
  readonly note: (detail: JsonObject) => void;
}) => Promise<object>;

/** The handler of a route. Its query and body were checked by the route's own schemas, which the compiler cannot relate. */
function handlerOf(name: PlainRoute) {
  return HANDLERS[name] as AnyHandler as (request: object) => Promise<object>; // see above
}

function failed({ onError }: Studio, error: unknown, context: Context): Response {
  const { status, body } = errorAnswer(error);
  if (status === 500) onError(error);
  return context.json(body, status);
}

function fileAnswer({ name, type, body }: ExportedFile): Response {
  return new Response(body, {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  });
}

/** Checks a part of a request. */
function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  part: "query" | "body",
): v.InferOutput<Schema> {
  // a name that is spelt wrong would be left out without a word, and with it the filter or the setting
  const known = entriesOf(optionsOf(schema).find((option) => v.safeParse(option, value).success) ?? schema);
  const unknown = known && isRecord(value) ? Object.keys(value).find((name) => !Object.hasOwn(known, name)) : undefined;
  if (unknown !== undefined)
    throw new StudioError(`Cannot answer: the ${part} has "${unknown.slice(0, 200)}", which it does not take here`, {
      code: "invalid-request",
      path: [unknown],
      hint: `Leave it out; GET ${API_PATH}/openapi.json has the schema`,
    });
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path: Path = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  const place = path.length === 0 ? `the ${part}` : `"${path.join(".").slice(0, 200)}"`;
  throw new StudioError(`Cannot answer: ${place} should be ${issue.expected ?? "another value"}`, {
    code: "invalid-request",
    path,
    hint: `Change ${place}; GET ${API_PATH}/openapi.json has its schema`,
  });
}

/** The schemas of which one is to fit: of a choice of objects, each. */
function optionsOf(schema: v.GenericSchema): readonly v.GenericSchema[] {
  const options: readonly unknown[] = "options" in schema && Array.isArray(schema.options) ? schema.options : [];
  return options.filter((each): each is v.GenericSchema => isRecord(each) && each.kind === "schema");
}

function entriesOf(schema: v.GenericSchema) {
  return "entries" in schema && isRecord(schema.entries) ? schema.entries : undefined;
}

const MOST_DETAIL = 2_000;

/** The body of a request for the audit, without secrets; long texts are cut. */
function shortened(given: JsonObject): JsonObject {
  const body = createRedactor().value(given);
  const text = JSON.stringify(body);
  return text.length <= MOST_DETAIL ? body : { cut: text.slice(0, MOST_DETAIL) };
}
