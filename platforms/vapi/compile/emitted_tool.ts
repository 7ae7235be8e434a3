import type { Vapi } from "@vapi-ai/server-sdk";

/** A tool inside an assistant. */
export type Tool = Vapi.AssistantOverridesToolsAppendItem;

/** A tool of a node, and what it is called in Vapi. */
export interface EmittedTool {
  readonly tool?: Tool;
  /** A tool that lives in the organisation and is named by its id. */
  readonly toolId?: string;
  readonly name: string;
}
