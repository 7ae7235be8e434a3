import { isCallweaveError, ScenarioError } from "../../../base/errors.ts";
import { checkOptions, defined, isRecord, OPTION, rule } from "../../../base/values/mod.ts";
import {
  callModel,
  type EmbeddingReference,
  embedTexts,
  type ModelReference,
  type RequestOptions,
  resolveModel,
  topicSignature,
} from "../../../call/models/mod.ts";
import { type ScenarioSource, toScenarios } from "../../../document/scenario/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import { checkTranscripts } from "../finished_call.ts";
import { groupVectors } from "./group_vectors.ts";
import { type Request, sentencesOf, statedRequests } from "./requests.ts";
import { denseVector, type Space, similarityTo, wordSpace } from "./vectors.ts";
import { comparedWords } from "./words.ts";

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

/** A group without a name. */
export interface GroupDraft extends Pick<CallGroup, "callIds" | "share" | "representative" | "coveredBy"> {
  readonly requests: readonly Request[];
}

/** Number of words to show per group, and number of words in its name. */
const MOST_WORDS = 6;
const NAME_WORDS = 3;
/** Share of a group's calls that must contain a word of its name. */
const LEAST_SHARE = 0.2;
/** Number of calls that a model sees of the group it names. */
const MOST_EXAMPLES = 8;
const LONGEST_NAME = 60;

interface Counted {
  /** Calls by how the word is spelled. */
  readonly spellings: Map<string, number>;
  calls: number;
}

/**
 * Names groups by their most distinctive words: those that most of their calls contain, and others do not. If a model is
 * given, it names them; if its answers cannot be used, the words are the fallback.
 *
 * @throws {ModelError} `unknown-model`, `model-failed`, `model-timeout`, `key-refused`, `aborted`.
 */
async function nameGroups(
  drafts: readonly GroupDraft[],
  { model: reference, requests: settings, signal }: ClusterOptions,
): Promise<readonly CallGroup[]> {
  const counts = drafts.map(({ requests }) => countWords(requests));
  const all = {
    counts: countWords(drafts.flatMap(({ requests }) => requests)),
    calls: drafts.reduce((sum, { callIds }) => sum + callIds.length, 0),
  };
  const model = reference === undefined ? undefined : await resolveModel(reference);
  const groups: CallGroup[] = [];
  for (const [index, { requests, ...draft }] of drafts.entries()) {
    const words = tellingWords(counts[index] ?? new Map(), all, draft.callIds.length);
    const named =
      model &&
      (await askName(
        { requests, words },
        async (input) => await callModel(model, topicSignature, input, { ...settings, ...defined({ signal }) }),
      ));
    const name = words.slice(0, NAME_WORDS).join(", ") || draft.representative.text.slice(0, LONGEST_NAME);
    groups.push({ name: named ?? name, words, calls: draft.callIds.length, ...draft });
  }
  return groups;
}

type Ask = (input: { requests: string[]; words: string[] }) => Promise<{ readonly name: string }>;

async function askName(
  { requests, words }: { readonly requests: readonly Request[]; readonly words: readonly string[] },
  ask: Ask,
): Promise<string | undefined> {
  try {
    const { name } = await ask({
      requests: requests.slice(0, MOST_EXAMPLES).map(({ text }) => text),
      words: [...words],
    });
    return name.trim();
  } catch (error) {
    if (isCallweaveError(error) && error.code === "model-output") return undefined;
    throw error;
  }
}

function countWords(requests: readonly Request[]): ReadonlyMap<string, Counted> {
  const counted = new Map<string, Counted>();
  for (const { text, callIds } of requests) {
    const spelled = new Map(comparedWords(text).map(({ key, word }) => [key, word] as const));
    for (const [key, word] of spelled) {
      const count = counted.get(key) ?? { spellings: new Map(), calls: 0 };
      count.calls += callIds.length;
      count.spellings.set(word, (count.spellings.get(word) ?? 0) + callIds.length);
      counted.set(key, count);
    }
  }
  return counted;
}

/** The words of a group that many of its calls contain, and calls of other groups less often. */
function tellingWords(
  own: ReadonlyMap<string, Counted>,
  { counts, calls: total }: { readonly counts: ReadonlyMap<string, Counted>; readonly calls: number },
  calls: number,
): readonly string[] {
  return [...own]
    .map(([key, { calls: said, spellings }]) => {
      const [here, everywhere] = [said / calls, (counts.get(key)?.calls ?? said) / total];
      return { word: mostFrequent(spellings), here, score: here * (1 + Math.log(here / everywhere)) };
    })
    .filter(({ here, score }) => here >= LEAST_SHARE && score > 0)
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(({ word }) => word);
}

function mostFrequent(spellings: ReadonlyMap<string, number>): string {
  const [[word] = [""]] = [...spellings].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return word;
}

/** Options of `clusterCalls()`. */
export interface ClusterOptions {
  /** Scenarios that may cover groups, by their personas and lines. */
  readonly scenarios?: readonly ScenarioSource[];
  /** Embedding model, or `provider/model`. It compares meanings, across languages too. Default: compares words. */
  readonly embedding?: EmbeddingReference;
  /** Model that names the groups. Default: their most distinctive words. */
  readonly model?: ModelReference;
  /**
   * Minimum average similarity of the calls of a group, above 0 and up to 1. Higher values give more, smaller groups. Default:
   * 0.2 for words, 0.5 for embeddings.
   */
  readonly similarity?: number;
  /** Time limit, retries and middleware of the model's calls. */
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/** Calls whose callers wanted the same. */
export interface CallGroup {
  /** Its most distinctive words, or the name that the model gave it. */
  readonly name: string;
  /** Words that its callers use more than others, the most distinctive first. */
  readonly words: readonly string[];
  readonly calls: number;
  /** Share of all grouped calls, from 0 to 1. */
  readonly share: number;
  /** In the order of the given calls. */
  readonly callIds: readonly string[];
  /** The call that is most similar to the others, and what its caller wanted. */
  readonly representative: { readonly id: string; readonly text: string };
  /** Names of the scenarios with a sentence that would belong to the group. */
  readonly coveredBy: readonly string[];
}

/** Calls grouped by what their callers wanted. */
export interface CallClusters {
  /** Groups without a scenario first; the largest first. */
  readonly groups: readonly CallGroup[];
  /** Number of grouped calls. */
  readonly calls: number;
  /** Share of the grouped calls whose group has a scenario, from 0 to 1. */
  readonly coveredShare: number;
  /** Ids of calls in which the caller never said what they want. */
  readonly unclear: readonly string[];
  readonly by: "words" | "embeddings";
  readonly similarity: number;
}
