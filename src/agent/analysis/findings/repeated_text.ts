import type { AgentGraph, Finding } from "../../../document/graph/mod.ts";
import { listedIds } from "../facts/mod.ts";
import { type RepeatedGroup, type RepeatedText, repeatsIn } from "../repeats/mod.ts";

/**
 * Findings for paragraphs that several nodes repeat, word by word or nearly: a snippet keeps them the same. Paragraphs
 * that the same nodes share are one finding.
 */
export function repeatedTextFindings(graph: AgentGraph): readonly Finding[] {
  const { groups, similar, nameOf } = repeatsIn(graph);
  const nearly = similar.flatMap(({ main, pairs }) => pairs.map((pair) => similarText(pair, nameOf(main))));
  return [...groups.map((group) => repeatedText(group, nameOf(group.texts[0]))), ...nearly];
}

function repeatedText({ nodes, texts }: RepeatedGroup, name: string): Finding {
  const [{ text }] = texts;
  const more = texts.length > 1 ? ` and ${texts.length - 1} more` : "";
  return {
    code: "repeated-text",
    severity: "info",
    path: ["nodes", nodes[0] ?? "", "state_prompt"],
    message: `the prompts of ${listedIds(nodes)} repeat the paragraph "${text.slice(0, 60).trim()}…"${more}`,
    hint: `Write it once as a snippet and use {%${name}%} in its place`,
  };
}

function similarText([one, other]: readonly [RepeatedText, RepeatedText], name: string): Finding {
  const nodes = [...new Set([...one.nodes, ...other.nodes])];
  const message = `the prompts of ${listedIds(nodes)} have nearly the same paragraph: "${one.text.slice(0, 60).trim()}…" and "${other.text.slice(0, 60).trim()}…"`;
  const hint = `If they should be the same, write it once as a snippet and use {%${name}%}`;
  return { code: "similar-text", severity: "info", path: ["nodes", nodes[0] ?? "", "state_prompt"], message, hint };
}
