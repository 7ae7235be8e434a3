import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import { formatGraph } from "../../../../src/document/graph/mod.ts";
import { run } from "../../../../src/run/runner/mod.ts";
import { at, json, records } from "../compile/graphs.ts";
import { bikeWorkshop } from "./documents.ts";

const guide = readFileSync(new URL("../../../../docs/migrating-from-vapi-workflows.md", import.meta.url), "utf8");
const { graph, format } = importAgent(bikeWorkshop());
const { config, losses } = emit(graph, "vapi-squad");

test("the migration guide states the number of nodes and members", () => {
  assert.ok(guide.includes(`as ${format}: ${Object.keys(graph.nodes).length} nodes`));
  assert.equal(records(at(bikeWorkshop(), "workflow"), "nodes").length, 10);
  assert.equal(records(json(config), "members").length, 7);
  for (const phrase of ["has ten nodes, the graph thirteen", "The squad has seven members"])
    assert.ok(guide.includes(phrase));
});

test("the migration guide explains every loss of the report", () => {
  const explained = [...guide.matchAll(/^- `([a-z-]+)` at/gm)].map(([, code]) => code);
  assert.deepEqual([...explained].sort(), [...new Set(losses.map(({ code }) => code))].sort());
});

test("the scenario of the migration guide passes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-guide-"));
  try {
    const [, code = ""] = /```ts\n(.*?)```/s.exec(guide) ?? [];
    const mod = new URL("../../../../mod.ts", import.meta.url).href;
    writeFileSync(join(folder, "agent.callweave.json"), formatGraph(graph));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "scenarios.ts"), code.replaceAll('"callweave"', JSON.stringify(mod)));
    const module = await import(pathToFileURL(join(folder, "scenarios.ts")).href);

    const pick = (id: string) => ({ objectives_complete: true, transition_to: id });
    const agent = scripted({
      transition: ["ask_ticket", "ask_ticket > look_up_repair", "hangup_1751882355790"].map(pick),
      extract: [{ ticket: "4711" }],
      arguments: [{ ticket: "4711" }],
    });
    const { results } = await run(module.graph, module.scenarios, { models: { agent }, store: false });
    assert.deepEqual(
      results.map(({ scenario, status, errorMessage }) => [scenario, status, errorMessage ?? ""]),
      [["asks about a repair", "pass", ""]],
    );
    const said = results[0]?.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
    assert.deepEqual(
      [said?.[0], said?.at(-1)],
      ["Spoke workshop, hello! How can I help?", "Thank you for calling Spoke. Goodbye!"],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
