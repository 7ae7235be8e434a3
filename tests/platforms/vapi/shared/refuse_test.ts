import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { PlatformError } from "../../../../src/base/errors.ts";

function refusal(document: unknown): PlatformError {
  try {
    importAgent(document);
  } catch (error) {
    assert.ok(error instanceof PlatformError);
    return error;
  }
  assert.fail("it was not refused");
}

test("import() rejects tools without an agent: alone, in a list and by name", () => {
  const tool = { type: "function", function: { name: "look_up" } };
  for (const document of [tool, [tool, tool], { tools: { look_up: tool } }]) {
    const { code, message } = refusal(document);
    assert.equal(code, "unknown-shape");
    assert.equal(message, "Cannot import Vapi assistant: it contains tools, not an agent");
  }
});

test("import() rejects members with only a name as assistant", () => {
  const { code, path, message } = refusal({ squad: { members: [{ assistant: "Greeter", assistantId: "a" }] } });
  assert.equal(code, "unknown-shape");
  assert.deepEqual(path, ["squad", "members", 0, "assistant"]);
  assert.match(message, /the assistant of member 0 is the text "Greeter"/);
});

test("import() rejects a squad without members", () => {
  assert.match(refusal({ name: "Empty", members: [] }).message, /it has no members/);
});

test("detect() returns 0 for any value that is not a document of Vapi", () => {
  const foreign = [null, 1, "text", [], {}, { nodes: {}, entry_node_id: "a" }, { nodes: [], edges: [] }];
  const others = [{ general_prompt: "x", model: "gpt-4o" }, { workflow: {} }, { members: "none" }, { members: [1] }];
  for (const document of [...foreign, ...others])
    for (const format of [vapiSquad, vapiAssistant])
      assert.equal(format.detect?.(document), 0, JSON.stringify(document));
});
