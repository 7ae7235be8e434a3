import assert from "node:assert/strict";
import { test } from "node:test";
import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { analyseSnippets, checkGraph, editGraph, type SnippetAnalysis } from "../../../../src/agent/analysis/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

const VERIFY =
  "Verify the caller before you say anything about the account: ask for the full name, the date of birth, and the last four digits of the number on file. Ask for one thing at a time, and repeat each answer slowly, so that the caller can correct you.";
const VERIFY_TOO = VERIFY.replace("slowly", "once");
const REFUND =
  "Never promise a refund, and never quote a price that is not on the list; if the caller insists, offer a call back from the billing team.";

/** A graph with these prompts; the first one leads to all others. */
function graphOf(prompts: Readonly<Record<string, string>>, more: object = {}): AgentGraph {
  const [entry = "", ...others] = Object.keys(prompts);
  const transitions = others.map((id) => ({
    target_node_id: id,
    condition: { type: "llm_prompt", value: `Caller wants ${id}` },
  }));
  const nodes = Object.entries(prompts).map(([id, state_prompt]) => [
    id,
    { state_prompt, transitions: id === entry ? transitions : [] },
  ]);
  return parseGraph({ entry_node_id: entry, nodes: Object.fromEntries(nodes), ...more });
}

function charactersOf({ nodes, snippets, source_metadata: source }: AgentGraph): number {
  const prompts = [...Object.values(nodes).map(({ state_prompt }) => state_prompt), source.general_prompt ?? ""];
  return [...prompts, ...Object.values(snippets)].reduce((sum, text) => sum + text.length, 0);
}

function applied(graph: AgentGraph, { suggestions }: SnippetAnalysis): AgentGraph {
  return suggestions.reduce(
    (editor, { name, text, variants }) => editor.extractSnippet(name, text, { variants }),
    editGraph(graph),
  ).graph;
}

test("analyseSnippets() lists every text that uses a snippet, conditions and tools included", () => {
  const { nodes, ...rest } = graphOf(
    { ask: "{%manners%} Ask.", bye: "Say goodbye. {%manners%} {%manners%}" },
    { snippets: { manners: "Be brief.", unused: "Nobody." } },
  );
  const { bye } = nodes;
  const condition = { type: "llm_prompt", value: "Caller agrees {%manners%}" };
  const graph = parseGraph({
    ...rest,
    nodes: { ...nodes, bye: { ...bye, transitions: [{ target_node_id: "ask", condition }] } },
  });
  assert.deepEqual(analyseSnippets(graph).snippets, [
    {
      name: "manners",
      characters: 9,
      uses: [
        ["nodes", "ask", "state_prompt"],
        ["nodes", "bye", "state_prompt"],
        ["nodes", "bye", "transitions", 0, "condition"],
      ],
    },
    { name: "unused", characters: 7, uses: [] },
  ]);
});

test("analyseSnippets() suggests one snippet for paragraphs that stand together in every prompt", () => {
  const both = `${VERIFY}\n\n${REFUND}`;
  const { suggestions } = analyseSnippets(graphOf({ a: `Hi.\n\n${both}\n\nAsk.`, b: `${both}\n\nBye.`, c: "Talk." }));
  assert.deepEqual(suggestions, [
    {
      name: "verify_the_caller",
      text: both,
      kind: "exact",
      variants: [],
      prompts: [
        ["nodes", "a", "state_prompt"],
        ["nodes", "b", "state_prompt"],
      ],
      savedCharacters: both.length - 2 * "{%verify_the_caller%}".length,
    },
  ]);
});

test("a suggestion saves what it says, and callers hear the same words", () => {
  const graph = graphOf(
    { a: `${VERIFY}\n\nAsk.`, b: `Hi.\n\n${VERIFY}`, c: `${REFUND} {%brief%}`, d: REFUND, e: "Talk." },
    { snippets: { brief: "Be brief." }, source_metadata: { general_prompt: `Work.\n\n${REFUND}` } },
  );
  const analysis = analyseSnippets(graph);
  assert.deepEqual(
    analysis.suggestions.map(({ name, prompts }) => [name, prompts.length]),
    [
      ["verify_the_caller", 2],
      ["never_promise_refund", 3],
    ],
  );
  const changed = applied(graph, analysis);
  const saved = analysis.suggestions.reduce((sum, { savedCharacters }) => sum + savedCharacters, 0);
  assert.equal(charactersOf(graph) - charactersOf(changed), saved);
  const heard = (each: AgentGraph) => ({ ...lower(each, [expandSnippets]).graph, snippets: {} });
  assert.deepEqual(heard(changed), heard(graph));
  assert.deepEqual(analyseSnippets(changed).suggestions, []);
});

test("a near suggestion names the variants, and applying it replaces them", () => {
  const graph = graphOf({ a: `Hi.\n\n${VERIFY_TOO}`, b: VERIFY, c: `${VERIFY}\n\nAsk.` });
  const { suggestions } = analyseSnippets(graph);
  assert.deepEqual(
    suggestions.map(({ name, kind, text, variants, prompts }) => [name, kind, text, variants, prompts.length]),
    [
      ["verify_the_caller", "exact", VERIFY, [], 2],
      ["verify_the_caller", "near", VERIFY, [VERIFY_TOO], 3],
    ],
  );
  const { nodes, snippets } = applied(graph, { snippets: [], suggestions });
  assert.equal(nodes.a?.state_prompt, "Hi.\n\n{%verify_the_caller%}");
  assert.deepEqual(snippets, { verify_the_caller: VERIFY });
});

test("a paragraph that a prompt writes out is replaced by the snippet that has it already", () => {
  const graph = graphOf({ a: `${VERIFY}\n\nAsk.`, b: "{%check%}" }, { snippets: { check: VERIFY } });
  const { suggestions } = analyseSnippets(graph);
  assert.deepEqual(
    suggestions.map(({ name, savedCharacters }) => [name, savedCharacters]),
    [["check", VERIFY.length - "{%check%}".length]],
  );
  assert.equal(applied(graph, { snippets: [], suggestions }).nodes.a?.state_prompt, "{%check%}\n\nAsk.");
});

test("a paragraph with a snippet in it is no suggestion, because snippets do not nest", () => {
  const text = `Ask for the name and the date of birth. {%brief%} ${"Then ask for the number. ".repeat(4)}`;
  const graph = graphOf({ a: text, b: `Hi.\n\n${text}`, c: "Talk." }, { snippets: { brief: "Be brief." } });
  assert.deepEqual(analyseSnippets(graph).suggestions, []);
  const codes = checkGraph(graph).map(({ code }) => code);
  assert.equal(codes.includes("repeated-text"), false);
});

test("check() and analyseSnippets() name the same snippet, each text its own", () => {
  const other = VERIFY.replace("ask for the full name", "let the caller spell the name, then ask for the street");
  const graph = graphOf({ a: VERIFY, b: VERIFY, c: other, d: other });
  const hints = checkGraph(graph).flatMap(({ code, hint }) => (code === "repeated-text" ? [hint ?? ""] : []));
  const exact = analyseSnippets(graph).suggestions.filter(({ kind }) => kind === "exact");
  assert.deepEqual(new Set(exact.map(({ name }) => name)), new Set(["verify_the_caller", "verify_the_caller_2"]));
  for (const { name } of exact) assert.ok(hints.some((hint) => hint.includes(`{%${name}%}`)));
});
