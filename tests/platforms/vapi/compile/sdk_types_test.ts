import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../../platforms/mod.ts";
import { compileWithSdks, exampleGraphs } from "../../sdk_literals.ts";

const IMPORT = 'import type { Vapi } from "@vapi-ai/server-sdk";';

test("documents of the examples are assignable to the SDK's create parameters", { timeout: 300_000 }, async () => {
  const examples = await exampleGraphs();
  assert.ok(examples.length > 0);
  const literals = examples.flatMap((graph, index) => [
    `export const squad${index}: Vapi.CreateSquadDto = ${JSON.stringify(emit(graph, "vapi-squad").config, null, 2)};`,
    `export const assistant${index}: Vapi.CreateAssistantDto = ${JSON.stringify(emit(graph, "vapi-assistant").config, null, 2)};`,
  ]);
  assert.equal(await compileWithSdks([IMPORT, ...literals].join("\n")), "");
});

test("an unknown key of the SDK's types is an error", { timeout: 300_000 }, async () => {
  const errors = await compileWithSdks(
    `${IMPORT}\nexport const squad: Vapi.CreateSquadDto = { members: [], weight: 1 };`,
  );
  assert.match(errors, /weight/);
});
