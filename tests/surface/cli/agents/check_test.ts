import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { callweave, folder, GRAPH } from "../_terminal.ts";

const DEAD_END = { ...GRAPH, nodes: { ...GRAPH.nodes, bye: { node_type: "conversation", state_prompt: "Goodbye." } } };

test("check --strict fails for warnings, and check alone does not", async () => {
  const path = folder({ "flow.json": DEAD_END, "fine.json": GRAPH });
  assert.equal((await callweave(["check", join(path, "flow.json")])).code, 0);
  assert.equal((await callweave(["check", join(path, "flow.json"), "--strict"])).code, 1);
  assert.equal((await callweave(["check", join(path, "fine.json"), "--strict"])).code, 0);
});

test("check --sarif writes a SARIF 2.1.0 log with each finding at the line of its node", async () => {
  const path = folder({ "flow.json": `${JSON.stringify(DEAD_END, null, 2)}\n` });
  const [source, file] = [join(path, "flow.json"), join(path, "check.sarif")];
  const { out } = await callweave(["check", source, "--sarif", file]);
  assert.match(out, /^warning\[dead-end\]/m);
  const log = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(log.version, "2.1.0");
  assert.equal(log.runs.length, 1);
  const [{ tool, results }] = log.runs;
  assert.equal(tool.driver.name, "Callweave");
  assert.deepEqual(
    tool.driver.rules.map(({ id }: { id: string }) => id),
    ["dead-end"],
  );
  const [result] = results;
  assert.equal(results.length, 1);
  assert.deepEqual([result.ruleId, result.ruleIndex, result.level], ["dead-end", 0, "warning"]);
  assert.match(result.message.text, /^node "bye" has no transition/);
  const [{ physicalLocation, logicalLocations }] = result.locations;
  assert.deepEqual(logicalLocations, [{ fullyQualifiedName: "nodes.bye" }]);
  const lines = readFileSync(source, "utf8").split("\n");
  assert.match(lines[physicalLocation.region.startLine - 1] ?? "", /"bye"/);
});

test("check --sarif names files as code scanning does: from the root of the repository, else from the working directory", async () => {
  const uriOf = async (source: string, cwd: string) => {
    const file = join(cwd, "check.sarif");
    await callweave(["check", source, "--sarif", file], { cwd });
    const [{ results }] = JSON.parse(readFileSync(file, "utf8")).runs;
    return results[0].locations[0].physicalLocation.artifactLocation.uri;
  };
  const repository = folder({ "agents/desk/my flow.json": DEAD_END, ".git/HEAD": "ref: refs/heads/main" });
  const inside = join(repository, "agents");
  assert.equal(await uriOf(join(inside, "desk", "my flow.json"), inside), "agents/desk/my%20flow.json");
  assert.equal(await uriOf(join("desk", "my flow.json"), inside), "agents/desk/my%20flow.json");
  const plain = folder({ "desk/flow.json": DEAD_END });
  assert.equal(await uriOf(join(plain, "desk", "flow.json"), plain), "desk/flow.json");
  const other = folder({ "flow.json": DEAD_END });
  assert.equal(await uriOf(join(other, "flow.json"), plain), pathToFileURL(join(other, "flow.json")).href);
});

test("check lists every mistake that makes a document unreadable, and writes them to --sarif", async () => {
  const to = (target_node_id: string) => ({ target_node_id, condition: { type: "llm_prompt", value: "Asks" } });
  const greet = { node_type: "conversation", state_prompt: "Hi", transitions: [to("bye"), to("by"), to("nowhere")] };
  const path = folder({ "flow.vt.json": { ...GRAPH, nodes: { ...GRAPH.nodes, greet } } });
  const [source, file] = [join(path, "flow.vt.json"), join(path, "check.sarif")];
  const { code, out } = await callweave(["check", source, "--sarif", file, "--json"]);
  assert.equal(code, 1);
  const findings: { code: string; path: (string | number)[]; severity: string }[] = JSON.parse(out);
  assert.deepEqual(
    findings.map((each) => [each.severity, each.code, each.path[3]]),
    [
      ["error", "unknown-target", 1],
      ["error", "unknown-target", 2],
    ],
  );
  const [{ results }] = JSON.parse(readFileSync(file, "utf8")).runs;
  assert.deepEqual(
    results.map((result: { ruleId: string }) => result.ruleId),
    ["unknown-target", "unknown-target"],
  );
});

test("check --sarif does not overwrite the agent", async () => {
  const source = join(folder({ "flow.json": GRAPH }), "flow.json");
  const { code, err } = await callweave(["check", source, "--sarif", source]);
  assert.equal(code, 2);
  assert.match(err, /--sarif/);
  assert.equal(readFileSync(source, "utf8"), JSON.stringify(GRAPH));
});

/** One rule that the small agent keeps, and one that it breaks: a call can end at "bye". */
const POLICIES = [
  { name: "greets first", rules: [{ verb: "before", first: [{ node: "greet" }], second: [{ node: "bye" }] }] },
  { name: "never ends", rules: [{ verb: "never", points: [{ node: "bye" }] }] },
];

test("check --policies reports which policies of a file hold, and a broken one as an error with a call that breaks it", async () => {
  const path = folder({ "flow.json": GRAPH, "kept.json": POLICIES.slice(0, 1), "policies.json": POLICIES });
  const source = join(path, "flow.json");
  const kept = await callweave(["check", source, "--policies", join(path, "kept.json"), "--json"]);
  assert.equal(kept.code, 0, kept.err);
  const both = await callweave(["check", source, "--policies", join(path, "policies.json"), "--json"]);
  assert.equal(both.code, 1, both.err);
  const findings: { code: string; path: string[]; witness?: { path: string[] } }[] = JSON.parse(both.out);
  assert.deepEqual(
    findings
      .filter(({ code }) => code.startsWith("policy-"))
      .map((each) => [each.code, each.path[1], each.witness?.path]),
    [
      ["policy-holds", "greets first", undefined],
      ["policy-broken", "never ends", ["greet", "bye"]],
    ],
  );
});

test("check --policies names the file that holds no policies", async () => {
  const path = folder({ "flow.json": GRAPH, "policies.json": [{ name: "no rules" }] });
  const { code, err } = await callweave(["check", join(path, "flow.json"), "--policies", join(path, "policies.json")]);
  assert.equal(code, 2);
  assert.match(err, /policies\.json/);
  assert.match(err, /invalid-policy/);
});

test("check, import, eject and init tell what the import could not read as a graph", async () => {
  const llm = { general_prompt: "You sell bread.", general_tools: [], states: [] };
  const path = folder({ "agent.json": { general_prompt: "You sell cake.", retellLlmData: llm } });
  const file = join(path, "agent.json");
  const checked = await callweave(["check", file]);
  assert.match(checked.out, /^warning\[several-agents\]/m);
  assert.equal((await callweave(["check", file, "--strict"])).code, 1);
  const sarif = join(path, "check.sarif");
  await callweave(["check", file, "--sarif", sarif]);
  assert.match(readFileSync(sarif, "utf8"), /"ruleId": "several-agents"/);
  for (const command of [
    ["import", file, "--out", join(path, "agent.vt.json")],
    ["eject", file, "--out", join(path, "typed")],
    ["init", join(path, "project"), "--from", file],
  ]) {
    const { code, err } = await callweave(command);
    assert.deepEqual([code, /^warning\[several-agents\]/m.test(err)], [0, true], err);
    assert.doesNotMatch(err, /^--verbose/m, `${command[0]} has no flag --verbose`);
  }
});
