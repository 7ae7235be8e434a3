import * as v from "valibot";
import type { JsonObject } from "../../../base/values/mod.ts";
import {
  END_REASONS,
  NOT_CHECKED_KINDS,
  type ToolCall,
  type Usage,
  type Verdict,
} from "../../../document/transcript/mod.ts";
import type { NewResult, ResultRecord, RunRecord } from "../records.ts";

const record = v.looseObject({});
/** Schema of a stored transcript. */
export const StoredTranscript = v.array(
  v.looseObject({
    role: v.picklist(["user", "assistant", "tool", "system"]),
    content: v.string(),
    node_id: v.string(),
    timestamp: v.string(),
    metadata: record,
  }),
);
/** Schema of stored verdicts. */
export const Verdicts = v.array(
  v.looseObject({
    criterion: v.string(),
    requirement: v.string(),
    claims: v.optional(v.picklist(["presence", "absence"])),
    evidence: v.string(),
    reasoning: v.string(),
    score: v.number(),
    confidence: v.optional(v.number()),
    threshold: v.number(),
    passed: v.boolean(),
    votes: v.optional(
      v.array(
        v.looseObject({
          score: v.number(),
          passed: v.boolean(),
          confidence: v.optional(v.number()),
          reasoning: v.string(),
        }),
      ),
    ),
    steps: v.optional(
      v.array(
        v.looseObject({
          turn: v.number(),
          node: v.string(),
          took: v.nullable(v.string()),
          right: v.boolean(),
          instead: v.optional(v.nullable(v.string())),
          quote: v.string(),
          reasoning: v.string(),
        }),
      ),
    ),
  }),
);
const Audit = v.looseObject({
  findings: v.array(
    v.looseObject({
      kind: v.picklist(["invented-fact", "ended-early", "trait-not-shown"]),
      fact: v.optional(v.string()),
      quote: v.string(),
      reason: v.string(),
    }),
  ),
});
const Judgement = v.looseObject({
  passed: v.boolean(),
  verdicts: v.array(v.looseObject({ criterion: v.string(), score: v.number(), passed: v.boolean() })),
});
const VarianceCall = v.looseObject({
  status: v.picklist(["judged", "error"]),
  endReason: v.optional(v.picklist(END_REASONS)),
  errorMessage: v.nullable(v.string()),
  transcript: v.optional(StoredTranscript),
  judgements: v.array(Judgement),
});
const Variance = v.looseObject({ calls: v.array(VarianceCall) });
/** Schema of a call's origin. */
export const Provenance = v.looseObject({
  format: v.string(),
  callId: v.nullable(v.string()),
  source: v.string(),
  position: v.number(),
  redacted: v.boolean(),
  agentId: v.optional(v.string()),
  platformEndReason: v.optional(v.string()),
  facts: v.optional(record),
});
const Parts = v.looseObject({ transition: v.number(), extraction: v.number(), tools: v.number(), reply: v.number() });
const Latency = v.array(
  v.looseObject({
    turn: v.number(),
    nodeId: v.string(),
    firstWordMs: v.nullable(v.number()),
    parts: v.optional(Parts),
  }),
);
const Heard = v.looseObject({
  message: v.number(),
  role: v.picklist(["user", "assistant"]),
  written: v.string(),
  heard: v.string(),
  wordErrorRate: v.number(),
  lost: v.array(v.looseObject({ kind: v.picklist(["number", "name", "email"]), written: v.string() })),
  diff: v.optional(v.array(v.looseObject({ kind: v.picklist(["same", "missing", "added"]), words: v.string() }))),
});
const TextTwin = v.looseObject({
  status: v.picklist(["pass", "fail", "error"]),
  errorMessage: v.nullable(v.string()),
  nodesVisited: v.array(v.string()),
  endReason: v.optional(v.picklist(END_REASONS)),
});
const AudioChange = v.looseObject({
  kind: v.picklist(["status", "criterion", "path", "variable", "tool", "end"]),
  name: v.optional(v.string()),
  text: v.nullable(v.string()),
  audio: v.nullable(v.string()),
});
const AudioUsage = v.looseObject({
  speechModel: v.string(),
  transcriptionModel: v.string(),
  requests: v.number(),
  characters: v.number(),
  seconds: v.number(),
});
const Audio = v.looseObject({
  messages: v.array(Heard),
  wordErrorRate: v.number(),
  verdicts: Verdicts,
  direction: v.optional(v.picklist(["agent", "both"])),
  text: v.optional(TextTwin),
  changes: v.optional(v.array(AudioChange)),
  usage: v.optional(AudioUsage),
});
const Diverged = v.looseObject({
  from: v.string(),
  to: v.string(),
  ways: v.array(
    v.union([
      v.object({ transition: v.number() }),
      v.object({ global: v.literal(true) }),
      v.object({ go_back: v.number() }),
    ]),
  ),
  name: v.string(),
});
const Replay = v.looseObject({
  ofResult: v.string(),
  mode: v.picklist(["strict", "adaptive"]),
  divergences: v.array(
    v.looseObject({
      kind: v.picklist(["path", "variable", "tool", "end"]),
      turn: v.number(),
      nodeId: v.string(),
      recorded: v.nullable(v.string()),
      replayed: v.nullable(v.string()),
      reason: v.string(),
      recordedTransition: v.optional(Diverged),
      replayedTransition: v.optional(Diverged),
      recordedReason: v.optional(v.string()),
      replayedReason: v.optional(v.string()),
      graphChanges: v.optional(v.array(v.string())),
      follows: v.optional(v.literal(true)),
    }),
  ),
});
const NotCheckedList = v.array(
  v.looseObject({ kind: v.picklist(NOT_CHECKED_KINDS), expected: v.string(), reason: v.string() }),
);
const Pauses = v.array(v.looseObject({ turn: v.number(), ms: v.number() }));
const speaker = v.picklist(["caller", "agent"]);
const Voice = v.looseObject({
  turns: v.array(v.looseObject({ speaker, turn: v.number(), fromMs: v.number() })),
  interruptions: v.array(
    v.looseObject({
      turn: v.number(),
      afterMs: v.number(),
      atMs: v.number(),
      stoppedMs: v.nullable(v.number()),
    }),
  ),
  overlaps: Pauses,
  pauses: Pauses,
  words: v.array(v.looseObject({ by: speaker, turn: v.number(), said: v.string(), heard: v.string() })),
});
const Connection = v.looseObject({
  agent: v.string(),
  version: v.optional(v.string()),
  callId: v.optional(v.string()),
  endReason: v.optional(v.string()),
  costUsd: v.optional(v.number()),
  recordingUrl: v.optional(v.string()),
  realTools: v.optional(v.literal(true)),
  voice: v.optional(Voice),
  notChecked: v.optional(NotCheckedList),
});
/** Schema of the details that many results do not have. */
export const ResultExtras = v.looseObject({
  caller: v.optional(
    v.looseObject({
      traits: v.looseObject({}),
      cast: v.optional(v.looseObject({ scenario: v.string(), caller: v.string() })),
      unseen: v.optional(v.array(v.string())),
    }),
  ),
  audit: v.optional(Audit),
  variance: v.optional(Variance),
  provenance: v.optional(Provenance),
  startVariables: v.optional(record),
  latency: v.optional(Latency),
  audio: v.optional(Audio),
  replay: v.optional(Replay),
  offlinePath: v.optional(v.looseObject({ followed: v.boolean(), reason: v.optional(v.string()) })),
  connection: v.optional(Connection),
  approximations: v.optional(v.array(v.looseObject({ step: v.string(), instead: v.string() }))),
  notChecked: v.optional(NotCheckedList),
});

/** Details of a result as stored in columns and spool files: documents with snake_case keys. */
export interface DetailDocuments {
  readonly transcript: unknown;
  readonly verdicts: unknown;
  readonly checks: unknown;
  readonly nodes_visited: unknown;
  readonly tools_called: unknown;
  readonly variables: unknown;
  readonly usage: unknown;
  /** Fields that many results do not have. Later versions add fields here without a migration. */
  readonly extra: unknown;
}

/** Returns the column values of a run. Counts are computed by a trigger. */
export function runColumns(run: RunRecord) {
  return {
    id: run.id,
    kind: run.kind,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    agent: run.agent,
    graph_fingerprint: run.graphFingerprint,
    models: run.models,
    options: run.options,
    plan: run.plan,
    join_name: run.joinRun ?? null,
  };
}

/** Returns the column values of a result's summary. */
export function summaryColumns(result: ResultRecord) {
  return {
    id: result.id,
    run_id: result.runId,
    scenario: result.scenario,
    trial: result.trial,
    attempt: result.attempt ?? null,
    status: result.status,
    started_at: result.startedAt,
    turn_count: result.turnCount,
    duration_ms: result.durationMs,
    end_reason: result.endReason ?? null,
    error_message: result.errorMessage,
  };
}

/** Returns the details of a result. Unknown keys are kept. */
export function detailDocuments(result: NewResult): DetailDocuments {
  return {
    transcript: result.transcript,
    verdicts: result.verdicts.map(({ evidenceFound, ...rest }) => ({
      ...rest,
      ...(evidenceFound === undefined ? {} : { evidence_found: evidenceFound }),
    })),
    checks: result.checks,
    nodes_visited: result.nodesVisited,
    tools_called: result.toolsCalled.map(({ durationMs, nodeId, ...rest }) => ({
      ...rest,
      duration_ms: durationMs,
      node_id: nodeId,
    })),
    variables: result.variables,
    usage: usageDocument(result.usage),
    extra: extraDocument(result),
  };
}

function extraDocument({
  caller,
  audit,
  variance,
  provenance,
  startVariables,
  latency,
  audio,
  replay,
  offlinePath,
  connection,
  approximations,
  notChecked,
}: NewResult): JsonObject | undefined {
  const given = Object.entries({
    caller,
    audit,
    variance,
    provenance,
    startVariables,
    latency,
    audio,
    replay,
    offlinePath,
    connection,
    approximations,
    notChecked,
  }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Converts a stored verdict to a `Verdict`. */
export function verdictFrom({ evidence_found: evidenceFound, ...rest }: VerdictDocument): Verdict {
  return { ...rest, ...(evidenceFound === undefined ? {} : { evidenceFound }) };
}

/**
 * Converts a stored tool call to a `ToolCall`. JSON has no `undefined`: a tool that returned nothing has no `result`.
 */
export function toolCallFrom({ duration_ms, node_id, ...rest }: ToolCallDocument): ToolCall {
  return { ...rest, result: rest.result, durationMs: duration_ms, nodeId: node_id };
}

/** Converts stored usage to `Usage`. */
export function usageFrom({ by_role: roles, ...total }: UsageDocument): Usage {
  return {
    ...totalFrom(total),
    ...(roles
      ? { byRole: { agent: totalFrom(roles.agent), caller: totalFrom(roles.caller), judge: totalFrom(roles.judge) } }
      : {}),
  };
}

type VerdictDocument = Omit<Verdict, "evidenceFound"> & { readonly evidence_found?: boolean | undefined };
type ToolCallDocument = Omit<ToolCall, "durationMs" | "nodeId" | "result"> & {
  readonly duration_ms: number;
  readonly node_id: string;
  readonly result?: unknown;
};

/** Totals of model calls, with snake_case keys. */
interface TotalDocument {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly model_ms: number;
  readonly retries?: number | undefined;
  readonly cost_usd?: number | undefined;
}
type UsageDocument = TotalDocument & {
  readonly by_role?: { readonly [Role in "agent" | "caller" | "judge"]: TotalDocument } | undefined;
};

function usageDocument({ byRole, ...total }: Usage): JsonObject {
  return {
    ...totalDocument(total),
    ...(byRole
      ? {
          by_role: {
            agent: totalDocument(byRole.agent),
            caller: totalDocument(byRole.caller),
            judge: totalDocument(byRole.judge),
          },
        }
      : {}),
  };
}

type Total = Omit<Usage, "byRole">;

function totalDocument({ inputTokens, outputTokens, modelMs, costUsd, ...rest }: Total): TotalDocument {
  return {
    ...rest,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    model_ms: modelMs,
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  };
}

function totalFrom({ input_tokens, output_tokens, model_ms, cost_usd, ...rest }: TotalDocument): Total {
  return {
    ...rest,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    modelMs: model_ms,
    ...(cost_usd === undefined ? {} : { costUsd: cost_usd }),
  };
}
