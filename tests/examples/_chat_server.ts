import { createServer, type IncomingMessage } from "node:http";
import * as v from "valibot";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import { fillArguments } from "../../src/call/models/offline/answer.ts";
import { playCaller } from "../../src/call/models/offline/caller.ts";
import { ENGLISH } from "../../src/call/models/offline/english.ts";
import { extractVariables } from "../../src/call/models/offline/extract.ts";
import { judgeByWords } from "../../src/call/models/offline/judge.ts";
import { composeReply } from "../../src/call/models/offline/respond.ts";
import { pickTransition } from "../../src/call/models/offline/transition.ts";
import {
  argumentsSignature,
  callerSignature,
  extractSignature,
  judgeSignature,
  transitionSignature,
} from "../../src/call/models/signatures/mod.ts";

/** One request of the chat-completions protocol, as the server got it. */
export interface ChatRequest {
  readonly authorization: string;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly responseFormat: JsonObject | undefined;
  readonly tools: readonly JsonObject[];
}

/** An answer: a text, tool calls, or nothing ever. */
export type ChatAnswer = string | { readonly tool: string; readonly args: JsonObject } | Promise<never>;

/** A server on this machine that speaks the chat-completions protocol. */
export interface ChatServer extends AsyncDisposable {
  /** For OPENAI_BASE_URL. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
}

/** Starts a server that answers by the given function, or, without one, by the offline model's rules. */
export async function startChatServer(answer: (request: ChatRequest) => ChatAnswer = byRule): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await textOf(request));
    const read = readRequest(body, request.headers.authorization ?? "");
    requests.push(read);
    const said = await answer(read);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(completion(read.model, said)));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("a server that listens has an address");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Answers from nothing but what stands in the request, so that what a prompt lacks is missed. */
export function byRule({ messages, responseFormat }: ChatRequest): string {
  const prompt = messages.at(-1)?.content ?? "";
  const system = messages.find(({ role }) => role === "system" || role === "developer")?.content ?? "";
  if (!responseFormat) {
    const input = {
      general_instructions: "",
      state_instructions:
        system
          .replace(/\n\nNotes on the call[\s\S]*$/, "")
          .split("\n\n")
          .at(-1) ?? "",
      conversation_history: messages.flatMap(({ role, content }) =>
        role === "assistant" ? [{ role: "assistant" as const, content }] : [],
      ),
      user_message: prompt.startsWith('{"event":') ? "" : prompt,
    };
    return composeReply(input, ENGLISH);
  }
  const input = sectionsOf(prompt);
  if ("available_transitions" in input)
    return JSON.stringify(pickTransition(v.parse(transitionSignature.input, input)));
  if ("tool" in input) return JSON.stringify(fillArguments(v.parse(argumentsSignature.input, input)));
  if ("persona" in input) return JSON.stringify(playCaller(v.parse(callerSignature.input, input), ENGLISH));
  if ("criteria" in input) return JSON.stringify(judgeByWords(v.parse(judgeSignature.input, input)));
  return JSON.stringify(extractVariables(v.parse(extractSignature.input, input)));
}

/** The sections of a rendered prompt, after its preface: `## name`, a description in brackets, then JSON. */
function sectionsOf(prompt: string): JsonObject {
  const sections = prompt.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const [name = "", , ...rest] = section.trimEnd().split("\n");
      return [name, JSON.parse(rest.join("\n"))];
    }),
  );
}

function readRequest(body: unknown, authorization: string): ChatRequest {
  const record = isRecord(body) ? body : {};
  const messages = Array.isArray(record.messages) ? record.messages.filter(isRecord) : [];
  return {
    authorization,
    model: String(record.model),
    messages: messages.map(({ role, content }) => ({ role: String(role), content: contentOf(content) })),
    responseFormat: isRecord(record.response_format) ? record.response_format : undefined,
    tools: Array.isArray(record.tools) ? record.tools.filter(isRecord) : [],
  };
}

function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? "");
  return content.map((part: unknown) => (isRecord(part) ? String(part.text ?? "") : "")).join("");
}

function completion(model: string, said: Awaited<ChatAnswer>) {
  const message =
    typeof said === "string"
      ? { role: "assistant", content: said }
      : {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: said.tool, arguments: JSON.stringify(said.args) } },
          ],
        };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: typeof said === "string" ? "stop" : "tool_calls" }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
