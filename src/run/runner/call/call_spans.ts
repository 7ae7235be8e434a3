import type { Turn } from "../../../call/engine/mod.ts";
import type { Telemetry } from "../../../call/telemetry/mod.ts";
import type { NewResult } from "../../store/mod.ts";
import type { TrialAttempt } from "../options/mod.ts";

/** The spans of a run, and the attributes of each call's root span. */
export interface RunSpans {
  readonly telemetry: Telemetry;
  readonly runId: string;
  readonly agent: string;
}

/** Runs a call within the root span of its trace. Without telemetry, it only runs the call. */
export async function inCallSpan(
  spans: RunSpans | undefined,
  { scenario, trial, attempt }: TrialAttempt,
  runCall: () => Promise<NewResult>,
): Promise<NewResult> {
  if (!spans) return await runCall();
  const { telemetry, runId, agent } = spans;
  const attributes = {
    "callweave.run.id": runId,
    "callweave.agent": agent,
    "callweave.scenario": scenario,
    "callweave.trial": trial,
    "callweave.attempt": attempt,
    "session.id": runId, // groups the calls of a run in Langfuse and Phoenix
    "openinference.span.kind": "AGENT",
  };
  return await telemetry.span(`call ${scenario}`, { root: true, attributes }, async (span) => {
    const result = await runCall();
    const failed = [...result.verdicts, ...result.checks].filter(({ passed }) => !passed);
    span.set({
      "callweave.verdict": result.status,
      "callweave.end_reason": result.endReason,
      "callweave.turns": result.turnCount,
      "callweave.nodes": result.nodesVisited,
      "callweave.failed": failed.map((each) => ("criterion" in each ? each.criterion : each.expected)),
    });
    if (result.errorMessage !== null) span.fail(result.errorMessage);
    return result;
  });
}

/** Runs a turn of the agent within a span. Turn 0 is the agent's opening. */
export async function inTurnSpan(
  spans: RunSpans | undefined,
  turn: number,
  said: string | undefined,
  take: () => Promise<Turn>,
): Promise<Turn> {
  if (!spans) return await take();
  const { telemetry } = spans;
  const { recordInputs, recordOutputs } = telemetry;
  const attributes = {
    "callweave.turn": turn,
    "openinference.span.kind": "CHAIN",
    ...(recordInputs ? { "input.value": said } : {}),
  };
  return await telemetry.span(`turn ${turn}`, { attributes }, async (span) => {
    const taken = await take();
    span.set({
      "callweave.node": taken.nodeId,
      "callweave.end_reason": taken.endReason,
      ...(recordOutputs ? { "output.value": taken.spoken.join("\n") } : {}),
    });
    return taken;
  });
}

/** Judges a call within a span. */
export async function inJudgeSpan<Result>(spans: RunSpans | undefined, judge: () => Promise<Result>): Promise<Result> {
  if (!spans) return await judge();
  return await spans.telemetry.span("judge", { attributes: { "openinference.span.kind": "EVALUATOR" } }, judge);
}
