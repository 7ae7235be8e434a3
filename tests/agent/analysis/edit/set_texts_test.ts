import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraphs, editGraph } from "../../../../src/agent/analysis/mod.ts";
import { always, end, extract, graphOf, llm, onTool, says, when, whenAll } from "../_graphs.ts";

const tool = (name: string, description: string) => ({ name, description });
const GRAPH = graphOf(
  {
    ask: {
      ...says(
        "Ask.",
        llm("bye", "Done"),
        when("note", "x", "==", "1"),
        onTool("note", "failed"),
        always("bye", { timing: "else" }),
      ),
      tools: [tool("find", "Finds"), tool("book", "Books")],
    },
    note: {
      ...extract(
        [
          { name: "day", description: "The day" },
          { name: "hour", description: "The hour" },
        ],
        always("two"),
      ),
      tools: [tool("find", "Finds")],
    },
    two: says("Two.", whenAll("bye", { left: "x", operator: ">", right: 1 }, { left: "y", operator: "exists" })),
    help: { ...says("Help."), global_node_setting: { condition: "Needs help", go_back_conditions: [] } },
    bye: end,
  },
  { snippets: { tone: "Be kind." }, source_metadata: { general_prompt: "Be brief." } },
);
const edit = editGraph(GRAPH);
type Edit = (graph: typeof edit) => { readonly graph: typeof GRAPH };

test("each edit of a text changes that text and nothing else", () => {
  const rows: readonly (readonly [Edit, string, string])[] = [
    [(each) => each.setPrompt("ask", "Ask twice."), "prompt-changed", "nodes.ask.state_prompt"],
    [(each) => each.setGeneralPrompt("Be kind."), "prompt-changed", "source_metadata.general_prompt"],
    [(each) => each.setSnippet("tone", "Be brief."), "snippet-changed", "snippets.tone"],
    [
      (each) => each.setGlobalCondition("help", "Is lost"),
      "condition-reworded",
      "nodes.help.global_node_setting.condition",
    ],
    [(each) => each.setCondition("ask", 0, "Finished"), "condition-reworded", "nodes.ask.transitions.0.condition"],
    [
      (each) => each.setEquation("two", 0, 0, { left: "x", operator: ">", right: "9" }),
      "equation-narrower",
      "nodes.two.transitions.0.condition",
    ],
    [(each) => each.removeTransition("ask", 1), "transition-removed", "nodes.ask.transitions.1"],
    [
      (each) => each.addTransition("note", GRAPH.nodes.ask?.transitions[0] ?? assert.fail()),
      "transition-added",
      "nodes.note.transitions.1",
    ],
    [
      (each) => each.describeVariable("note", "hour", "Hour of the visit"),
      "variable-reworded",
      "nodes.note.variables_to_extract.1.description",
    ],
    [(each) => each.describeTool("book", "Books a visit"), "tool-reworded", "nodes.ask.tools.1.description"],
  ];
  for (const [change, kind, path] of rows)
    assert.deepEqual(
      diffGraphs(GRAPH, change(edit).graph).map((each) => [each.kind, each.path.join(".")]),
      [[kind, path]],
    );
});

test("describeTool() describes a tool at every node that has it", () => {
  const { nodes } = edit.describeTool("find", "Finds an order").graph;
  assert.deepEqual(
    [nodes.ask?.tools, nodes.note?.tools].map((tools) => tools?.map(({ description }) => description)),
    [["Finds an order", "Books"], ["Finds an order"]],
  );
});

test("setCondition() makes an LLM condition of a transition without condition, which then has no timing", () => {
  const [, , , last] = edit.setCondition("ask", 3, "Hangs up").graph.nodes.ask?.transitions ?? [];
  assert.deepEqual(last, { target_node_id: "bye", condition: { type: "llm_prompt", value: "Hangs up" } });
});

test("setEquation() changes one clause and keeps the others", () => {
  const changed = edit.setEquation("two", 0, 1, { left: "y", operator: "==", right: "2" }).graph;
  assert.deepEqual(
    changed.nodes.two?.transitions[0]?.condition.equations?.map(({ left, operator }) => `${left} ${operator}`),
    ["x >", "y =="],
  );
});

test("edits of texts refuse places that do not exist, and empty texts", () => {
  const clause = { left: "x", operator: ">", right: "9" } as const;
  const bad = <Value>(value: unknown) => value as Value; // plain JavaScript passes anything
  const edge = GRAPH.nodes.ask?.transitions[0] ?? assert.fail();
  const rows: readonly (readonly [Edit, string])[] = [
    [(each) => each.setPrompt("nobody", "x"), "unknown-node"],
    [(each) => each.setPrompt("ask", " "), "invalid-option"],
    [(each) => each.setPrompt("ask", bad(5)), "invalid-option"],
    [(each) => each.setGeneralPrompt(""), "invalid-option"],
    [(each) => each.setSnippet("tune", "x"), "unknown-snippet"],
    [(each) => each.setSnippet("tone", ""), "invalid-option"],
    [(each) => each.setGlobalCondition("ask", "x"), "wrong-type"],
    [(each) => each.setGlobalCondition("help", "\n"), "invalid-option"],
    [(each) => each.setCondition("ask", 1, "x"), "wrong-type"],
    [(each) => each.setCondition("ask", 2, "x"), "wrong-type"],
    [(each) => each.setCondition("ask", 4, "x"), "unknown-target"],
    [(each) => each.setCondition("ask", 0.5, "x"), "unknown-target"],
    [(each) => each.setCondition("ask", 0, ""), "invalid-option"],
    [(each) => each.setEquation("ask", 0, 0, clause), "unknown-target"],
    [(each) => each.setEquation("two", 0, 2, clause), "unknown-target"],
    [(each) => each.setEquation("two", 0, 0, bad(null)), "invalid-option"],
    [(each) => each.setEquation("two", 0, 0, { ...clause, left: "" }), "invalid-option"],
    [(each) => each.addTransition("ask", bad(null)), "invalid-option"],
    [(each) => each.addTransition("ask", bad({ target_node_id: "bye" })), "invalid-option"],
    [(each) => each.addTransition("ask", { ...edge, target_node_id: "nobody" }), "unknown-node"],
    [(each) => each.addTransition("ask", { ...edge, condition: { type: "llm_prompt", value: "" } }), "invalid-option"],
    [(each) => each.removeTransition("ask", 4), "unknown-target"],
    [(each) => each.describeVariable("note", "week", "x"), "unknown-variable"],
    [(each) => each.describeVariable("ask", "day", "x"), "unknown-variable"],
    [(each) => each.describeTool("look", "x"), "unknown-tool"],
  ];
  for (const [change, code] of rows) assert.throws(() => change(edit), { code }, String(change));
  assert.equal(
    edit.addTransition("note", { ...edge, condition: { type: "always", value: "" } }).graph.nodes.note?.transitions
      .length,
    2,
  );
});
