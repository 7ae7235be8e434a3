import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { withoutSecrets } from "../../../platforms/vapi/local/server.ts";
import { DeployError, isCallweaveError } from "../../../src/base/errors.ts";
import { isRecord, omit } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { sampled } from "../../fast_check.ts";
import { exampleGraphs } from "../sdk_literals.ts";
import { graphOnly, withoutDefaults, withoutManaged } from "./_added.ts";
import { createAll, readBack, startLocal } from "./_deploy_document.ts";

const CORPUS = new URL("../../../../shared/corpus/", import.meta.url);
const FORMATS = ["retell", "retell-llm", "vapi-squad", "vapi-assistant"] as const;

/** Creates a graph's document on a local platform, reads it back, and compares document and graph. */
async function comesBack(graph: AgentGraph, format: string): Promise<void> {
  const { config } = emit(graph, format);
  const name = format.startsWith("retell") ? "retell" : "vapi";
  const local = startLocal(name, { stored: name === "vapi" ? savedAssistants(config) : [] });
  const read = await readBack(local, await createAll(local, config));
  const opened = local.adapter.open(config);
  const sent = withoutManaged(name === "vapi" ? withoutSecrets(opened) : opened); // Vapi never returns secrets
  assert.deepEqual(withoutDefaults(withoutManaged(read), sent), sent);

  // as a user pulls it: the same graph, and from it the document to the letter
  const pulled = importAgent(read, { format });
  const wanted = importAgent(config, { format });
  const model = wanted.graph.default_model === undefined ? ["default_model"] : []; // a default of the platform's
  assert.deepEqual(graphOnly(omit({ ...pulled.graph }, model)), graphOnly(wanted.graph));
  assert.deepEqual(emit(pulled.graph, format).config, read);
}

/** Assistants that a squad only names: they are in the workspace of whoever exported the squad. */
function savedAssistants(config: unknown) {
  const list: readonly unknown[] = Array.isArray(config) ? config : [config];
  const members = list.flatMap((item) => (isRecord(item) && Array.isArray(item.members) ? item.members : []));
  return members
    .filter(isRecord)
    .flatMap(({ assistantId: id }) =>
      typeof id === "string" ? [{ kind: "assistant", id, workspace: "workspace-1", body: {} }] : [],
    );
}

test("the examples come back from the local platforms as they were deployed, in every format", async () => {
  for (const graph of await exampleGraphs()) for (const format of FORMATS) await comesBack(graph, format);
});

/** What the platforms refuse in files of the corpus. */
const REFUSED =
  /Edge id \S+ is used twice|voice_id is required|required property 'tool_type'|property \S+ should not exist|Vapi does not accept/;

for (const platform of ["retell", "vapi"] as const) {
  const folder = new URL(`${platform}/`, CORPUS);
  const isThere = existsSync(folder);
  test(`files of the ${platform} corpus come back from the local platform as they were deployed`, {
    skip: isThere ? false : "there is no ../shared/corpus",
  }, async (context) => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const all = names.flatMap((name) => {
      const text = readFileSync(new URL(name, folder), "utf8");
      try {
        return [{ name, ...importAgent(text) }];
      } catch (error) {
        if (isCallweaveError(error)) return []; // not an agent; other tests say why
        throw error;
      }
    });
    const refused: string[] = [];
    let deployed = 0;
    for (const { name, graph, format } of all.slice(0, sampled(all.length))) {
      try {
        // Vapi no longer runs workflows: they are deployed as squads
        await comesBack(graph, format === "vapi-workflow" ? "vapi-squad" : format);
        deployed++;
      } catch (error) {
        if (!(error instanceof DeployError)) throw new Error(`${name}: ${error}`, { cause: error });
        refused.push(`${name}: ${error.message}`);
      }
    }
    context.diagnostic(`${deployed} files deployed; ${refused.length} refused by the platform's schema`);
    assert.deepEqual(
      refused.filter((why) => !REFUSED.test(why)),
      [],
    );
    assert.ok(deployed > 0);
  });
}
