import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isRecord, records } from "../../../src/base/values/mod.ts";
import { ROOT } from "./_process.ts";
import { SMALL_INPUTS, type SmallInput, valuesUnder } from "./_small_inputs.ts";
import { callweave, folder } from "./_terminal.ts";

const BESIDE = join(ROOT, "../shared/cases/files");

type Expect = (files: readonly string[], text: string) => Promise<void>;

/** The codes of a check's findings, sorted. */
const codes = async (file: string): Promise<readonly string[]> => {
  const { out, err } = await callweave(["check", file, "--json"]);
  const findings: unknown = JSON.parse(out || `[${JSON.stringify({ code: err })}]`);
  return records(findings)
    .map(({ code }) => String(code))
    .sort();
};

const finds =
  (...expected: readonly string[]): Expect =>
  async ([file = ""]) =>
    assert.deepEqual(await codes(file), expected);

/** The number of a transfer is in what is emitted for every format of the other platform. */
const keepsNumber: Expect = async ([file = ""], text) => {
  const [number = "no number"] = /\+1\d{10}/.exec(text) ?? [];
  const condition = /"number":"\+\d+","description":"([^"]+)"/.exec(text)?.[1];
  for (const to of ["retell", "retell-llm"]) {
    const { code, out, err } = await callweave(["emit", file, "--to", to]);
    assert.equal(code, 0, err);
    assert.ok(out.includes(`"${number}"`), `${to}: ${out}`);
    if (condition) assert.ok(out.includes(condition), `${to}: ${out}`);
    for (const name of valuesUnder(/^name$/, valuesIn("tools", JSON.parse(out)))) assert.match(name, /^[\w-]{1,64}$/);
  }
};

/** Imports calls into a new database, and returns what is stored. */
async function imported(argv: readonly string[]) {
  const db = join(folder(), "results.db");
  const { code, out, err } = await callweave(["calls", "import", ...argv, "--db", db]);
  assert.equal(code, 0, err);
  const [id] = /(?<=^run )\S+/m.exec(out) ?? [];
  if (id === undefined) return { out, result: undefined };
  const shown = await callweave(["runs", "show", id, "--db", db, "--json"]);
  return { out, result: records(JSON.parse(shown.out).results)[0] };
}

const EXPECTED: { readonly [Input in keyof typeof SMALL_INPUTS]: Expect } = {
  squadCall: async ([call = "", agent = ""], text) => {
    const { result } = await imported([call, "--agent", agent]);
    const members = records(JSON.parse(readFileSync(agent, "utf8")).members).map(({ assistantId }) => assistantId);
    assert.deepEqual(result?.nodesVisited, members);
    const tools = records(result?.toolsCalled).map(({ outcome }) => outcome);
    assert.deepEqual(tools, ["succeeded", "failed"]);
    const raw = JSON.parse(text);
    const provenance = isRecord(result?.provenance) ? result.provenance : {};
    const facts = isRecord(provenance.facts) ? provenance.facts : {};
    assert.deepEqual(
      [facts.transfers, facts.costBreakdown, facts.recordingUrl],
      [raw.artifact.transfers, raw.costBreakdown, raw.recordingUrl],
    );
  },
  singlePrompt: finds(),
  otherTool: async ([file = ""]) => {
    for (const argv of [
      ["check", file],
      ["import", file],
      ["emit", file, "--to", "retell"],
    ]) {
      const { code, out, err } = await callweave(argv);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, /error\[other-tool\].*it is an n8n workflow/);
    }
  },
  workflowTransfer: keepsNumber,
  assistantTransfer: keepsNumber,
  inlineSquad: finds("dead-end", "unknown-key", "unknown-key", "unknown-key"),
  squadWithAssistants: finds("dead-end", "unknown-key", "unknown-key", "unknown-key"),
  nestedKeys: finds("refused-value", "unknown-key", "unknown-key"),
  squadWithIds: finds("unknown-assistant"),
  edgeDestination: async ([file = ""], text) => {
    assert.deepEqual(await codes(file), ["unknown-key"]);
    const { out } = await callweave(["check", file]);
    assert.match(out, /Did you mean "destination_node_id"\?/);
    assert.ok(text.includes('"destination"'));
  },
  personalCall: async ([call = ""], text) => {
    const personal = valuesUnder(/name$|dob$|phones?$|^number$/, JSON.parse(text)).filter(
      (value) => !/^[a-z_]+$/.test(value), // names of tools
    );
    const words = [
      ...personal.flatMap((value) => value.split(" ")),
      ...(/(?<=@)(?!192\.0\.2\.)[\d.]+/.exec(text) ?? []),
    ];
    assert.ok(words.length >= 6, words.join());
    const { result } = await imported([call, "--redact"]);
    const stored = JSON.stringify(result);
    assert.ok(stored.length > 500);
    for (const word of words) assert.ok(!stored.includes(word), `${word} is in ${stored}`);
    const source = isRecord(result?.provenance) ? String(result.provenance.source) : "";
    assert.match(source, /\.json$/, "the ending of a file is no name");
  },
  utf16: async (files) => {
    await finds()(files, "");
    const [file = ""] = files;
    const read = await callweave(["emit", file, "--to", "vapi-assistant"]);
    assert.equal(read.code, 0, read.err);
    assert.deepEqual(JSON.parse(read.out), JSON.parse(decoded(readFileSync(file))));
  },
  unfinishedCalls: async ([calls = ""], text) => {
    const { out, result } = await imported([calls]);
    assert.equal(result, undefined);
    assert.match(out, new RegExp(`0 new, 0 known; ${JSON.parse(text).length} skipped`));
  },
};

/** Everything under a key, at any depth. */
function valuesIn(key: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesIn(key, item));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => (name === key ? [item] : valuesIn(key, item)));
}

function decoded(bytes: Buffer): string {
  return (bytes[0] === 0xff ? bytes.toString("utf16le") : bytes.toString("utf8")).replace(/^\uFEFF/, "");
}

/** Files of one input, in a folder. */
function written({ own }: SmallInput): readonly string[] {
  const path = folder();
  return Object.entries(own).map(([name, content]) => {
    writeFileSync(join(path, name), Buffer.isBuffer(content) ? content : JSON.stringify(content));
    return join(path, name);
  });
}

for (const [name, input] of Object.entries<SmallInput>(SMALL_INPUTS)) {
  const expect: Expect | undefined = Object.entries(EXPECTED).find(([key]) => key === name)?.[1];
  const check = async (files: readonly string[]) => {
    assert.ok(expect);
    await expect(files, decoded(readFileSync(files[0] ?? "")));
  };
  test(`${input.right}`, async () => await check(written(input)));
  const beside = input.beside.map((file) => join(BESIDE, file));
  const skip = !beside.every((file) => existsSync(file));
  test(`${input.right}: ${input.beside.join(", ")}`, { skip }, async () => await check(beside));
}

test("every small input beside the repository has its right result here", { skip: !existsSync(BESIDE) }, () => {
  const known: readonly string[] = Object.values<SmallInput>(SMALL_INPUTS).flatMap(({ beside }) => beside);
  assert.deepEqual(
    readdirSync(BESIDE).filter((file) => !known.includes(file)),
    [],
  );
});
