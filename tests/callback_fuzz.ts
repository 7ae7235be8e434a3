import { scenario } from "../dsl/mod.ts";
import { isCallweaveError } from "../src/base/errors.ts";
import { isRecord } from "../src/base/values/mod.ts";
import { createRecordings, type Model, type Recording, type RecordingStore, scripted } from "../src/call/models/mod.ts";
import { parseGraph } from "../src/document/graph/mod.ts";
import { CallbackError, type RunOptions, type RunReport, run } from "../src/run/runner/mod.ts";
import { openStore, type Store } from "../src/run/store/mod.ts";
import { mutate, seeded } from "./platforms/mutate.ts";

/** Outcome of runs whose callbacks misbehave. */
export interface CallbackFuzzReport {
  readonly runs: number;
  /** Runs that were rejected, or whose call ended in an error that names the callback's fault. */
  readonly told: number;
  readonly wrongPasses: readonly string[];
  /** Errors without a code, thrown or in a result. */
  readonly rawErrors: readonly string[];
  readonly hangs: readonly string[];
  /** Runs that had begun and are not finished in the database, or whose result is not there. */
  readonly lost: readonly string[];
}

const GRAPH = parseGraph({
  entry_node_id: "a",
  nodes: { a: { state_prompt: "Talk at {{current_time}}.", tools: [{ name: "look" }] } },
});

/** Limits for promises that never settle. A busy machine exceeds them without any of those, so other runs have the defaults. */
const SHORT = {
  limits: { turnTimeoutMs: 300, toolTimeoutMs: 100 },
  requests: { tryTimeoutMs: 100 },
} satisfies RunOptions;

/** Few retries without delays, because a faulty callback fails again. */
const RETRY = { retries: 1, minDelayMs: 0 };

const ANSWER = {
  content: [{ type: "text", text: "Hello" }],
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};

const RECORDING: Recording = {
  key: "k",
  role: "agent",
  signature: "respond",
  model: "callweave/scripted",
  trial: 1,
  occurrence: 0,
  slice: "s",
  request: ["Talk"],
  content: [{ type: "text", text: "Hello" }],
  finish_reason: "stop",
};

/** Chooses what a callback returns: a valid value, a damaged one, or something else. */
type Give = (normal: unknown) => unknown;

interface Callback {
  readonly name: string;
  /** Whether a promise that never settles can be waited for with a limit. */
  readonly mayHang?: boolean;
  readonly options: (give: Give, waits: boolean) => object;
}

const agent = () => scripted({ respond: [{ toolCalls: [{ name: "look", arguments: {} }] }, "Hello", "Well", "Bye"] });

const listener = (name: string): Callback => ({
  name,
  mayHang: true,
  options: (give) => ({ listeners: { [name]: () => give(undefined) } }),
});

const middleware = (give: Give) => ({
  specificationVersion: "v3",
  wrapGenerate: async ({ doGenerate }: { doGenerate: () => Promise<unknown> }) => give(await doGenerate()),
});

function recordingStore(name: string, mode: "auto" | "replay" | "record", normal: unknown): Callback {
  return {
    name: `RecordingStore.${name} (${mode})`,
    mayHang: true,
    options: (give, waits) => {
      const nothing = async () => undefined;
      const store = {
        find: nothing,
        add: nothing,
        like: async () => [],
        flush: nothing,
        findClock: nothing,
        addClock: nothing,
      };
      const damaged: unknown = { ...store, [name]: () => give(normal) };
      // deliberately not a store
      return { recordings: createRecordings(damaged as RecordingStore, mode, waits ? { storeTimeoutMs: 100 } : {}) };
    },
  };
}

const CALLBACKS: readonly Callback[] = [
  ...["onResult", "onProgress", "onToken", "onMessage", "onTool"].map(listener),
  { name: "now", options: (give) => ({ clock: { now: () => give(new Date(0)) } }) },
  {
    name: "createCaller",
    options: (give) => ({ createCaller: () => give({ next: async () => ({ hangUp: "caller_ended" }) }) }),
  },
  {
    name: "next",
    mayHang: true,
    options: (give) => ({ createCaller: () => ({ next: () => give({ say: "Hi", hangUp: "caller_ended" }) }) }),
  },
  {
    name: "execute",
    mayHang: true,
    options: (give) => ({ tools: { look: () => give({ found: [1, { note: "x" }] }) } }),
  },
  {
    name: "around",
    options: (give) => ({ requests: { around: () => give([middleware((answer) => answer)]) } }),
  },
  {
    name: "around's middleware",
    mayHang: true,
    options: (give) => ({ requests: { around: () => [middleware(give)] } }),
  },
  {
    name: "within's middleware",
    mayHang: true,
    options: (give) => ({ requests: { within: [middleware(give)] } }),
  },
  {
    name: "a model's doGenerate",
    mayHang: true,
    options: (give) => ({
      models: { agent: { ...scripted({}), provider: "own", doGenerate: () => give(ANSWER) } as Model },
    }),
  },
  recordingStore("find", "auto", RECORDING),
  recordingStore("find", "replay", RECORDING),
  recordingStore("like", "replay", [RECORDING]),
  recordingStore("findClock", "auto", "2026-01-01T00:00:00.000Z"),
  recordingStore("addClock", "auto", undefined),
  recordingStore("add", "record", undefined),
  recordingStore("prepare", "record", undefined),
  recordingStore("flush", "record", undefined),
];

const circular: Record<string, unknown> = {};
circular.self = circular;

/** Ways for a callback to misbehave. */
const FAULTS: readonly (readonly [name: string, fault: (normal: unknown) => unknown])[] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["a number", () => 7],
  ["a text", () => "caller_ended"],
  ["an empty object", () => ({})],
  ["a list", () => [[]]],
  ["a function", () => () => "x"],
  ["a symbol", () => Symbol("x")],
  ["a bigint", () => 7n],
  ["an object that holds itself", () => circular],
  ["a Date without a time", () => new Date(Number.NaN)],
  ["an error", () => new Error("given, not thrown")],
  ["a promise of null", async () => null],
  ["a promise of what is right", async (normal) => normal],
  [
    "something thrown",
    () => {
      throw new Error("boom");
    },
  ],
  [
    "null thrown",
    () => {
      throw null;
    },
  ],
  ["a rejection", () => Promise.reject(new Error("boom"))],
  ["a rejection without a reason", () => Promise.reject()],
  [
    "a getter that throws",
    () => ({
      get say() {
        throw new Error("boom");
      },
      get content() {
        throw new Error("boom");
      },
    }),
  ],
];
const NEVER = ["a promise that never settles", () => new Promise(() => {})] as const;

/** Settings of the fuzz. */
export interface CallbackFuzzOptions {
  readonly seed: number;
  /** Time in milliseconds after which a run counts as hanging. */
  readonly limitMs: number;
  /** Whether some promises never settle: their runs end when a time limit is over. */
  readonly waits: boolean;
}

/** Concurrent runs: most of the slow ones are waiting. */
const AT_ONCE = 8;

/** Runs one call each with a callback that misbehaves. The scenario's expectation does not hold, so none may pass. */
export async function fuzzCallbacks(
  count: number,
  { seed, limitMs, waits }: CallbackFuzzOptions,
): Promise<CallbackFuzzReport> {
  const random = seeded(seed);
  const found: { readonly [kind in "wrongPasses" | "rawErrors" | "hangs" | "lost"]: string[] } = {
    wrongPasses: [],
    rawErrors: [],
    hangs: [],
    lost: [],
  };
  let told = 0;
  await using store = await openStore(":memory:");
  const fuzzOne = async (index: number) => {
    const callback = CALLBACKS[index % CALLBACKS.length];
    if (!callback) return;
    const { label, give } = faultOf(callback, random, waits);
    const outcome = await within(limitMs, runCall(callback.options(give, waits), store, waits));
    if (outcome === "hang") {
      found.hangs.push(label);
      return;
    }
    const { error } = outcome;
    const report = error instanceof CallbackError ? error.report : outcome.report;
    const message = report?.results[0]?.errorMessage ?? "";
    if (error !== undefined || message) told += 1;
    if (error !== undefined && !(isCallweaveError(error) && error.hint))
      found.rawErrors.push(`${label}: ${String(error)}`);
    if (RAW.test(message)) found.rawErrors.push(`${label}: ${message}`);
    if (report?.passed || report?.counts.pass) found.wrongPasses.push(label);
    if (!(await isKept(store, outcome.runId, report))) found.lost.push(label);
  };
  for (let index = 0; index < count; index += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - index) }, (_, at) => fuzzOne(index + at)));
  return { runs: count, told, ...found };
}

/** The message of an error that was not written for users. */
const RAW =
  /undefined is not|null is not|not a function|Cannot (?:read prop|destructure|convert|create)|is not (?:an object|iterable)|circular|BigInt/i;

function faultOf(
  { name, mayHang }: Callback,
  random: () => number,
  waits: boolean,
): { readonly label: string; readonly give: Give } {
  const faults = waits && mayHang && random() < 0.3 ? [...FAULTS, NEVER] : FAULTS;
  const [what, fault] = faults[Math.floor(random() * faults.length)] ?? NEVER;
  const right = Math.floor(random() * 4); // the first few times, it behaves
  const damages = random() < 0.5;
  const own = seeded(Math.floor(random() * 2 ** 32)); // concurrent runs draw in another order each time
  let asked = 0;
  const give: Give = (normal) => {
    if (asked++ < right) return normal;
    if (!damages || typeof normal !== "object" || normal === null || normal instanceof Date) return fault(normal);
    return hasFunctions(normal) ? fault(normal) : mutate(normal, own);
  };
  return { label: `${name}: ${damages ? "damaged, or " : ""}${what} after ${right} right ones`, give };
}

function hasFunctions(value: object): boolean {
  return Object.values(value).some(
    (each) => typeof each === "function" || (typeof each === "object" && each && hasFunctions(each)),
  );
}

interface Outcome {
  readonly report?: RunReport;
  readonly error?: unknown;
  /** Of a run that has begun. */
  readonly runId?: string;
}

async function runCall(options: object, store: Store, waits: boolean): Promise<Outcome> {
  let runId: string | undefined;
  const watched: Store = Object.create(store, {
    url: { value: store.url },
    startRun: {
      value: async (...args: Parameters<Store["startRun"]>) => {
        const started = await store.startRun(...args);
        runId = started.id;
        return started;
      },
    },
    addResult: { value: store.addResult.bind(store) },
    finishRun: { value: store.finishRun.bind(store) },
    status: { value: store.status.bind(store) },
  });
  const sings = scenario("sings").says("Hi", "Hm").visits("a").includes("unicorn");
  const limits = waits ? SHORT : { requests: {} };
  const given: unknown = {
    models: { agent: agent() },
    tools: { look: () => 1 },
    ...limits,
    store: watched,
    ...options,
    requests: {
      ...limits.requests,
      retry: RETRY,
      ...("requests" in options && isRecord(options.requests) ? options.requests : {}),
    },
  };
  const begun = () => (runId === undefined ? {} : { runId });
  try {
    return { report: await run(GRAPH, [sings], given as RunOptions), ...begun() }; // what it takes is what this is about
  } catch (error) {
    return { error, ...begun() };
  }
}

/** Whether a run that has begun is finished, with its result, where results are kept. */
async function isKept(store: Store, runId: string | undefined, report: RunReport | undefined): Promise<boolean> {
  if (runId === undefined) return report === undefined;
  const { run: stored, results } = await store.showRun(runId);
  return stored.finishedAt !== null && results.length === 1 && report?.results.length === 1;
}

async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result | "hang"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hang">((resolve) => {
    timer = setTimeout(() => resolve("hang"), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
