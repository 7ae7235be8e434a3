import { type Arguments, type ExitCode, readNumber } from "../../arguments.ts";
import { RUN_FLAGS } from "../compare_turns.ts";
import type { WatchedInput, WatchedResult } from "./select_again.ts";

/** The outcome of a run, from which the next one is selected. */
export interface Watched extends WatchedInput {
  readonly results: readonly WatchedResult[];
}

/** A command line as plain data. */
export interface PlainArguments {
  readonly positionals: { readonly [name: string]: string };
  readonly values: { readonly [flag: string]: readonly string[] };
  readonly switches: readonly string[];
}

/** The input of a process that runs once. */
export interface WatchRequest {
  readonly args: PlainArguments;
  /** Absent: run every scenario. */
  readonly watched?: Watched;
}

/** The outcome of a process that ran once. */
export interface WatchAnswer {
  readonly code: ExitCode;
  /** Absent: the files cannot be loaded. */
  readonly watched?: Watched;
}

/** Arguments from plain data. */
export function toArguments({ positionals, values, switches }: PlainArguments): Arguments {
  return {
    at: (name) => positionals[name] ?? "",
    text: (flag) => values[flag]?.[0],
    texts: (flag) => values[flag] ?? [],
    number: (flag) => readNumber(values[flag]?.[0], flag, RUN_FLAGS),
    has: (flag) => switches.includes(flag),
    rest: () => [],
  };
}
