import * as v from "valibot";
import { StoreError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/values/mod.ts";
import { RESULT_STATUSES, type ResultRecord, type RunRecord, type Store } from "../../../run/store/mod.ts";
import { itemsFrom } from "../answer.ts";
import { readCursor } from "../cursor.ts";
import type { ToolContext } from "../settings.ts";
import { ID, PAGE, type Tool, text, toolOf } from "../tool.ts";

/** Records that a page reads, if the input does not say it. */
const DEFAULT_LIMIT = 25;
/** Calls that one search reads. */
const MOST_SEARCHED = 400;
/** Calls whose summaries are read at once. */
const PAGE_OF_CALLS = 50;
/** Letters around what was found. */
const AROUND = 120;

const STATUS = v.optional(v.pipe(v.picklist(RESULT_STATUSES), v.description("Only calls with this status")));
const SCENARIO = v.optional(text("Only calls of this scenario"));

const listRuns = toolOf({
  name: "list_runs",
  title: "List stored runs",
  description: "Lists stored runs, the newest first: agent, models, counts of calls by status.",
  input: v.strictObject({ agent: v.optional(text("Only runs of the agent with this name")), ...PAGE }),
  run: async (input, context) => {
    const before = readCursor("list_runs", input);
    await using store = await openRuns(context);
    const limit = input.limit ?? DEFAULT_LIMIT;
    const { signal } = context;
    const runs = await store.listRuns({
      limit,
      signal,
      ...(before === undefined ? {} : { before }),
      ...(input.agent === undefined ? {} : { agent: input.agent }),
    });
    const items = runs.map((run) => ({ value: summaryOf(run), after: { at: run.id } }));
    return { facts: {}, list: { key: "runs", items, next: runs.length < limit ? undefined : items.at(-1)?.after } };
  },
});

const readRun = toolOf({
  name: "read_run",
  title: "Read a run",
  description:
    "Reads a stored run: its scenarios with pass counts on the first page, and its calls, the newest first. read_call shows a call.",
  input: v.strictObject({
    run: ID("Id of the run, its first characters, or a baseline's name"),
    scenario: SCENARIO,
    status: STATUS,
    ...PAGE,
  }),
  run: async (input, context) => {
    const before = readCursor("read_run", input);
    await using store = await openRuns(context);
    const { signal } = context;
    const run = await store.findRun(input.run, { signal });
    const limit = input.limit ?? DEFAULT_LIMIT;
    const calls = await store.listResults({
      ...filterOf({ ...input, run: run.id }),
      limit,
      signal,
      ...(before === undefined ? {} : { before }),
    });
    const items = calls.map(({ id, ...call }) => ({ value: { call: id, ...call }, after: { at: id } }));
    const scenarios = before === undefined ? { scenarios: await store.countResults(run.id, { signal }) } : {};
    return {
      facts: { run: summaryOf(run), ...scenarios },
      list: { key: "calls", items, next: calls.length < limit ? undefined : items.at(-1)?.after },
    };
  },
});

const readCall = toolOf({
  name: "read_call",
  title: "Read a call",
  description:
    "Reads a stored call: how it was judged with the evidence, variables, and its transcript. Tool messages say which transition was taken and why.",
  hasCalls: true,
  input: v.strictObject({ call: ID("Id of the call, of read_run or run_scenarios"), ...PAGE }),
  run: async (input, context) => {
    const start = readCursor("read_call", input);
    await using store = await openRuns(context);
    const result = await callWith(store, input.call, context.signal);
    const { transcript, toolsCalled, id, ...rest } = result;
    const messages = transcript.map(({ role, content, node_id, metadata }, index) => ({
      number: index + 1,
      role,
      node: node_id,
      content,
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    }));
    const head = { call: id, run: rest.runId, scenario: rest.scenario, status: rest.status, messages: messages.length };
    const facts = start === undefined ? { ...head, ...rest, tools_called: toolsCalled.length } : head;
    return { facts, list: { key: "transcript", items: itemsFrom(messages, start), limit: input.limit } };
  },
});

const searchCalls = toolOf({
  name: "search_calls",
  title: "Search stored calls",
  description: `Finds words in what was said and done in stored calls, the newest first, ignoring case. One search reads up to ${MOST_SEARCHED} calls; next_cursor goes on from there, also after an empty page.`,
  hasCalls: true,
  input: v.strictObject({
    query: text("The words, as they were said", 200),
    run: v.optional(ID("Only calls of this run")),
    scenario: SCENARIO,
    status: STATUS,
    ...PAGE,
  }),
  run: async (input, context) => {
    let before = readCursor("search_calls", input);
    await using store = await openRuns(context);
    const { signal } = context;
    const run = input.run === undefined ? {} : { run: (await store.findRun(input.run, { signal })).id };
    const wanted = input.query.toLowerCase();
    const most = input.limit ?? DEFAULT_LIMIT;
    const found: { readonly value: object; readonly after: { readonly at: string } }[] = [];
    let searched = 0;
    let isEnd = false;
    while (searched < MOST_SEARCHED && found.length < most && !isEnd) {
      const page = await store.listResults({
        ...filterOf({ ...input, ...run }),
        limit: PAGE_OF_CALLS,
        signal,
        ...(before === undefined ? {} : { before }),
      });
      isEnd = page.length < PAGE_OF_CALLS;
      for (const { id } of page) {
        if (found.length >= most) {
          isEnd = false;
          break;
        }
        signal.throwIfAborted();
        const result = await store.findResult(id, { signal });
        searched++;
        before = id;
        const match = result && matchIn(result, wanted);
        if (match) found.push({ value: match, after: { at: id } });
      }
      context.onProgress(searched, MOST_SEARCHED, `${searched} calls searched`);
    }
    const next = isEnd || before === undefined ? undefined : { at: before };
    return { facts: { searched_calls: searched }, list: { key: "matches", items: found, next } };
  },
});

/** Tools that read stored runs. */
export const RUN_TOOLS: readonly Tool[] = [listRuns, readRun, readCall, searchCalls];

/** Opens the results database for reading. */
export async function openRuns({ settings: { db }, signal }: ToolContext): Promise<Store> {
  const { openStore } = await import("../../../run/store/mod.ts");
  return await openStore(db, { signal, create: false });
}

/**
 * A stored call.
 *
 * @throws {StoreError} `unknown-call`.
 */
export async function callWith(store: Store, id: string, signal: AbortSignal): Promise<ResultRecord> {
  const result = await store.findResult(id, { signal });
  if (result) return result;
  throw new StoreError(`Cannot find the call "${oneLine(id)}"`, {
    code: "unknown-call",
    path: ["call"],
    hint: "Pass the id of a call, as read_run and search_calls list them",
  });
}

/** A run for people: without its plan and its options. */
export function summaryOf({ id, kind, agent, startedAt, finishedAt, models, counts, graphFingerprint }: RunRecord) {
  return { run: id, kind, agent, startedAt, finishedAt, models, counts, fingerprint: graphFingerprint };
}

type Filters = Partial<Readonly<Record<"run" | "scenario", string | undefined>>> & {
  readonly status?: ResultRecord["status"] | undefined;
};

function filterOf({ run, scenario, status }: Filters) {
  return {
    ...(run === undefined ? {} : { runId: run }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The first message of a call with some words, and how many have them. */
function matchIn({ id, runId, scenario, status, transcript }: ResultRecord, wanted: string) {
  const numbers = transcript.flatMap(({ content }, index) => (content.toLowerCase().includes(wanted) ? [index] : []));
  const [first] = numbers;
  const message = first === undefined ? undefined : transcript[first];
  if (first === undefined || !message) return undefined;
  const at = message.content.toLowerCase().indexOf(wanted);
  const from = Math.max(0, at - AROUND);
  const excerpt = message.content.slice(from, at + wanted.length + AROUND);
  return {
    call: id,
    run: runId,
    scenario,
    status,
    messages: numbers.length,
    number: first + 1,
    role: message.role,
    node: message.node_id,
    excerpt,
  };
}
