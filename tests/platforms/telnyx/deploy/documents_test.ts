import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { canonicalJson, isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, fingerprint, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { createAll, readBack, startLocal } from "../../deploying/_deploy_document.ts";
import { schemaGraphs } from "../../schema_graphs.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { DESK } from "../flow/_documents.ts";

const CORPUS = new URL("../../../../../shared/corpus/", import.meta.url);

/** The parts of a graph that affect calls, without the ids of tools, which a platform gives. */
function meaning(graph: AgentGraph): string {
  const plain: unknown = JSON.parse(JSON.stringify(withoutOriginal(graph)), (key: string, value: unknown) => {
    if (["tool_id", "metadata", "telnyx"].includes(key)) return undefined;
    return value;
  });
  return canonicalJson(plain);
}

/** Deploys a document to an empty platform, and pulls it: the graph is the same, and so is what is emitted from it. */
async function comesBack(document: unknown, stored: readonly JsonObject[] = []): Promise<void> {
  const tools = stored.map((body) => ({ kind: "tool", id: String(body.id), workspace: "workspace-1", body }));
  const local = startLocal("telnyx", { stored: tools });
  const read = await readBack(local, await createAll(local, document));
  const pulled = importAgent(read, { format: "telnyx" });
  const wanted = importAgent(document, { format: "telnyx" });
  assert.equal(meaning(pulled.graph), meaning(wanted.graph));
  assert.deepEqual(emit(pulled.graph, "telnyx").config, read);
  // what was pulled is deployed as it is
  const again = local.adapter.split(read);
  assert.ok(again.every(({ id }) => id !== undefined));
}

test("the examples come back from the local platform as they were deployed", async () => {
  for (const graph of await exampleGraphs()) await comesBack(emit(graph, "telnyx").config);
});

test("generated graphs come back from the local platform as they were deployed", async () => {
  await fc.assert(
    fc.asyncProperty(schemaGraphs(), async (graph) => {
      await comesBack(JSON.parse(JSON.stringify(emit(graph, "telnyx").config)));
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

test("an assistant with tools of the organisation keeps them, and shares what it brings", async () => {
  const stored = [{ id: "tool_3", display_name: "note", type: "skip_turn", skip_turn: {} }];
  const { conversation_flow: flow } = DESK;
  await comesBack({ ...DESK, conversation_flow: flow }, stored);
});

test("shared tools of the assistant itself stand in tool_ids, and not among its own tools", async () => {
  const note = { type: "function", function: { name: "note", description: "Notes" } };
  const look = { type: "function", function: { name: "look", description: "Looks" } };
  const document = {
    name: "Desk",
    instructions: "Be kind.",
    tools: [look, { ...note, shared: true }],
    tool_ids: ["t_9"],
  };
  const local = startLocal("telnyx");
  const [tool, assistant] = local.adapter.split({ ...document, enabled_features: [] });
  assert.deepEqual([tool?.id, tool?.body], ["t_9", { display_name: "note", ...note }]);
  assert.deepEqual([assistant?.body.tools, assistant?.body.tool_ids], [[look], ["callweave:tool:note"]]);
  // answers have the tools themselves, without their ids
  const ids = await createAll(local, document);
  const found = await local.adapter.read(local.client, ids);
  assert.deepEqual(
    found.map(({ id, body }) => [id, body.tools, body.tool_ids]),
    [
      [ids["tool:note"], undefined, undefined],
      [ids.assistant, [look], [ids["tool:note"]]],
    ],
  );
  // also where only the platform knows them
  const [alone] = await local.adapter.read(local.client, { assistant: ids.assistant ?? "" });
  assert.deepEqual(alone?.body.tool_ids, [ids["tool:note"]]);
});

const FOLDERS = ["telnyx/", "voicetest/telnyx/"].map((name) => new URL(name, CORPUS)).filter(existsSync);

test("files of the corpus come back from the local platform as they were deployed", {
  skip: FOLDERS.length > 0 ? false : "there is no ../shared/corpus",
}, async () => {
  let deployed = 0;
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder)) {
      const document: unknown = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
      if (!isRecord(document) || !Array.isArray(document.tools)) continue; // not what the API takes
      await comesBack(document);
      deployed++;
    }
  assert.equal(deployed, 4);
});

test("two assistants with the same tools do not share them unless they have their ids", () => {
  const { adapter } = startLocal("telnyx");
  const resources = adapter.split(DESK);
  assert.deepEqual(
    resources.map(({ kind, name, id }) => [kind, name, id]),
    [
      ["tool", "find_order", "tool_1"],
      ["tool", "hangup", "tool_2"],
      ["assistant", "assistant", undefined],
    ],
  );
  assert.equal(fingerprint(importAgent(adapter.join(resources)).graph), fingerprint(importAgent(DESK).graph));
});
