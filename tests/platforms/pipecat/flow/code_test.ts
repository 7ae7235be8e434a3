import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, flow, number, text, tool } from "../../../../mod.ts";
import { isRecord, own, records } from "../../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import { randomFrom, randomGraph, randomWalk } from "./_walks.ts";

/** Where a function of the emitted flow leads when its handler returns a branch. */
function targetOf(config: unknown, id: string, name: string, branch: string): unknown {
  const nodes = isRecord(config) && isRecord(config.nodes) ? config.nodes : {};
  const node = own(nodes, id);
  const found = isRecord(node) ? records(node.functions).find((each) => each.name === name) : undefined;
  const to = found?.transition_to;
  if (!isRecord(to)) return to;
  return own(isRecord(to.cases) ? to.cases : {}, branch) ?? to.default;
}

/** The case that the handler of a node returns for a transition: equations and outcomes are counted, others have none. */
function branchOf({ transitions }: AgentNode, target: string | undefined, position: number): string {
  const ways = transitions.filter(({ condition }) => condition.type === "equation" || condition.type === "tool_call");
  const [way] = transitions.slice(position);
  const index = way ? ways.indexOf(way) : -1;
  return index >= 0 && ways[index]?.target_node_id === target ? String(index + 1) : "other";
}

test("every case of an emitted flow leads where the transition of the graph leads, on 60 random graphs", () => {
  let checked = 0;
  for (let seed = 0; seed < 60; seed++) {
    const graph = randomGraph(randomFrom(seed));
    const { config } = emit(graph, "pipecat");
    const { steps, visited } = randomWalk(graph, randomFrom(seed + 500));
    for (const [index, step] of steps.entries()) {
      const node = own(graph.nodes, visited[index] ?? "");
      if (!node || node.node_type === "conversation") continue;
      for (const [position, { target_node_id: target }] of node.transitions.entries()) {
        const branch = branchOf(node, target, position);
        assert.equal(targetOf(config, node.id, step.function, branch), target, `${seed} ${node.id} ${position}`);
        checked++;
      }
    }
  }
  assert.ok(checked > 100, `${checked} cases`);
});

const find = tool({
  name: "find-table",
  description: 'Finds a "free" table \\ """ of a day',
  url: "https://tables.example/find",
  parameters: {
    type: "object",
    properties: {
      guests: { type: "integer", minimum: 1, description: "Number of guests" },
      class: { type: "string", enum: ["in", "out"] },
      "day-part": { type: "array", items: { type: "string" } },
    },
    required: ["day-part"],
  },
  responseVariables: { table: "$.table.name" },
});

const handlers = () => {
  const graph = flow("tables", {
    tools: [find],
    variables: { guests: number("Number of guests", { default: 2 }), table: text("Table") },
  })
    .conversation("ask", {
      prompt: "Ask for the day.",
      tools: ["find-table"],
      next: ({ to, when }) => [
        to("big", when("guests", ">", 8).or("table", "==", 'the "long" one')),
        to("bye", "Caller is done"),
      ],
    })
    .transfer("big", { to: "+14155550142" })
    .end("bye", {})
    .compile();
  return emit(graph, "pipecat").files?.find(({ path }) => path === "handlers.py")?.text ?? "";
};

test("a tool becomes a direct function: valid names, required arguments first, types, choices and limits in words", () => {
  const code = handlers();
  assert.match(
    code,
    /^async def find_table\(flow_manager: FlowManager, day_part: list\[str\], guests: int \| None = None, class_2: str \| None = None\):$/m,
  );
  assert.match(code, /^ {8}guests \(int\): Number of guests minimum: 1\.$/m);
  assert.match(code, /^ {8}class_2 \(str\): One of "in", "out"\.$/m);
  assert.match(code, /Finds a "free" table \\\\ \\"\\"\\" of a day/);
  assert.match(
    code,
    /run_tool\("find-table", "https:\/\/tables\.example\/find", \{"guests": guests, "class": class_2, "day-part": day_part\}\)/,
  );
  assert.match(code, /set_value\(flow_manager\.state, "table", value_at\(result, "\$\.table\.name"\)\)/);
  assert.match(code, /^ {4}"find-table": find_table,$/m);
});

test("equations and variables are code: conditions in order, values before the call, and a transfer to write", () => {
  const code = handlers();
  assert.ok(
    code.includes(
      '"1" if (holds(flow_manager.state, "guests", ">", "8") or holds(flow_manager.state, "table", "==", "the \\"long\\" one")) else',
    ),
    code.slice(-2_500),
  );
  assert.match(code, /^set_value\(STATE, "guests", 2\)$/m);
  assert.match(code, /^set_value\(STATE, "table", Unset\("\{\{table\}\}"\)\)$/m);
  assert.match(code, /^async def transfer_call\(action: dict, flow_manager: FlowManager\):$/m);
  assert.match(code, /^ {4}"transfer_call": transfer_call,$/m);
});
