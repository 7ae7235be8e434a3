import { createHash } from "node:crypto";
import { ScenarioError } from "../../base/errors.ts";
import { canonicalJson, isRecord, sameJson, shown } from "../../base/values/mod.ts";
import { parseScenarios, type ScenarioInput } from "./parse.ts";
import { CHECKS, checkText, type Scenario } from "./scenario.ts";

/** Length of a fingerprint; enough to notice a change. */
const DIGITS = 16;

/** A hash of everything that a scenario says, the texts of its check functions included. */
export function scenarioFingerprint(scenario: Scenario): string {
  const checks = (scenario[CHECKS] ?? []).map((check) => [check.name, checkText(check), check.threshold ?? null]);
  return shortHash([scenario, checks]);
}

/** A short hash of a value of JSON, whatever the order of its keys. */
export function shortHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, DIGITS);
}

/** A scenario in any form: `scenario("…").says("…")`, a document, or an object of a test-case file. */
export type ScenarioSource = ScenarioInput | { readonly toJSON: () => Scenario };

/**
 * Returns the document of a scenario.
 *
 * @throws {ScenarioError} `invalid-scenario`.
 */
export function toScenario(source: ScenarioSource): Scenario {
  const document = plainScenario(source);
  const [read] = parseScenarios([document]);
  if (!read) throw new TypeError("unreachable: a document without issues is a scenario");
  return sameJson(document, read) ? (document as Scenario) : read; // complete: returned as it is
}

/**
 * Reads scenarios in any form: built in code, documents, or test cases.
 *
 * @param sources A list, or a single scenario.
 * @throws {ScenarioError} `invalid-scenario`, `duplicate-scenario`.
 */
export function toScenarios(sources: readonly ScenarioSource[]): readonly Scenario[] {
  const given: unknown = sources;
  if (Array.isArray(given)) return parseScenarios(given.map(plainScenario));
  if (isRecord(given)) return parseScenarios([plainScenario(given)]);
  throw new ScenarioError(`Cannot read scenarios: they are ${shown(given)}`, {
    code: "invalid-scenario",
    hint: 'Pass a list of scenarios: [scenario("…").says("…")]',
  });
}

/**
 * Throws for an empty list: what decides by no scenario would always pass.
 *
 * @throws {ScenarioError} `invalid-scenario`.
 */
export function requireScenarios(scenarios: readonly unknown[], action: string): void {
  if (scenarios.length > 0) return;
  throw new ScenarioError(`${action}: there are none`, {
    code: "invalid-scenario",
    hint: 'Pass at least one: [scenario("…").says("…").ends("agent_ended")]',
  });
}

/** Returns the document of a scenario in any form. */
export function plainScenario(source: unknown): unknown {
  return isRecord(source) && "toJSON" in source && typeof source.toJSON === "function" ? source.toJSON() : source;
}
