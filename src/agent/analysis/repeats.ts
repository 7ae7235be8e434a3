import { snippetsIn, tagsIn } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";

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

/** Shorter paragraphs are often alike on purpose. */
const LEAST_CHARACTERS = 120;

/** A paragraph of a node's prompt, or the part of it before, between or after snippet tags. */
export interface Paragraph {
  readonly node: string;
  /** With single spaces, so that the same words in other lines are the same text. */
  readonly text: string;
  /** As the prompt has it, without white space around it. */
  readonly written: string;
}

/** The paragraphs of nodes' prompts that are long enough to be worth a snippet. */
function paragraphsOf(graph: AgentGraph): readonly Paragraph[] {
  return Object.entries(graph.nodes).flatMap(([node, { state_prompt: prompt }]) =>
    prompt.length < LEAST_CHARACTERS
      ? []
      : prompt
          .split(/\n\s*\n/)
          .flatMap(withoutSnippets)
          .map((part) => ({ node, text: part.replace(/\s+/g, " ").trim(), written: part.trim() }))
          .filter(({ text }) => text.length >= LEAST_CHARACTERS),
  );
}

/** A snippet cannot hold a snippet, so the parts around its tags are compared. */
function withoutSnippets(paragraph: string): readonly string[] {
  if (!paragraph.includes("{%")) return [paragraph];
  const tags = new Set(tagsIn(paragraph).filter((tag) => snippetsIn(tag).length > 0));
  return [...tags].reduce<readonly string[]>((parts, tag) => parts.flatMap((part) => part.split(tag)), [paragraph]);
}

/** Share of three-word sequences that two texts have in common to be similar. */
const SIMILAR = 0.8;
/** Hashes of a text that are compared; similar texts share most of them. */
const BANDS = 8;
const ROWS = 2;
/** Texts with one hash in common that are compared with each other. */
const MOST_ALIKE = 20;

/**
 * Pairs of different texts with nearly the same words. Only texts that share hashes are compared (MinHash in bands), so
 * the time grows with the number of texts and not with its square. Each text is in at most one pair as the second.
 */
function similarPairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  const sequences = texts.map(sequencesOf);
  const buckets = new Map<string, number[]>();
  const paired = new Set<number>();
  const pairs: (readonly [string, string])[] = [];
  for (const [index, own] of sequences.entries()) {
    for (const key of bandsOf(own)) {
      const alike = buckets.get(key);
      if (!alike) {
        buckets.set(key, [index]);
        continue;
      }
      for (const other of alike) {
        if (paired.has(index) || !areSimilar(own, sequences[other] ?? new Set())) continue;
        paired.add(index);
        pairs.push([texts[other] ?? "", texts[index] ?? ""]);
      }
      if (alike.length < MOST_ALIKE) alike.push(index);
    }
  }
  return pairs;
}

/** Hashes of all sequences of three words. */
function sequencesOf(text: string): ReadonlySet<number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.slice(2).map((word, index) => hashOf(`${words[index]} ${words[index + 1]} ${word}`)));
}

function bandsOf(sequences: ReadonlySet<number>): readonly string[] {
  const least = new Array<number>(BANDS * ROWS).fill(0xffffffff);
  for (const hash of sequences)
    for (let seed = 0; seed < least.length; seed++) {
      const mixed = mix(hash ^ Math.imul(seed + 1, 0x9e3779b1));
      if (mixed < (least[seed] ?? 0)) least[seed] = mixed;
    }
  return Array.from({ length: BANDS }, (_, band) => `${band}:${least.slice(band * ROWS, (band + 1) * ROWS).join(" ")}`);
}

function areSimilar(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  let shared = 0;
  for (const hash of one) if (other.has(hash)) shared++;
  return shared >= SIMILAR * (one.size + other.size - shared);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Spreads a hash over all bits (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
