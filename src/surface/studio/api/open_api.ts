import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { ErrorAnswer } from "./parts.ts";
import { API_PATH, KEY_HEADER, ROUTES, type Route, type StudioRouteName } from "./routes.ts";
import { type RouteSchemas, SCHEMAS } from "./schemas.ts";

/** The API as an OpenAPI 3.1 document, made of the schemas that the server checks requests with. */
export function openApi(version: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const [name, route] of Object.entries(ROUTES)) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    const operations = paths[path] ?? {};
    operations[route.method.toLowerCase()] = operationOf(name, route, SCHEMAS[name as StudioRouteName]); // a key of ROUTES
    paths[path] = operations;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Callweave studio",
      version,
      description: "Agents, runs, calls and labels of a project. Lists have pages: `nextCursor` is the next `cursor`.",
    },
    servers: [{ url: API_PATH }],
    security: [{ token: [] }, { session: [], key: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A token of `callweave studio token create`" },
        session: { type: "apiKey", in: "cookie", name: "callweave_session", description: "Set by signIn" },
        key: { type: "apiKey", in: "header", name: KEY_HEADER, description: "For requests that change something" },
      },
      schemas: { Error: jsonSchema(ErrorAnswer) },
    },
  };
}

const MOST_PATH = 500;

function operationOf(name: string, route: Route, { query, body, answer }: RouteSchemas): JsonObject {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1, maxLength: MOST_PATH },
  }));
  const { properties = {}, required = [] } = jsonSchema(query);
  const inQuery = Object.entries(properties).map(([parameter, schema]) => ({
    name: parameter,
    in: "query",
    required: required.includes(parameter),
    schema: givenSchema(schema),
  }));
  const header =
    name === "events"
      ? [{ name: "last-event-id", in: "header", required: false, schema: { type: "string", pattern: "^\\d{1,15}$" } }]
      : [];
  const takesBody = route.method === "POST";
  return {
    operationId: name,
    summary: route.summary,
    ...(route.role === null ? { security: [] } : {}),
    "x-role": route.role,
    parameters: [...inPath, ...inQuery, ...header],
    ...(takesBody ? { requestBody: bodyOf(body) } : {}),
    responses: {
      200: { description: "OK", ...contentOf(name, route, answer) },
      default: {
        description: "An error",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

/** A body may be left out where nothing in it is needed. Names that the schema lacks are refused. */
function bodyOf(body: v.GenericSchema): JsonObject {
  // a request without a body is one with an empty object
  return {
    required: !v.safeParse(body, {}).success,
    content: { "application/json": { schema: closed(jsonSchema(body)) } },
  };
}

/** An object with no other names; of several objects, each. */
function closed(schema: JsonSchema): JsonSchema {
  const { anyOf: some } = schema;
  if (!some) return { ...schema, additionalProperties: false };
  return { ...schema, anyOf: some.map((each) => (typeof each === "boolean" ? each : closed(each))) };
}

function contentOf(name: string, route: Route, answer: v.GenericSchema): JsonObject {
  if (route.gives === "json") return { content: { "application/json": { schema: jsonSchema(answer) } } };
  if (route.gives === "events") return { content: { "text/event-stream": { schema: sentEvent(answer) } } };
  const types = name === "recording" ? ["audio/wav"] : ["text/html", "text/csv", "application/jsonl"];
  return { content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])) };
}

/** The schema of a server-sent event, whose data is JSON. */
function sentEvent(answer: v.GenericSchema): JsonObject {
  const data = { type: "string", contentMediaType: "application/json", contentSchema: jsonSchema(answer) };
  return { type: "object", properties: { id: { type: "string" }, data }, required: ["data"] };
}

/** The schema of a query's value: what its metadata says, where a text stands for a number. */
function givenSchema(schema: unknown): unknown {
  if (!isRecord(schema) || !isRecord(schema.jsonSchema)) return schema;
  return { ...schema.jsonSchema, ...(schema.default === undefined ? {} : { default: schema.default }) };
}

function jsonSchema(schema: v.GenericSchema): JsonSchema & { readonly required?: string[] } {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode: "input",
    errorMode: "ignore",
    // metadata beside the schema: {@link givenSchema} takes it
    overrideAction: ({ valibotAction, jsonSchema: made }) =>
      valibotAction.type === "metadata" && "metadata" in valibotAction && isRecord(valibotAction.metadata)
        ? { ...made, ...valibotAction.metadata }
        : made,
  });
  return rest;
}
