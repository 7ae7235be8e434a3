import { isRecord, type JsonObject, omit, records } from "../../../src/base/values/mod.ts";

/** Occurs in every wrong answer with content: nothing of it may be stored. */
export const WRONG = "WRONG";

/** The right answer to a request. */
export interface RightAnswer {
  readonly status: number;
  /** Empty for an answer without a body. */
  readonly text: string;
  readonly value: unknown;
  /** Lets the time limit of the request pass. */
  readonly expire: () => void;
}

/** A way in which an answer is wrong. */
export interface WrongKind {
  readonly name: string;
  /** Whether the platform handles the request before the wrong answer is sent. */
  readonly isHandled: boolean;
  /** Absent: the right answer has nothing that could be wrong in this way. */
  readonly answer: (right: RightAnswer) => Response | Error | undefined;
}

const fixed = (name: string, body: BodyInit | null, init: ResponseInit = {}): WrongKind => ({
  name,
  isHandled: false,
  answer: () => new Response(body, { status: 200, ...init }),
});

/** The right answer with a change to each object that has an id: itself, or the items of a list. */
const changed = (name: string, change: (item: JsonObject, key: string) => JsonObject, isSingle = false): WrongKind => ({
  name,
  isHandled: true,
  answer: ({ value, status }) => {
    const wrong = Array.isArray(value)
      ? value.map((item) => (isRecord(item) ? changedItem(item, change) : item))
      : isRecord(value) && Array.isArray(value.items)
        ? { ...value, items: records(value.items).map((item) => changedItem(item, change)) }
        : isRecord(value)
          ? changedItem(value, change)
          : value;
    const isList = Array.isArray(value) || (isRecord(value) && Array.isArray(value.items));
    if (isSingle && isList) return undefined;
    const text = JSON.stringify(wrong);
    return text === undefined || text === JSON.stringify(value) ? undefined : new Response(text, { status });
  },
});

const IDS = ["call_id", "pathway_id", "agent_id", "conversation_flow_id", "llm_id", "phone_number", "id"];

function changedItem(item: JsonObject, change: (item: JsonObject, key: string) => JsonObject): JsonObject {
  const key = IDS.find((each) => Object.hasOwn(item, each));
  return key === undefined ? item : change(item, key);
}

const withId = (name: string, id: unknown) =>
  // some ids are numbers
  changed(`id: ${name}`, (item, key) =>
    typeof id === "number" && typeof item[key] === "number" ? item : { ...item, [key]: id },
  );

const ofText = (name: string, change: (text: string) => string): WrongKind => ({
  name,
  isHandled: true,
  answer: ({ text, status }) => {
    const wrong = text === "" ? text : change(text);
    return wrong === text ? undefined : new Response(wrong, { status });
  },
});

/** A body whose next part comes when it is asked for. */
function streamed(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

/** A page of a list with another content; not for answers that are no pages. */
const ofPage = (name: string, change: (page: JsonObject) => JsonObject): WrongKind => ({
  name,
  isHandled: true,
  answer: ({ value }) =>
    isRecord(value) && Array.isArray(value.items) ? new Response(JSON.stringify(change(value))) : undefined,
});

let pages = 0;

/** Ways in which the answer to any request of a platform can be wrong. */
export const WRONG_KINDS: readonly WrongKind[] = [
  fixed("empty", ""),
  fixed("white space", " \n"),
  fixed("null", "null"),
  fixed("true", "true"),
  fixed("number", "42"),
  fixed("text in quotes", `"${WRONG}"`),
  {
    name: "empty list",
    isHandled: true,
    answer: ({ value }) => (Array.isArray(value) ? undefined : new Response("[]")),
  },
  fixed("empty object", "{}"),
  fixed("list of null", "[null]"),
  fixed("list of lists", "[[]]"),
  fixed("list of empty objects", "[{}]"),
  fixed("HTML", `<html><body>${WRONG}</body></html>`, { headers: { "content-type": "text/html" } }),
  fixed("plain text", WRONG),
  fixed("XML", `<?xml version="1.0"?><error>${WRONG}</error>`),
  fixed("an error with status 200", JSON.stringify({ error: WRONG, statusCode: 500 })),
  fixed("a message with status 200", JSON.stringify({ status: "error", message: WRONG })),
  fixed("not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  fixed("zero bytes", "\0\0\0\0"),
  fixed("control characters", `\u001b[31m${WRONG}\u001b[2J`),
  fixed("too deep", `${"[".repeat(50_000)}${"]".repeat(50_000)}`),
  fixed("too deep object", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`),
  fixed("two documents", `{"id":"${WRONG}"}{"id":"${WRONG}"}`),
  fixed("no JSON numbers", '{"version":NaN}'),
  fixed("no content", null, { status: 204 }),
  fixed("redirect", null, { status: 302, headers: { location: `https://${WRONG}.example.com/` } }),
  fixed("redirect that keeps the method", null, { status: 307, headers: { location: "http://127.0.0.1:9/" } }),
  fixed("page of another server", `<h1>404 ${WRONG}</h1>`, { status: 404 }),
  fixed("empty 404", "", { status: 404 }),
  fixed("rejected key", JSON.stringify({ message: WRONG }), { status: 401 }),
  fixed("message of the wrong type", JSON.stringify({ message: [[[WRONG]]] }), { status: 400 }),
  fixed("busy for years", JSON.stringify({ message: WRONG }), { status: 429, headers: { "retry-after": "999999999" } }),
  fixed("unavailable", `<h1>${WRONG}</h1>`, { status: 503 }),
  { name: "broken connection", isHandled: false, answer: () => new TypeError("fetch failed") },
  {
    name: "broken body",
    isHandled: true,
    answer: () => new Response(streamed((controller) => controller.error(new TypeError("terminated")))),
  },
  {
    name: "endless body",
    isHandled: true,
    answer: () => new Response(streamed((controller) => controller.enqueue(new Uint8Array(4 * 2 ** 20).fill(0x20)))),
  },
  {
    name: "body that stops",
    isHandled: true,
    answer: ({ expire }) =>
      new Response(
        streamed((controller) => {
          controller.enqueue(new Uint8Array([0x7b]));
          expire();
        }),
      ),
  },
  ofText("truncated", (text) => text.slice(0, Math.ceil(text.length / 2))),
  ofText("with something behind it", (text) => `${text}${WRONG}`),
  ofText("in a list", (text) => `[[${text}]]`),
  ofText("in an envelope", (text) => `{"data":${text}}`),
  ofText("with a key twice", (text) =>
    text.replace("{", `{"${WRONG}":1,"${WRONG}":2${text.startsWith("{}") ? "" : ","}`),
  ),
  withId("a path", `../../../${WRONG}`),
  withId("a number", 5),
  withId("empty", ""),
  withId("null", null),
  withId("a list", [WRONG]),
  withId("with a slash", `${WRONG}/x`),
  withId("with a control character", `${WRONG}\u0007`),
  withId("with blanks", ` ${WRONG} `),
  withId("too long", WRONG.repeat(1000)),
  withId("of a prototype", "../__proto__"),
  changed("no id", (item, key) => omit(item, [key])),
  changed("another's id", (item, key) => ({ ...item, [key]: key === "phone_number" ? "+19990000000" : WRONG }), true),
  changed(
    "a key of the prototype",
    (item) => JSON.parse(`{"__proto__":{"x":"${WRONG}"},${JSON.stringify(item).slice(1)}`),
    true,
  ),
  changed("numbers instead of values", (item, key) => ({
    ...Object.fromEntries(Object.keys(item).map((each) => [each, 7])),
    [key]: item[key],
  })),
  ofPage("page with something else", (page) => ({ ...page, items: [...records(page.items), { x: WRONG }] })),
  ofPage("page that does not say where the next one is", (page) => ({
    ...page,
    has_more: true,
    pagination_key: undefined,
  })),
  ofPage("page that repeats itself", (page) => ({ ...page, has_more: true, pagination_key: WRONG })),
  ofPage("pages without end", () => ({ items: [], has_more: true, pagination_key: `${WRONG}${pages++}` })),
];
