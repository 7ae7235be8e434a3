import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

test("eject writes a flow and its scenarios, and says what comes next", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const out = join(path, "typed");
  const args = [join(path, "agent.json"), "--out", out, "--scenarios", join(path, "tests.json")];
  const ran = await callweave(["eject", ...args]);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /flow\.ts {2}\d+ lines\n\S*scenarios\.ts {2}\d+ lines\n\S*original\.json {2}\d+ lines\n$/);
  assert.match(ran.err, /next: npx callweave run \S+flow\.ts --scenarios \S+scenarios\.ts\n$/);
  assert.match(
    readFileSync(join(out, "flow.ts"), "utf8"),
    /\.conversation\("greet", \{\n {4}prompt: "Ask for the name\.",/,
  );
  assert.match(readFileSync(join(out, "scenarios.ts"), "utf8"), /scenario\("gives a name", agent\).says\("My name/);
});

test("eject, decompose and init make no folder that is named like a file", async () => {
  const path = folder({ "agent.json": GRAPH });
  const out = join(path, "shop.ts");
  for (const args of [
    ["eject", join(path, "agent.json"), "--out", out],
    ["decompose", join(path, "agent.json"), "--out", out],
    ["init", out],
  ]) {
    const { code, err } = await callweave(args);
    assert.equal(code, 2, err);
    assert.match(err.replaceAll(/\s+/g, " "), /shop\.ts", which is the name of a file, .*Name a folder: .*shop(?!\.)/);
    assert.equal(existsSync(out), false);
  }
  const folderOut = folder({ "agent.json": GRAPH, "v2.ts/mine.txt": "" });
  assert.equal((await callweave(["eject", join(folderOut, "agent.json"), "--out", join(folderOut, "v2.ts")])).code, 0);
});

test("eject overwrites no file", async () => {
  const path = folder({ "agent.json": GRAPH, "flow.ts": "// mine\n" });
  const { code, err } = await callweave(["eject", join(path, "agent.json"), "--out", path]);
  assert.equal(code, 2);
  assert.match(err, /flow\.ts" exists/);
  assert.equal(readFileSync(join(path, "flow.ts"), "utf8"), "// mine\n");
  assert.equal(existsSync(join(path, "prompts.ts")), false);
});

test("eject --json prints the files, and --extract-secrets leaves no secret in them", async () => {
  const secret = `sk-proj-${"a1B2".repeat(12)}`;
  const graph = { ...GRAPH, source_metadata: { retell: { api_key: secret } } };
  const path = folder({ "agent.json": graph });
  const { out } = await callweave(["eject", join(path, "agent.json"), "--json", "--extract-secrets"]);
  const files: readonly { readonly path: string; readonly text: string }[] = JSON.parse(out);
  assert.ok(files.some((file) => file.path === "flow.ts"));
  assert.ok(!out.includes(secret));
  const plain = await callweave(["eject", join(path, "agent.json"), "--out", join(path, "plain")]);
  assert.match(plain.err, /the files contain a secret; remove them and run again with --extract-secrets/);
});

test("eject says which command lists the variables that nothing sets, since the flow declares them", async () => {
  const misspelled = { ...GRAPH, nodes: { ...GRAPH.nodes, bye: { node_type: "end", state_prompt: "Bye {{nmae}}." } } };
  const path = folder({ "agent.json": GRAPH, "misspelled.json": misspelled });
  const fine = await callweave(["eject", join(path, "agent.json"), "--out", join(path, "fine")]);
  assert.doesNotMatch(fine.err, /nothing in the agent sets/);
  const { err } = await callweave(["eject", join(path, "misspelled.json"), "--out", join(path, "typed")]);
  assert.match(
    err,
    /a place reads a variable that nothing in the agent sets; .*: npx callweave check \S+misspelled\.json/,
  );
});

test("a flow that eject has written emits its platform's JSON to the letter", async () => {
  const path = folder();
  const clinic = join(import.meta.dirname ?? ".", "..", "..", "..", "..", "examples", "clinic", "flow.ts");
  await callweave(["emit", clinic, "--to", "retell", "--out", join(path, "retell.json")]);
  await callweave(["eject", join(path, "retell.json"), "--out", join(path, "typed")]);
  const text = readFileSync(join(path, "typed", "flow.ts"), "utf8");
  const mod = pathToFileURL(join(import.meta.dirname ?? ".", "..", "..", "..", "..", "mod.ts")).href;
  writeFileSync(join(path, "typed", "package.json"), '{ "type": "module" }');
  writeFileSync(join(path, "typed", "flow.ts"), text.replace('from "callweave"', `from "${mod}"`));
  const { out, err } = await callweave(["emit", join(path, "typed", "flow.ts"), "--to", "retell"]);
  assert.equal(out, readFileSync(join(path, "retell.json"), "utf8"), err);
});

test("docs/eject.md shows the flow that eject writes", async () => {
  const page = readFileSync(join(import.meta.dirname ?? ".", "..", "..", "..", "..", "docs", "eject.md"), "utf8");
  const [, document = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const path = folder({ "retell.json": document });
  const { out } = await callweave(["eject", join(path, "retell.json"), "--json"]);
  const [flow]: readonly { readonly text: string }[] = JSON.parse(out);
  assert.ok(flow && page.includes(flow.text), flow?.text);
});
