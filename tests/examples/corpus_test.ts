import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { sampled } from "../fast_check.ts";
import { ROOT } from "../surface/cli/_process.ts";
import { callweave, folder } from "../surface/cli/_terminal.ts";

const CORPUS = join(ROOT, "..", "shared", "corpus", "retell");

test("the command line imports real Retell agents with more than 15 nodes and runs a scripted call", async (t) => {
  if (!existsSync(CORPUS)) {
    t.skip(`${CORPUS} is not there`);
    return;
  }
  let calls = 0;
  const names = readdirSync(CORPUS).filter((file) => file.endsWith(".json"));
  for (const [index, name] of names.entries()) {
    if (index >= sampled(names.length) && calls >= sampled(5)) break;
    const path = folder();
    const imported = join(path, "agent.vt.json");
    const { code, err } = await callweave(["import", join(CORPUS, name), "--out", imported, "--extract-secrets"]);
    assert.equal(code, 0, `${name}: ${err}`);
    const nodes: AgentGraph["nodes"] = JSON.parse(readFileSync(imported, "utf8")).nodes;
    if (Object.keys(nodes).length <= 15 || calls >= sampled(5)) continue;
    calls++;
    const tools = new Set(Object.values(nodes).flatMap((node) => node.tools.map((tool) => tool.name)));
    const scenario = {
      name: "says hello",
      says: ["Hello, who is this?", "I would like an appointment"],
      tool_mocks: [...tools].map((tool_name) => ({ tool_name, output: { success: true } })),
      max_turns: 3,
      excludes: ["never said"],
    };
    const tests = join(path, "tests.json");
    writeFileSync(tests, JSON.stringify([scenario]));
    const ran = await callweave(["run", imported, "--tests", tests, "--db", join(path, "results.db"), "--json"]);
    const [result] = JSON.parse(ran.out).results;
    assert.notEqual(result.status, "error", `${name}: ${result.errorMessage}`);
    assert.ok(
      result.transcript.some(({ role }: { role: string }) => role === "assistant"),
      name,
    );
  }
  assert.ok(calls > 0, "there is a real agent with more than 15 nodes");
});
