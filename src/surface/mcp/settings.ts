import type { Environment } from "../project/mod.ts";

/** What the server works on and what assistants may do, as plain data: processes of its own get it too. */
export interface McpSettings {
  /** The agent: a module or a document; absent: the project has none. */
  readonly source?: string;
  readonly exportName?: string;
  readonly format?: string;
  /** Files of scenarios; empty: those that the agent's module exports. */
  readonly scenarioFiles: readonly string[];
  readonly policyFiles: readonly string[];
  /** Results database; default: that of the environment or the folder. */
  readonly db?: string;
  /** The models that assistants may use; absent: only the offline model. */
  readonly models?: { readonly model: string; readonly callerModel?: string; readonly judgeModel?: string };
  /** File with prices of models. */
  readonly prices?: string;
  readonly limits: McpLimits;
}

/** Limits of what assistants start. */
export interface McpLimits {
  /** Calls of one run. */
  readonly calls: number;
  /** US dollars that all runs and diagnoses of the server may cost together. */
  readonly costUsd: number;
  /** Length of one run. */
  readonly minutes: number;
}

/** The limits that a server has without others. */
export const DEFAULT_LIMITS: McpLimits = { calls: 50, costUsd: 1, minutes: 10 };

/** What a tool works with. */
export interface ToolContext {
  readonly settings: McpSettings;
  /** Folder of the project. */
  readonly folder: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** What models may cost in this call of a tool, in US dollars. */
  readonly costUsd: number;
  /** Called with progress: what is done, of how much, in words. */
  readonly onProgress: (done: number, of: number, words: string) => void;
  /** Called with what models have cost, the last call counts; `null`: it is not known. Never called: nothing. */
  readonly onCost: (costUsd: number | null) => void;
}
