import assert from "node:assert/strict";
import { test } from "node:test";
import { emitFlow } from "../../../../platforms/retell/flow/emit.ts";
import { importRetell } from "../../../../platforms/retell/flow/import.ts";
import { compileWithSdks, exampleGraphs } from "../../sdk_literals.ts";
import { hotelFlow } from "./every_node.ts";

const IMPORT = 'import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";';

test("emitted flows are assignable to the SDK's create parameters", { timeout: 300_000 }, async () => {
  const examples = await exampleGraphs();
  assert.ok(examples.length > 0);
  const literals = [importRetell(hotelFlow), ...examples].map((graph, index) => {
    const json = JSON.stringify(emitFlow(graph).config, null, 1);
    return `export const flow${index}: ConversationFlowCreateParams = ${json};`;
  });
  assert.equal(await compileWithSdks([IMPORT, ...literals].join("\n")), "");
});
