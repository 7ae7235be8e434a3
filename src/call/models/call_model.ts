import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type * as v from "valibot";
import { ModelError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import { askModel } from "./ask_model.ts";
import type { CallOptions } from "./call_options.ts";
import type { EmbeddedToolCall } from "./embedded.ts";
import { checkReply, contractCheck } from "./middleware/mod.ts";
import type { Model } from "./model.ts";
import type { InputSchema, Signature } from "./signature.ts";
import {
  type ChatMessage,
  EVENT_LINES,
  jsonLine,
  mergedMessages,
  type Note,
  offeredNames,
  renderInput,
  spokenText,
  withMeantNames,
  withNotes,
  withOfferedNames,
} from "./text/mod.ts";

/**
 * Calls a model with a signature's input and returns its typed output.
 *
 * @throws {ModelError} `model-failed`, `model-output`, `model-timeout`, `aborted`.
 */
export async function callModel<Input extends InputSchema, Answer>(
  model: Model,
  signature: Signature<Input, Answer>,
  input: v.InferOutput<Input>,
  options: CallOptions = {},
): Promise<Answer> {
  const contract = signature.output(input);
  const { check, read: readText } = contractCheck(contract);
  const { text } = await askModel(model, signature.name, options, {
    instructions: signature.instructions,
    messages: [{ role: "user", content: renderInput(signature.input, input) }],
    input,
    schema: contract.schema,
    strict: contract.strict,
    check,
    notes: [],
  });
  const read = readText(text);
  if ("output" in read) return read.output;
  throw new ModelError(`Cannot use the recorded answer to "${signature.name}": ${read.problem}`, {
    code: "model-output",
    path: [signature.name],
    hint: "Record it again",
  });
}

/** A spoken reply, or the tool calls to make first. */
export interface Reply {
  /** Without the model's thoughts, and without notes that it repeats. */
  readonly text: string;
  /** Whether the text was cut off at the model's limit of output tokens; absent where it was not. */
  readonly isCut?: true;
  readonly toolCalls: readonly (EmbeddedToolCall & { readonly id: string })[];
}

/** The parts of a reply request. */
export interface ReplyRequest {
  readonly instructions: string;
  /** Events for the model that the caller does not hear. */
  readonly notes?: readonly Note[];
  readonly messages: readonly ChatMessage[];
  readonly input: JsonObject;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
}

/** Requests a reply, or the tool calls that the model wants to make first. */
export async function callForReply(model: Model, request: ReplyRequest, options: CallOptions = {}): Promise<Reply> {
  // embedded models accept any name, and look for it in prompts
  const names = model.provider === "callweave" ? [] : request.tools.map(({ name }) => name);
  const offered = offeredNames(names);
  let told = false;
  const { onToken } = options;
  const listening = onToken && {
    ...options,
    onToken: (text: string) => {
      told = true;
      onToken(text);
    },
  };
  const { notes = [] } = request;
  const unspoken = notes.length > 0 ? [...EVENT_LINES, ...notes.map(jsonLine)] : EVENT_LINES;
  const messages = mergedMessages(request.messages);
  const {
    text: answer,
    toolCalls: wanted,
    isCut,
  } = await askModel(model, "respond", listening ?? options, {
    instructions: withNotes(request.instructions, notes),
    messages: offered.size > 0 ? withOfferedNames(messages, offered) : messages,
    input: request.input,
    strict: false,
    check: checkReply,
    notes: unspoken,
    ...(request.tools.length > 0 ? { tools: toolsFor(request.tools, offered) } : {}),
  });
  const text = spokenText(answer, unspoken);
  const toolCalls = withMeantNames(wanted, offered);
  // text next to tool calls is not spoken; whether there are any is known only when the stream ends
  if (!told && toolCalls.length === 0 && text.trim()) onToken?.(text);
  return { text, toolCalls, ...(isCut ? { isCut } : {}) };
}

/** The tools of a request under their offered names. Of tools with one name, the last is offered. */
function toolsFor(
  tools: ReplyRequest["tools"],
  offered: ReadonlyMap<string, string>,
): readonly LanguageModelV3FunctionTool[] {
  const named = tools.map((tool) => [offered.get(tool.name) ?? tool.name, tool] as const);
  return Object.entries(Object.fromEntries(named)).map(([name, { description, parameters }]) => ({
    type: "function",
    name,
    description,
    inputSchema: { type: "object", properties: {}, ...parameters },
  }));
}
