import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  acceptProposal,
  createProposal,
  listProposals,
  readProposal,
  rejectProposal,
} from "../../../src/surface/proposals/mod.ts";

const FLOW = "one\ntwo\nthree\nfour\nfive\n";

function project(files: { readonly [path: string]: string | Uint8Array } = { "flow.ts": FLOW }) {
  const folder = mkdtempSync(join(tmpdir(), "callweave-proposals-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, read: (path = "flow.ts") => readFileSync(join(folder, path), "utf8") };
}

const propose = (folder: string, after: string, path = "flow.ts", title = "Ask for the day") =>
  createProposal(folder, { title, reason: "A call ended early", files: [{ path, after }] });

test("a proposal changes no file until it is accepted, and is then put with those that were", async () => {
  const { folder, read } = project();
  const { name } = await propose(folder, FLOW.replace("two", "2"));
  assert.equal(name, "ask-for-the-day");
  assert.equal(read(), FLOW);
  assert.deepEqual(readdirSync(join(folder, ".callweave", "proposals")), ["ask-for-the-day.patch"]);
  assert.deepEqual(await acceptProposal(folder, name), [{ path: "flow.ts", outcome: "changed" }]);
  assert.equal(read(), FLOW.replace("two", "2"));
  assert.equal((await readProposal(folder, name)).state, "accepted");
  await assert.rejects(acceptProposal(folder, name), { code: "unknown-proposal" });
  await assert.rejects(rejectProposal(folder, name), { code: "unknown-proposal" });
});

test("a proposal is merged with edits made since elsewhere, and refused where they are in its lines", async () => {
  const { folder, read } = project();
  const { name } = await propose(folder, FLOW.replace("two", "2"));
  writeFileSync(join(folder, "flow.ts"), FLOW.replace("five", "5"));
  assert.deepEqual(await acceptProposal(folder, name), [{ path: "flow.ts", outcome: "merged" }]);
  assert.equal(read(), FLOW.replace("two", "2").replace("five", "5"));

  const second = await propose(folder, read().replace("three", "3"));
  const edited = read().replace("three", "drei");
  writeFileSync(join(folder, "flow.ts"), edited);
  await assert.rejects(acceptProposal(folder, second.name), {
    code: "proposal-conflict",
    path: [second.name, "flow.ts"],
  });
  assert.equal(read(), edited);
  assert.equal((await readProposal(folder, second.name)).state, "open");
});

test("a proposal of several files writes none if one of them is in conflict", async () => {
  const { folder, read } = project({ "flow.ts": FLOW, "scenarios.ts": FLOW, "b.json": FLOW });
  const files = ["flow.ts", "scenarios.ts", "b.json"].map((path) => ({ path, after: FLOW.replace("two", "2") }));
  const { name } = await createProposal(folder, { title: "All", reason: "", files });
  for (const change of [
    () => writeFileSync(join(folder, "b.json"), FLOW.replace("two", "zwei")),
    () => rmSync(join(folder, "b.json")),
  ]) {
    change();
    await assert.rejects(acceptProposal(folder, name), { code: "proposal-conflict" });
    assert.deepEqual([read(), read("scenarios.ts")], [FLOW, FLOW]);
  }
});

test("a new file is created, unless there is one by now, and an accept that was interrupted is continued", async () => {
  const { folder, read } = project();
  const first = await propose(folder, "new\n", "more/scenarios.json");
  const second = await propose(folder, "other\n", "more/scenarios.json");
  assert.notEqual(first.name, second.name);
  assert.deepEqual(await acceptProposal(folder, first.name), [{ path: "more/scenarios.json", outcome: "created" }]);
  await assert.rejects(acceptProposal(folder, second.name), { code: "proposal-conflict" });
  writeFileSync(join(folder, "more/scenarios.json"), "other\n");
  assert.deepEqual(await acceptProposal(folder, second.name), [{ path: "more/scenarios.json", outcome: "unchanged" }]);
  assert.equal(read("more/scenarios.json"), "other\n");
});

test("two accepts at the same time apply a proposal once", async () => {
  const { folder, read } = project();
  const { name } = await propose(folder, FLOW.replace("two", "two\n2"));
  const ended = await Promise.allSettled([1, 2, 3].map(() => acceptProposal(folder, name)));
  assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal(read(), FLOW.replace("two", "two\n2"));
});

test("a JSON file stays JSON: edits that fit by lines and break it together are a conflict", async () => {
  const before = '{\n  "a": 1,\n\n  "b": 2\n}\n';
  const { folder, read } = project({ "agent.json": before });
  const { name } = await propose(folder, '{\n  "a": 1,\n\n  "b": 2,\n  "c": 3\n}\n', "agent.json");
  const edited = '{\n  "c": 1,\n  "a": 1,\n\n  "b": 2\n}\n';
  writeFileSync(join(folder, "agent.json"), edited);
  assert.deepEqual(await acceptProposal(folder, name), [{ path: "agent.json", outcome: "merged" }]);
  JSON.parse(read("agent.json"));

  const third = await propose(folder, '{\n  "c": 1,\n  "a": 1\n}\n', "agent.json");
  const again = read("agent.json").replace('"c": 1,\n', '"c": 1,\n  "z": 0,\n');
  writeFileSync(join(folder, "agent.json"), again);
  const settled = await acceptProposal(folder, third.name).catch((error) => error.code);
  if (settled === "proposal-conflict") assert.equal(read("agent.json"), again);
  else JSON.parse(read("agent.json"));
});

test("proposals are about agents and scenarios in the project, wherever their paths lead", async () => {
  const outside = project({ "flow.ts": FLOW });
  const { folder } = project({
    "flow.ts": FLOW,
    "package.json": "{}",
    ".env": "KEY=1",
    "node_modules/a/b.js": FLOW,
    ".git/hooks/x.js": FLOW,
    "callweave.config.ts": FLOW,
    "vite.config.ts": FLOW,
  });
  symlinkSync(outside.folder, join(folder, "linked"));
  symlinkSync(join(outside.folder, "flow.ts"), join(folder, "linked.ts"));
  symlinkSync(join(outside.folder, "created.ts"), join(folder, "broken.ts"));
  symlinkSync(join(folder, "package.json"), join(folder, "manifest.json"));
  const refused = [
    ...[
      "../flow.ts",
      "a/../../flow.ts",
      join(outside.folder, "flow.ts"),
      "linked/flow.ts",
      "linked/new.ts",
      "linked.ts",
      "broken.ts",
    ],
    ...[
      "package.json",
      "PACKAGE.json",
      "manifest.json",
      ".env",
      ".env.ts",
      "node_modules/a/b.js",
      "x/node_modules/b.js",
      ".git/hooks/x.js",
    ],
    ...[
      "callweave.config.ts",
      "vite.config.ts",
      "tsconfig.build.json",
      "deno.json",
      "notes.md",
      "run.sh",
      "flow.ts/",
      "./flow.ts",
      "a//b.ts",
    ],
    ...["a\\b.ts", "C:/a.ts", "a\nb.ts", "a\u202e.ts", 'a".ts', " a.ts", "", `${"a".repeat(400)}.ts`],
  ];
  for (const path of refused)
    await assert.rejects(propose(folder, "changed\n", path), { code: "invalid-proposal" }, JSON.stringify(path));
  assert.equal(outside.read(), FLOW);
  assert.deepEqual(readdirSync(outside.folder), ["flow.ts"]);
});

test("a link that leads outside by the time of the accept is refused", async () => {
  const outside = project();
  const { folder } = project();
  const { name } = await propose(folder, FLOW.replace("two", "2"));
  rmSync(join(folder, "flow.ts"));
  symlinkSync(join(outside.folder, "flow.ts"), join(folder, "flow.ts"));
  await assert.rejects(acceptProposal(folder, name), { code: "invalid-proposal" });
  assert.equal(outside.read(), FLOW);
});

test("a patch that was written or edited by hand is neither listed nor accepted, and can be put away", async () => {
  const { folder, read } = project();
  const { name } = await propose(folder, FLOW.replace("two", "2"));
  const path = join(folder, ".callweave", "proposals", `${name}.patch`);
  const patch = readFileSync(path, "utf8");
  writeFileSync(path, patch.replace("+2", "+2\n+process.exit()"));
  await assert.rejects(acceptProposal(folder, name), { code: "invalid-proposal" });
  assert.deepEqual(await listProposals(folder), []);
  writeFileSync(path, patch.replaceAll("flow.ts", "../flow.ts"));
  await assert.rejects(acceptProposal(folder, name), { code: "invalid-proposal" });
  assert.equal(read(), FLOW);
  await rejectProposal(folder, name);
  await assert.rejects(readProposal(folder, "../../flow"), { code: "unknown-proposal" });
});

test("files in another encoding, empty changes and too much are refused", async () => {
  const { folder } = project({
    "flow.ts": FLOW,
    "latin.ts": new Uint8Array([0x61, 0xe9, 0x0a]),
    "wide.ts": Buffer.from("\ufeffa\n", "utf16le"),
  });
  await assert.rejects(propose(folder, FLOW), { code: "invalid-proposal" });
  await assert.rejects(propose(folder, "x", "latin.ts"), { code: "unreadable-file" });
  await assert.rejects(propose(folder, "x", "wide.ts"), { code: "invalid-proposal" });
  await assert.rejects(propose(folder, "x\n".repeat(1_100_000)), { code: "invalid-proposal" });
  await assert.rejects(createProposal(folder, { title: "t", reason: "r", files: [] }), { code: "invalid-proposal" });
  const twice = [1, 2].map(() => ({ path: "flow.ts", after: "x" }));
  await assert.rejects(createProposal(folder, { title: "t", reason: "r", files: twice }), { code: "invalid-proposal" });
});

test("listProposals() has the newest first, with what became of them", async () => {
  const { folder } = project();
  assert.deepEqual(await listProposals(folder), []);
  const names = [];
  for (const text of ["a", "b", "c"]) names.push((await propose(folder, `${text}\n`, "flow.ts", `Title ${text}`)).name);
  await rejectProposal(folder, names[1] ?? "");
  const found = await listProposals(folder);
  assert.deepEqual(
    new Map(found.map(({ name, state }) => [name, state])),
    new Map([
      ["title-a", "open"],
      ["title-b", "rejected"],
      ["title-c", "open"],
    ]),
  );
});

test("an edit that is saved while a change is made is not part of it, and is kept", async () => {
  const { folder, read } = project({ "flow.ts": FLOW.replace("five", "5") });
  const files = [{ path: "flow.ts", before: FLOW, after: FLOW.replace("two", "2") }];
  const { name } = await createProposal(folder, { title: "Two", reason: "", files });
  assert.deepEqual(await acceptProposal(folder, name), [{ path: "flow.ts", outcome: "merged" }]);
  assert.equal(read(), FLOW.replace("two", "2").replace("five", "5"));
});
