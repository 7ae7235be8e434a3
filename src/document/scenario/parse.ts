import * as v from "valibot";
import { type Issue, type Path, ScenarioError, throwIssues } from "../../base/errors.ts";
import { isRecord, shown } from "../../base/values/mod.ts";
import { completeScenario } from "./complete.ts";
import { scenarioProblems, unknownKeys } from "./problems.ts";
import type { Scenario } from "./scenario.ts";
import { ScenarioDocument } from "./schema.ts";
import { readWords } from "./words.ts";

/** Names of valibot checks in messages. */
const NAMES_OF_CHECKS = new Map([
  ["custom", "Object"],
  ["integer", "a whole number"],
  ["non_empty", "a text that is not empty"],
  ["gt_value", "a number above 0"],
]);

/**
 * Parses a scenario, a list of scenarios, or a document with such a list, and test cases of other tools. A document is
 * `{ "$schema": "…", "scenarios": […] }`; test cases have keys such as `user_prompt`, `type` and `metrics`.
 *
 * Aliases of the builder (`persona`, `judge`, `mock`, …) are translated. An unknown key is an error, because its
 * expectation would be ignored. The former types `simulation` and `unit` become `llm` and `rule`. The type is only a
 * label: all expectations of a case apply.
 *
 * @throws {ScenarioError} `invalid-scenario` or `duplicate-scenario`; `issues` lists every problem.
 */
export function parseScenarios(value: unknown): readonly Scenario[] {
  const { list, at, issues } = listIn(value);
  const scenarios = list.flatMap((item, index) => {
    const { scenario, problems } = readScenario(item, index, at);
    issues.push(...problems);
    return scenario ? [scenario] : [];
  });
  const names = new Set<string>();
  for (const [index, { name }] of scenarios.entries()) {
    if (names.has(name)) {
      const message = `scenario "${name}" exists twice`;
      issues.push({
        code: "duplicate-scenario",
        path: [...at, index, "name"],
        message,
        hint: "Give each a different name",
      });
    }
    names.add(name);
  }
  throwIssues(ScenarioError, "Cannot read scenarios", issues);
  return scenarios;
}

/** The scenarios of a value and the path to them; for a document that holds a list, issues of its other keys. */
function listIn(value: unknown): { readonly list: readonly unknown[]; readonly at: Path; readonly issues: Issue[] } {
  if (Array.isArray(value)) return { list: value, at: [], issues: [] };
  if (!isRecord(value) || !("scenarios" in value) || "name" in value) return { list: [value], at: [], issues: [] };
  const hint = "Move it into a scenario, or remove it";
  const problems = unknownKeys(value, ["scenarios"], []).map((problem) => ({ ...problem, hint }));
  if (!Array.isArray(value.scenarios)) {
    problems.push({
      path: ["scenarios"],
      message: `it is ${shown(value.scenarios)}`,
      hint: "Make it a list of scenarios",
    });
  }
  const issues = problems.map(({ path, message, hint }) => {
    return { code: "invalid-scenario", path, message: `"${path.join(".")}": ${message}`, hint } as const;
  });
  return { list: Array.isArray(value.scenarios) ? value.scenarios : [], at: ["scenarios"], issues };
}

function readScenario(item: unknown, index: number, at: Path) {
  const name = isRecord(item) && typeof item.name === "string" ? `"${item.name}"` : `number ${index}`;
  const { document, written, issues: conflicts } = readWords(item);
  const issue = (path: Path, message: string, hint: string): Issue => ({
    code: "invalid-scenario",
    path: [...at, index, ...path],
    message: `scenario ${name}, ${path.join(".") || "itself"}: ${message}`,
    hint,
  });
  const problems = [
    ...conflicts.map(({ path, message, hint }) => issue(path, message, hint)),
    ...scenarioProblems(document).map(({ path, message, hint }) => issue(written(path), message, hint)),
  ];
  if (v.is(ScenarioDocument, document)) return { scenario: completeScenario(document), problems };
  for (const { path: keys = [], message, type, expected } of v.safeParse(ScenarioDocument, document).issues ?? []) {
    const path = keys.map(({ key }) => (typeof key === "number" ? key : String(key)));
    problems.push(
      issue(written(path), message, `Expected ${NAMES_OF_CHECKS.get(type) ?? expected ?? "another value"}`),
    );
  }
  return { scenario: undefined, problems };
}
