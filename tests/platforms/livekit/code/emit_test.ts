import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit } from "../../../../platforms/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { vanishedSettings } from "../../losses_law.ts";
import { schemaGraphs } from "../../schema_graphs.ts";

const graphOf = (nodes: object, source_metadata: object = {}) =>
  parseGraph({ source_type: "custom", entry_node_id: "hi", source_metadata, nodes });

const code = (graph: AgentGraph, format: "livekit" | "livekit-python" = "livekit") =>
  String(emit(graph, format).config);

const told = (target_node_id: string, value = "goes on") => ({
  target_node_id,
  condition: { type: "llm_prompt", value },
});
const equal = (target_node_id: string, logical_operator?: string) => ({
  target_node_id,
  condition: {
    type: "equation",
    value: "",
    equations: [
      { left: "plan", operator: "==", right: "{{wanted}}" },
      { left: "{{age}}", operator: "exists" },
    ],
    ...(logical_operator ? { logical_operator } : {}),
  },
});

test("equations are code of both languages, with and, or and sides that are filled", () => {
  const graph = graphOf({
    hi: { node_type: "conversation", state_prompt: "Hi", transitions: [equal("bye"), equal("hi", "or")] },
    bye: { node_type: "end", state_prompt: "" },
  });
  const script = code(graph);
  assert.match(
    script,
    /if \(this\.call\.holds\("plan", "==", "\{\{wanted\}\}"\) && this\.call\.holds\("age", "exists"\)\) \{\n {6}return "bye";/,
  );
  assert.match(
    script,
    /holds\("plan", "==", "\{\{wanted\}\}"\) \|\| this\.call\.holds\("age", "exists"\)\) \{\n {6}return "hi";/,
  );
  const python = code(graph, "livekit-python");
  assert.match(
    python,
    /self\.call\.holds\("plan", "==", "\{\{wanted\}\}"\)\n {12}and self\.call\.holds\("age", "exists"\)/,
  );
  assert.match(python, /\n {12}or self\.call\.holds\("age", "exists"\)\n {8}\):\n {12}return "hi"/);
});

test("an equation without clauses never holds", () => {
  const empty = { target_node_id: "bye", condition: { type: "equation", value: "", equations: [] } };
  const graph = graphOf({
    hi: {
      node_type: "logic",
      state_prompt: "",
      transitions: [empty, { target_node_id: "hi", condition: { type: "always", value: "" } }],
    },
    bye: { node_type: "end", state_prompt: "" },
  });
  assert.match(code(graph), /if \(false\) \{\n {6}return "bye";/);
  assert.match(code(graph, "livekit-python"), /if False:\n {12}return "bye"/);
});

test("global nodes, ways back and other ways are parts of the flow and of its agents", () => {
  const setting = {
    condition: "asks for the boss",
    go_back_conditions: [
      { id: "b", condition: { type: "llm_prompt", value: "is calm" } },
      { id: "c", condition: equal("x").condition },
    ],
  };
  const otherwise = { target_node_id: "bye", condition: { type: "always", value: "" }, timing: "else" };
  const graph = graphOf({
    hi: { node_type: "conversation", state_prompt: "Hi", transitions: [told("bye"), otherwise] },
    boss: { node_type: "conversation", state_prompt: "Boss", global_node_setting: setting },
    bye: { node_type: "end", state_prompt: "Bye" },
  });
  const script = code(graph);
  assert.match(script, /anytime: \[\["boss", "asks for the boss"\]\]/);
  assert.match(script, /otherwise: "bye"/);
  assert.match(script, /back: \["is calm"\]/);
  assert.match(script, /goesBack\(\): boolean \{\n {4}if \(this\.call\.holds/);
});

test("tools are requests, endings, transfers, or functions that are still to be written", () => {
  const request = { method: "GET", headers: { "X-Key": "{{key}}" }, timeout_ms: 5_000 };
  const tools = [
    {
      name: "a",
      description: "A",
      url: "https://acme.test/{{id}}",
      metadata: { retell: request },
      response_variables: { day: "$.day" },
    },
    { name: "b", description: "B", type: "end_call" },
    {
      name: "c",
      description: "C",
      type: "transfer_call",
      metadata: { livekit: { destination: { number: "+14155550100" } } },
    },
    { name: "d", description: "D", type: "send_sms" },
  ];
  const graph = graphOf({ hi: { node_type: "conversation", state_prompt: "Hi", tools } });
  const script = code(graph).replace(/\s+/g, " ");
  assert.match(
    script,
    /http\( "https:\/\/acme\.test\/\{\{id\}\}", \{ headers: \{ "X-Key": "\{\{key\}\}" \}, method: "GET", timeoutSeconds: 5 \}/,
  );
  assert.match(script, /stores: \[\["day", "\$\.day"\]\]/);
  assert.match(script, /handler: note, ends: "agent_ended"/);
  assert.match(script, /handler: transfer\("\+14155550100"\), ends: "agent_transferred"/);
  assert.match(script, /unwritten\("d, a tool of type send_sms,"\)/);
  const python = code(graph, "livekit-python").replace(/\s+/g, " ");
  assert.match(
    python,
    /http\( "https:\/\/acme\.test\/\{\{id\}\}", headers=\{"X-Key": "\{\{key\}\}"\}, timeout_seconds=5, method="GET", \)/,
  );
  assert.deepEqual(
    emit(graph, "livekit").losses.map((loss) => [loss.code, loss.path.join(".")]),
    [["tool-unwritten", "nodes.hi.tools.3"]],
  );
});

test("language, voice and model are models of LiveKit Inference, and the livekit option takes precedence", () => {
  const nodes = { hi: { node_type: "conversation", state_prompt: "Hi", metadata: { livekit: { tts: "rime/mist" } } } };
  const head = { language: "de-DE", voice: { livekit: "cartesia/sonic-3:ada" } };
  const models = (graph: AgentGraph) => /MODELS: [^;]*/.exec(code(graph))?.[0].replace(/\s+/g, " ") ?? "";
  const plain = { ...graphOf(nodes, head), default_model: "gpt-4o" };
  assert.match(models(plain), /llm: "openai\/gpt-4o", stt: "deepgram\/nova-3:de", tts: "cartesia\/sonic-3:ada"/);
  assert.match(code(plain), /models: \{ tts: "rime\/mist" \}/);
  const own = graphOf(nodes, { ...head, livekit: { session: { stt: "cartesia/ink-2" } } });
  assert.match(models(own), /stt: "cartesia\/ink-2"/);
  const wrong = graphOf(nodes, { livekit: { session: { pace: 2 }, room: "x" } });
  assert.deepEqual(
    emit(wrong, "livekit").losses.map((loss) => [loss.code, loss.path.join(".")]),
    [
      ["unknown-setting", "source_metadata.livekit"],
      ["unknown-setting", "source_metadata.livekit.session"],
    ],
  );
});

test("texts of several lines are broken after their line breaks", () => {
  const graph = graphOf({ hi: { node_type: "conversation", state_prompt: `One ${"long ".repeat(20)}line.\nTwo.` } });
  assert.match(code(graph), /prompt:\n {6}"One [^\n]*line\.\\n" \+\n {6}"Two\.",/);
  assert.match(code(graph, "livekit-python"), /prompt = \(\n {8}"One [^\n]*line\.\\n"\n {8}"Two\."\n {4}\)/);
});

test("tests of a program have a row for each move that only the model makes", () => {
  const [, tests] = emit(helpDesk, "livekit").files ?? [];
  assert.match(tests?.text ?? "", /\["welcome", "to_find_topic", "find_topic"\],/);
  assert.equal((tests?.text.match(/^ {2}\[".*"\],$/gm) ?? []).length, 13);
});

test("the law of losses fails for a program that forgets a part of its agents", () => {
  const graphs = fc.sample(schemaGraphs(), { numRuns: 60, seed: 2 });
  for (const line of [/^ +(?:prompt|otherwise): .*\n/gm, /^ +choices: .*\n/gm, /^ +return .*\n/gm]) {
    const forgetful = (graph: AgentGraph) => {
      const { config, losses } = emit(graph, "livekit");
      return { config: String(config).replace(line, ""), losses };
    };
    const lost = graphs.some((graph) => vanishedSettings(graph, { name: "livekit", emit: forgetful }).length > 0);
    assert.ok(lost, `nothing is lost without ${line}`);
  }
});
