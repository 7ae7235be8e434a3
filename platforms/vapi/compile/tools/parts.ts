import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import { isRecord } from "../../../../src/values/mod.ts";
import { type Guard, isAlways } from "../../../lower/mod.ts";
import { convertJsonSchema, droppedKeywords, limits } from "../../api/mod.ts";
import { clip, type LossList, type NamePool } from "../common/mod.ts";
import { vetoLiquid } from "../guards/mod.ts";
import type { Destination, EmitContext } from "../plan/mod.ts";

/** A tool inside an assistant. */
export type Tool = Vapi.AssistantOverridesToolsAppendItem;

/** A tool of a node, and its name in Vapi. */
export interface EmittedTool {
  readonly tool?: Tool;
  /** A tool that is kept in the organisation and referred to by its id. */
  readonly toolId?: string;
  readonly name: string;
}

/** Where a tool is emitted. */
export interface ToolPlace {
  readonly path: Path;
  /** The names that are taken at the member. */
  readonly names: NamePool;
  /** Variables that hold the outcome of the tool. */
  readonly flags: readonly string[];
}

/** What the tools that only run code differ in. */
interface CodeParts {
  readonly name: string;
  readonly description: string;
  /** Absent: the tool has no arguments. */
  readonly parameters?: Vapi.OpenAiFunctionParameters;
  readonly code: string;
  /** Variables of the call that the tool sets. */
  readonly aliases: readonly { readonly key: string; readonly value: string }[];
}

/** A silent tool that runs code and sets variables of the call. */
export function codeTool({ code, aliases, parameters, ...named }: CodeParts): Tool & { readonly type: "code" } {
  return {
    type: "code",
    function: { ...named, parameters: parameters ?? { type: "object", properties: {} } },
    code,
    messages: [],
    variableExtractionPlan: { aliases: [...aliases] },
  };
}

/** Liquid for an alias that keeps its value where the answer has none. */
export const answerOr = (path: string, alias: string) => `{{ ${path} | default: ${alias}, allow_false: true }}`;

/** The `rejectionPlan` that vetoes a tool call unless the guard holds; nothing for a guard that always does. */
export function emitRejection(guard: Guard, context: EmitContext): { readonly rejectionPlan?: Vapi.ToolRejectionPlan } {
  if (isAlways(guard)) return {};
  return { rejectionPlan: { conditions: [{ type: "liquid", liquid: vetoLiquid(guard, context.variables) }] } };
}

/** Clips a description or a message to Vapi's limit. */
export function emitDescription(text: string, path: Path, { losses }: EmitContext): string {
  if (text.length > limits().message) losses.add("text-clipped", path, text.length);
  return clip(text, limits().message);
}

/**
 * Converts a JSON Schema to the keywords that Vapi supports (`JsonSchema`).
 *
 * @param path Where the schema is in the graph.
 */
export function emitSchema(schema: unknown, path: Path, losses: LossList): Vapi.JsonSchema {
  const { schema: emitted, dropped } = convertJsonSchema(isRecord(schema) ? schema : {});
  if (dropped.length > 0) losses.add("schema-keyword", path, { kind: "dropped", ...droppedKeywords(dropped) });
  return emitted as unknown as Vapi.JsonSchema; // its type and format are those of Vapi's document
}

/** The arguments of a function: always an object with properties. */
export function emitParameters(schema: unknown, path: Path, losses: LossList): Vapi.OpenAiFunctionParameters {
  const { properties, required } = emitSchema(schema, path, losses);
  return { type: "object", properties: properties ?? {}, ...(required?.length ? { required } : {}) };
}

/**
 * The tool that transfers the caller.
 *
 * @param description When to choose the destination.
 */
export function emitTransfer(
  destination: Destination | undefined,
  description: string,
  path: Path,
  context: EmitContext,
  words?: string,
): Vapi.AssistantOverridesToolsAppendItem.TransferCall {
  if (!destination) context.losses.add("transfer-destination", path);
  const described = description ? { description: emitDescription(description, path, context) } : {};
  const said = { message: "", ...described };
  const messages = spoken(words, path, context);
  if (!destination) return { type: "transferCall", messages };
  const place: Vapi.CreateTransferCallToolDtoDestinationsItem =
    "number" in destination ? { type: "number", ...destination, ...said } : { type: "sip", ...destination, ...said };
  return { type: "transferCall", destinations: [place], messages };
}

/** The words that a tool speaks before it runs. */
export function spoken(
  words: string | undefined,
  path: Path,
  context: EmitContext,
): Vapi.CreateEndCallToolDtoMessagesItem[] {
  return words ? [{ type: "request-start", content: emitDescription(words, path, context), blocking: true }] : [];
}
