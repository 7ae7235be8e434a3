import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { EDITOR, STATIC } from "./_flows.ts";

/** A migration is what emitting without the imported document gives. */
function migrated(document: unknown) {
  const { graph } = importAgent(JSON.stringify(document));
  return { graph, ...emit(graph, "pipecat") };
}

test("a static flow is read with the functions of each vendor, and written back as it was", () => {
  const text = JSON.stringify(STATIC, null, 4);
  const { graph, format } = importAgent(text);
  assert.equal(format, "pipecat-static");
  assert.equal(emit(graph, format).text, text);
  const { start, confirm, end } = graph.nodes;
  assert.deepEqual(
    start?.tools.map(({ name, parameters }) => [name, Object.keys(Object(parameters?.properties))]),
    [["pick_size", ["size", "count"]]],
  );
  assert.deepEqual(
    [start, confirm].flatMap((node) =>
      node?.transitions.map(({ target_node_id: to, condition }) => [to, condition.value]),
    ),
    [
      ["confirm", "Notes the size"],
      ["end", "Caller agrees"],
      ["start", "Caller disagrees"],
    ],
  );
  assert.equal(end?.node_type, "end");
  const wrapped = JSON.stringify({ type: "flow", name: "sizes", flow_config: STATIC });
  assert.equal(emit(importAgent(wrapped).graph, "pipecat-static").text, wrapped);
});

test("a static flow is migrated: parameters become typed arguments, the strategy a name", () => {
  const { config, files = [] } = migrated(STATIC);
  assert.deepEqual(config, {
    initial_node: "start",
    nodes: {
      start: {
        role_message: "Be brief.",
        task_messages: [{ role: "developer", content: "Ask for the size." }],
        functions: [{ name: "pick_size", transition_to: "confirm" }],
      },
      confirm: {
        task_messages: [{ role: "developer", content: "Confirm." }],
        functions: [
          { name: "yes", transition_only: true, description: "Caller agrees", transition_to: "end" },
          { name: "no", transition_only: true, description: "Caller disagrees", transition_to: "start" },
        ],
      },
      end: { task_messages: [], context_strategy: "reset", post_actions: [{ type: "end_conversation" }] },
    },
  });
  const [handlers] = files;
  assert.match(
    handlers?.text ?? "",
    /async def pick_size\(flow_manager: FlowManager, size: str, count: int \| None = None\):/,
  );
  assert.match(handlers?.text ?? "", /size \(str\): One of "s", "l"\./);
  assert.deepEqual(migrated(STATIC).files, files);
});

test("a file of the editor is read with its decisions and edges, and written back as it was", () => {
  const text = JSON.stringify(EDITOR, null, 2);
  const { graph, format } = importAgent(text);
  assert.equal(format, "pipecat-editor");
  assert.equal(emit(graph, format).text, text);
  assert.equal(graph.source_metadata.name, "Payment");
  assert.equal(graph.nodes.bye?.node_type, "end");
  const renamed: AgentGraph = JSON.parse(JSON.stringify(graph).replaceAll('"bye"', '"end"'));
  // the edge, which is only drawn, follows
  assert.equal(emit(renamed, format).text, text.replaceAll('"bye"', '"end"'));
  assert.deepEqual(
    graph.nodes.ask?.transitions.map(({ condition }) => condition.value),
    [
      '"pay" was called, and result == paid',
      '"pay" was called, and result >= 3',
      "Pays the amount, and no other case holds",
    ],
  );
});

test("two nodes of one id are refused in a file of the editor", () => {
  const twice = { ...EDITOR, nodes: [...EDITOR.nodes, EDITOR.nodes[0]] };
  assert.throws(() => importAgent(twice), { code: "unknown-shape", message: /two nodes have the id 'ask'/ });
});

test("an edited function keeps the form of its vendor, and a message its blocks", () => {
  const parameters = { properties: { size: { type: "string" } }, type: "object" };
  const declared = [
    { name: "note", handler: "note_size", parameters, description: "Notes the size", transition_to: "start" },
    { description: "Caller has it", name: "leave", parameters: null, transition_to: "end" },
  ];
  const flat = declared.map(({ parameters: input_schema, ...rest }) => ({ ...rest, input_schema }));
  const content = [{ type: "text", text: "Ask.", cache: null }, { type: "image" }];
  const inForms = [
    [{ note: 1, function_declarations: declared }, { function_declarations: [] }],
    [{ function_declarations: declared.slice(0, 1) }, { function_declarations: declared.slice(1), note: 2 }],
    flat,
    declared.map((each) => ({ type: "function", ...each })),
  ];
  for (const functions of inForms) {
    const document = {
      initial_node: "start",
      nodes: {
        start: { messages: [{ role: "user", content }], functions },
        end: { messages: [{ role: "user", content: "Bye." }], post_actions: [{ type: "end_conversation" }] },
      },
    };
    const text = JSON.stringify(document, null, 2);
    const { graph } = importAgent(text, { format: "pipecat-static" });
    assert.equal(emit(graph, "pipecat-static").text, text);
    const { start } = graph.nodes;
    const [first, second] = start?.transitions ?? [];
    if (!start || !first || !second) throw new Error("each function is a transition");
    const change = (changed: Partial<AgentNode>) => ({
      ...graph,
      nodes: { ...graph.nodes, start: { ...start, ...changed } },
    });
    const worded = (value: string) => ({ ...second, condition: { ...second.condition, value } });
    const edited = change({ state_prompt: "Ask again.", transitions: [first, worded("Caller goes")] });
    const words = text.replace("Caller has it", "Caller goes").replace('"Ask."', '"Ask again."');
    assert.equal(emit(edited, "pipecat-static").text, words);
    const added = change({ transitions: [first, second, { ...worded("Caller is new"), metadata: {} }] });
    const written = JSON.parse(emit(added, "pipecat-static").text).nodes.start.functions;
    const all = written.flatMap((each: { function_declarations?: unknown[] }) => each.function_declarations ?? [each]);
    const kinds = all.map((each: object) => Object.hasOwn(each, "input_schema") || Object.hasOwn(each, "parameters"));
    assert.deepEqual(kinds, [true, true, true]);
    assert.equal(JSON.stringify(written).includes("u0000"), false);
  }
});

test("nodes of the editor keep their places when nodes are added, renamed or moved", () => {
  const text = JSON.stringify(EDITOR, null, 2);
  const { graph } = importAgent(text);
  const placesOf = (changed: AgentGraph): Record<string, unknown> => {
    const { nodes } = JSON.parse(emit(changed, "pipecat-editor").text);
    return Object.fromEntries(nodes.map(({ id, position }: { id: string; position: unknown }) => [id, position]));
  };
  const before = placesOf(graph);
  const moved = { ...graph, nodes: Object.fromEntries(Object.entries(graph.nodes).reverse()) };
  assert.deepEqual(placesOf(moved), before);
  const [last] = Object.values(graph.nodes).slice(-1);
  if (!last) throw new Error("the flow has nodes");
  const added = { ...graph, nodes: { ...graph.nodes, added: { ...last, id: "added", metadata: {} } } };
  const { added: place, ...others } = placesOf(added);
  assert.deepEqual(others, before);
  assert.equal(typeof Object(place).x, "number");
  const { [last.id]: _, ...rest } = graph.nodes;
  const text2 = JSON.stringify({ ...rest, renamed: { ...last, id: "renamed" } });
  const nodes = JSON.parse(text2.replaceAll(`"target_node_id":"${last.id}"`, '"target_node_id":"renamed"'));
  const { renamed } = placesOf({ ...graph, nodes });
  assert.deepEqual(renamed, before[last.id]);
});

test("a decision that stays if no case holds is named, since the editor wants a default", () => {
  const { graph } = importAgent(JSON.stringify(EDITOR));
  const isFallback = ({ metadata }: { metadata?: unknown }) =>
    JSON.stringify(metadata ?? {}).includes('"field":"result"') && !JSON.stringify(metadata).includes('"value"');
  const nodes = Object.entries(graph.nodes).map(([id, node]) => [
    id,
    { ...node, transitions: node.transitions.filter((transition) => !isFallback(transition)) },
  ]);
  const changed = { ...graph, nodes: Object.fromEntries(nodes) };
  assert.notDeepEqual(changed, graph);
  assert.deepEqual(
    emit(changed, "pipecat-editor").losses.map(({ code, kind }) => [code, kind]),
    [["branch", "emulated"]],
  );
});

test("two functions of one name keep it when the node that they lead to is renamed", () => {
  const move = (target: string, description: string) => ({
    type: "function",
    function: { name: "go", description, parameters: { type: "object", properties: {} }, transition_to: target },
  });
  const flow = (last: string) => ({
    initial_node: "start",
    nodes: {
      start: { task_messages: [{ role: "system", content: "Ask." }], functions: [move(last, "Yes"), move(last, "No")] },
      [last]: { task_messages: [{ role: "system", content: "Bye." }] },
    },
  });
  const { graph } = importAgent(JSON.stringify(flow("last")));
  const renamed = JSON.parse(JSON.stringify(graph.nodes).replaceAll('"last"', '"final"'));
  assert.deepEqual(emit({ ...graph, nodes: renamed }, "pipecat-static").config, flow("final"));
});
