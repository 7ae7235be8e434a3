import type { Terminal } from "../io/mod.ts";
import type { Arguments, ArgumentsSpec } from "./arguments.ts";

/**
 * Exit codes: 0 success; 1 scenarios failed, findings are errors, or versions differ; 2 wrong usage or input; 3 no scenario
 * failed, but some ended in errors, which say nothing about the agent, or results are missing in the database.
 */
export type ExitCode = 0 | 1 | 2 | 3;

/** A command and its help. */
export interface Command {
  /** As it is typed: `runs show`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly spec: ArgumentsSpec;
  /** Further lines of the help. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
  readonly run: (args: Arguments, terminal: Terminal) => Promise<ExitCode>;
}

/** A command in the overview; its implementation is loaded when it runs. */
export interface ListedCommand {
  readonly name: string;
  /** Positionals and required flags. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
