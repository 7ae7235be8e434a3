import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The parts of a chat-completions request that tests use. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: ChatSchema } };
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}

/** The part of JSON Schema that the answers below support. */
export interface ChatSchema {
  readonly properties?: { readonly [name: string]: ChatSchema };
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
}

/** The response to a request: a text or JSON of the model, tool calls, a status, or a broken response. */
export type ChatAnswer =
  | {
      readonly say: string;
      /** Default: `stop`; `null`: the answer has no finish reason. */
      readonly finish?: string | null;
    }
  /** Streams words as they come. */
  | { readonly words: AsyncIterable<string> }
  | { readonly call: { readonly name: string; readonly arguments: object } }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "hang"
  | "cut";

/** A server on 127.0.0.1 that speaks the chat-completions protocol. */
export interface ChatServer extends AsyncDisposable {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  readonly headers: readonly { readonly [name: string]: string | readonly string[] | undefined }[];
}

/** Starts a server that answers each request with the result of `answer`, after `beforeReply` has settled. */
export async function startChatServer(
  answer: (request: ChatRequest, index: number) => ChatAnswer | Promise<ChatAnswer>,
  options: { readonly beforeReply?: () => Promise<unknown> } = {},
): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const headers: ChatServer["headers"][number][] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request: ChatRequest = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    requests.push(request);
    headers.push(incoming.headers);
    const what = await answer(request, requests.length - 1);
    await options.beforeReply?.();
    reply(response, what, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    headers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(response: ServerResponse, what: ChatAnswer, request: ChatRequest): void {
  if (what === "hang") return;
  if (what === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
    response.write('{"id":"1","choices":[', () => response.destroy());
    return;
  }
  if ("status" in what) {
    response.writeHead(what.status, { "content-type": "application/json", ...what.headers }).end(what.body ?? "");
    return;
  }
  if ("words" in what) {
    void streamWords(response, what.words);
    return;
  }
  if (request.stream) {
    if ("say" in what) stream(response, what.say, what.finish);
    else streamCall(response, what.call);
    return;
  }
  const message =
    "say" in what
      ? { role: "assistant", content: what.say }
      : {
          role: "assistant",
          content: null,
          tool_calls: [toolCall(what.call)],
        };
  const finish_reason = "say" in what ? finishOf(what.finish) : "tool_calls";
  response.writeHead(200, { "content-type": "application/json" }).end(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: request.model,
      choices: [{ index: 0, message, finish_reason }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  );
}

function finishOf(finish: string | null = "stop"): string | null {
  return finish;
}

function toolCall({ name, arguments: given }: { readonly name: string; readonly arguments: object }): object {
  return { id: "call_1", type: "function", function: { name, arguments: JSON.stringify(given) } };
}

function streamCall(response: ServerResponse, call: { readonly name: string; readonly arguments: object }): void {
  const send = chunksTo(response);
  send({ index: 0, delta: { role: "assistant", content: null, tool_calls: [{ index: 0, ...toolCall(call) }] } });
  send({ index: 0, delta: {}, finish_reason: "tool_calls" }, { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

async function streamWords(response: ServerResponse, words: AsyncIterable<string>): Promise<void> {
  const send = chunksTo(response);
  for await (const content of words) send({ index: 0, delta: { role: "assistant", content } });
  send({ index: 0, delta: {}, finish_reason: "stop" }, { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

function stream(response: ServerResponse, text: string, finish?: string | null): void {
  const send = chunksTo(response);
  for (const word of text.split(/(?<= )/)) send({ index: 0, delta: { role: "assistant", content: word } });
  send({ index: 0, delta: {}, finish_reason: finishOf(finish) }, { usage: USAGE });
  response.end("data: [DONE]\n\n");
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function chunksTo(response: ServerResponse): (choice: object, more?: object) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (choice, more = {}) =>
    void response.write(
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice], ...more })}\n\n`,
    );
}

/** A JSON answer that fits the request's schema, with the given values where it has such properties; else a text. */
export function fitting(request: ChatRequest, values: { readonly [name: string]: unknown } = {}): ChatAnswer {
  const schema = request.response_format?.json_schema?.schema;
  if (!schema) return { say: "All right." };
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    Object.hasOwn(values, name) ? values[name] : plainValue(property),
  ]);
  return { say: JSON.stringify(Object.fromEntries(entries)) };
}

function plainValue({ type, enum: choices }: ChatSchema): unknown {
  if (choices) return choices[0];
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "boolean") return true;
  if (kind === "number" || kind === "integer") return 1;
  if (kind === "array") return [];
  return kind === "object" ? {} : "none";
}
