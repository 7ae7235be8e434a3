import { createHash } from "node:crypto";
import { basename } from "node:path";
import { platformOf, type RecordedCall, type UnreadableCall } from "../../../../platforms/mod.ts";
import { isCallweaveError, UsageError } from "../../../base/errors.ts";
import { canonicalJson, checkOptions, type JsonObject, sameJson } from "../../../base/values/mod.ts";
import { type AgentGraph, agentName, fingerprint, parseGraph, toGraph } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import { idFromBytes, type NewResult, type NewRun, openStore, type RunRecord, type Store } from "../../store/mod.ts";
import { createPseudonymizer } from "../personal/mod.ts";
import { type CallSource, isRecordedCall, readCalls, SOURCE } from "../read/mod.ts";
import { fitToAgent } from "./fit_to_agent.ts";
import { type CallRedactor, IMPORT_RULES, type ImportCallsOptions, type ImportReport } from "./import_options.ts";

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

/** Maximum number of problems in a report; the rest is only counted. */
const MOST_PROBLEMS = 100;
/** Number of runs to search for one that was stopped. */
const RECENT_RUNS = 20;
const RECORDED = { agent: "recorded", caller: "recorded", judge: "none" };

/** The checked options of an import, with the redactor and the graph already loaded. */
export interface ImportSettings extends Omit<ImportCallsOptions, "agent" | "redact"> {
  readonly redact: CallRedactor | undefined;
  readonly graph: AgentGraph | undefined;
  /** Paths of the files; absent for other sources. */
  readonly files: readonly string[] | undefined;
  /** Maps the nodes of a call to the agent's. */
  readonly rename: ((call: RecordedCall) => RecordedCall) | undefined;
}

const NO_USAGE = { calls: 0, inputTokens: 0, outputTokens: 0, modelMs: 0 };

/** Maximum number of calls, and of their messages, in memory. A single call may have more messages. */
const [MOST_CALLS, MOST_MESSAGES] = [50, 5_000];

/** One import: starts its run with the first call that is not stored yet. */
class ImportedRun {
  readonly #store: Store;
  readonly #settings: ImportSettings;
  readonly #importedAt = new Date().toISOString();
  readonly #problems: UnreadableCall[] = [];
  readonly #counts = { added: 0, known: 0, skipped: 0, damaged: 0 };
  #run: RunRecord | undefined;

  constructor(store: Store, settings: ImportSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  async import(calls: AsyncIterable<RecordedCall | UnreadableCall>): Promise<ImportReport> {
    const { signal, onProgress } = this.#settings;
    for await (const batch of batched(calls, signal)) {
      await this.#keep(batch);
      onProgress?.({ ...this.#counts });
    }
    const isComplete = signal?.aborted !== true;
    const run = this.#run ?? (isComplete ? await this.#stopped() : undefined);
    const finished = run && isComplete ? await this.#store.finishRun(run.id) : run;
    return { ...this.#counts, run: finished ?? null, isComplete, problems: this.#problems };
  }

  async #keep(batch: readonly (RecordedCall | UnreadableCall)[]): Promise<void> {
    const calls = new Map<string, RecordedCall>();
    for (const read of batch) {
      if (!isRecordedCall(read)) this.#count(read);
      else {
        const id = identityOf(read);
        if (calls.has(id)) this.#counts.known++;
        else calls.set(id, read);
      }
    }
    const known = await this.#store.knownResults([...calls.keys()]);
    this.#counts.known += known.size;
    const fresh = [...calls].filter(([id]) => !known.has(id));
    const [first] = fresh;
    if (!first) return;
    this.#run ??= await this.#start(first[1]);
    const { id: runId } = this.#run;
    await Promise.all(fresh.map(async ([id, call]) => await this.#add(runId, id, call)));
  }

  async #add(runId: string, id: string, call: RecordedCall): Promise<void> {
    const { rename, redact } = this.#settings;
    const fitted = rename ? rename(call) : call;
    const kept = redact ? redact.call(fitted) : fitted;
    const provenance = { ...kept.provenance, redacted: redact !== undefined };
    let count: "added" | "known" = "added";
    const onKnown = () => {
      count = "known"; // another import has stored it meanwhile
    };
    try {
      await this.#store.addResult(runId, resultOf({ ...kept, provenance }, id, this.#importedAt), { onKnown });
    } catch (error) {
      if (!isCallweaveError(error) || error.code !== "result-spooled") throw error; // the spool is read when the store is opened next
    }
    this.#counts[count]++;
  }

  /** Starts a run, or resumes the run of a stopped import of the same files. */
  async #start(first: RecordedCall): Promise<RunRecord> {
    const { graph = unknownAgent(), agentName: name } = this.#settings;
    const { agentId, facts, source } = first.provenance;
    const told = facts?.agent_name;
    const plan = this.#plan(source);
    const run: NewRun = {
      kind: "imported",
      agent: name ?? agentName(graph) ?? (typeof told === "string" ? told : (agentId ?? source)),
      graph,
      models: RECORDED,
      options: plan,
      plan,
    };
    const stopped = await this.#stopped();
    return await this.#store.startRun(stopped ? { ...run, resume: stopped.id } : run);
  }

  /** Finds the run of a stopped import of the same files for the same agent. */
  async #stopped(): Promise<RunRecord | undefined> {
    const { graph = unknownAgent(), files } = this.#settings;
    if (!files) return undefined;
    const graphFingerprint = fingerprint(graph);
    const runs = await this.#store.listRuns({ kind: "imported", graphFingerprint, limit: RECENT_RUNS });
    return runs.find(({ finishedAt, plan }) => finishedAt === null && sameJson(plan, this.#plan("")));
  }

  /** @param source Name of a source that is not a file. */
  #plan(source: string): JsonObject {
    const { files, format = null, redact } = this.#settings;
    return { sources: files?.map((path) => basename(path)) ?? [source], format, redacted: redact !== undefined };
  }

  #count(read: UnreadableCall): void {
    if (read.problem === "skipped") this.#counts.skipped++;
    else {
      this.#counts.damaged++;
      if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(read);
    }
  }
}

/**
 * Converts a call to a result.
 *
 * @param importedAt Time of the import, ISO 8601: the start of calls without one.
 */
function resultOf(call: RecordedCall, id: string, importedAt: string): NewResult {
  const { provenance, startedAt, durationMs, startVariables, latency } = call;
  const { callId, source, position } = provenance;
  return {
    id,
    scenario: callId ?? `${source} #${position}`,
    status: "imported",
    startedAt: startedAt ?? importedAt,
    transcript: startedAt === null ? startingAt(call.transcript, importedAt) : call.transcript,
    verdicts: [],
    checks: [],
    nodesVisited: call.nodesVisited,
    toolsCalled: call.toolsCalled,
    variables: call.variables,
    usage: NO_USAGE,
    turnCount: turnsOf(call.transcript),
    durationMs: durationMs ?? spanOf(call.transcript),
    endReason: call.endReason,
    errorMessage: null,
    provenance,
    ...(startVariables === undefined ? {} : { startVariables }),
    ...(latency === undefined ? {} : { latency }),
  };
}

/** Counts the caller's turns: everything the caller says until the agent speaks is one turn. */
function turnsOf(transcript: readonly Message[]): number {
  const speakers = transcript.map(({ role }) => role).filter((role) => role === "user" || role === "assistant");
  return speakers.filter((role, index) => role === "user" && speakers[index - 1] !== "user").length;
}

function spanOf(transcript: readonly Message[]): number {
  const [first, last] = [transcript[0], transcript.at(-1)];
  return first && last ? Math.max(0, Date.parse(last.timestamp) - Date.parse(first.timestamp)) : 0;
}

/** Shifts the times of a transcript; without a start time they count from 1970. */
function startingAt(transcript: readonly Message[], start: string): readonly Message[] {
  const startMs = Date.parse(start);
  return transcript.map((message) => ({
    ...message,
    timestamp: new Date(startMs + Date.parse(message.timestamp)).toISOString(),
  }));
}

type Read = RecordedCall | UnreadableCall;

/**
 * Reads in batches, so that few calls are in memory at a time: nothing is read while a batch is processed. Ends when the
 * signal aborts, even while the source is silent.
 */
async function* batched(calls: AsyncIterable<Read>, signal: AbortSignal | undefined): AsyncIterable<readonly Read[]> {
  const iterator = calls[Symbol.asyncIterator]();
  let batch: Read[] = [];
  let messages = 0;
  try {
    for (;;) {
      const next = await nextOf(iterator, signal);
      if (next === undefined || next.done === true) break;
      batch.push(next.value);
      messages += isRecordedCall(next.value) ? next.value.transcript.length : 1;
      if (batch.length < MOST_CALLS && messages < MOST_MESSAGES) continue;
      yield batch;
      [batch, messages] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  } finally {
    // a source that is silent ends later or never; nothing waits for it
    iterator.return?.()?.then(undefined, () => {});
  }
}

/**
 * Waits for the next item; `undefined` when the signal aborts first. A shared promise for all waits would keep a
 * reaction for each of them.
 */
async function nextOf(
  iterator: AsyncIterator<Read>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Read> | undefined> {
  if (signal === undefined) return await iterator.next();
  if (signal.aborted) return undefined;
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([iterator.next(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * The placeholder graph of runs imported without an agent: one node. It is the same in every run.
 */
export function unknownAgent(): AgentGraph {
  const node = { id: "call", node_type: "conversation", state_prompt: "", tools: [], transitions: [] };
  return parseGraph({
    nodes: { call: { ...node, variables_to_extract: [], metadata: {} } },
    entry_node_id: "call",
    source_type: "unknown",
    source_metadata: {},
    snippets: {},
  });
}

/**
 * Returns the id under which a call is stored, the same for every file, run or process that imports it: derived from the
 * platform's id, else from the call's content. Compute it before anything in the call is replaced.
 */
export function identityOf(call: RecordedCall): string {
  const { provenance, startedAt, transcript } = call;
  const { format, callId, facts } = provenance;
  const key =
    callId !== null && platformOf(format)?.calls?.hasUniqueIds
      ? [format, callId]
      : [format, callId, startedAt, transcript, call.toolsCalled, call.variables, facts ?? {}];
  return idFromBytes(createHash("sha256").update(canonicalJson(key)).digest());
}
