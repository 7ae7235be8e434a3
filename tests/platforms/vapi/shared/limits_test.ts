import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vapi } from "@vapi-ai/server-sdk";
import type {
  ASSISTANT_KEYS,
  MEMBER_KEYS,
  OVERRIDE_KEYS,
  SQUAD_KEYS,
} from "../../../../platforms/vapi/shared/limits.ts";
import { FUNCTION_NAME, MAX_ASSISTANT_NAME, RANGES } from "../../../../platforms/vapi/shared/limits.ts";
import { openapiProperty } from "./openapi.ts";

/** Fails to compile when the SDK's type has a key that the list has not. */
type Missing<Type, List extends readonly unknown[]> = Exclude<keyof Type, List[number]>;
const missing: readonly [
  Missing<Vapi.CreateAssistantDto, typeof ASSISTANT_KEYS>[],
  Missing<Vapi.AssistantOverrides, typeof OVERRIDE_KEYS>[],
  Missing<Vapi.CreateSquadDto, typeof SQUAD_KEYS>[],
  Missing<Vapi.SquadMemberDto, typeof MEMBER_KEYS>[],
] = [[], [], [], []];
const none: readonly never[][] = missing;

test("the lists of keys hold every key of the SDK's types", () => {
  assert.deepEqual(none.flat(), []);
});

test("the limits are those of Vapi's published document", (t) => {
  const name = openapiProperty("CreateAssistantDTO", "name");
  const duration = openapiProperty("CreateAssistantDTO", "maxDurationSeconds");
  const tool = openapiProperty("OpenAIFunction", "name");
  if (!name || !duration || !tool) return t.skip("Vapi's document is not beside the repository");
  assert.equal(name.maxLength, MAX_ASSISTANT_NAME);
  assert.deepEqual([duration.minimum, duration.maximum], [...RANGES.maxDurationSeconds]);
  assert.equal(tool.pattern, String(FUNCTION_NAME));
});
