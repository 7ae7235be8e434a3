import { basename } from "node:path";
import type { RecordedCall, UnreadableCall } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../base/errors.ts";
import { type JsonObject, sameJson } from "../../../base/values/mod.ts";
import { type AgentGraph, agentName, fingerprint } from "../../../document/graph/mod.ts";
import type { NewRun, RunRecord, Store } from "../../store/mod.ts";
import { isRecordedCall } from "../read/mod.ts";
import { batched } from "./batched.ts";
import { identityOf } from "./identity.ts";
import type { CallRedactor, ImportCallsOptions, ImportReport } from "./import_options.ts";
import { resultOf } from "./result_of.ts";
import { unknownAgent } from "./unknown_agent.ts";

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

/** One import: starts its run with the first call that is not stored yet. */
export class ImportedRun {
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
