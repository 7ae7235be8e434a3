import type { RecordedCall, UnreadableCall } from "../../../../platforms/mod.ts";
import { UsageError } from "../../../base/errors.ts";
import { checkOptions } from "../../../base/values/mod.ts";
import { toGraph } from "../../../document/graph/mod.ts";
import { openStore, type Store } from "../../store/mod.ts";
import { createPseudonymizer } from "../personal/mod.ts";
import { type CallSource, readCalls, SOURCE } from "../read/mod.ts";
import { fitToAgent } from "./fit_to_agent.ts";
import { IMPORT_RULES, type ImportCallsOptions, type ImportReport } from "./import_options.ts";
import { ImportedRun } from "./imported_run.ts";

/**
 * Stores calls that happened as one run of kind `imported`, with one result per call. Calls that any run has stored
 * already are skipped, so an import can be repeated, and resumes where it was stopped.
 *
 * Reads and stores a few calls at a time: sources may be larger than memory.
 *
 * @param source Text of calls, a stream of it, or a list of paths.
 * @throws {UsageError} `invalid-option`; `unreadable-file` for a file that cannot be read.
 * @throws {StoreError} When the calls cannot be stored; calls stored before stay.
 * @example
 * ```ts
 * import { openStore } from "callweave";
 * import { importCalls } from "callweave/calls";
 *
 * const store = await openStore(":memory:");
 * const report = await importCalls("Agent: Hello\nUser: Hi", { format: "text", store });
 * console.log(report.added); // 1
 * await store.close();
 * ```
 */
export async function importCalls(source: CallSource, options: ImportCallsOptions = {}): Promise<ImportReport> {
  checkOptions(options, IMPORT_RULES, UsageError, "Cannot import calls");
  checkOptions({ source }, { source: SOURCE }, UsageError, "Cannot import calls");
  const { format, name } = options;
  const reading = { ...(format === undefined ? {} : { format }), ...(name === undefined ? {} : { name }) };
  const sources = typeof source === "object" && !(Symbol.asyncIterator in source) ? source : undefined;
  return await storeCalls(readCalls(source, reading), options, sources);
}

/**
 * Stores calls that were read already, such as those of a platform's API, like {@link importCalls}.
 *
 * @param files Names of the calls' sources; a stopped import of the same sources is resumed in its run.
 */
export async function storeCalls(
  calls: AsyncIterable<RecordedCall | UnreadableCall>,
  options: ImportCallsOptions,
  files?: readonly string[],
): Promise<ImportReport> {
  const graph = options.agent === undefined ? undefined : toGraph(options.agent, "Cannot import calls");
  const { store: target } = options;
  const store: Store =
    typeof target === "object" ? target : await openStore(target, options.signal ? { signal: options.signal } : {});
  try {
    const redact = options.redact === true ? await createPseudonymizer() : options.redact || undefined;
    const run = new ImportedRun(store, { ...options, redact, graph, files, rename: graph && fitToAgent(graph) });
    return await run.import(calls);
  } finally {
    if (typeof target !== "object") await store.close();
  }
}
