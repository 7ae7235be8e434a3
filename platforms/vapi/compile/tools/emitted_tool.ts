import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { NamePool } from "../common/mod.ts";

/** A tool inside an assistant. */
export type Tool = Vapi.AssistantOverridesToolsAppendItem;

/** A tool of a node, and what it is called in Vapi. */
export interface EmittedTool {
  readonly tool?: Tool;
  /** A tool that lives in the organisation and is named by its id. */
  readonly toolId?: string;
  readonly name: string;
}

/** Where a tool is emitted. */
export interface ToolPlace {
  readonly path: Path;
  /** The names that are taken at the member. */
  readonly names: NamePool;
  /** Variables that keep what the tool came to. */
  readonly flags: readonly string[];
}
