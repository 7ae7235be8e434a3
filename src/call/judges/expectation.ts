import { isRecord, type JsonObject, own, sameJson } from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import type { ExpectedToolCall, Scenario } from "../../document/scenario/mod.ts";
import type { CheckResult } from "../../document/transcript/mod.ts";
import type { JudgedCall } from "./judged_call.ts";

/** Checks the final values of variables, and the tool calls. */
export function checkExpectations(
  { extracts, calls }: Pick<Scenario, "extracts" | "calls">,
  call: JudgedCall,
): readonly CheckResult[] {
  return [
    ...Object.entries(extracts).map(([name, value]) => checkVariable(name, textOf(value), call)),
    ...calls.map((expected, index) => {
      const same = calls
        .slice(0, index)
        .filter(({ tool, args }) => tool === expected.tool && sameJson(args, expected.args));
      return checkToolCall(expected, same.length + 1, call);
    }),
  ];
}

/** @param expected `undefined`: the variable must not be set. */
function checkVariable(name: string, expected: string | undefined, { variables }: JudgedCall): CheckResult {
  const value = own(variables, name);
  return {
    kind: "extracts",
    expected: expected === undefined ? `${name} not set` : `${name} == ${expected}`,
    passed: value === expected,
    reason: value === undefined ? `${name} was never set` : `${name} is ${JSON.stringify(value)}`,
  };
}

/**
 * @param times How many such calls are expected: equal expectations add up.
 */
function checkToolCall({ tool, args }: ExpectedToolCall, times: number, { toolsCalled }: JudgedCall): CheckResult {
  const ofTool = toolsCalled.filter(({ name }) => name === tool);
  const fitting = ofTool.filter((call) => isWithin(args, call.arguments));
  const expected = Object.keys(args).length > 0 ? `${tool}(${JSON.stringify(args)})` : tool;
  const shown = (calls: typeof ofTool) =>
    calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)}), which ${call.outcome}`).join("; ");
  const passed = fitting.length >= times;
  let reason = `called ${shown(passed ? fitting : ofTool)}`;
  if (ofTool.length === 0) {
    const others = [...new Set(toolsCalled.map(({ name }) => name))];
    reason = `${tool} was never called; ${others.length > 0 ? `called ${others.join(", ")}` : "no tool was"}`;
  } else if (!passed && fitting.length > 0)
    reason = `called only ${fitting.length} of ${times} times: ${shown(fitting)}`;
  return { kind: "calls", expected: times > 1 ? `${expected}, ${times} times` : expected, passed, reason };
}

/** Whether an object contains the wanted values; as with mocks, scalars are compared as text. */
function isWithin(wanted: JsonObject, given: JsonObject): boolean {
  return Object.entries(wanted).every(([key, want]) => {
    if (!Object.hasOwn(given, key)) return false;
    const got = given[key];
    if (isRecord(want)) return isRecord(got) && isWithin(want, got);
    return typeof want === "object" || typeof got === "object" ? sameJson(got, want) : String(got) === String(want);
  });
}
