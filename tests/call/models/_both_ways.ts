import { createOpenAI } from "@ai-sdk/openai";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { isRecord } from "../../../src/base/values/mod.ts";
import {
  argumentsSignature,
  auditSignature,
  type CallOptions,
  callerSignature,
  callModel,
  diagnosisSignature,
  extractSignature,
  flowSignature,
  fusedSignature,
  judgeSignature,
  type Model,
  type ModelTelemetry,
  personaSignature,
  type RequestOptions,
  repairSignature,
  repliesSignature,
  type SignatureName,
  scenarioSignature,
  topicSignature,
  traitsSignature,
  transitionSignature,
} from "../../../src/call/models/mod.ts";
import type { InputSchema, Signature } from "../../../src/call/models/signature.ts";
import { type ChatAnswer, type ChatRequest, type ChatServer, startChatServer } from "../../chat_server.ts";

/** Telemetry without spans: the AI SDK makes the requests, as it does for traced calls. */
export const THROUGH_SDK: ModelTelemetry = { settings: () => ({ isEnabled: false }) };

/** The two ways in which model calls go to the provider. */
const WAYS: readonly Pick<RequestOptions, "telemetry">[] = [{}, { telemetry: THROUGH_SDK }];

/** What a test asks for, with the options of one of the ways. */
export type Work<Result> = (model: Model, way: Pick<RequestOptions, "telemetry">) => Promise<Result>;

/** Does work in both ways, each with a model and a server of its own. Errors are outcomes too. */
export async function bothWays<Result>(
  answer: (request: ChatRequest, index: number) => ChatAnswer,
  work: Work<Result>,
): Promise<readonly { readonly requests: ChatServer["requests"]; readonly outcome: unknown }[]> {
  const done: { readonly requests: ChatServer["requests"]; readonly outcome: unknown }[] = [];
  for (const way of WAYS) {
    await using server = await startChatServer(answer);
    const outcome = await work(createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m"), way).catch(errorWords);
    const viaSdk = server.headers.map((headers) => /\bai\/\d/.test(String(headers["user-agent"])));
    if (viaSdk.includes(way.telemetry === undefined)) throw new Error("the requests do not go the way of the test");
    done.push({ requests: server.requests, outcome });
  }
  return done;
}

function errorWords(error: unknown): unknown {
  if (!isRecord(error)) return error;
  return { code: error.code, message: error.message, hint: error.hint, path: error.path };
}

/** Makes one call of each signature with a structured answer. A signature without one here does not compile. */
export const CALLS: { readonly [Name in Exclude<SignatureName, "respond">]: ReturnType<typeof callOf> } = {
  transition: callOf(transitionSignature),
  fused: callOf(fusedSignature),
  extract: callOf(extractSignature),
  arguments: callOf(argumentsSignature),
  caller: callOf(callerSignature),
  judge: callOf(judgeSignature),
  replies: callOf(repliesSignature),
  audit: callOf(auditSignature),
  traits: callOf(traitsSignature),
  persona: callOf(personaSignature),
  flow: callOf(flowSignature),
  diagnosis: callOf(diagnosisSignature),
  repair: callOf(repairSignature),
  scenario: callOf(scenarioSignature),
  topic: callOf(topicSignature),
};

function callOf<Input extends InputSchema, Answer>(signature: Signature<Input, Answer>) {
  const schema: unknown = toJsonSchema(signature.input, { errorMode: "ignore" });
  const input = v.parse(signature.input, sampleOf(schema));
  return (model: Model, options: CallOptions): Promise<unknown> => callModel(model, signature, input, options);
}

/** A value that fits a JSON Schema: one item in each list, and a text that needs escaping for each string. */
function sampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return null;
  const { type, properties, items, anyOf, enum: choices } = schema;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0]);
  if (type === "array") return [sampleOf(items)];
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  if (type === "string") return 'Say "so" —\u2028über';
  const entries = Object.entries(isRecord(properties) ? properties : {});
  return Object.fromEntries(entries.map(([name, property]) => [name, sampleOf(property)]));
}
