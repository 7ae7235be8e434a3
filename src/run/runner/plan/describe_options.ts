import { defined, type JsonObject } from "../../../base/values/mod.ts";
import { type AudioOptions, audioModelName, lineOf } from "../../../call/audio/mod.ts";
import {
  DEFAULT_THRESHOLD,
  type ScenarioSource,
  scenarioFingerprint,
  toScenarios,
} from "../../../document/scenario/mod.ts";
import {
  DEFAULT_AUDIT,
  DEFAULT_CONCURRENCY,
  DEFAULT_MAX_TURNS,
  DEFAULT_TURN_TIMEOUT_MS,
  flowJudgement,
  type RunOptions,
} from "../options/mod.ts";
import { type TrialPlan, trialCount } from "./plan_trials.ts";

/**
 * Selects the options that are stored with the run. None of them can contain a secret. Scenarios whose number of trials
 * or gate differs from the run's are listed.
 */
export function describeOptions(options: RunOptions, plans: readonly TrialPlan[]): JsonObject {
  return { ...describeSettings(options, plans), set: setOf(options.share?.selectedFrom, plans) };
}

/** Like {@link describeOptions}, without the scenarios that those of the run were selected from. */
export function describeSettings(options: RunOptions, plans: readonly TrialPlan[]): JsonObject {
  const { models, judging: { metrics, threshold } = {}, turn, limits, requests, liveTools } = options;
  const { concurrency, budget } = limits ?? {};
  const { maxParallel, perMinute, tryTimeoutMs, stream } = requests ?? {};
  const { planned: repeat, gate } = trialCount({}, options);
  const different = plans.flatMap(({ resolved, planned, gate: own }) =>
    planned === repeat && JSON.stringify(own) === JSON.stringify(gate)
      ? []
      : [{ scenario: resolved.scenario.name, planned, gate: own }],
  );
  const sequential = plans.flatMap((plan) => (plan.sequential ? [plan.resolved.scenario.name] : []));
  return {
    repeat,
    gate,
    ...(sequential.length > 0 ? { sequential } : {}),
    ...(different.length > 0 ? { trials: different } : {}),
    ...(options.repeat?.variance ? { variance: { ...options.repeat.variance } } : {}),
    audit: options.judging?.audit ?? DEFAULT_AUDIT,
    ...(options.audio ? { audio: describeAudio(options.audio) } : {}),
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    limits: {
      maxTurns: limits?.maxTurns ?? DEFAULT_MAX_TURNS,
      turnTimeoutMs: limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS,
      ...(limits?.toolTimeoutMs ? { toolTimeoutMs: limits.toolTimeoutMs } : {}),
    },
    threshold: threshold ?? DEFAULT_THRESHOLD,
    metrics: (metrics ?? []).map((metric) => (typeof metric === "string" ? metric : { ...metric })),
    ...(options.judging?.flow ? { judgeFlow: { ...flowJudgement(options) } } : {}),
    ...(models?.fromScenarios ? { scenarioModels: true } : {}),
    ...(turn ? { turn } : {}),
    ...(budget ? { budget: { ...budget } } : {}),
    ...(requests
      ? {
          requests: {
            ...(tryTimeoutMs ? { tryTimeoutMs } : {}),
            ...(maxParallel ? { maxParallel } : {}),
            ...(perMinute ? { perMinute } : {}),
            ...(stream ? { stream } : {}),
          },
        }
      : {}),
    ...(options.recordings ? { recordings: options.recordings.mode } : {}),
    ...(liveTools ? { liveTools: { hosts: [...liveTools.hosts] } } : {}),
  };
}

/** All scenarios that the run's were selected from, by name and content. */
function setOf(
  selectedFrom: readonly ScenarioSource[] | undefined,
  plans: readonly TrialPlan[],
): readonly (readonly [name: string, hash: string])[] {
  const own = plans.map(({ resolved }) => resolved.scenario);
  const all = new Map([...toScenarios(selectedFrom ?? own), ...own].map((each) => [each.name, each]));
  return [...all].map(([name, each]) => [name, scenarioFingerprint(each)]);
}

/** Folder and concurrency do not affect the audio. */
function describeAudio(options: AudioOptions): JsonObject {
  const { direction = "agent", speech = "offline", transcription = "offline" } = options;
  const { voice, callerVoice, language, format } = options;
  const line = lineOf(options);
  return {
    direction,
    speech: typeof speech === "string" ? speech : audioModelName(speech),
    transcription: typeof transcription === "string" ? transcription : audioModelName(transcription),
    ...(line ? { line: { ...line } } : {}),
    ...defined({ voice, callerVoice, language, format }),
  };
}
