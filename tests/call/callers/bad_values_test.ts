import assert from "node:assert/strict";
import { test } from "node:test";
import * as cw from "../../../mod.ts";

type Loose = (...args: readonly unknown[]) => unknown;

const sdk: object = cw;

/** Functions of the SDK without types, with arguments that plain JavaScript may pass. */
const WRONG: readonly (readonly [
  name: keyof typeof cw,
  errorName: string,
  path: string,
  ...args: readonly unknown[],
])[] = [
  ["createScriptedCaller", "ScenarioError", "lines", undefined],
  ["createScriptedCaller", "ScenarioError", "lines", "Hello"],
  ["createScriptedCaller", "ScenarioError", "lines", [7]],
  ["createScriptedCaller", "ScenarioError", "whenDone", [], "agent_ended"],
  ["createReplayCaller", "ScenarioError", "transcript", undefined],
  ["createReplayCaller", "ScenarioError", "transcript", { transcript: [{ role: "user" }] }],
  ["createPersonaCaller", "ScenarioError", "persona", null, cw.offline()],
  ["createRecordings", "ModelError", "store", "calls.json", "auto"],
  ["createRecordings", "ModelError", "mode", cw.fileRecordings("calls.json"), "relpay"],
  ["createRecordings", "ModelError", "mode", cw.fileRecordings("calls.json")],
  ["fileRecordings", "ModelError", "path", undefined],
  ["scripted", "ModelError", "", undefined],
  ["scripted", "ModelError", "respond", { respond: "Hello" }],
  ["scripted", "ModelError", "responds", { responds: ["Hello"] }],
  ["expandPrompt", "EngineError", "text", undefined, { snippets: {}, variables: {} }],
  ["expandPrompt", "EngineError", "variables", "{{a}}", { snippets: {}, variables: "a" }],
  ["evaluateEquation", "EngineError", "clause", null, {}],
  ["evaluateEquation", "EngineError", "clause", { left: 7, operator: "==" }, {}],
  ["evaluateEquation", "EngineError", "variables", { left: "a", operator: "exists" }],
];

for (const [name, errorName, path, ...args] of WRONG)
  test(`${name}() rejects ${JSON.stringify(args)}`, () => {
    assert.throws(
      () => (Reflect.get(sdk, name) as Loose)(...args), // no types there
      (error) => {
        assert.ok(cw.isCallweaveError(error), String(error));
        assert.deepEqual([error.name, error.code, error.path.join(".")], [errorName, "invalid-option", path]);
        return true;
      },
    );
  });

test("expandPrompt() keeps placeholders when it gets no values", () => {
  assert.equal((cw.expandPrompt as Loose)("{{a}} {%b%}"), "{{a}} {%b%}");
});
