import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callweave, folder, GRAPH } from "../_terminal.ts";

test("emit writes a flow with its code into a folder, reads the flow back, and keeps edited code", async () => {
  const cwd = folder({ "agent.json": GRAPH });
  const out = join(cwd, "bot");
  const emitted = await callweave(["emit", join(cwd, "agent.json"), "--to", "pipecat", "--out", out]);
  assert.equal(emitted.code, 0, emitted.err);
  const flow = join(out, "flow.yaml");
  for (const name of ["handlers.py", "bot.py", "callweave.files.json"]) assert.ok(existsSync(join(out, name)), name);

  const before = `# ours\n${readFileSync(flow, "utf8")}`;
  writeFileSync(flow, before);
  const again = await callweave(["emit", flow, "--to", "pipecat"]);
  assert.equal(again.out, before);
  const checked = await callweave(["check", flow]);
  assert.equal(checked.code, 0, checked.err + checked.out);

  // the flow was edited, and is not what the agent was read from
  const refused = await callweave(["emit", join(cwd, "agent.json"), "--to", "pipecat", "--out", out]);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /error\[edited-file\].*flow\.yaml/);
  const forced = await callweave([
    ...["emit", join(cwd, "agent.json"), "--to", "pipecat", "--out", out, "--overwrite-edited"],
  ]);
  assert.equal(forced.code, 0, forced.err);
  assert.doesNotMatch(readFileSync(flow, "utf8"), /# ours/);
});

test("emit without --out names the other files, and import makes a document of a YAML flow", async () => {
  const cwd = folder({ "agent.json": GRAPH });
  const shown = await callweave(["emit", join(cwd, "agent.json"), "--to", "pipecat"]);
  assert.match(shown.out, /^initial_node: /);
  assert.match(shown.err, /handlers\.py, bot\.py: --out FOLDER writes them too/);
  const flow = join(cwd, "flow.yaml");
  writeFileSync(flow, shown.out);
  const imported = await callweave(["import", flow]);
  assert.equal(imported.code, 0, imported.err);
  assert.equal(JSON.parse(imported.out).source_type, "pipecat");
  writeFileSync(flow, "initial_node: [a\nnodes:\n");
  const broken = await callweave(["check", flow]);
  assert.equal(broken.code, 2);
  assert.match(broken.err, /error\[invalid-yaml\].*flow\.yaml.*line \d/);
});
