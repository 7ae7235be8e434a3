import { createHash } from "node:crypto";
import { createOpenAI } from "@ai-sdk/openai";
import { type Clock, isRecord } from "../src/base/values/mod.ts";
import { DEFAULT_RETRIES } from "../src/call/models/mod.ts";
import { parseGraph } from "../src/document/graph/mod.ts";
import { runScenarios } from "../src/run/runner/mod.ts";
import { type ChatAnswer, type ChatRequest, fitting, startChatServer } from "./chat_server.ts";
import { seeded } from "./platforms/mutate.ts";

/** Outcome of scenarios with a faulty server. */
export interface ChaosReport {
  readonly scenarios: number;
  readonly requests: number;
  readonly faults: number;
  /** Scenarios without a result. */
  readonly lost: number;
  /** Scenarios that did not end on their own. */
  readonly hung: number;
  /** Scenarios that could have succeeded but did not, or that could not and have no reason. */
  readonly wrong: number;
  /** Requests beyond what the retry policy allows for a call. */
  readonly callsOverPolicy: number;
  readonly errors: readonly string[];
}

const FAULTS: readonly ChatAnswer[] = [
  { status: 429 },
  { status: 429, headers: { "retry-after-ms": "20" } },
  { status: 500, body: "oops" },
  "hang",
  "cut",
  { status: 200, body: '{"choices":[{"mess' },
  { say: '{"some":"other schema"}' },
  { say: "" },
];

const graph = parseGraph({
  entry_node_id: "greet",
  nodes: {
    greet: {
      state_prompt: "Greet the caller.",
      transitions: [{ target_node_id: "find", condition: { type: "llm_prompt", value: "Caller says what they want" } }],
    },
    find: {
      node_type: "extract",
      variables_to_extract: [{ name: "wish", description: "What the caller wants", type: "string" }],
      transitions: [{ target_node_id: "bye", condition: { type: "always" } }],
    },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
});

/**
 * A clock without pauses that ends the time of requests once all of those in progress hang, so that no request times out
 * that is still to be answered. Other time limits never end.
 *
 * @param timeoutMs Time limit of a request.
 */
function hangingRequests(timeoutMs: number) {
  const limits = new Set<() => void>();
  const open = new Set<string>();
  const hanging = new Set<string>();
  let requests = 0;
  const endIfAllHang = () => {
    if (hanging.size === 0 || hanging.size < limits.size) return;
    const ending = [...limits];
    limits.clear();
    hanging.clear();
    for (const end of ending) end();
  };
  const clock: Clock = {
    now: () => 0,
    pause: async () => {},
    after: (ms, end) => {
      if (ms !== timeoutMs) return () => {};
      limits.add(end);
      return () => {
        if (limits.delete(end)) endIfAllHang();
      };
    },
  };
  const fetchWithId: typeof fetch = async (input, init) => {
    const id = String(++requests);
    const headers = new Headers(init?.headers);
    headers.set("x-request", id);
    open.add(id);
    try {
      return await fetch(input, { ...init, headers });
    } finally {
      open.delete(id);
      hanging.delete(id);
    }
  };
  return {
    clock,
    fetch: fetchWithId,
    /** Called for each request that gets no answer, with its id. */
    hangs: (id: string) => {
      if (open.has(id)) hanging.add(id);
      endIfAllHang();
    },
  };
}

/** A number from the seed and a text, whatever was asked for before: concurrent calls ask in another order each time. */
const numberOf = (text: string, seed: number) => createHash("sha256").update(`${seed} ${text}`).digest().readUInt32LE();

/** The messages of a call. A retry after an unusable answer adds a part with the schema, which is left out. */
function callOf({ messages }: ChatRequest): string {
  return JSON.stringify(
    messages.map(({ content }: { readonly content: unknown }) => {
      const [first]: unknown[] = Array.isArray(content) ? content : [content];
      return isRecord(first) ? first.text : first;
    }),
  );
}

/**
 * Runs scenarios with a server that fails three of ten requests, in every possible way.
 *
 * @param timeoutMs Time limit of a request, which hanging ones use up without waiting for it.
 */
export async function runChaos(count: number, seed: number, timeoutMs: number): Promise<ChaosReport> {
  const logs = new Map<string, { good: number; requests: number }>();
  const { clock, fetch, hangs } = hangingRequests(timeoutMs);
  let faults = 0;
  await using server = await startChatServer((request, index) => {
    const key = callOf(request);
    const log = logs.get(key) ?? { good: 0, requests: 0 };
    logs.set(key, log);
    log.requests += 1;
    const random = seeded(numberOf(`${key} ${log.requests}`, seed));
    const fault = random() < 0.3 ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
    const isReply = request.response_format === undefined;
    // a reply has no schema to miss, and an empty one is asked for again as a call of its own
    if (!fault || (isReply && typeof fault === "object" && "say" in fault)) log.good += 1;
    if (fault === "hang") hangs(String(server.headers[index]?.["x-request"]));
    if (fault) {
      faults += 1;
      return fault;
    }
    return fitting(request, {
      objectives_complete: true,
      transition_to: "find",
      wish: "a refund",
      verdicts: [{ number: 1, requirement: "r", evidence: "All right.", reasoning: "r", score: 1, confidence: 1 }],
    });
  });
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none", fetch }).chat("m");
  const names = Array.from({ length: count }, (_, index) => `Caller ${index} of ${count}`);
  const giveUp = AbortSignal.timeout(240_000);
  const report = await runScenarios(
    { ...graph, source_metadata: { general_prompt: "You answer {{who}}." } },
    names.map((who) => ({
      name: who,
      says: [`I am ${who} and want a refund`],
      dynamic_variables: { who },
      metrics: [`Is kind to ${who}`],
      ends: "agent_ended",
    })),
    {
      models: { agent },
      store: false,
      limits: { concurrency: 16 },
      signal: giveUp,
      requests: { tryTimeoutMs: timeoutMs },
    },
    { timers: clock },
  );
  const failedCalls = [...logs].flatMap(([key, log]) => (log.good === 0 ? [key] : []));
  const doomed = new Set(
    names.filter((who) => failedCalls.some((key) => key.includes(`${who} `) || key.includes(`${who}.`))),
  );
  const wrong = report.results.filter(({ scenario, status, errorMessage: reason }) =>
    doomed.has(scenario) ? status !== "error" || !reason : status !== "pass",
  );
  return {
    scenarios: count,
    requests: server.requests.length,
    faults,
    lost: names.filter((who) => !report.results.some(({ scenario }) => scenario === who)).length,
    hung: giveUp.aborted ? report.counts.cancelled : 0,
    wrong: wrong.length,
    callsOverPolicy: [...logs.values()].filter(({ requests }) => requests > DEFAULT_RETRIES.retries + 1).length,
    errors: report.results.flatMap(({ errorMessage: reason }) => reason ?? []),
  };
}
