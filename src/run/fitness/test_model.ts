import { ModelError } from "../../base/errors.ts";
import {
  checkOptions,
  OPTION,
  oneOf,
  rule,
  startTimeLimit,
  untilAborted,
  wordsWithHint,
} from "../../base/values/mod.ts";
import { type Model, type ModelReference, modelName, offline, resolveModel } from "../../call/models/mod.ts";
import type { Usage } from "../../document/transcript/mod.ts";
import { calibrateJudge } from "../calibration/mod.ts";
import { type RunReport, run } from "../runner/mod.ts";
import { agentCases, CALLER, CALLER_GRAPH, KNOWN_CALLS } from "./cases.ts";

/** What a model can be in a call. */
export const FITNESS_ROLES = ["agent", "caller", "judge"] as const;

/** A part in a call that a model can play. */
export type FitnessRole = (typeof FITNESS_ROLES)[number];

/** A known case, and whether the model did in it what it had to do. */
export interface FitnessCheck {
  readonly role: FitnessRole;
  /** What the model had to do. */
  readonly name: string;
  readonly passed: boolean;
  /** What it did instead, or the error; absent if it passed. */
  readonly reason?: string;
}

/** Whether a model is fit to be agent, caller and judge. */
export interface Fitness {
  /** `provider/model`. */
  readonly model: string;
  /** `null`: not tried. */
  readonly fit: { readonly [Role in FitnessRole]: boolean | null };
  readonly checks: readonly FitnessCheck[];
  /** Whether replies arrive in parts; `null`: not tried. */
  readonly streams: boolean | null;
  /** How long a caller waits for the agent's first word, in milliseconds; absent if the agent was not tried. */
  readonly firstWord?: { readonly medianMs: number; readonly worstMs: number };
  /** Of all calls together. Cost is absent if the model has no known price. */
  readonly usage: Pick<Usage, "calls" | "inputTokens" | "outputTokens" | "costUsd">;
  /** How the model gave structured answers, if its server refuses JSON schemas. */
  readonly notices: readonly string[];
}

/** Options of {@link testModel}. */
export interface TestModelOptions {
  /** Default: all three. */
  readonly roles?: readonly FitnessRole[];
  /** Calls of each case, all of which have to pass. Default: 1. */
  readonly repeat?: number;
  /** Limit for all of it. Default: 5 minutes. */
  readonly timeoutMs?: number;
  /** Concurrent calls. Default: 8. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const DEFAULT_CONCURRENCY = 8;
const ACTION = "Cannot test the model";
const TOO_LONG = "it took too long";

const RULES = {
  roles: rule(`a list of ${FITNESS_ROLES.join(", ")}`, (value) => {
    return Array.isArray(value) && value.length > 0 && value.every(oneOf(...FITNESS_ROLES).accepts);
  }),
  repeat: OPTION.count,
  timeoutMs: OPTION.milliseconds,
  concurrency: OPTION.count,
  signal: OPTION.signal,
};

/**
 * Says whether a model is fit to be agent, caller and judge: it is tried on calls whose outcome is known, with the same
 * requests as in a run.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `missing-package`, `invalid-option`, `aborted`.
 *   Requests that fail are checks that fail.
 */
export async function testModel(reference: ModelReference, options: TestModelOptions = {}): Promise<Fitness> {
  checkOptions(options, RULES, ModelError, ACTION);
  const { roles = FITNESS_ROLES, repeat = 1, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const model = await resolveModel(reference);
  using limit = startTimeLimit(timeoutMs, options.signal);
  const { signal } = limit;
  const given = { model, repeat, signal, concurrency: options.concurrency ?? DEFAULT_CONCURRENCY };
  const has = (role: FitnessRole) => roles.includes(role);
  const [agent, caller, judge, streams] = await Promise.all([
    has("agent") ? agentChecks(given) : NOT_TRIED,
    has("caller") ? callerChecks(given) : NOT_TRIED,
    has("judge") ? judgeChecks(given) : NOT_TRIED,
    has("agent") ? streamsParts(model, signal) : null,
  ]);
  if (options.signal?.aborted)
    throw new ModelError(`${ACTION}: it was aborted`, { code: "aborted", hint: "Test it again" });
  const checks = [...agent.checks, ...caller.checks, ...judge.checks];
  const verdictOf = (role: FitnessRole) => {
    return has(role) ? checks.every((check) => check.role !== role || check.passed) : null;
  };
  const waits = agent.reports.flatMap(({ results }) => results.flatMap(({ latency = [] }) => latency));
  const firstWords = waits.flatMap(({ firstWordMs }) => firstWordMs ?? []).sort((left, right) => left - right);
  const reports = [...agent.reports, ...caller.reports];
  return {
    model: modelName(reference).replace(/^callweave\//, ""),
    fit: { agent: verdictOf("agent"), caller: verdictOf("caller"), judge: verdictOf("judge") },
    checks,
    streams,
    ...(firstWords.length === 0
      ? {}
      : { firstWord: { medianMs: firstWords[firstWords.length >> 1] ?? 0, worstMs: firstWords.at(-1) ?? 0 } }),
    usage: sumOf(reports.map(({ usage }) => usage)),
    notices: [...new Set(reports.flatMap(({ modelNotices = [] }) => modelNotices))],
  };
}

interface Given {
  readonly model: Model;
  readonly repeat: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** Checks of a role, and the runs that they were read from. */
interface Tried {
  readonly checks: readonly FitnessCheck[];
  readonly reports: readonly RunReport[];
}

const NOT_TRIED: Tried = { checks: [], reports: [] };

async function agentChecks({ model, repeat, concurrency, signal }: Given): Promise<Tried> {
  const tried = await Promise.all(
    agentCases().map(async ({ name, graph, scenario, turn }): Promise<Tried> => {
      return await tryRun({ role: "agent", name }, async () => {
        const report = await run(graph, [{ name, ...scenario }], {
          models: { agent: model, judge: offline() },
          repeat: { times: repeat },
          limits: { concurrency },
          store: false,
          signal,
          ...(turn === undefined ? {} : { turn }),
        });
        const wrong = report.results.find(({ status }) => status !== "pass");
        const failed = wrong?.checks.find(({ passed }) => !passed);
        const said = wrong?.transcript.findLast(({ role }) => role === "assistant")?.content ?? "";
        const reason = wrong && (wrong.errorMessage ?? `${failed?.reason ?? wrong.status}; it said "${said}"`);
        return { report, reason };
      });
    }),
  );
  return joined(tried);
}

async function callerChecks({ model, repeat, signal }: Given): Promise<Tried> {
  const says = `says what it wants, and "${CALLER.number}" only when it is asked`;
  const asked = { role: "caller", name: says } as const;
  return await tryRun(asked, async () => {
    const report = await run(CALLER_GRAPH, [{ name: says, user_prompt: CALLER.persona, visits: ["bye"] }], {
      models: { agent: offline(), caller: model, judge: offline() },
      repeat: { times: repeat },
      limits: { maxTurns: 6 },
      store: false,
      signal,
    });
    const reasons = report.results.map(({ errorMessage, transcript }) => {
      const lines = transcript.flatMap(({ role, content }) => (role === "user" ? [content] : []));
      if (errorMessage !== null) return errorMessage;
      if (!lines.some((line) => line.includes(CALLER.number))) return `it said ${JSON.stringify(lines)}`;
      return undefined;
    });
    return { report, reason: reasons.find((reason) => reason !== undefined) };
  });
}

async function judgeChecks({ model, repeat, concurrency, signal }: Given): Promise<Tried> {
  const trials = Array.from({ length: repeat }, () => KNOWN_CALLS).flat();
  const calibration = calibrateJudge(trials, { judge: model, concurrency, signal });
  const { disagreements, errors } = await calibration.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { disagreements: [], errors: KNOWN_CALLS.map(({ name = "" }) => ({ call: name, message: TOO_LONG })) };
  });
  const checks = KNOWN_CALLS.map(({ name = "", verdicts }): FitnessCheck => {
    const check = { role: "judge", name: `judges ${name}` } as const;
    const error = errors.find(({ call }) => call === name);
    const wrong = disagreements.find(({ call }) => call === name);
    if (error) return { ...check, passed: false, reason: error.message };
    if (!wrong) return { ...check, passed: true };
    const { criterion, known, reasoning } = wrong;
    const verdict = `"${criterion}" is ${known ? "met" : "not met"}, and it says ${known ? "no" : "yes"}: ${reasoning}`;
    return { ...check, passed: false, reason: `of ${verdicts.length} criteria, ${verdict}` };
  });
  return { checks, reports: [] };
}

/** Runs a case. What fails is a check that fails; nothing is thrown but an abort. */
async function tryRun(
  check: Pick<FitnessCheck, "role" | "name">,
  attempt: () => Promise<{ readonly report: RunReport; readonly reason: string | undefined }>,
): Promise<Tried> {
  try {
    const { report, reason } = await attempt();
    const cancelled = report.counts.cancelled > 0 ? TOO_LONG : undefined;
    const why = cancelled ?? reason;
    const result = why === undefined ? { passed: true } : { passed: false, reason: why };
    return { checks: [{ ...check, ...result }], reports: [report] };
  } catch (error) {
    return { checks: [{ ...check, passed: false, reason: wordsWithHint(error) }], reports: [] };
  }
}

function joined(tried: readonly Tried[]): Tried {
  return { checks: tried.flatMap(({ checks }) => checks), reports: tried.flatMap(({ reports }) => reports) };
}

/** Whether a long reply arrives in more than one part. */
async function streamsParts(model: Model, signal: AbortSignal): Promise<boolean | null> {
  try {
    return await untilAborted(countParts(model, signal), signal);
  } catch {
    // the checks of the agent say what is wrong
    return null;
  }
}

async function countParts(model: Model, abortSignal: AbortSignal): Promise<boolean> {
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Count from one to thirty in words." }] }],
    abortSignal,
  });
  let parts = 0;
  for await (const part of stream) if (part.type === "text-delta") parts += 1;
  return parts > 1;
}

function sumOf(all: readonly Usage[]): Fitness["usage"] {
  const sum = (read: (usage: Usage) => number) => all.reduce((total, usage) => total + read(usage), 0);
  const isPriced = all.every(({ costUsd }) => costUsd !== undefined);
  return {
    calls: sum(({ calls }) => calls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(isPriced ? { costUsd: sum(({ costUsd = 0 }) => costUsd) } : {}),
  };
}
