import { isCallweaveError } from "../src/base/errors.ts";
import { isRecord } from "../src/base/values/mod.ts";
import { scripted } from "../src/call/models/mod.ts";
import { parseGraph } from "../src/document/graph/mod.ts";
import { run } from "../src/run/runner/mod.ts";
import { mutate, seeded } from "./platforms/mutate.ts";

/** Outcome of damaged scenario documents. */
export interface ScenarioFuzzReport {
  readonly documents: number;
  /** Documents that were rejected with a typed error. */
  readonly refused: number;
  /** Passes of documents whose expectation does not hold or is missing, or that have unknown keys. */
  readonly wrongPasses: readonly string[];
  /** Errors without a code, thrown or in a result. */
  readonly rawErrors: readonly string[];
  readonly hangs: number;
  /** Runs without a result for their scenario. */
  readonly lost: number;
}

/** Says good day, calls `find` and says goodbye, whatever the caller says. */
const GRAPH = parseGraph({
  entry_node_id: "hello",
  nodes: {
    hello: {
      node_type: "conversation",
      instruction_type: "static_text",
      state_prompt: "Good day.",
      transitions: [{ target_node_id: "look", condition: { type: "llm_prompt", value: "Caller says something" } }],
    },
    look: {
      node_type: "function",
      tools: [{ name: "find", description: "Finds", response_variables: { total: "$.total" } }],
      transitions: [{ target_node_id: "bye", condition: { type: "always" } }],
    },
    bye: { node_type: "end", instruction_type: "static_text", state_prompt: "The total is 7. Goodbye." },
    manager: { node_type: "conversation", state_prompt: "Help.", global_node_setting: { condition: "Never" } },
  },
});

const has = (value: unknown, item: unknown) => Array.isArray(value) && value.includes(item);
const hasRule = (value: unknown, key: string, item: unknown) =>
  Array.isArray(value) && value.some((rule) => isRecord(rule) && rule[key] === item);

/** Expectations that do not hold, and whether a document still has them. Each is beside one that holds. */
const FAILING: readonly (readonly [keys: object, isThere: (document: Record<string, unknown>) => boolean])[] = [
  [{ includes: ["unicorn"] }, ({ includes }) => has(includes, "unicorn")],
  [{ excludes: ["Goodbye"] }, ({ excludes }) => has(excludes, "Goodbye")],
  [{ patterns: ["REF-[0-9]+"] }, ({ patterns }) => has(patterns, "REF-[0-9]+")],
  [{ matches: ["REF-[0-9]+"] }, ({ matches }) => has(matches, "REF-[0-9]+")],
  [{ visits: ["manager"] }, ({ visits }) => has(visits, "manager")],
  [{ avoids: ["bye"] }, ({ avoids }) => has(avoids, "bye")],
  [{ ends: "hop_limit" }, ({ ends }) => ends === "hop_limit"],
  [{ extracts: { total: "8" } }, ({ extracts }) => isRecord(extracts) && extracts.total === "8"],
  [
    { calls: [{ tool: "find", args: { id: 1 } }] },
    ({ calls }) =>
      Array.isArray(calls) && calls.some((call) => call?.tool === "find" && isRecord(call.args) && call.args.id === 1),
  ],
  [{ metrics: ["The agent sings"] }, ({ metrics }) => has(metrics, "The agent sings")],
  [{ each_reply: [{ pattern: "never said" }] }, ({ each_reply: rules }) => hasRule(rules, "pattern", "never said")],
  [{ end_state: { order: "sung" } }, ({ end_state: state }) => isRecord(state) && state.order === "sung"],
  [{ each_reply: [{ criterion: "sings" }] }, ({ each_reply: rules }) => hasRule(rules, "criterion", "sings")],
  [{ judge: ["The agent sings"] }, ({ judge }) => has(judge, "The agent sings")],
  [
    { metrics: [{ criterion: "The agent sings", threshold: 0.9 }] },
    ({ metrics }) =>
      Array.isArray(metrics) &&
      metrics.some((metric) => metric?.criterion === "The agent sings" && metric.threshold === 0.9),
  ],
];

const CALLERS = [
  { says: ["Hi"] },
  { user_prompt: "You are Jo." },
  { persona: "You are Jo." },
  { says: ["Hi"], persona: "Jo" },
];
const EXTRAS = [
  {
    type: "llm",
    tool_mocks: [{ tool_name: "find", input_match_rule: { type: "any" }, output: '{"total":7}', result: true }],
  },
  { mock: { find: { output: { total: 7 }, times: 3 } }, variables: { plan: "pro" }, turns: 5 },
  {
    dynamic_variables: { plan: "pro" },
    max_turns: 5,
    answers_within_ms: 60_000,
    tags: ["slow"],
    metadata: { author: "Jo" },
  },
];

/** Every key that a scenario may have, listed independently of the code under test. */
const KEYS = new Set(
  (
    "name type user_prompt persona says dynamic_variables variables tool_mocks mock metrics judge includes excludes patterns matches " +
    "visits avoids ends extracts calls checks answers_within_ms answers_after_tools_within_ms stops_within_ms " +
    "talks_over_at_most_ms dead_air_at_most_ms says_nothing_twice word_errors_at_most each_reply tool_state end_state speaks llm_model max_turns turns id description notes tags metadata retell " +
    "test_case_definition_id response_engine creation_timestamp user_modified_timestamp"
  ).split(" "),
);
const EXPECTATIONS = [
  "metrics",
  "judge",
  "includes",
  "excludes",
  "patterns",
  "matches",
  "visits",
  "avoids",
  "ends",
  "extracts",
  "calls",
  "each_reply",
  "end_state",
];

/** Damages scenario documents and runs them: each must be rejected, or must not pass wrongly. */
export async function fuzzScenarios(count: number, seed: number, limitMs: number): Promise<ScenarioFuzzReport> {
  const random = seeded(seed);
  const [wrongPasses, rawErrors]: [string[], string[]] = [[], []];
  let [refused, hangs, lost] = [0, 0, 0];
  for (let index = 0; index < count; index++) {
    const [keys, isThere] = FAILING[index % FAILING.length] ?? [{}, () => false];
    const original = {
      name: "case",
      ...CALLERS[index % CALLERS.length],
      ...EXTRAS[index % EXTRAS.length],
      ...holding(keys),
      ...keys,
    };
    const damaged: unknown = JSON.parse(
      JSON.stringify(random() < 0.5 ? misspell(original, random) : mutate(original, random)),
    );
    const outcome = await within(limitMs, runDocument(damaged));
    if (outcome === "hang") hangs += 1;
    else if (outcome instanceof Error) {
      refused += 1;
      if (!isCallweaveError(outcome) || !outcome.hint) rawErrors.push(`${JSON.stringify(damaged)}: ${outcome.message}`);
    } else if (outcome.results.length !== (Array.isArray(damaged) ? damaged.length : 1)) lost += 1;
    else {
      const message = outcome.results[0]?.errorMessage ?? "";
      if (/TypeError|RangeError|undefined|is not a function|\[object/.test(message)) rawErrors.push(message);
      if (outcome.passed && isRecord(damaged) && mustNotPass(damaged, isThere))
        wrongPasses.push(JSON.stringify(damaged));
      if (outcome.passed && !isRecord(damaged)) wrongPasses.push(JSON.stringify(damaged));
    }
  }
  return { documents: count, refused, wrongPasses, rawErrors, hangs, lost };
}

/** An expectation that holds, under another key than the failing one. */
function holding(keys: object): object {
  return "visits" in keys ? { includes: ["total is 7"] } : { visits: ["look", "bye"] };
}

function mustNotPass(
  document: Record<string, unknown>,
  isThere: (document: Record<string, unknown>) => boolean,
): boolean {
  const isRead = (key: string) => KEYS.has(key) || !/^[a-z]/i.test(key) || /^x[-_]/i.test(key);
  const expectsSomething = EXPECTATIONS.some((key) => JSON.stringify(document[key] ?? []).length > 2);
  return isThere(document) || !Object.keys(document).every(isRead) || !expectsSomething;
}

/** The document with a key misspelled, at any depth but that of names of the user's own. */
function misspell(document: object, random: () => number): unknown {
  const entries = Object.entries(document);
  const at = 1 + Math.floor(random() * (entries.length - 1));
  return Object.fromEntries(
    entries.map(([key, value], index) => {
      if (index !== at) return [key, value];
      const inner: unknown = Array.isArray(value) ? value[0] : undefined;
      if (isRecord(inner) && random() < 0.5) return [key, [misspell({ "": 0, ...inner }, random)].map(withoutFirst)];
      return [misspelled(key, random), value];
    }),
  );
}

function withoutFirst(value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== "")) : value;
}

function misspelled(key: string, random: () => number): string {
  const at = Math.floor(random() * key.length);
  const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const slips = [
    key.slice(0, at) + key.slice(at + 1),
    key.slice(0, at) + key[at] + key.slice(at),
    key.slice(0, at) + (key[at + 1] ?? "") + key[at] + key.slice(at + 2),
    `${key}s`,
    key.toUpperCase(),
    camel === key ? `${key}_` : camel,
  ];
  return slips[Math.floor(random() * slips.length)] ?? key;
}

async function runDocument(document: unknown) {
  const verdict = (number: number) => ({
    number,
    requirement: "The agent does it",
    evidence: "",
    reasoning: "It does not.",
    score: 0,
    confidence: 1,
  });
  const agent = scripted({
    transition: Array.from({ length: 6 }, () => ({ objectives_complete: true, transition_to: "look" })),
    caller: Array.from({ length: 6 }, () => ({ message: "Hi", should_end: false })),
    judge: [
      ({ criteria }: { readonly criteria: readonly unknown[] }) => ({
        verdicts: criteria.map((_, index) => verdict(index + 1)),
      }),
    ],
  });
  try {
    const list: unknown = Array.isArray(document) ? document : [document];
    const options = { models: { agent }, store: false, tools: { find: () => ({ total: 7 }) } } as const;
    return await run(GRAPH, list as Parameters<typeof run>[1], options); // what a file may hold
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | "hang"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hang">((resolve) => {
    timer = setTimeout(() => resolve("hang"), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
