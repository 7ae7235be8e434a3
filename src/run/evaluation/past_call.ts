import { defined, type JsonObject } from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import type { Call, CheckResult } from "../../document/transcript/mod.ts";
import type { PastCall, StartedCall } from "../runner/mod.ts";

/** Converts a past call to the form that a run judges. */
export function pastCall(call: Call, isKnown: (check: CheckResult) => boolean): PastCall {
  const { transcript, nodesVisited, toolsCalled, variables, endReason, startVariables, provenance, latency } = call;
  const past: StartedCall = {
    transcript,
    nodesVisited,
    toolsCalled,
    variables: texts(variables),
    endReason,
    endDetail: undefined,
    turnCount: transcript.filter(({ role }) => role === "user").length,
    usage: [],
    error: undefined,
    startVariables: new Map(Object.entries(texts(startVariables ?? {}))),
    ...(latency ? { latency } : {}),
  };
  return {
    past,
    isKnown,
    complete: (result) => {
      const isJudged = result.checks.length + result.verdicts.length > 0;
      const broken = { status: "error", errorMessage: "The call lacks the data that the expectations need" } as const;
      return {
        ...result,
        ...(isJudged ? {} : broken),
        variables,
        durationMs: call.durationMs ?? 0,
        ...defined({ startedAt: call.startedAt ?? undefined, provenance, latency }),
      };
    },
  };
}

function texts(values: JsonObject): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}
