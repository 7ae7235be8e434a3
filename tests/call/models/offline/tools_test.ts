import assert from "node:assert/strict";
import { test } from "node:test";
import { neededTool } from "../../../../src/call/models/offline/answer.ts";

const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string", description: "Name of the city" } },
} as const;

/** The name of the tool that is called first, of two: the weather, and hanging up. */
function called(said: string, prompt: string): string | undefined {
  const input = { general_instructions: "", state_instructions: prompt, conversation_history: [], user_message: said };
  const tools = [
    { type: "function" as const, name: "weather", description: "Says the weather of a city", inputSchema: PARAMETERS },
    {
      type: "function" as const,
      name: "end_call",
      description: "Ends the call",
      inputSchema: { type: "object" } as const,
    },
  ];
  return neededTool(input, { prompt: [], tools })?.name;
}

test("neededTool() picks the tool that the prompt or the caller asks for", () => {
  assert.equal(called("Hello", "Call weather, then answer."), "weather");
  assert.equal(called("What is the weather in the city?", "Help."), "weather");
  assert.equal(called("Hello", "Help."), undefined);
});

test("neededTool() waits until the caller's words match the tool", () => {
  const prompt = "If they plan a trip, call weather.";
  assert.equal(called("Hello", prompt), undefined);
  assert.equal(called("I plan a trip.", prompt), "weather");
});

test("neededTool() hangs up only when the caller is done", () => {
  const prompt = "Use end_call to hang up.";
  assert.equal(called("I have a question.", prompt), undefined);
  assert.equal(called("That is all, goodbye.", prompt), "end_call");
});

test("neededTool() calls nothing before the caller speaks", () => {
  assert.equal(called("", "Call weather, then answer."), undefined);
});
