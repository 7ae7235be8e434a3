import type { AgentGraph } from "../../../document/graph/mod.ts";
import { paragraphsOf } from "./paragraphs.ts";
import { similarPairs } from "./similar_texts.ts";

/** Words of a paragraph that is compared for near repetition. */
const LEAST_WORDS = 25;

/** A paragraph and its place. */
export interface RepeatedText {
  /** With single spaces. */
  readonly text: string;
  /** The nodes that have it, each once. */
  readonly nodes: readonly string[];
  /** As prompts have it, with their own white space; the first form first. */
  readonly written: readonly string[];
}

/** Paragraphs that the same nodes repeat word by word, in the order of their prompts. */
export interface RepeatedGroup {
  readonly nodes: readonly string[];
  readonly texts: readonly [RepeatedText, ...RepeatedText[]];
}

/** Different paragraphs with nearly the same words. */
export interface SimilarTexts {
  /** The one that most nodes have. */
  readonly main: RepeatedText;
  readonly others: readonly RepeatedText[];
  /** The pairs that were found similar. */
  readonly pairs: readonly (readonly [RepeatedText, RepeatedText])[];
}

/** Texts that prompts of different nodes have in common. */
export interface Repeats {
  readonly groups: readonly RepeatedGroup[];
  readonly similar: readonly SimilarTexts[];
  /** Every paragraph that was compared. */
  readonly texts: readonly RepeatedText[];
  /** A name for the snippet of a text: of the snippet that has this text, else one that is free. */
  readonly nameOf: (text: RepeatedText) => string;
}

/** Finds paragraphs that several nodes have, word by word or nearly. */
export function repeatsIn(graph: AgentGraph): Repeats {
  const texts = textsIn(graph);
  const groups = new Map<string, { nodes: readonly string[]; texts: [RepeatedText, ...RepeatedText[]] }>();
  for (const each of texts) {
    if (each.nodes.length < 2) continue;
    const key = JSON.stringify(each.nodes);
    const group = groups.get(key);
    if (group) group.texts.push(each);
    else groups.set(key, { nodes: each.nodes, texts: [each] });
  }
  const repeats = { groups: [...groups.values()], similar: similarTexts(texts, groups), texts };
  const nameOf = naming(graph);
  // names do not depend on who asks first
  for (const { texts: repeated } of repeats.groups) for (const each of repeated) nameOf(each);
  for (const { main } of repeats.similar) nameOf(main);
  return { ...repeats, nameOf };
}

function textsIn(graph: AgentGraph): readonly RepeatedText[] {
  const found = new Map<string, { nodes: string[]; written: Set<string> }>();
  for (const { node, text, written } of paragraphsOf(graph)) {
    const known = found.get(text);
    if (!known) found.set(text, { nodes: [node], written: new Set([written]) });
    else {
      if (known.nodes.at(-1) !== node) known.nodes.push(node);
      known.written.add(written);
    }
  }
  return [...found].map(([text, { nodes, written }]) => ({ text, nodes, written: [...written] }));
}

/** Names texts by their first words, each with a name of its own that no snippet has yet. */
function naming(graph: AgentGraph): Repeats["nameOf"] {
  const existing = new Map(Object.entries(graph.snippets).map(([name, text]) => [text, name]));
  const taken = new Set(Object.keys(graph.snippets));
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  return ({ text, written }) => {
    const known = given.get(text) ?? written.flatMap((form) => existing.get(form) ?? []).at(0);
    if (known !== undefined) return known;
    const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
    const base = words.slice(0, 3).join("_") || "shared_text";
    let number = counts.get(base) ?? 1;
    let name = base;
    for (; taken.has(name); name = `${base}_${number}`) number++;
    counts.set(base, number);
    taken.add(name);
    given.set(text, name);
    return name;
  };
}

function similarTexts(
  texts: readonly RepeatedText[],
  groups: { readonly has: (nodes: string) => boolean },
): readonly SimilarTexts[] {
  const byText = new Map(texts.map((each) => [each.text, each]));
  const long = texts.filter(({ text }) => text.split(" ").length >= LEAST_WORDS);
  const clusters = new Map<RepeatedText, { members: RepeatedText[]; pairs: [RepeatedText, RepeatedText][] }>();
  for (const [first, second] of similarPairs(long.map(({ text }) => text))) {
    const [one, other] = [byText.get(first), byText.get(second)];
    if (!one || !other || isOnPurpose(one, other, groups)) continue;
    const cluster = clusters.get(one) ?? { members: [one], pairs: [] };
    cluster.members.push(other);
    cluster.pairs.push([one, other]);
    for (const each of [one, other]) clusters.set(each, cluster);
  }
  return [...new Set(clusters.values())].map(({ members, pairs }) => {
    const main = members.reduce((most, each) => (each.nodes.length > most.nodes.length ? each : most));
    return { main, others: members.filter((each) => each !== main), pairs };
  });
}

/** Whether two similar paragraphs are of one prompt, or of prompts that repeat another paragraph word by word. */
function isOnPurpose(
  one: RepeatedText,
  other: RepeatedText,
  groups: { readonly has: (nodes: string) => boolean },
): boolean {
  const nodes = [...new Set([...one.nodes, ...other.nodes])];
  const shared = one.nodes.some((node) => other.nodes.includes(node));
  return nodes.length < 2 || shared || groups.has(JSON.stringify(nodes));
}
