import type { Arguments, ExitCode } from "../../arguments/mod.ts";
import type { WatchedInput, WatchedResult } from "./select_again.ts";

/** What is known after a run, for the selection of the next one. */
export interface Watched extends WatchedInput {
  readonly results: readonly WatchedResult[];
}

/** A command line as plain data. */
export interface PlainArguments {
  readonly positionals: { readonly [name: string]: string };
  readonly values: { readonly [flag: string]: readonly string[] };
  readonly switches: readonly string[];
}

/** What the process of one run is started with. */
export interface WatchRequest {
  readonly args: PlainArguments;
  /** Absent: every scenario is run. */
  readonly watched?: Watched;
}

/** What the process of one run came to. */
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
    has: (flag) => switches.includes(flag),
    rest: () => [],
  };
}
