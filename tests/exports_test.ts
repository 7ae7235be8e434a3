import assert from "node:assert/strict";
import { test } from "node:test";
import * as analysis from "../api/analysis.ts";
import * as calls from "../api/calls.ts";
import * as deploy from "../api/deploy.ts";
import * as platforms from "../api/platforms.ts";
import * as reporters from "../api/reporters.ts";
import * as statistics from "../api/statistics.ts";
import * as api from "../mod.ts";
import { sampled } from "./fast_check.ts";

const circular: Record<string, unknown> = {};
Object.assign(circular, { self: circular, other: circular });

/** Hostile values that plain JavaScript may pass, with names for failing tests. */
const HOSTILE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["undefined", undefined],
  ["null", null],
  ["1", 1],
  ['""', ""],
  ["text", "text"],
  ["true", true],
  ["[]", []],
  ["[null]", [null]],
  ["{}", {}],
  ["circular", circular],
  ["symbol", Symbol("hostile")],
  ["no prototype", Object.create(null)],
]);

/** These read files, databases or the process when called. Their own tests pass them wrong arguments. */
const TOUCH_MACHINE: ReadonlySet<string> = new Set([
  ...["openStore", "openRecordings", "runAsProgram", "startLocalPlatforms", "importCalls"],
]);

/** They take one argument, and load lists of words for each call that accepts it. */
const LOAD_LISTS: ReadonlySet<string> = new Set(["createPseudonymizer"]);

/** The share of argument pairs and report places that this runtime tries, see {@link sampled}. */
const STEP = Math.round(100 / sampled(100));

/** The functions of every entry point but `callweave/testing`, which needs a test runner. */
const all = { ...api, ...analysis, ...calls, ...deploy, ...platforms, ...reporters, ...statistics };

type AnyFunction = (...args: unknown[]) => unknown;

/** Errors of a call other than typed errors with a hint; none if it returns. */
async function rawErrorOf(label: string, call: () => unknown): Promise<readonly string[]> {
  try {
    await call();
    return [];
  } catch (error) {
    if (api.isCallweaveError(error) && error.hint !== "") return [];
    return [`${label}: ${String(error).slice(0, 120)}`];
  }
}

/** Calls a function with no argument, with each hostile one, and with pairs in which each is the first and the second. */
async function attack(name: string, call: AnyFunction): Promise<readonly string[]> {
  const seconds = LOAD_LISTS.has(name) ? [] : [...HOSTILE];
  const raw = [...(await rawErrorOf(`${name}()`, () => call()))];
  for (const [index, [one, first]] of [...HOSTILE].entries()) {
    raw.push(...(await rawErrorOf(`${name}(${one})`, () => call(first))));
    for (const [two, second] of seconds.filter((_, other) => (index + other) % STEP === 0))
      raw.push(...(await rawErrorOf(`${name}(${one}, ${two})`, () => call(first, second))));
  }
  return raw;
}

const isClass = (value: AnyFunction) => /^class\b/.test(Function.prototype.toString.call(value));

test("exported functions throw only typed errors with a hint, for any arguments", async () => {
  const raw: string[] = [];
  for (const [name, value] of Object.entries(all)) {
    if (typeof value !== "function" || TOUCH_MACHINE.has(name)) continue;
    const call = value as AnyFunction; // what it takes is what this is about
    if (!isClass(call)) raw.push(...(await attack(name, call)));
  }
  assert.deepEqual(raw, []);
});

const hello = () => api.flow("hello").conversation("greet", { prompt: "Greet." });

test("methods of builders and conversations throw only typed errors with a hint", async () => {
  const makers: Readonly<Record<string, () => object>> = {
    flow: hello,
    scenario: () => api.scenario("s"),
    conversation: () => api.conversation(hello().compile(), { models: { agent: api.scripted({}) } }),
  };
  const raw: string[] = [];
  for (const [what, make] of Object.entries(makers)) {
    const prototype: object = Object.getPrototypeOf(make());
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = Object.getOwnPropertyDescriptor(prototype, name)?.value;
      if (name === "constructor" || typeof method !== "function") continue;
      raw.push(...(await attack(`${what}.${name}`, (...args) => method.apply(make(), args))));
    }
  }
  assert.deepEqual(raw, []);
});

/** Every place in a document, as a list of keys. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

/** One of each kind: there are many places. */
const WRONG = [...HOSTILE].filter(([name]) =>
  ["undefined", "null", "1", "[null]", "circular", "no prototype"].includes(name),
);

/** A copy with another value in one place. */
function replaced(value: unknown, [key, ...rest]: readonly string[], hostile: unknown): unknown {
  if (key === undefined) return hostile;
  const child: unknown = Reflect.get(Object(value), key);
  const changed = replaced(child, rest, hostile);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? changed : item))
    : { ...Object(value), [key]: changed };
}

test("formatters reject reports, results and transcripts with a wrong value in any place", async () => {
  const look = { toolCalls: [{ name: "look", arguments: { id: 1 } }] };
  const nodes = { a: { state_prompt: "Talk.", tools: [{ name: "look" }] } };
  const verdict = {
    criterion: "Is kind",
    requirement: "It is kind",
    evidence: "Hello",
    reasoning: "It greets",
    score: 1,
  };
  const report = await api.run(
    api.parseGraph({ entry_node_id: "a", nodes }),
    [{ name: "talks", says: ["Hi"], visits: ["a"], includes: ["never"], metrics: ["Is kind"] }],
    {
      models: {
        agent: api.scripted({
          respond: [look, "Hello", "Well"],
          judge: [{ verdicts: [{ ...verdict, number: 1, confidence: 1 }] }],
        }),
      },
      tools: { look: () => 1 },
      store: false,
    },
  );
  assert.equal(report.counts.fail, 1, JSON.stringify(report.results));
  const [result] = report.results;
  const others = new Map<string, unknown>([
    ["formatResult", result],
    ["formatTranscript", result?.transcript],
  ]);
  const formatters: readonly (readonly [string, AnyFunction, unknown])[] = [
    ...Object.entries(reporters).flatMap(([name, format]) =>
      name.startsWith("format") ? [[name, format as AnyFunction, others.get(name) ?? report] as const] : [],
    ),
    [
      "reportOf",
      reporters.reportOf as AnyFunction,
      { run: { ...report, models: report.models, startedAt: "" }, results: [result] },
    ],
  ];
  const raw: string[] = [];
  for (const [name, format, given] of formatters)
    for (const [index, place] of placesIn(given).entries())
      for (const [hostile, value] of WRONG.filter((_, other) => (index + other) % STEP === 0))
        raw.push(
          ...(await rawErrorOf(`${name} with ${hostile} at ${place.join(".")}`, () =>
            format(replaced(given, place, value)),
          )),
        );
  assert.deepEqual(raw, []);
});
