import assert from "node:assert/strict";
import { test } from "node:test";
import {
  emitAssistant,
  emitSquad,
  recogniseAssistant,
  recogniseSquad,
} from "../../../../platforms/vapi/compile/mod.ts";
import { fingerprint } from "../../../../src/document/graph/mod.ts";
import { at, graphOf, json, records, told } from "./graphs.ts";

const RAW = {
  type: "function",
  function: { name: "book" },
  server: { url: "https://example.com/book?key=s3cret", headers: { authorization: "Bearer s3cret" } },
};
const GRAPH = graphOf(
  {
    a: {
      state_prompt: "Ask for a day.",
      tools: [
        { name: "find", description: "", url: "https://example.com/find?key=s3cret" },
        { name: "book", description: "Books", url: RAW.server.url, metadata: { vapi: RAW } },
      ],
      transitions: [told("b", "Day is known")],
      metadata: {
        vapi: { server: { url: "https://example.com/s3cret" }, model: { tools: [{ type: "dtmf" }], temperature: 0 } },
      },
    },
    b: { state_prompt: "# How to go on\n- by myself" },
  },
  { source_metadata: { vapi: { name: "days", membersOverrides: { voice: { provider: "vapi", voiceId: "Elliot" } } } } },
);

test("metadata.callweave contains no URL, header or prompt", () => {
  const squad = json(emitSquad(GRAPH).config);
  const hints = records(squad, "members").map((member) => JSON.stringify(at(member, "assistant", "metadata")));
  for (const hint of hints) assert.doesNotMatch(hint, /s3cret|https|Ask for a day|Elliot/);
  assert.match(JSON.stringify(squad), /s3cret/);
});

test("recogniseSquad() reads URLs and an author's settings from the assistants", () => {
  const found = recogniseSquad(json(emitSquad(GRAPH).config)).graph;
  assert.ok(found);
  assert.deepEqual(found.source_metadata, GRAPH.source_metadata);
  assert.deepEqual(found.nodes.a?.metadata, GRAPH.nodes.a?.metadata);
  assert.equal(found.nodes.a?.tools[0]?.url, "https://example.com/find?key=s3cret");
  assert.equal(found.nodes.b?.state_prompt, "# How to go on\n- by myself");
  assert.equal(
    fingerprint(graphOf({ x: {} })),
    fingerprint(recogniseSquad(json(emitSquad(graphOf({ x: {} })).config)).graph ?? GRAPH),
  );
});

test("emitSquad() reports Vapi settings of a node that is not a member", () => {
  const vapi = { voice: { provider: "vapi", voiceId: "Elliot" } };
  const graph = graphOf({ a: { transitions: [told("end", "x")] }, end: { node_type: "end", metadata: { vapi } } });
  const { losses } = emitSquad(graph);
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path.join(".")]),
    [["node-settings", "nodes.end.metadata.vapi"]],
  );
});

test("recogniseAssistant() reads the prompt of a node below the general prompt", () => {
  const graph = graphOf({ a: { state_prompt: "Ask." } }, { source_metadata: { general_prompt: "Be kind." } });
  const { graph: found, findings } = recogniseAssistant(json(emitAssistant(graph).config));
  assert.deepEqual(findings, []);
  assert.deepEqual([found?.nodes.a?.state_prompt, found?.source_metadata.general_prompt], ["Ask.", "Be kind."]);
});
