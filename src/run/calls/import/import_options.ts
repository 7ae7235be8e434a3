import type { RecordedCall, UnreadableCall } from "../../../../platforms/mod.ts";
import { isRecord, OPTION, type OptionRules, oneOf, rule } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { RunRecord, Store } from "../../store/mod.ts";
import { CALL_FORMATS, type ReadCallsOptions } from "../read/mod.ts";

/** Replaces personal data in calls before they are stored. */
export interface CallRedactor {
  readonly call: (call: RecordedCall) => RecordedCall;
}

/** Options of `importCalls()`. */
export interface ImportCallsOptions extends ReadCallsOptions {
  /** The agent of the calls, as a compiled flow or graph. Default: an agent with one node. */
  readonly agent?: AgentGraph;
  /** Name of the agent in the run. Default: the graph's, else the one in the first call. */
  readonly agentName?: string;
  /** Replaces personal data before anything is stored; `true` for `createPseudonymizer()` with a key of its own. */
  readonly redact?: CallRedactor | boolean;
  /** Default: the results database, see `openStore()`. */
  readonly store?: Store | string;
  /** Stops the import once the current batch is stored. Importing again continues with the rest. */
  readonly signal?: AbortSignal;
  /** Called after each batch is stored. */
  readonly onProgress?: (progress: ImportCounts) => void;
}

/** Counts of a source's records. */
export interface ImportCounts {
  /** Calls that were added. */
  readonly added: number;
  /** Duplicates: calls that were stored before, or occur in the source more than once. */
  readonly known: number;
  /** Records without a finished call. */
  readonly skipped: number;
  readonly damaged: number;
}

/** The result of an import. */
export interface ImportReport extends ImportCounts {
  /** The run with the added calls; `null` when there were none. */
  readonly run: RunRecord | null;
  /** `false` if the import was aborted and the source has more calls. */
  readonly isComplete: boolean;
  /** The first 100 damaged records. */
  readonly problems: readonly UnreadableCall[];
}

export const IMPORT_RULES: OptionRules = {
  format: oneOf(...CALL_FORMATS),
  name: OPTION.text,
  agent: OPTION.object,
  agentName: OPTION.text,
  redact: rule("true, or an object with call()", (value) =>
    isRecord(value) ? typeof value.call === "function" : typeof value === "boolean",
  ),
  store: rule("a store or its URL", (value) => typeof value === "string" || isRecord(value)),
  signal: OPTION.signal,
  onProgress: OPTION.function,
};
