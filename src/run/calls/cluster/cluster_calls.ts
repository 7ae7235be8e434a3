import { ScenarioError } from "../../../base/errors.ts";
import { checkOptions, defined, isRecord, OPTION, rule } from "../../../base/values/mod.ts";
import { embedTexts } from "../../../call/models/mod.ts";
import { toScenarios } from "../../../document/scenario/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import { checkTranscripts } from "../finished_call.ts";
import { groupVectors } from "./group_vectors.ts";
import { type GroupDraft, nameGroups } from "./name_groups.ts";
import { type Request, sentencesOf, statedRequests } from "./requests.ts";
import type { CallClusters, CallGroup, ClusterOptions } from "./types.ts";
import { denseVector, type Space, similarityTo, wordSpace } from "./vectors.ts";

const ACTION = "Cannot group calls";
/** Measured on calls with known intents, see tests/run/calls/cluster. */
const WORD_SIMILARITY = 0.2;
const EMBEDDING_SIMILARITY = 0.5;

const RULES = {
  scenarios: OPTION.list,
  embedding: rule("an embedding model, or provider/model", (value) => typeof value === "string" || isRecord(value)),
  model: rule("a model", (value) => value !== null),
  similarity: rule("a number above 0 and up to 1", (value) => typeof value === "number" && value > 0 && value <= 1),
  requests: rule("an object", isRecord),
  signal: rule("an AbortSignal", (value) => value instanceof AbortSignal),
};

/**
 * Groups calls by what their callers wanted, and shows which groups no scenario covers, the most frequent first.
 *
 * Callers' first lines show what they wanted. Without an embedding model, calls are similar if they share words, and
 * rare words count more; callers who say the same in other words or in another language end up in other
 * groups. The groups do not depend on the order of the calls.
 *
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`, `duplicate-scenario`.
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 * @example
 * ```ts
 * import { clusterCalls } from "callweave/calls";
 *
 * const call = (id: string, content: string) => ({
 *   id,
 *   transcript: [{ role: "user" as const, content, node_id: "", timestamp: "", metadata: {} }],
 * });
 * const calls = [call("1", "I want to cancel my order."), call("2", "Please cancel an order"), call("3", "Are you open?")];
 * const { groups } = await clusterCalls(calls);
 * console.log(groups.map(({ name, calls }) => `${calls} ${name}`)); // [ "2 cancel, order", "1 open" ]
 * ```
 */
export async function clusterCalls(
  calls: readonly Required<Pick<Call, "id" | "transcript">>[],
  options: ClusterOptions = {},
): Promise<CallClusters> {
  checkOptions(options, RULES, ScenarioError, ACTION);
  checkTranscripts(calls, ACTION);
  const scenarios = toScenarios(options.scenarios ?? []);
  const { requests, unclear } = statedRequests(calls);
  const sentences = scenarios.map((scenario) => ({ name: scenario.name, sentences: sentencesOf(scenario) }));
  const space = await spaceOf(
    requests,
    sentences.flatMap((each) => each.sentences),
    options,
  );
  const similarity = options.similarity ?? (options.embedding === undefined ? WORD_SIMILARITY : EMBEDDING_SIMILARITY);
  const items = requests.map(({ callIds }, index) => ({
    vector: space.vectors[index] ?? denseVector([]),
    weight: callIds.length,
  }));
  const total = requests.reduce((sum, { callIds }) => sum + callIds.length, 0);
  const order = new Map(calls.map(({ id }, index) => [id, index] as const));
  const unordered = groupVectors(items, { size: space.size, threshold: similarity, signal: options.signal }).map(
    ({ members, mean }): GroupDraft => {
      const covers = ({ sentences: texts }: (typeof sentences)[number]) =>
        texts.some((text) => similarityTo(mean, space.vectorOf(text)) >= similarity);
      const own = members.flatMap((index) => requests[index] ?? []);
      const callIds = own.flatMap((request) => request.callIds);
      return {
        requests: own,
        callIds: callIds.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
        share: callIds.length / total,
        representative: representativeOf(members, mean, { requests, space }),
        coveredBy: sentences.filter(covers).map(({ name }) => name),
      };
    },
  );
  const drafts = [...unordered].sort(byImportance);
  const groups = await nameGroups(drafts, options);
  const covered = groups.filter(({ coveredBy }) => coveredBy.length > 0);
  return {
    groups,
    calls: total,
    coveredShare: covered.reduce((sum, group) => sum + group.calls, 0) / Math.max(1, total),
    unclear,
    by: options.embedding === undefined ? "words" : "embeddings",
    similarity,
  };
}

async function spaceOf(
  requests: readonly Request[],
  sentences: readonly string[],
  { embedding, requests: settings, signal }: ClusterOptions,
): Promise<Space> {
  if (embedding === undefined)
    return wordSpace(requests.map(({ text, callIds }) => ({ text, weight: callIds.length })));
  const texts = [...new Set([...requests.map(({ text }) => text), ...sentences])];
  const embedded = await embedTexts(embedding, texts, { ...settings, ...defined({ signal }) });
  const vectors = new Map(texts.map((text, index) => [text, denseVector(embedded[index] ?? [])] as const));
  const vectorOf = (text: string) => vectors.get(text) ?? denseVector([]);
  return { size: embedded[0]?.length ?? 0, vectors: requests.map(({ text }) => vectorOf(text)), vectorOf };
}

/** The request that is most similar to the others of its group; the first of equal ones. */
function representativeOf(
  members: readonly number[],
  mean: Float64Array,
  { requests, space }: { readonly requests: readonly Request[]; readonly space: Space },
): CallGroup["representative"] {
  const likeness = (index: number) => similarityTo(mean, space.vectors[index] ?? denseVector([]));
  const most = members.reduce((best, index) => (likeness(index) > likeness(best) ? index : best), members[0] ?? 0);
  const { text = "", callIds: [id = ""] = [] } = requests[most] ?? {};
  return { id, text };
}

/** Groups without a scenario first; the largest first. */
function byImportance(one: GroupDraft, two: GroupDraft): number {
  const isCovered = ({ coveredBy }: GroupDraft) => Number(coveredBy.length > 0);
  return (
    isCovered(one) - isCovered(two) ||
    two.callIds.length - one.callIds.length ||
    (one.representative.text < two.representative.text ? -1 : 1)
  );
}
