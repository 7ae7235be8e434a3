import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { conversation } from "../../../src/engine/mod.ts";
import { scripted } from "../../../src/models/mod.ts";
import { at, json, records } from "../vapi_emit/graphs.ts";
import { bikeWorkshop } from "./documents.ts";

const guide = readFileSync(new URL("../../../docs/migrating-from-vapi-workflows.md", import.meta.url), "utf8");
const { graph, format } = importAgent(bikeWorkshop());
const { config, losses } = emit(graph, "vapi-squad");

test("the guide on migrating says how many nodes and members there are", () => {
  assert.ok(guide.includes(`as ${format}: ${Object.keys(graph.nodes).length} nodes`));
  assert.equal(records(at(bikeWorkshop(), "workflow"), "nodes").length, 10);
  assert.equal(records(json(config), "members").length, 7);
  for (const phrase of ["has ten nodes, the graph thirteen", "Seven members come out"])
    assert.ok(guide.includes(phrase));
});

test("the guide on migrating explains every line of the report", () => {
  const explained = [...guide.matchAll(/^\| `([a-z-]+)` at/gm)].map(([, code]) => code);
  assert.deepEqual([...explained].sort(), [...new Set(losses.map(({ code }) => code))].sort());
});

test("the call of the guide on migrating goes where the guide says", async () => {
  const pick = (id: string) => ({ objectives_complete: true, transition_to: id });
  const agent = scripted({
    transition: ["ask_ticket", "ask_ticket > look_up_repair", "hangup_1751882355790"].map(pick),
    extract: [{ ticket: "4711" }],
    arguments: [{ ticket: "4711" }],
  });
  const mocks = [
    {
      tool_name: "repair_status",
      input_match_rule: { type: "any" as const },
      output: '{"state":"ready"}',
      result: true,
    },
  ];
  const call = conversation(graph, { models: { agent }, mocks });
  await call.open();
  for (const line of ["Is my bike ready?", "The number is 4711", "That was all, thanks"]) await call.hear(line);
  for (const id of ["ask_ticket", "look_up_repair", "tell_state"]) assert.ok(call.nodesVisited.includes(id));
  assert.equal(call.variables.repair_state, "ready");
  assert.equal(call.endReason, "agent_ended");
  assert.equal(
    call.transcript.at(-1)?.role === "assistant" ? call.transcript.at(-1)?.content : "",
    "Thank you for calling Spoke. Goodbye!",
  );
});
