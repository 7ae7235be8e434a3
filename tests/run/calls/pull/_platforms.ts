import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Requests to a local platform. */
export interface Asked {
  readonly path: string;
  readonly body: { readonly [key: string]: unknown };
  readonly query: URLSearchParams;
}

/** A local platform: its URL, its requests, and its responses. */
export interface LocalPlatform extends AsyncDisposable {
  readonly url: string;
  readonly asked: Asked[];
  /** Returns a status in place of the next response. */
  fail: ((asked: Asked) => number | undefined) | undefined;
}

/** Starts a platform on 127.0.0.1 that responds with a function. */
export async function startPlatform(answer: (asked: Asked) => unknown): Promise<LocalPlatform> {
  const asked: Asked[] = [];
  const platform: { fail: LocalPlatform["fail"] } = { fail: undefined };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const body: unknown = text === "" ? {} : JSON.parse(text);
    const each = { path: url.pathname, query: url.searchParams, body: { ...(typeof body === "object" ? body : {}) } };
    asked.push(each);
    const status = platform.fail?.(each) ?? 200;
    response.writeHead(status, { "content-type": "application/json", "retry-after": "7" });
    response.end(JSON.stringify(status === 200 ? answer(each) : { message: `refused with ${status}` }));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    get fail() {
      return platform.fail;
    },
    set fail(fail) {
      platform.fail = fail;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A call of Retell in the form of its API. */
export function retellCall(number: number, at: number, status = "ended") {
  return {
    call_id: `call_${number}`,
    agent_id: "agent_1",
    agent_version: 0,
    call_type: "web_call",
    access_token: "none",
    call_status: status,
    start_timestamp: at,
    end_timestamp: at + 20_000,
    duration_ms: 20_000,
    disconnection_reason: "user_hangup",
    transcript: `Agent: Hello\nUser: Question ${number}\n`,
    transcript_object: [
      { role: "agent", content: "Hello", words: [] },
      { role: "user", content: `Question ${number}`, words: [] },
    ],
  };
}

/** Retell's list, oldest first with a cursor, and its calls by id. */
export function retellAnswers(calls: () => readonly ReturnType<typeof retellCall>[]) {
  return ({ path, body }: Asked): unknown => {
    const id = /^\/v2\/get-call\/(.+)$/.exec(path)?.[1];
    if (id !== undefined) return calls().find(({ call_id }) => call_id === id);
    const { filter_criteria: filter, limit, pagination_key: cursor } = body;
    const [from = 0, to = 0] =
      JSON.stringify(filter)
        .match(/\[(\d+),(\d+)\]/)
        ?.slice(1)
        .map(Number) ?? [];
    const found = calls().filter(({ start_timestamp: at }) => at >= from && at <= to);
    const start = cursor === undefined ? 0 : Number(cursor);
    const end = start + Number(limit);
    const items = found.slice(start, end).map(({ transcript, transcript_object, ...listed }) => listed);
    const hasMore = end < found.length;
    return { items, has_more: hasMore, ...(hasMore ? { pagination_key: String(end) } : {}) };
  };
}

/** A call of Vapi in the form of its list. */
export function vapiCall(number: number, at: number, status = "ended") {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    orgId: "org",
    type: "webCall",
    status,
    assistantId: "assistant_1",
    createdAt: new Date(at).toISOString(),
    updatedAt: new Date(at).toISOString(),
    startedAt: new Date(at).toISOString(),
    endedAt: new Date(at + 20_000).toISOString(),
    endedReason: "customer-ended-call",
    artifact: {
      messages: [
        { role: "bot", message: "Hello", time: at, endTime: at + 1000, secondsFromStart: 0 },
        { role: "user", message: `Question ${number}`, time: at + 2000, endTime: at + 3000, secondsFromStart: 2 },
      ],
    },
  };
}

/** Vapi's list: newest first, without a cursor. */
export function vapiAnswers(calls: () => readonly ReturnType<typeof vapiCall>[]) {
  return ({ query }: Asked): unknown => {
    const [from, to] = [query.get("createdAtGe") ?? "", query.get("createdAtLt") ?? "9"];
    return calls()
      .filter(({ createdAt }) => createdAt >= from && createdAt < to)
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
      .slice(0, Number(query.get("limit")));
  };
}

/** A conversation of ElevenLabs in the form of its API. */
export function elevenLabsCall(number: number, at: number, status = "done") {
  return {
    conversation_id: `conv_${number}`,
    agent_id: "agent_1",
    status,
    transcript: [
      { role: "agent", message: "Clinic, hello.", time_in_call_secs: 0 },
      { role: "user", message: "I need a doctor.", time_in_call_secs: 2 },
    ],
    metadata: {
      start_time_unix_secs: Math.floor(at / 1_000),
      call_duration_secs: 4,
      termination_reason: "Client disconnected: 1000",
    },
  };
}

/** Answers like ElevenLabs: newest first, in pages, without transcripts. */
export function elevenLabsAnswers(calls: () => readonly ReturnType<typeof elevenLabsCall>[], most = 100) {
  return ({ path, query }: Asked): unknown => {
    const [, id] = /^\/v1\/convai\/conversations\/(.+)$/.exec(path) ?? [];
    if (id !== undefined) return calls().find(({ conversation_id: own }) => own === id);
    const [after = 0, before = Number.POSITIVE_INFINITY] = ["call_start_after_unix", "call_start_before_unix"].map(
      (key) => (query.has(key) ? Number(query.get(key)) : undefined),
    );
    const found = calls()
      .filter(({ metadata: { start_time_unix_secs: at } }) => at >= after && at <= before)
      .toSorted((a, b) => b.metadata.start_time_unix_secs - a.metadata.start_time_unix_secs);
    const from = Number(query.get("cursor") ?? 0);
    const more = from + most < found.length;
    const conversations = found.slice(from, from + most).map(({ conversation_id, agent_id, status, metadata }) => ({
      ...{ conversation_id, agent_id, status },
      start_time_unix_secs: metadata.start_time_unix_secs,
    }));
    return { conversations, has_more: more, next_cursor: more ? String(from + most) : null };
  };
}
