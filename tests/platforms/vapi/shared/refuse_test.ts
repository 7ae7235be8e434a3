import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent } from "../../../../platforms/mod.ts";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { PlatformError } from "../../../../src/errors.ts";

function refusal(document: unknown): PlatformError {
  try {
    importAgent(document);
  } catch (error) {
    assert.ok(error instanceof PlatformError);
    return error;
  }
  assert.fail("it was not refused");
}

test("import() refuses tools, alone, listed and by name, and says what they are", () => {
  const tool = { type: "function", function: { name: "look_up" } };
  for (const document of [tool, [tool, tool], { tools: { look_up: tool } }]) {
    const { code, message } = refusal(document);
    assert.equal(code, "unknown-shape");
    assert.equal(message, "Cannot import Vapi assistant: it holds tools, not an agent");
  }
});

test("import() refuses members whose assistant is only a name", () => {
  const { code, path, message } = refusal({ squad: { members: [{ assistant: "Greeter", assistantId: "a" }] } });
  assert.equal(code, "unknown-shape");
  assert.deepEqual(path, ["squad", "members", 0, "assistant"]);
  assert.match(message, /the assistant of member 0 is the text "Greeter"/);
});

test("import() refuses a squad without members: there is no one to start with", () => {
  assert.match(refusal({ name: "Empty", members: [] }).message, /no member to start with/);
});

test("detect() gives 0 for what is not Vapi's, whatever it is", () => {
  const foreign = [null, 1, "text", [], {}, { nodes: {}, entry_node_id: "a" }, { nodes: [], edges: [] }];
  const others = [{ general_prompt: "x", model: "gpt-4o" }, { workflow: {} }, { members: "none" }, { members: [1] }];
  for (const document of [...foreign, ...others])
    for (const format of [vapiSquad, vapiAssistant])
      assert.equal(format.detect?.(document), 0, JSON.stringify(document));
});
