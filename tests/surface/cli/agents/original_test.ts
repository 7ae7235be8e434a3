import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callweave, folder } from "../_terminal.ts";

const FLOW = `\uFEFF{"start_node_id": "hi",\r\n\t"nodes": [{"id": "hi", "type": "end", "big": 12345678901234567890,
"instruction": {"type": "prompt", "text": "Say hello."}}], "start_speaker": "user"}`;

test("import and emit write a file back byte for byte, and an edit changes only its own words", async () => {
  const path = folder();
  const [file, graph, back] = ["retell.json", "agent.vt.json", "back.json"].map((name) => join(path, name));
  assert.ok(file && graph && back);
  writeFileSync(file, FLOW);
  assert.equal((await callweave(["import", file, "--out", graph])).code, 0);
  assert.equal((await callweave(["emit", graph, "--to", "retell"])).out, FLOW);
  assert.equal((await callweave(["emit", graph, "--to", "retell", "--out", back])).code, 0);
  assert.deepEqual(readFileSync(back), readFileSync(file));

  writeFileSync(
    graph,
    readFileSync(graph, "utf8").replace('"state_prompt": "Say hello."', '"state_prompt": "Say hi."'),
  );
  assert.equal((await callweave(["emit", graph, "--to", "retell"])).out, FLOW.replace("Say hello.", "Say hi."));
});
