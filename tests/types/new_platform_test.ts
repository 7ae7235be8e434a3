import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { formats, PLATFORMS, type PlatformFacts } from "../../platforms/mod.ts";
import { isRecord } from "../../src/base/values/mod.ts";
import { ROOT, RUNTIMES } from "../surface/cli/_process.ts";
import { ACME } from "./acme/mod.ts";

const COPIED = ["mod.ts", "api", "src", "dsl", "platforms", "scripts", "package.json", "tsconfig.json", "docs"];

/** What the tests of a law need in the copy. */
const TESTS = ["fast_check.ts", "platforms/settings_law_test.ts", "types/acme_probe"];
/** The table of formats is made of these. */
const CONSTRUCTS = "platforms/constructs.ts";

/** Platforms with a local server. */
const LOCAL = Object.values<PlatformFacts>(PLATFORMS).flatMap(({ name, deploy }) => (deploy?.local ? [name] : []));

/** Files beside a test that it imports are copied with it. */
const BESIDE = /^(?:settings_|_)/;

/** Copies the repository with `platforms/acme`, and runs the generator of the lists. */
async function copyWithAcme(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "callweave-acme-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  for (const name of [...TESTS, CONSTRUCTS])
    cpSync(join(ROOT, "tests", name), join(root, "tests", name), { recursive: true });
  for (const name of readdirSync(join(ROOT, "tests", "platforms")).filter((each) => BESIDE.test(each)))
    cpSync(join(ROOT, "tests", "platforms", name), join(root, "tests", "platforms", name));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "dir");
  const from = join(ROOT, "tests", "types", "acme");
  for (const file of readdirSync(from, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))) {
    // the folder is one level higher in the copy
    const text = readFileSync(join(from, file), "utf8").replaceAll(/"\.\.\/((?:\.\.\/)+(?:platforms|src)\/)/g, '"$1');
    mkdirSync(join(root, "platforms", "acme", file, ".."), { recursive: true });
    writeFileSync(join(root, "platforms", "acme", file), text);
  }
  writeFileSync(
    join(root, "generate.ts"),
    `import { writePlatforms } from "./scripts/platform_names.ts";
import { writeTables } from "./scripts/platform_tables.ts";
await writePlatforms(".");
await writeTables(".");
`,
  );
  const { code, err } = await run(root, "generate.ts");
  assert.equal(code, 0, err);
  return root;
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Starts Bun, which loads TypeScript in the shortest time. A tenth of the generated cases is enough. */
function run(root: string, ...args: readonly string[]): Promise<Ended> {
  const [bun = "bun"] = RUNTIMES.bun ?? [];
  return start(root, bun, args);
}

function start(cwd: string, command: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, CALLWEAVE_SHARE: "0.1" };
  return new Promise((ended) =>
    execFile(command, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, out, err) =>
      ended({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, out, err }),
    ),
  );
}

/** Lines of a file that the compiler has to reject: the record, and the records in it, each without one entry. */
function incompleteRecords(): readonly string[] {
  const records = { ACME, ...Object.fromEntries(Object.entries(ACME).filter(([, part]) => isRecord(part))) };
  const optional = ["authentication", "repeatable"];
  return Object.entries(records).flatMap(([part, record]) => {
    const [type, value] = part === "ACME" ? ["Facts", "ACME"] : [`NonNullable<Facts["${part}"]>`, `ACME.${part}`];
    return Object.keys(record)
      .filter((key) => !optional.includes(key))
      .map((key) => `export const without_${part}_${key}: ${type} = omitted(${value}, "${key}");`);
  });
}

const HEAD = `import type { PlatformFacts } from "../facts.ts";
import { ACME } from "./facts.ts";
type Facts = PlatformFacts<"acme">;
declare function omitted<Whole, Key extends keyof Whole>(whole: Whole, key: Key): Omit<Whole, Key>;
`;

describe("a platform of its own, which is one folder with one record", () => {
  let root = "";
  before(async () => {
    root = await copyWithAcme();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  test("is read, emitted, checked, deployed and pulled from", { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(root, "deployed-"));
    const { code, out, err } = await run(root, join("tests", "types", "acme_probe", "probe.ts"), folder);
    assert.equal(code, 0, err);
    const { config, ...seen } = JSON.parse(out);
    assert.deepEqual(
      { language: config.language, voice: config.voice, pace: config.pace },
      { language: "en-US", voice: "Ada", pace: "slow" },
    );
    assert.deepEqual(seen, {
      formats: ["acme", ...formats().map(({ name }) => name)],
      losses: [],
      read: { format: "acme", again: true },
      findings: ["long-text"],
      written: ["created agent"],
      isEmptyAgain: true,
      drifted: true,
      requests: ["GET agents key-1", "GET calls key-1", "POST agents key-1"],
      local: [...LOCAL, "key"],
      pulled: 1,
      imported: [0, 1],
    });
  });

  test("is named in the help of commands and in the tables of the documentation", { timeout: 300_000 }, async () => {
    const help = async (...command: readonly string[]) =>
      (await run(root, join("src", "surface", "cli", "main.ts"), ...command)).out;
    assert.match(await help("formats"), /^acme +import, emit +Acme agent/m);
    assert.match(await help("deploy", "plan", "--help"), /--to FORMAT +acme, (?:\w+, )*retell[\s\S]*ACME_API_KEY/);
    assert.match(await help("calls", "pull", "--help"), /--from PLATFORM +acme or (?:\w+ or )*vapi[\s\S]*ACME_API_KEY/);
    assert.match(
      await help("calls", "import", "--help"),
      /from Acme, (?:[\w ]+, )*Vapi[\s\S]*acme, (?:\w+, )*vapi, openai or text/,
    );
    assert.match(readFileSync(join(root, "docs", "formats.md"), "utf8"), /^\| `acme` +\| yes +\| yes +\| Acme agent/m);
    const page = readFileSync(join(root, "docs", "importing-calls.md"), "utf8");
    assert.match(page, /^\| `acme` +\| objects with an `acme_call`/m);
  });

  test("compiles with everything else, and not without an entry of its record", { timeout: 600_000 }, async () => {
    const lines = incompleteRecords();
    assert.ok(lines.length > 40, `${lines.length} entries`);
    writeFileSync(join(root, "platforms", "acme", "incomplete.ts"), `${HEAD}${lines.join("\n")}\n`);
    const config = { extends: "./tsconfig.json", include: ["mod.ts", "api", "src", "dsl", "platforms"] };
    writeFileSync(join(root, "tsconfig.acme.json"), JSON.stringify(config));
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    const { out } = await start(root, tsc, ["--noEmit", "--checkers", "1", "-p", "tsconfig.acme.json"]);
    const errors = out.split("\n").filter((line) => /error TS/.test(line));
    assert.deepEqual(
      errors.filter((line) => !line.startsWith("platforms/acme/incomplete.ts")),
      [],
    );
    const above = HEAD.split("\n").length;
    const rejected = new Set(errors.map((line) => Number(/\((\d+),/.exec(line)?.[1]) - above));
    assert.deepEqual(
      lines.filter((_, index) => !rejected.has(index)),
      [],
    );
  });

  test("passes the law of losses, which fails when it drops a setting", { timeout: 600_000 }, async () => {
    const file = join(root, "platforms", "acme", "format.ts");
    const whole = readFileSync(file, "utf8");
    const law = async () =>
      await run(
        root,
        "test",
        "--timeout",
        "120000",
        "--test-name-pattern",
        "^acme:",
        "./tests/platforms/settings_law_test.ts",
      );
    const { code, err } = await law();
    assert.equal(code, 0, err);
    assert.match(err, /^ [1-9]\d* pass$/m);
    for (const part of [
      "    ...transferOf(node),\n",
      '...recordAt(recordAt(source, "acme"), "agent"),',
      "headers: (headers) => ({ headers }),",
    ]) {
      assert.ok(whole.includes(part), part);
      writeFileSync(file, whole.replace(part, part.startsWith("headers") ? "headers: () => ({})," : ""));
      assert.notEqual((await law()).code, 0, part);
    }
    writeFileSync(file, whole);
  });
});
