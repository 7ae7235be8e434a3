import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { deployProject, PLATFORMS } from "../_deploy.ts";
import { GRAPH } from "../_terminal.ts";

const FILES = { "desk.vt.json": { ...GRAPH, source_metadata: { name: "desk" } } };
const [RETELL] = PLATFORMS;

test("deploy drift, pull and plan tell the next command, name nodes as the dashboard does, and tell what was not pulled", async () => {
  const node = (id: string, name: string, text: string, edges: readonly unknown[] = []) => ({
    ...{ id, name, type: edges.length > 0 ? "conversation" : "end", instruction: { type: "prompt", text }, edges },
  });
  const edge = { id: "edge-1", destination_node_id: "node-2" };
  const next = { ...edge, transition_condition: { type: "prompt", prompt: "Caller agrees" } };
  const nodes = [node("node-1", "Welcome", "Greet the caller.", [next]), node("node-2", "Goodbye", "Say goodbye.")];
  const settings = { start_speaker: "agent", model_choice: { type: "cascading", model: "gpt-4.1" } };
  await using project = await deployProject(RETELL, { "desk.json": { ...settings, nodes } });
  const { deploy, file, id, get, patch } = project;
  const source = file("desk.json");
  const first = await deploy(["apply", source, "--yes"]);
  assert.match(first.out, /warning\[no-agent\] The document has no agent, only a conversation-flow/);
  const flow = `conversation-flow/${id("conversation-flow")}`;
  const { nodes: there } = await get(`/get-${flow}`);
  const edited = JSON.parse(JSON.stringify(there).replace("Greet the caller.", "Greet the caller warmly."));
  await patch(`/update-${flow}`, { nodes: edited, start_node_id: "node-1" });

  const drifted = await deploy(["drift", source]);
  assert.match(drifted.out, /Prompt of "Welcome" is reworded/);
  assert.match(drifted.err, /^next: npx callweave deploy pull .*desk\.json --to retell/);
  assert.match((await deploy(["plan", source])).err, /^nothing to apply\nnext: npx callweave deploy pull /);

  const elsewhere = await deploy(["pull", source, "--out", file("other.vt.json"), "--json"]);
  const { notPulled } = JSON.parse(elsewhere.out);
  assert.deepEqual(notPulled, [{ address: "conversation-flow", path: ["start_node_id"], remote: "node-1" }]);
  const pulled = await deploy(["pull", source]);
  assert.match(pulled.out, /Prompt of "Welcome" is reworded/);
  assert.match(pulled.out, /\nNot pulled: .*\n {2}conversation-flow\.start_node_id\n.*nothing\n.*"node-1"\n/);
  assert.match(pulled.err, /^next: npx callweave deploy plan .*desk\.json --to retell/);
  const planned = await deploy(["plan", source]);
  assert.doesNotMatch(planned.out, /no-agent/, "an agent may use it by now");
  assert.doesNotMatch(planned.out, /Changed on the platform/);
  assert.equal((await deploy(["drift", source])).code, 0);

  writeFileSync(source, readFileSync(source, "utf8").replace("caller warmly", "caller kindly"));
  const applied = await deploy(["apply", source, "--yes"]);
  assert.equal(applied.code, 0, "the pulled text can be edited");
  const now = await get(`/get-${flow}`);
  assert.deepEqual([/caller kindly/.test(JSON.stringify(now)), now.start_node_id], [true, "node-1"]);
});

test("deploy pull that writes nothing, or elsewhere, leaves what it found to the next pull", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file, id, patch } = project;
  const source = file("desk.vt.json");
  await deploy(["apply", source, "--yes"]);
  await patch(`/update-agent/${id("agent")}`, { voice_id: "11labs-Adrian" });
  const pulled = await deploy(["pull", source, "--out", file("other.vt.json")]);
  assert.equal(pulled.code, 0, pulled.err);
  assert.equal((await deploy(["drift", source])).code, 1);
  assert.equal(JSON.parse((await deploy(["plan", source, "--json"])).out).isEmpty, true);
});

test("deploy pull --take says which side wins", async () => {
  for (const [take, winner] of [
    ["remote", "the platform"],
    ["local", "the code"],
  ] as const) {
    await using project = await deployProject(RETELL, FILES);
    const { deploy, file, id, get, patch } = project;
    const source = file("desk.vt.json");
    await deploy(["apply", source, "--yes"]);
    const flow = `conversation-flow/${id("conversation-flow")}`;
    const { nodes } = await get(`/get-${flow}`);
    await patch(`/update-${flow}`, { nodes: JSON.parse(JSON.stringify(nodes).replace("Ask for", "Request")) });
    writeFileSync(source, readFileSync(source, "utf8").replace("Ask for", "Inquire about"));
    const open = await deploy(["pull", source]);
    assert.equal(open.code, 1);
    assert.doesNotMatch(open.out, / wins/);
    const { code, out, err } = await deploy(["pull", source, "--take", take]);
    assert.equal(code, 0, err);
    assert.match(
      out,
      new RegExp(`1 conflict: code and platform have both changed; ${winner} wins, as --take ${take} asks\\n`),
    );
    assert.equal(readFileSync(source, "utf8").includes("Request"), take === "remote");
  }
});
