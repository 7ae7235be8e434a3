import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { importAgent } from "../../../../platforms/mod.ts";
import { emitAssistant, emitSquad, recogniseAssistant } from "../../../../platforms/vapi/compile/mod.ts";
import { dropAt, setAt } from "../../../../src/base/values/mod.ts";
import { json } from "./graphs.ts";

const SQUAD = json(emitSquad(helpDesk).config);
const ASSISTANT = json(emitAssistant(helpDesk).config);

/** Paths and messages of the findings of an import. */
const found = (document: unknown) => importAgent(document).findings.map(({ path, message }) => [path, message]);
const MESSAGE =
  "Cannot restore the graph that this document was emitted from: metadata.callweave of an assistant is missing or damaged";

test("importAgent() reports a squad in which one assistant has lost its metadata", () => {
  assert.deepEqual(found(dropAt(SQUAD, ["members", 1, "assistant", "metadata"])), [[["members"], MESSAGE]]);
});

test("importAgent() reports an assistant whose metadata is no graph any more", () => {
  const damaged = setAt(ASSISTANT, ["metadata", "callweave", "graph", "entry_node_id"], "nowhere");
  assert.deepEqual(found(damaged), [[["metadata"], MESSAGE]]);
});

test("importAgent() reports nothing for an assistant of other origin", () => {
  const other = dropAt(ASSISTANT, ["metadata"]);
  assert.deepEqual(found(other), []);
  assert.deepEqual(recogniseAssistant(other), { findings: [] });
});

test("importAgent() names the place of a change in a member that has lost its name", () => {
  const messages = found(dropAt(SQUAD, ["members", 0, "assistant", "name"])).map(([, message]) => String(message));
  assert.match(messages.join("\n"), /"members\.0\.assistant\.name" was \w+$/m);
});
