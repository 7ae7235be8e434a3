import { isCallweaveError } from "../../../base/errors.ts";
import { defined } from "../../../base/values/mod.ts";
import { callModel, resolveModel, topicSignature } from "../../../call/models/mod.ts";
import type { Request } from "./requests.ts";
import type { CallGroup, ClusterOptions } from "./types.ts";
import { comparedWords } from "./words.ts";

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
export async function nameGroups(
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
