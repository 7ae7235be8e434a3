import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit } from "../../../../platforms/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { ROOT } from "../../../surface/cli/_process.ts";
import { schemaGraphs } from "../../schema_graphs.ts";
import { faultsOf, programOf, textsIn } from "./_programs.ts";

const FORMATS = ["livekit", "livekit-python"] as const;
const GRAPHS = [helpDesk, ...fc.sample(schemaGraphs(), { numRuns: 25, seed: 5 })];

/** Ids and texts that a program must not read as code. */
const ODD = [
  "__proto__",
  "class",
  "1st",
  "日本",
  "a b",
  "a-b",
  "a_b",
  'quote " \\ "',
  "line\nbreak",
  "*/ {{x}}",
  "Call",
];

const oddGraph = parseGraph({
  source_type: "custom",
  entry_node_id: "__proto__",
  source_metadata: {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it must stay a text
    general_prompt: '"""\n${x} `y` \\n\u2028',
    default_dynamic_variables: JSON.parse('{"__proto__":"v"}'),
  },
  nodes: Object.fromEntries(
    ODD.map((id, index) => [
      id,
      {
        node_type: "conversation",
        state_prompt: `At ${id}`,
        tools: [
          {
            name: "look_up",
            description: id,
            parameters: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
          },
        ],
        transitions: [
          { target_node_id: ODD[(index + 1) % ODD.length], condition: { type: "llm_prompt", value: `says ${id}` } },
        ],
      },
    ]),
  ),
});

function execute(file: string, args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: 120_000 }, (error, out, err) =>
      resolve({ code: error ? (error.code ?? 1) : 0, output: `${out}${err}` }),
    );
  });
}

/** Writes every file with some endings of many programs, and returns the folder and the files. */
function written(
  format: (typeof FORMATS)[number],
  ending: string,
): { readonly folder: string; readonly files: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), "callweave-livekit-"));
  const files = [oddGraph, ...GRAPHS].flatMap((graph, index) => {
    mkdirSync(join(folder, String(index)));
    const all = Object.entries(programOf(graph, format)).filter(([path]) => path.endsWith(ending));
    return all.map(([path, text]) => {
      const file = join(folder, String(index), path);
      writeFileSync(file, text);
      return file;
    });
  });
  return { folder, files };
}

for (const format of FORMATS) {
  test(`${format}: brackets close, texts are texts, and lines are tidy`, () => {
    for (const graph of [oddGraph, ...GRAPHS])
      for (const [path, text] of Object.entries(programOf(graph, format)))
        if (/^agent/.test(path)) assert.deepEqual(faultsOf(text), [], path);
  });

  test(`${format}: odd ids are texts of the program, and classes and functions have names of their own`, () => {
    const [code = ""] = Object.values(programOf(oddGraph, format));
    const texts = textsIn(code);
    for (const id of ODD) assert.ok(texts.includes(id) && texts.includes(`says ${id}`), id);
    const classes = [...code.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual([classes.length, new Set(classes).size], [ODD.length, ODD.length]);
    assert.ok(!classes.includes("Call"));
    const handoffs = texts.filter((text) => /^to_/.test(text));
    assert.deepEqual(new Set(handoffs).size, ODD.length);
  });

  test(`${format}: the document is the file with the agents, and the files beside it are the same for every flow`, () => {
    const [first, second] = [helpDesk, oddGraph].map((graph) => emit(graph, format));
    assert.equal(first?.text, first?.config);
    const shared = (files: typeof first) => files?.files?.filter(({ path }) => !/test/.test(path));
    assert.deepEqual(shared(first), shared(second));
    assert.ok((shared(first)?.length ?? 0) >= 2);
  });
}

test("livekit: programs have the syntax of TypeScript", { timeout: 200_000 }, async () => {
  const { folder, files } = written("livekit", ".ts");
  const options = [
    "--noEmit",
    "--noCheck",
    "--noResolve",
    "--skipLibCheck",
    "--target",
    "es2024",
    "--module",
    "esnext",
  ];
  const tsc = join(ROOT, "node_modules", ".bin", "tsc");
  const check = (...all: readonly string[]) =>
    execute(tsc, [...options, "--ignoreConfig", "--allowImportingTsExtensions", "--types", "", ...all]);
  const { code, output } = await check(...files);
  assert.equal(code, 0, output.slice(0, 2_000));
  writeFileSync(join(folder, "wrong.ts"), "export class A {");
  assert.notEqual((await check(join(folder, "wrong.ts"))).code, 0);
  rmSync(folder, { recursive: true, force: true });
});

test("livekit-python: programs have the syntax of Python", { timeout: 200_000 }, async (context) => {
  if ((await execute("python3", ["--version"])).code !== 0) return context.skip("there is no python3");
  const { folder, files } = written("livekit-python", ".py");
  const parse = "import ast, sys\nfor file in sys.argv[1:]: ast.parse(open(file, encoding='utf-8').read(), file)";
  const { code, output } = await execute("python3", ["-c", parse, ...files]);
  assert.equal(code, 0, output.slice(-2_000));
  writeFileSync(join(folder, "wrong.py"), "def a(:");
  assert.notEqual((await execute("python3", ["-c", parse, join(folder, "wrong.py")])).code, 0);
  rmSync(folder, { recursive: true, force: true });
});
