import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vapi } from "@vapi-ai/server-sdk";
import { keysOf, limits, namePatterns } from "../../../../platforms/vapi/api/mod.ts";

/** Lists every key of an SDK type; a missing or an extra key does not compile. */
type Keys<Type> = { readonly [Key in keyof Required<Type>]: true };
const SQUAD: Keys<Vapi.CreateSquadDto> = { name: true, members: true, membersOverrides: true };
const MEMBER: Keys<Vapi.SquadMemberDto> = {
  assistantVersion: true,
  assistantDestinations: true,
  assistantId: true,
  assistant: true,
  assistantOverrides: true,
};

test("keysOf() returns the keys of the SDK's types", () => {
  assert.deepEqual([...keysOf("CreateSquadDTO")].sort(), Object.keys(SQUAD).sort());
  assert.deepEqual([...keysOf("SquadMemberDTO")].sort(), Object.keys(MEMBER).sort());
  const extra = keysOf("AssistantOverrides").filter((key) => !keysOf("CreateAssistantDTO").includes(key));
  assert.deepEqual(extra.sort(), ["tools:append", "variableValues"]);
});

test("limits() and namePatterns() find every limit in the published document", () => {
  for (const [name, limit] of Object.entries(limits()))
    for (const each of [limit].flat()) assert.ok(Number.isFinite(each), name);
  const { assistantName, functionName, requestName, alias, message, maxDurationSeconds } = limits();
  assert.deepEqual([assistantName, functionName, requestName, alias, message], [40, 64, 40, 40, 1000]);
  assert.deepEqual(maxDurationSeconds, [10, 43_200]);
  for (const [name, pattern] of Object.entries(namePatterns())) {
    assert.ok(pattern.test("look_up2"), name);
    assert.ok(!pattern.test("look up"), name);
  }
});
