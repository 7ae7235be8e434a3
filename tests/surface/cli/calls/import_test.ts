import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { retellCall } from "../../../run/calls/_retell.ts";
import { callweave, folder, GRAPH } from "../_terminal.ts";

const CHAT = { messages: [{ role: "user", content: "Hi" }] };

test("calls import stores calls and says how many; a second import says that they are known", async () => {
  const path = folder({ "calls.jsonl": `${JSON.stringify(retellCall())}\n${JSON.stringify(CHAT)}\n` });
  const [file, db] = [join(path, "calls.jsonl"), join(path, "results.db")];
  const first = await callweave(["calls", "import", file, "--db", db]);
  assert.deepEqual([first.code, first.err], [0, ""]);
  const [, id = ""] = /^2 new, 0 known\nrun (\w+) \(callweave runs show \w+\)\n$/.exec(first.out) ?? [];
  assert.notEqual(id, "", first.out);
  const second = await callweave(["calls", "import", file, "--db", db]);
  assert.deepEqual([second.code, second.out], [0, "0 new, 2 known\n"]);

  const list = await callweave(["runs", "list", "--db", db]);
  assert.match(list.out, new RegExp(`^${id}  \\S+ \\S+  Orders  recorded  2 imported\n$`));
  const show = await callweave(["runs", "show", id, "--db", db]);
  assert.equal(show.code, 0);
  assert.match(show.out, /find_order/);
  const report = join(path, "report.html");
  assert.equal((await callweave(["runs", "show", id, "--db", db, "--reporter", `html:${report}`])).code, 0);
  const html = readFileSync(report, "utf8");
  assert.match(html, /<title>[^<]*imported/);
  assert.match(html, /Imported: nobody has judged the call/);
});

test("calls import names damaged records with file and line, stores the others and exits with 3", async () => {
  const path = folder({ "calls.jsonl": `{"call_id": "cut\n${JSON.stringify(CHAT)}\n` });
  const args = ["calls", "import", join(path, "calls.jsonl"), "--db", join(path, "results.db")];
  const { code, out, err } = await callweave(args);
  assert.equal(code, 3);
  assert.match(out, /^1 new, 0 known; 1 damaged\nrun /);
  assert.match(err, /^calls\.jsonl:1: record 1: it is not JSON: /);
});

test("calls import reads standard input, the agent and the format", async () => {
  const path = folder({ "agent.json": GRAPH });
  const db = join(path, "results.db");
  const args = ["calls", "import", "-", "--format", "text", "--agent", join(path, "agent.json"), "--db", db, "--json"];
  const { code, out } = await callweave(args, { input: "Agent: Hello\nUser: Hi" });
  assert.equal(code, 0, out);
  const { added, run } = JSON.parse(out);
  assert.deepEqual([added, run.kind, run.options.sources], [1, "imported", ["stdin"]]);
  const wrong: readonly (readonly string[])[] = [["-", "a.json"], ["a.json", "--format", "csv"], []];
  for (const rest of wrong) assert.equal((await callweave(["calls", "import", ...rest, "--db", db])).code, 2);
  const missing = await callweave(["calls", "import", join(path, "none.json"), "--db", db]);
  assert.deepEqual([missing.code, missing.err.includes("unreadable-file")], [2, true]);
});

test("calls import --redact takes the language and the country of the calls, and refuses unknown ones", async () => {
  const said = { messages: [{ role: "user", content: "Mein Name ist Anna Bauer, der Zug fährt am Freitag." }] };
  const path = folder({ "calls.json": JSON.stringify(said) });
  const [file, db] = [join(path, "calls.json"), join(path, "results.db")];
  const argv = ["calls", "import", file, "--db", db, "--redact", "--language", "de"];
  const imported = await callweave([...argv, "--country", "at"]);
  assert.equal(imported.code, 0, imported.err);
  const bytes = readFileSync(db, "latin1");
  assert.ok(bytes.includes("am Freitag") && !/Anna|Bauer/.test(bytes));
  const country = await callweave([...argv, "--country", "Austria"]);
  assert.deepEqual([country.code, /--country GB/.test(country.err)], [2, true]);
  const language = await callweave([...argv.slice(0, -1), "klingon"]);
  assert.deepEqual([language.code, /en, de, fr, es/.test(language.err)], [2, true]);
});
