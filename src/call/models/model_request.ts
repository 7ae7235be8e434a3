import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { JsonObject } from "../../base/values/mod.ts";
import type { EmbeddedToolCall } from "./embedded.ts";
import type { LayeredRequest } from "./layers.ts";
import type { ChatMessage } from "./text/mod.ts";

/** One request, before it goes through its layers. */
export interface ModelRequest extends LayeredRequest {
  readonly instructions: string;
  readonly messages: ChatMessage[];
  /** The signature's input, for models and middleware that do not read the rendered prompt. */
  readonly input: JsonObject;
  readonly tools?: readonly LanguageModelV3FunctionTool[];
  /** Whether the provider may enforce the schema. */
  readonly strict: boolean;
}

/** The parts of an answer that a call uses. */
export interface ModelAnswer {
  readonly text: string;
  /** Whether the text was cut off at the model's limit of output tokens. */
  readonly isCut: boolean;
  readonly toolCalls: readonly (EmbeddedToolCall & { readonly id: string })[];
}
