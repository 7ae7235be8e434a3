import type { Path } from "../../base/errors.ts";
import { own } from "../../base/values/mod.ts";
import { expandedTexts, snippetsIn } from "../../document/expressions/mod.ts";
import { type AgentGraph, toGraph } from "../../document/graph/mod.ts";
import { isSnippetText, putSnippet } from "./edit/mod.ts";
import { type RepeatedGroup, type RepeatedText, repeatsIn, type SimilarTexts } from "./repeats.ts";

/**
 * Lists the snippets of a graph, and suggests snippets for paragraphs of at least 120 characters that several prompts
 * repeat, word by word or nearly. `editGraph(graph).extractSnippet(name, text, { variants })` applies a suggestion.
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function analyseSnippets(graph: AgentGraph): SnippetAnalysis {
  const checked = toGraph(graph, "Cannot analyse snippets");
  return { snippets: usagesIn(checked), suggestions: suggestionsFor(checked) };
}

function usagesIn(graph: AgentGraph): readonly SnippetUsage[] {
  const uses = new Map(Object.keys(graph.snippets).map((name): [string, Path[]] => [name, []]));
  for (const [path, text] of expandedTexts(graph)) for (const name of snippetsIn(text)) uses.get(name)?.push(path);
  return [...uses].map(([name, paths]) => ({ name, characters: own(graph.snippets, name)?.length ?? 0, uses: paths }));
}

/** A draft of a suggestion: the texts to replace, without their places and savings. */
type Draft = Pick<SnippetSuggestion, "name" | "text" | "kind" | "variants">;

type Prompts = readonly (readonly [path: Path, prompt: string])[];

/** Characters by which texts are looked up. Every text is longer. */
const START = 100;

/** Suggests snippets for what the prompts of a graph repeat. */
function suggestionsFor(graph: AgentGraph): readonly SnippetSuggestion[] {
  const { groups, similar, texts, nameOf } = repeatsIn(graph);
  const prompts = promptsOf(graph);
  const existing = new Set(Object.values(graph.snippets));
  const isExisting = ({ nodes, written }: RepeatedText) =>
    nodes.length === 1 && written.some((form) => existing.has(form));
  const mains = new Set(similar.map(({ main }) => main));
  const drafts = [
    ...groups.flatMap((group) => spansOf(group, graph, mains).map((span) => exact(span, nameOf(span.first)))),
    ...texts.filter(isExisting).map((text) => exact({ forms: text.written, first: text }, nameOf(text))),
    ...similar.map((each) => near(each, nameOf(each.main))),
  ];
  const complete = drafts.filter(({ text }) => isSnippetText(text)).map((draft) => withExistingText(draft, graph));
  const promptsOfDraft = promptsWith(complete, prompts);
  const suggestions = complete
    .map((draft) => measured(draft, promptsOfDraft.get(draft) ?? [], graph))
    .filter(({ savedCharacters }) => savedCharacters > 0);
  const byKind = (kind: SnippetSuggestion["kind"]) =>
    suggestions.filter((each) => each.kind === kind).sort((one, other) => other.savedCharacters - one.savedCharacters);
  return [...byKind("exact"), ...byKind("near")];
}

/** A text that prompts share, in the forms in which they have it. */
interface Span {
  readonly forms: readonly string[];
  readonly first: RepeatedText;
}

/** Joins paragraphs that stand next to each other in all nodes of a group, if no other suggestion is about one of them. */
function spansOf(
  { nodes, texts }: RepeatedGroup,
  graph: AgentGraph,
  mains: ReadonlySet<RepeatedText>,
): readonly Span[] {
  const prompts = nodes.map((id) => own(graph.nodes, id)?.state_prompt ?? "");
  const [first = ""] = prompts;
  const spans: Span[] = [];
  for (const text of texts) {
    const last = spans.at(-1);
    const isAlone = last === undefined || mains.has(last.first) || mains.has(text);
    const joined = isAlone ? undefined : joinedIn(first, last, text);
    if (last && joined !== undefined && isSnippetText(joined) && prompts.every((prompt) => prompt.includes(joined)))
      spans[spans.length - 1] = { ...last, forms: [joined] };
    else spans.push({ forms: text.written, first: text });
  }
  return spans;
}

/** A span and the text behind it as the prompt has them; `undefined` if either is written in several ways. */
function joinedIn(prompt: string, { forms }: Span, { written }: RepeatedText): string | undefined {
  const [before = "", otherBefore] = forms;
  const [after = "", otherAfter] = written;
  if (otherBefore !== undefined || otherAfter !== undefined) return undefined;
  const start = prompt.indexOf(before);
  const next = prompt.indexOf(after, start + before.length);
  return start < 0 || next < 0 ? undefined : prompt.slice(start, next + after.length);
}

function exact({ forms: [text = "", ...variants] }: Span, name: string): Draft {
  return { name, text, kind: "exact", variants };
}

function near({ main, others }: SimilarTexts, name: string): Draft {
  const [text = "", ...forms] = main.written;
  return { name, text, kind: "near", variants: [...forms, ...others.flatMap(({ written }) => written)] };
}

/** If a form is the text of an existing snippet, that snippet is used. */
function withExistingText(draft: Draft, graph: AgentGraph): Draft {
  const existing = own(graph.snippets, draft.name);
  if (existing === undefined || existing === draft.text) return draft;
  const variants = [draft.text, ...draft.variants].filter((form) => form !== existing);
  return { ...draft, text: existing, variants };
}

/**
 * The prompts that may have a text of each draft: those with its first characters. One pass over all prompts, because a
 * search for each text would take the square of the time.
 */
function promptsWith(drafts: readonly Draft[], prompts: Prompts): ReadonlyMap<Draft, Prompts> {
  const byStart = new Map<string, Draft[]>();
  for (const draft of drafts)
    for (const form of [draft.text, ...draft.variants]) {
      const start = form.slice(0, START);
      const others = byStart.get(start);
      if (others) others.push(draft);
      else byStart.set(start, [draft]);
    }
  const found = new Map(drafts.map((draft) => [draft, new Set<Prompts[number]>()]));
  if (drafts.length === 0) return new Map();
  for (const prompt of prompts)
    for (let at = 0; at + START <= prompt[1].length; at++) {
      for (const draft of byStart.get(prompt[1].slice(at, at + START)) ?? []) found.get(draft)?.add(prompt);
    }
  return new Map([...found].map(([draft, set]) => [draft, [...set]]));
}

function measured(draft: Draft, prompts: Prompts, graph: AgentGraph): SnippetSuggestion {
  const { name, text, variants } = draft;
  const forms = [text, ...variants];
  const changed = prompts.flatMap(([path, prompt]) => {
    const saved = prompt.length - putSnippet(prompt, name, forms).length;
    return saved === 0 ? [] : [{ path, saved }];
  });
  const isNew = own(graph.snippets, name) === undefined;
  const savedCharacters = changed.reduce((sum, { saved }) => sum + saved, isNew ? -text.length : 0);
  return { ...draft, prompts: changed.map(({ path }) => path), savedCharacters };
}

/** Every prompt that `extractSnippet()` changes. */
function promptsOf(graph: AgentGraph): Prompts {
  const { general_prompt: general, begin_message: begin } = graph.source_metadata;
  return [
    [["source_metadata", "general_prompt"], typeof general === "string" ? general : ""],
    [["source_metadata", "begin_message"], typeof begin === "string" ? begin : ""],
    ...Object.entries(graph.nodes).map(([id, node]) => [["nodes", id, "state_prompt"], node.state_prompt] as const),
  ];
}

/** A snippet and where it is used. */
export interface SnippetUsage {
  readonly name: string;
  readonly characters: number;
  /** Texts that use the snippet: prompts, LLM conditions, descriptions. */
  readonly uses: readonly Path[];
}

/** A text that prompts repeat, and the snippet that would replace it. */
export interface SnippetSuggestion {
  /** A name for the snippet. If the graph has a snippet of this name, it already has this text. */
  readonly name: string;
  readonly text: string;
  /** `exact`: the same words everywhere. `near`: the variants have other words, which callers would no longer hear. */
  readonly kind: "exact" | "near";
  /** Other forms that the snippet replaces: of exact ones, with other white space. */
  readonly variants: readonly string[];
  /** Prompts that would use the snippet. */
  readonly prompts: readonly Path[];
  /** How much shorter the graph's prompts and snippets would be together. */
  readonly savedCharacters: number;
}

/** The snippets of a graph, and those that would make it shorter. */
export interface SnippetAnalysis {
  readonly snippets: readonly SnippetUsage[];
  /** Exact ones first, in each group those first that save most. */
  readonly suggestions: readonly SnippetSuggestion[];
}
