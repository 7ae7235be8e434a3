import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Budget, CallPlace, CallSettings, RunOptions } from "../../mod.ts";
import { ROOT } from "../cli/_process.ts";

type Limits = NonNullable<Budget["call"]>;
/** Every key of a type: one that is missing, or too many, does not compile. */
type Keys<Options> = { readonly [Name in keyof Required<Options>]: true };

const RUN: Keys<RunOptions> = {
  models: true,
  store: true,
  concurrency: true,
  metrics: true,
  threshold: true,
  tools: true,
  liveTools: true,
  toolTimeoutMs: true,
  failFast: true,
  signal: true,
  maxTurns: true,
  timeoutMs: true,
  calls: true,
  limits: true,
  recordings: true,
  turn: true,
  budget: true,
  now: true,
  variables: true,
  place: true,
  name: true,
  scenarioModels: true,
  createCaller: true,
  onResult: true,
  onProgress: true,
  onToken: true,
  onMessage: true,
  onTool: true,
};
const LIMITS: Keys<Limits> = { modelCalls: true, tokens: true, costUsd: true, wallMs: true };
const PLACE: Keys<CallPlace> = {
  timeZone: true,
  userNumber: true,
  agentNumber: true,
  direction: true,
  callType: true,
};
const CALLS: Keys<CallSettings> = {
  timeoutMs: true,
  retry: true,
  onRetry: true,
  around: true,
  within: true,
  clock: true,
  prices: true,
};

const page = readFileSync(join(ROOT, "docs", "run-options.md"), "utf8");

/** The first cells of the tables under a heading. */
function rowsUnder(heading: string): readonly string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [body = ""] = section.split("\n## ");
  return [...body.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name).sort();
}

for (const [heading, keys] of Object.entries({ RunOptions: RUN, Budgets: LIMITS, Place: PLACE, Calls: CALLS }))
  test(`docs/run-options.md has a row for every option under ${heading}, and no other`, () => {
    assert.deepEqual(rowsUnder(heading), Object.keys(keys).sort());
  });
