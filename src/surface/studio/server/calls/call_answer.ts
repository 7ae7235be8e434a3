import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord, recordAt } from "../../../../base/values/mod.ts";
import { type AgentGraph, nodeNames } from "../../../../document/graph/mod.ts";
import type { Message, ReplayRecord } from "../../../../document/transcript/mod.ts";
import type { ResultRecord } from "../../../../run/store/mod.ts";
import type { StudioAnswer, StudioEvidenceMark, StudioNamedNode } from "../../api/mod.ts";
import { listLabels, readNeighbours, readRepetitions } from "../../data/mod.ts";
import { unknownThing } from "../answers.ts";
import type { Studio } from "../studio.ts";

type Call = StudioAnswer<"call">;

/** Most labels of a call that its answer has. */
const MOST_LABELS = 200;

/**
 * Finds a stored call.
 *
 * @throws {StudioError} `unknown-call`.
 */
export async function findCall({ data }: Studio, id: string): Promise<ResultRecord> {
  const result = await data.store.findResult(id);
  if (result) return result;
  throw unknownThing("call", id, "List the calls: GET /api/v1/calls");
}

/** Everything that is known of a call. `by`: only the labels of this person. */
export async function callAnswer(studio: Studio, id: string, by: string | undefined): Promise<Call> {
  const { data } = studio;
  const result = await findCall(studio, id);
  const run = await data.store.findRun(result.runId);
  const [graph, { previous, next, score }, labels, repetitions] = await Promise.all([
    data.graphOf(run.graphFingerprint, run.id),
    readNeighbours(data, run.id, id),
    listLabels(data, { call: id, by, limit: MOST_LABELS }),
    readRepetitions(data, result),
  ]);
  const { transcript } = result;
  return {
    id,
    runId: run.id,
    agent: run.agent,
    scenario: result.scenario,
    trial: result.trial,
    attempt: result.attempt ?? null,
    status: result.status,
    startedAt: result.startedAt,
    turnCount: result.turnCount,
    durationMs: result.durationMs,
    endReason: result.endReason ?? null,
    errorMessage: result.errorMessage,
    score,
    kind: run.kind,
    transcript: transcript.map((message) => ({ ...message })),
    nodesVisited: [...result.nodesVisited],
    nodes: nodesOf(graph, result),
    moves: transcript.flatMap(moveIn),
    toolsCalled: result.toolsCalled.map((call) => ({ ...call })),
    variables: { ...result.variables },
    startVariables: { ...result.startVariables },
    steps: variableSteps(result),
    verdicts: result.verdicts.map((verdict) => ({ ...verdict })),
    checks: result.checks.map((check) => ({ ...check })),
    marks: result.verdicts.flatMap(({ criterion, evidence }) => evidenceMarks(criterion, evidence, transcript)),
    latency: (result.latency ?? []).map(({ parts, ...rest }) => ({
      ...rest,
      ...(parts ? { parts: { ...parts } } : {}),
    })),
    usage: { ...result.usage },
    recording: recordingOf(studio, result),
    voice: result.connection?.voice ? { ...result.connection.voice } : null,
    provenance: result.provenance ? { ...result.provenance } : null,
    audit: (result.audit?.findings ?? []).map((finding) => ({ ...finding })),
    replay: result.replay ? replayOf(result.replay) : null,
    repetitions,
    isConnected: result.connection !== undefined,
    labels: labels.items,
    previous,
    next,
  };
}

/** The nodes of a graph by the names that people gave, and those that only the call names. */
export function nodesOf(graph: AgentGraph, { nodesVisited }: Pick<ResultRecord, "nodesVisited">): StudioNamedNode[] {
  const names = nodeNames(graph);
  const own = Object.entries(graph.nodes).map(([id, { node_type: type }]) => ({ id, name: names.of(id), type }));
  const known = new Set(own.map(({ id }) => id));
  const others = [...new Set(nodesVisited)].filter((id) => !known.has(id));
  return [...own, ...others.map((id) => ({ id, name: id, type: null }))];
}

function replayOf({ ofResult, mode, divergences }: ReplayRecord): NonNullable<Call["replay"]> {
  return {
    ofResult,
    mode,
    divergences: divergences.map(({ graphChanges, ...divergence }) => ({
      ...divergence,
      ...(graphChanges ? { graphChanges: [...graphChanges] } : {}),
    })),
  };
}

function moveIn({ metadata }: Message, message: number): Call["moves"] {
  if (metadata.kind !== "transition") return [];
  const { reasoning } = recordAt(metadata, "decision");
  return [
    {
      message,
      from: String(metadata.from ?? ""),
      to: String(metadata.to ?? ""),
      because: String(metadata.because ?? ""),
      reasoning: typeof reasoning === "string" ? reasoning : null,
    },
  ];
}

/** The variables as they change: at the start, and by each extraction. */
function variableSteps({ startVariables = {}, transcript }: ResultRecord): Call["steps"] {
  const values = new Map<string, unknown>(Object.entries(startVariables));
  return transcript.flatMap(({ metadata }, message) => {
    const set = isRecord(metadata.variables) ? Object.entries(metadata.variables) : [];
    const changes = set.flatMap(([name, value]) => {
      const was = values.get(name);
      if (values.has(name) && was === value) return [];
      values.set(name, value);
      return [{ name, value, ...(was === undefined ? {} : { was }) }];
    });
    return changes.length > 0 ? [{ message, changes }] : [];
  });
}

const SPEAKER = /^\s*(?:[-*]\s*)?(?:the\s+)?(assistant|agent|user|caller|customer)\s*(?::|(?:says|said)\b:?)\s*/i;
const MOST_PARTS = 50;

/** Where the quotations of a verdict are in the transcript: each in the first message that has its words. */
export function evidenceMarks(
  criterion: string,
  evidence: string,
  transcript: readonly Message[],
): StudioEvidenceMark[] {
  const parts = evidence.split("\n").flatMap((line) => {
    const speaker = SPEAKER.exec(line);
    const role = speaker ? (/user|caller|customer/i.test(speaker[1] ?? "") ? "user" : "assistant") : undefined;
    return line
      .slice(speaker?.[0].length ?? 0)
      .split(/…|\.\.\./)
      .map((text) => ({ role, words: text.replace(/^[\s"'“”*-]+|[\s"'“”*.,;:!?-]+$/g, "").split(/\s+/) }))
      .filter(({ words }) => words.join("") !== "");
  });
  return parts.slice(0, MOST_PARTS).flatMap(({ role, words }) => {
    const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("\\s+"), "i");
    for (const [message, { role: by, content }] of transcript.entries()) {
      if (by !== "user" && by !== "assistant") continue;
      if (role !== undefined && by !== role) continue;
      const found = pattern.exec(content);
      if (found) return [{ criterion, message, from: found.index, to: found.index + found[0].length }];
    }
    return [];
  });
}

function recordingOf(studio: Studio, result: ResultRecord): Call["recording"] {
  const { connection, provenance } = result;
  const named = connection?.recordingUrl ?? provenance?.facts?.recording_url;
  if (typeof named !== "string") return null;
  const turns = (connection?.voice?.turns ?? []).map((turn) => ({ ...turn }));
  if (/^https?:/i.test(named)) return { path: null, url: named, turns };
  const file = recordingFile(studio, named);
  return file === undefined ? null : { path: `/api/v1/calls/${result.id}/recording`, url: null, turns };
}

/** The file of a recording: a WAV inside of the project's folder, whatever the call says. */
export function recordingFile({ folder }: Pick<Studio, "folder">, named: string): string | undefined {
  if (!/\.wav$/i.test(named) || named.includes("\0")) return undefined;
  try {
    const path = named.startsWith("file:") ? fileURLToPath(named) : resolve(folder, named);
    if (!existsSync(path)) return undefined;
    const [root, real] = [realpathSync(folder), realpathSync(path)];
    const inside = relative(root, real);
    const isOutside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    return isOutside || !/\.wav$/i.test(real) ? undefined : join(root, inside);
  } catch {
    return undefined; // not an address of a file
  }
}
