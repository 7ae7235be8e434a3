import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ConnectionOptions } from "../../api/connect.ts";
import type {
  BudgetLimits,
  Clocks,
  JudgingOptions,
  RepeatOptions,
  RunLimits,
  RunModels,
  RunRequestOptions,
  SharingOptions,
  SystemVariables,
} from "../../api/types.ts";
import type { RunListeners, RunOptions } from "../../mod.ts";
import { ROOT } from "../surface/cli/_process.ts";

/** Every key of a type: one that is missing, or too many, does not compile. */
type Keys<Options> = { readonly [Name in keyof Required<Options>]: true };

const RUN: Keys<RunOptions> = {
  models: true,
  connection: true,
  limits: true,
  requests: true,
  repeat: true,
  judging: true,
  store: true,
  share: true,
  listeners: true,
  audio: true,
  recordings: true,
  variables: true,
  systemVariables: true,
  tools: true,
  toolState: true,
  liveTools: true,
  callers: true,
  createCaller: true,
  turn: true,
  clock: true,
  name: true,
  telemetry: true,
  signal: true,
};
const MODELS: Keys<RunModels> = { agent: true, caller: true, judge: true, fromScenarios: true };
const CONNECTION: Keys<ConnectionOptions> = { graph: true, unchecked: true, allowRealTools: true };
const REPEAT: Keys<RepeatOptions> = { times: true, gate: true, sequential: true, variance: true };
const JUDGING: Keys<JudgingOptions> = { metrics: true, flow: true, policies: true, threshold: true, audit: true };
const SHARE: Keys<SharingOptions> = {
  resume: true,
  shard: true,
  joinRun: true,
  queue: true,
  selectedFrom: true,
  codeVersion: true,
  labels: true,
};
const LIMITS: Keys<RunLimits> = {
  maxTurns: true,
  turnTimeoutMs: true,
  toolTimeoutMs: true,
  budget: true,
  concurrency: true,
  failFast: true,
  maxCostUsd: true,
};
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
  Models: MODELS,
  Connection: CONNECTION,
  Repeat: REPEAT,
  Judging: JUDGING,
  Share: SHARE,
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
