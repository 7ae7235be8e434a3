import type { AgentGraph, Finding } from "../graph/mod.ts";
import { listed } from "./listed.ts";
import { similarPairs } from "./similar_texts.ts";

/** Shorter paragraphs are often alike on purpose. */
const LEAST_CHARACTERS = 120;
/** Words of a paragraph that is compared for near repetition. */
const LEAST_WORDS = 25;

interface Paragraph {
  readonly node: string;
  readonly text: string;
}

/**
 * Findings for paragraphs that several nodes repeat, word by word or nearly: a snippet keeps them the same. Paragraphs
 * that the same nodes share are one finding.
 */
export function repeatedTextFindings(graph: AgentGraph): readonly Finding[] {
  const places = new Map<string, string[]>();
  for (const { node, text } of paragraphsOf(graph)) {
    const nodes = places.get(text);
    if (!nodes) places.set(text, [node]);
    else if (nodes.at(-1) !== node) nodes.push(node);
  }
  const groups = new Map<string, { nodes: readonly string[]; texts: string[] }>();
  for (const [text, nodes] of places) {
    if (nodes.length < 2) continue;
    const key = JSON.stringify(nodes);
    const group = groups.get(key);
    if (group) group.texts.push(text);
    else groups.set(key, { nodes, texts: [text] });
  }
  const repeated = [...groups.values()].map(({ nodes, texts }) => repeatedText(nodes, texts, graph));
  return [...repeated, ...nearlyRepeated(places, groups, graph)];
}

function paragraphsOf(graph: AgentGraph): readonly Paragraph[] {
  return Object.entries(graph.nodes).flatMap(([node, { state_prompt: prompt }]) =>
    prompt.length < LEAST_CHARACTERS
      ? []
      : prompt
          .split(/\n\s*\n/)
          .map((text) => ({ node, text: text.replace(/\s+/g, " ").trim() }))
          .filter(({ text }) => text.length >= LEAST_CHARACTERS),
  );
}

function repeatedText(nodes: readonly string[], texts: readonly string[], graph: AgentGraph): Finding {
  const [first = ""] = texts;
  const more = texts.length > 1 ? ` and ${texts.length - 1} more` : "";
  return {
    code: "repeated-text",
    severity: "info",
    path: ["nodes", nodes[0] ?? "", "state_prompt"],
    message: `the prompts of ${listed(nodes)} repeat the paragraph "${first.slice(0, 60).trim()}…"${more}`,
    hint: `Write it once as a snippet and use {%${snippetName(first, graph)}%} in its place`,
  };
}

function nearlyRepeated(
  places: ReadonlyMap<string, readonly string[]>,
  repeated: { readonly has: (nodes: string) => boolean },
  graph: AgentGraph,
): readonly Finding[] {
  const texts = [...places.keys()].filter((text) => text.split(" ").length >= LEAST_WORDS);
  return similarPairs(texts).flatMap(([one, other]): Finding[] => {
    const nodes = [...new Set([...(places.get(one) ?? []), ...(places.get(other) ?? [])])];
    const shared = (places.get(one) ?? []).filter((node) => places.get(other)?.includes(node));
    if (nodes.length < 2 || shared.length > 0 || repeated.has(JSON.stringify(nodes))) return [];
    const message = `the prompts of ${listed(nodes)} have nearly the same paragraph: "${one.slice(0, 60).trim()}…" and "${other.slice(0, 60).trim()}…"`;
    const hint = `If they should be the same, write it once as a snippet and use {%${snippetName(one, graph)}%}`;
    return [{ code: "similar-text", severity: "info", path: ["nodes", nodes[0] ?? "", "state_prompt"], message, hint }];
  });
}

/** A name for a snippet, from the first words of its text, that no snippet has yet. */
function snippetName(text: string, graph: AgentGraph): string {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const name = words.slice(0, 3).join("_") || "shared_text";
  let free = name;
  for (let number = 2; Object.hasOwn(graph.snippets, free); number++) free = `${name}_${number}`;
  return free;
}
