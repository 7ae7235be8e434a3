import { isRecord, type JsonObject, shorten } from "../../base/values/mod.ts";
import { runOwnChecks } from "../../call/judges/mod.ts";
import { type CheckFunction, endStateChecks, endStateText, type Scenario } from "../../document/scenario/mod.ts";
import type { CheckResult, NotChecked } from "../../document/transcript/mod.ts";

/** Results of the expectations about the tools' state, or why they were not checked. */
export interface EndStateResults {
  readonly checks: readonly CheckResult[];
  readonly notChecked: readonly NotChecked[];
}

/** The tools' state after a call, or why it is not known. */
export type EndState = { readonly state: JsonObject } | { readonly unknown: string };

/** Why the end state of a call is not known: it is a stored or a replayed one. */
export const RECORDED_TOOLS = "the tools of this call were recorded and did not run, so that their state is not known";

/**
 * Checks what a scenario expects of the tools' state after a call: the values of `end_state`, and functions.
 *
 * @throws {ScenarioError} Like `runOwnChecks()`.
 */
export async function checkEndState(
  scenario: Scenario,
  end: EndState,
  call: Parameters<CheckFunction>[0],
  options: Parameters<typeof runOwnChecks>[2],
): Promise<EndStateResults> {
  const functions = endStateChecks(scenario);
  const { end_state: expected } = scenario;
  if ("unknown" in end) {
    const names = [...(expected ? [endStateText(expected)] : []), ...functions.map(({ name }) => name)];
    return {
      checks: [],
      notChecked: names.map((name) => ({ kind: "end_state", expected: name, reason: end.unknown })),
    };
  }
  const { state } = end;
  const own = functions.map(({ endState, judge: _, ...check }) => ({
    ...check,
    judge: ((given, context) => endState({ ...structuredClone(state) }, given, context)) satisfies CheckFunction,
  }));
  const results = await runOwnChecks(own, call, options);
  return {
    checks: [
      ...(expected ? [matchEndState(expected, state)] : []),
      ...results.map((result): CheckResult => ({ ...result, kind: "end_state" })),
    ],
    notChecked: [],
  };
}

/** Most places that a result names. */
const MOST_PLACES = 50;
/** Most places that its reason describes. */
const MOST_DESCRIBED = 5;

/**
 * Whether a state contains the expected values. Objects may have more keys. Lists have the same length, and their items
 * are compared in order. `null` also stands for a key that is missing.
 */
export function matchEndState(expected: JsonObject, state: JsonObject): CheckResult {
  const found = [...differences(expected, state, "")];
  const described = found.slice(0, MOST_DESCRIBED).map(({ path, text }) => `${path}: ${text}`);
  const more = found.length > MOST_DESCRIBED ? [`${found.length - MOST_DESCRIBED} more differences`] : [];
  return {
    kind: "end_state",
    expected: endStateText(expected),
    passed: found.length === 0,
    reason: found.length === 0 ? "the state has these values" : [...described, ...more].join("; "),
    ...(found.length === 0 ? {} : { differs: found.slice(0, MOST_PLACES).map(({ path }) => path) }),
  };
}

interface Difference {
  readonly path: string;
  readonly text: string;
}

function* differences(expected: unknown, found: unknown, path: string): Generator<Difference> {
  const differs = (text: string): Difference => ({ path: path || "the state", text });
  if (isRecord(expected)) {
    if (!isRecord(found)) return yield differs(`expected an object, found ${valueText(found)}`);
    for (const [key, value] of Object.entries(expected))
      yield* differences(value, Object.hasOwn(found, key) ? found[key] : undefined, keyPath(path, key));
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return yield differs(`expected a list, found ${valueText(found)}`);
    if (found.length !== expected.length)
      return yield differs(`expected ${expected.length} items, found ${found.length}: ${valueText(found)}`);
    for (const [index, value] of expected.entries()) yield* differences(value, found[index], `${path}[${index}]`);
    return;
  }
  const isSame = expected === null ? found === null || found === undefined : Object.is(expected, found);
  if (!isSame) yield differs(`expected ${valueText(expected)}, found ${valueText(found)}`);
}

/** The path to a key: `orders.W1`, or `orders["#W1"]` where the key is no name. */
function keyPath(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

function valueText(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), 120);
}
