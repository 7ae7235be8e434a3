import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isCallweaveError, ToolError } from "../../src/base/errors.ts";
import { canonicalJson, isRecord } from "../../src/base/values/mod.ts";
import { createRecordings, fileRecordings, scripted } from "../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { type RunOptions, type RunReport, run } from "../../src/run/runner/mod.ts";
import { openStore, type ResultRecord, type Store } from "../../src/run/store/mod.ts";
import { formatJson, formatJunit, formatReport, formatResult } from "../../src/surface/reporters/mod.ts";
import { withEnvironment } from "../../tests/environment.ts";
import { type Figure, sized } from "../figure.ts";

const ENVIRONMENTS = sized(2_000, 20);
const SEED = 7;

/** A variable of the environment, and the part of its value that must not leak. */
interface Variable {
  readonly name: string;
  readonly value: string;
  /** Absent: the value is an ordinary word, a number or a piece of JSON. */
  readonly secret?: string;
}

const GRAPH: AgentGraph = parseGraph({
  entry_node_id: "greet",
  source_metadata: { begin_message: "Hello, how can I help?" },
  nodes: {
    greet: {
      state_prompt: "Ask what it is about. {{note}}",
      tools: [{ name: "lookup_bill", description: "Finds a bill", parameters: { properties: { id: {} } } }],
      transitions: [{ target_node_id: "goodbye", condition: { type: "llm_prompt", value: "Caller is content" } }],
    },
    goodbye: { node_type: "end", state_prompt: "Say goodbye." },
  },
});

/** Words, numbers and punctuation of documents, which break them when replaced in their JSON. */
const WORDS =
  '0 1 30 12345678 1234567890123456 -1.5e9 true false null undefined NaN pass succeeded password agent_ended tool_call goodbye lookup_bill objectives_complete transition_to transcript nodesVisited content node_id billing assistant [] {} {" "}] ": "," \\ " \' $& .* ^$ (? [^ ]{2}'.split(
    " ",
  );

/** A part of what a run stores, as it is in the database. */
const DOCUMENT =
  '[{"role":"assistant","content":"Your bill REF-A7 is 30 dollars.","node_id":"greet","timestamp":"2026-01-02T03:04:05.678Z","metadata":{}},{"name":"lookup_bill","arguments":{"id":"A7","account":12345678},"result":{"total":30},"outcome":"succeeded","durationMs":1,"mocked":true}]';

const random = fc.string({ unit: fc.constantFrom(..."abcdefghkmABCDEFGHKM23456789"), minLength: 12, maxLength: 20 });

/** Distinctive values, with characters that are special in JSON, regular expressions and shells. */
const secrets = fc
  .tuple(
    random.map((text) => `Zq7${text}`),
    fc.nat({ max: 7 }),
  )
  .map(([core, kind]): Omit<Variable, "name"> => {
    const forms = [
      core,
      `pa"ss'${core}\\`,
      `${core}.*(a|b)+$`,
      `ключ-ü-${core}-🔑`,
      `{"key":"${core}"}`,
      `line\n${core}\nend`,
    ];
    const value = forms[kind];
    if (value !== undefined) return { value, secret: core };
    return { value: `postgres://me:${core}@db.test/app`, secret: core };
  });
const words = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom("", " ", "\n", "ab", "ü", "🔑", " ".repeat(30), "-".repeat(30)),
  fc.tuple(fc.nat({ max: DOCUMENT.length }), fc.nat({ max: 40 })).map(([at, size]) => DOCUMENT.slice(at, at + size)),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll("\0", "")),
);
const variables = fc
  .array(
    fc.oneof(
      secrets,
      words.map((value): Omit<Variable, "name"> => ({ value })),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((values) =>
    values.map((value, index): Variable => ({ ...value, name: `FUZZ_${index}_${NAMES[index] ?? "KEY"}` })),
  );
const NAMES = ["TOKEN", "PASSWORD", "KEY", "SECRET"];

/** Runs random environments through a call, a database, recordings and reports. */
export async function fuzzEnvironment(): Promise<readonly Figure[]> {
  const counts = { lost: 0, raw: 0, changed: 0, leaked: 0, missed: 0 };
  const folder = await mkdtemp(join(tmpdir(), "callweave-fuzz-"));
  const file = join(folder, "results.db");
  const store = await openStore(file);
  const seen: string[] = [];
  let number = 0;
  try {
    for (const environment of fc.sample(variables, { numRuns: ENVIRONMENTS, seed: SEED })) {
      const recordings = join(folder, `calls-${number++}.json`);
      try {
        await fuzzOne(environment, { store, recordings }, counts);
      } catch (error) {
        if (!isCallweaveError(error)) counts.raw += 1;
        else counts.lost += 1;
      }
      seen.push(...environment.flatMap(({ secret }) => secret ?? []));
      await rm(recordings, { force: true });
    }
    await store.close();
    const bytes = await readFile(file, "utf8");
    counts.leaked += seen.filter((secret) => bytes.includes(secret)).length;
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
  const against = `${number} environments through a call, a database, recordings and reports; ${seen.length} secrets`;
  const figure = (name: string, value: number): Figure => ({
    name: `environment_${name}`,
    value,
    unit: "environments",
    against,
    bound: 0,
  });
  return [
    { name: "environment_runs", value: number, unit: "environments", against },
    figure("lost_results", counts.lost),
    figure("raw_errors", counts.raw),
    figure("changed_structures", counts.changed),
    figure("leaked_secrets", counts.leaked),
    figure("replay_misses", counts.missed),
  ];
}

interface Places {
  readonly store: Store;
  readonly recordings: string;
}

type Counts = { lost: number; raw: number; changed: number; leaked: number; missed: number };

async function fuzzOne(environment: readonly Variable[], { store, recordings }: Places, counts: Counts): Promise<void> {
  const said = environment.map(({ value }) => value).join(" ");
  const secrets = environment.flatMap(({ secret }) => secret ?? []);
  const plain = await runCall(said, { store: false });
  if (!plain.passed) throw new Error(`the call itself fails: ${plain.results[0]?.errorMessage}`);
  await withEnvironment(Object.fromEntries(environment.map(({ name, value }) => [name, value])), async () => {
    const recordingsOf = (mode: "record" | "replay") => createRecordings(fileRecordings(recordings), mode);
    const report = await runCall(said, { store, recordings: recordingsOf("record") });
    const [stored] = (await store.showRun(report.id)).results;
    if (report.storeError !== null || !stored) counts.lost += 1;
    else if (shapeOf(stored) !== shapeOf(plain.results[0])) counts.changed += 1;
    const replayed = await runCall(said, { store: false, recordings: recordingsOf("replay") }, false);
    if (wordsOf(replayed) !== wordsOf(report)) counts.missed += 1;
    const error = new ToolError(`it said ${said}`, { code: "tool-failed", hint: said, cause: new Error(said) });
    const texts = [
      JSON.stringify(stored),
      JSON.stringify(report),
      await readFile(recordings, "utf8"),
      formatJson(report),
      formatJunit(report),
      formatReport(report),
      ...report.results.map((result) => formatResult(result)),
      `${error.message} ${error.hint} ${String(error.cause)} ${error.stack}`,
    ];
    if (texts.some((text) => secrets.some((secret) => text.includes(secret)))) counts.leaked += 1;
  });
}

/** A call in which caller, model, tool and variables contain values of the environment. */
async function runCall(said: string, options: RunOptions, live = true): Promise<RunReport> {
  const agent = scripted(
    live
      ? {
          respond: [
            { toolCalls: [{ name: "lookup_bill", arguments: { id: said, account: 12345678, key: [true, null] } }] },
            `Your bill REF-A7 is 30 dollars. ${said}`,
            "Goodbye!",
          ],
          transition: [
            { objectives_complete: false, transition_to: "" },
            { objectives_complete: true, transition_to: "goodbye" },
          ],
        }
      : {},
  );
  const scenario = {
    name: "billing",
    says: [`It is about my bill ${said}`, "Thanks"],
    dynamic_variables: { note: said, number: 12345678 },
    tool_mocks: [{ tool_name: "lookup_bill", output: JSON.stringify({ total: 30, note: said, account: 12345678 }) }],
    visits: ["greet", "goodbye"],
  };
  return await run(GRAPH, [scenario], { ...options, models: { agent } });
}

const NAMED = new Set("status kind role node_id outcome name scenario endReason nodesVisited".split(" "));
const VARYING = new Set("id runId startedAt timestamp durationMs duration_ms usage".split(" "));

/** All parts of a result that are not free text: keys, numbers, names and kinds. */
function shapeOf(result: ResultRecord | undefined): string {
  const shape = (value: unknown, key = ""): unknown => {
    if (VARYING.has(key)) return "varies";
    if (key === "latency") return timesOf(value);
    if (typeof value === "string") return NAMED.has(key) ? value : "text";
    if (Array.isArray(value)) return value.map((item) => shape(item, key));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shape(item, name)]));
  };
  return canonicalJson(shape(result));
}

/** Latencies by turn, without the times themselves. */
function timesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timesOf);
  if (!isRecord(value)) return value;
  const named = Object.entries(value).map(([key, item]) => [
    key,
    key === "turn" ? item : isRecord(item) ? timesOf(item) : "time",
  ]);
  return Object.fromEntries(named);
}

function wordsOf({ results }: RunReport): string {
  return JSON.stringify(results.map(({ status, transcript }) => [status, transcript.map(({ content }) => content)]));
}
