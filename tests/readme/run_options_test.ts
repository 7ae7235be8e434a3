import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { BudgetLimits, CallLimits, Clocks, RunRequestOptions, SystemVariables } from "../../api/types.ts";
import type { RunListeners, RunOptions } from "../../mod.ts";
import { ROOT } from "../surface/cli/_process.ts";

/** Every key of a type: one that is missing, or too many, does not compile. */
type Keys<Options> = { readonly [Name in keyof Required<Options>]: true };

const RUN: Keys<RunOptions> = {
  models: true,
  store: true,
  selectedFrom: true,
  codeVersion: true,
  resume: true,
  shard: true,
  joinRun: true,
  repeat: true,
  gate: true,
  sequential: true,
  variance: true,
  audit: true,
  audio: true,
  concurrency: true,
  metrics: true,
  judgeFlow: true,
  threshold: true,
  tools: true,
  liveTools: true,
  policies: true,
  failFast: true,
  signal: true,
  limits: true,
  requests: true,
  recordings: true,
  turn: true,
  budget: true,
  clock: true,
  variables: true,
  systemVariables: true,
  name: true,
  scenarioModels: true,
  createCaller: true,
  telemetry: true,
  queue: true,
  listeners: true,
};
const LIMITS: Keys<CallLimits> = { maxTurns: true, turnTimeoutMs: true, toolTimeoutMs: true };
const CLOCK: Keys<Clocks> = { now: true, startCall: true };
const LISTENERS: Keys<RunListeners> = {
  onResult: true,
  onProgress: true,
  onToken: true,
  onMessage: true,
  onTool: true,
  onRetry: true,
};
const BUDGETS: Keys<BudgetLimits> = { modelCalls: true, tokens: true, costUsd: true, wallMs: true };
const SYSTEM_VARIABLES: Keys<SystemVariables> = {
  timeZone: true,
  userNumber: true,
  agentNumber: true,
  direction: true,
  callType: true,
};
const REQUESTS: Keys<RunRequestOptions> = {
  tryTimeoutMs: true,
  retry: true,
  around: true,
  within: true,
  stream: true,
  prices: true,
  telemetry: true,
  maxParallel: true,
  perMinute: true,
};
const TABLES = {
  RunOptions: RUN,
  Limits: LIMITS,
  Budgets: BUDGETS,
  Requests: REQUESTS,
  Clock: CLOCK,
  Listeners: LISTENERS,
  "System variables": SYSTEM_VARIABLES,
};

const page = readFileSync(join(ROOT, "docs", "run-options.md"), "utf8");

/** The first cells of the tables under a heading. */
function rowsUnder(heading: string): readonly string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [body = ""] = section.split("\n## ");
  return [...body.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name).sort();
}

for (const [heading, keys] of Object.entries(TABLES))
  test(`docs/run-options.md has a row for every option under ${heading}, and no others`, () => {
    assert.deepEqual(rowsUnder(heading), Object.keys(keys).sort());
  });
