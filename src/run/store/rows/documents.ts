import type { JsonObject } from "../../../base/values/mod.ts";
import type { ToolCall, Usage, Verdict } from "../../../document/transcript/mod.ts";
import type { NewResult, ResultRecord, RunRecord } from "../records.ts";

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
  audit,
  variance,
  provenance,
  startVariables,
  latency,
  audio,
  replay,
  offlinePath,
}: NewResult): JsonObject | undefined {
  const given = Object.entries({
    audit,
    variance,
    provenance,
    startVariables,
    latency,
    audio,
    replay,
    offlinePath,
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
