import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isRecord } from "../../src/base/values/mod.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NODES = ["conversation", "extract", "logic", "function", "transfer", "global", "end"];

/** A call in a file, and what an editor shows for it: signature and documentation. */
interface Hover {
  readonly call: string;
  readonly line: number;
  readonly text: string;
}

/**
 * The longest hover of each kind of call. A result's type has the variables, tools, nodes and transitions of a flow:
 * declaration files are written from it, so the compiler prints all of them, in the options and in the result, until it
 * has printed 500 characters.
 */
const LONGEST: { readonly [file: string]: { readonly [call: string]: number } } = {
  "readme.ts": { flow: 666, conversation: 528, extract: 542, global: 574, end: 505, compile: 360 },
  "desk.ts": {
    flow: 845,
    conversation: 718,
    extract: 838,
    logic: 653,
    function: 606,
    transfer: 869,
    global: 708,
    end: 765,
    compile: 832,
  },
};

describe("hovers", () => {
  let folder = "";
  let server: LanguageServer;
  const hovers = new Map<string, readonly Hover[]>();

  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), "callweave-hovers-"));
      await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
      await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      const config = { extends: join(root, "tsconfig.json"), include: ["*.ts"] };
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
      const files = {
        "readme.ts": await readmeFlow(),
        "desk.ts": (await readFile(join(root, "examples/help-desk/flow.ts"), "utf8")).replaceAll("../../", root),
      };
      for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
      server = new LanguageServer(folder);
      await server.start();
      for (const [name, code] of Object.entries(files)) hovers.set(name, await server.hovers(join(folder, name), code));
    },
    { timeout: 300_000 },
  );

  after(async () => {
    server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("a node's hover shows neither its prompt nor the type of the flow before it", () => {
    for (const [name, shown] of hovers) {
      const nodes = shown.filter(({ call }) => NODES.includes(call));
      assert.ok(nodes.length >= 6, `${name}: ${nodes.length} nodes`);
      for (const { call, line, text } of nodes) {
        const place = `${name}:${line}`;
        assert.ok(text.startsWith(`(method) ${call}<`), `${place}: ${text}`);
        assert.doesNotMatch(text, /Ask |Tell |Thank |Greet /, place);
      }
    }
  });

  test("the hovers of flow() show its own summary and no example", () => {
    for (const [name, shown] of hovers) {
      const starts = shown.filter(({ call }) => call === "flow");
      assert.equal(starts.length, 1, name);
      for (const { text } of starts) {
        assert.match(text, /Starts a flow\./);
        assert.doesNotMatch(text, /@example/);
      }
    }
  });

  test("no hover is longer than was reached", () => {
    for (const [name, limits] of Object.entries(LONGEST)) {
      const longest: { [call: string]: number } = {};
      for (const { call, text } of hovers.get(name) ?? []) longest[call] = Math.max(longest[call] ?? 0, text.length);
      assert.deepEqual(Object.keys(longest).sort(), Object.keys(limits).sort(), name);
      for (const [call, length] of Object.entries(longest)) {
        assert.ok(length <= (limits[call] ?? 0), `${name}: ${call}() has ${length} characters of ${limits[call]}`);
      }
    }
  });
});

/** The flow of the README, which imports the sources and not the package. */
async function readmeFlow(): Promise<string> {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const code = /```ts\n(\/\/ flow\.ts\n.*?)```/s.exec(readme)?.[1];
  assert.ok(code, "README.md has a flow.ts");
  return code.replace('"callweave"', JSON.stringify(join(root, "mod.ts")));
}

/** The compiler's language server, as an editor starts it. */
class LanguageServer {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  #unread = Buffer.alloc(0);
  #lastId = 0;

  constructor(folder: string) {
    this.#folder = folder;
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    this.#process = spawn("node", [compiler, "--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
    this.#process.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  async start(): Promise<void> {
    const rootUri = pathToFileURL(this.#folder).href;
    const capabilities = { textDocument: { hover: { contentFormat: ["plaintext"] } } };
    const workspaceFolders = [{ uri: rootUri, name: "hovers" }];
    await this.#ask("initialize", { processId: process.pid, rootUri, capabilities, workspaceFolders });
    this.#send({ method: "initialized", params: {} });
  }

  stop(): void {
    this.#process.kill();
  }

  async hovers(file: string, code: string): Promise<readonly Hover[]> {
    const uri = pathToFileURL(file).href;
    this.#send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "typescript", version: 1, text: code } },
    });
    const found: Hover[] = [];
    const calls = code.matchAll(new RegExp(`(?<=\\.)(?:${NODES.join("|")}|compile)(?=\\()|\\bflow(?=\\()`, "g"));
    for (const { 0: call, index } of calls) {
      const before = code.slice(0, index).split("\n");
      const position = { line: before.length - 1, character: (before.at(-1) ?? "").length };
      const { result } = await this.#ask("textDocument/hover", { textDocument: { uri }, position });
      const contents = isRecord(result) ? result.contents : undefined;
      const text = isRecord(contents) ? contents.value : contents;
      assert.ok(typeof text === "string", `no hover for ${call} at line ${before.length}`);
      found.push({ call, line: before.length, text });
    }
    return found;
  }

  #ask(method: string, params: object): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (;;) {
      const head = this.#unread.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.subarray(0, Math.max(head, 0)).toString())?.[1]);
      if (head < 0 || this.#unread.length < head + 4 + length) return;
      const message: unknown = JSON.parse(this.#unread.subarray(head + 4, head + 4 + length).toString());
      this.#unread = this.#unread.subarray(head + 4 + length);
      if (isRecord(message)) this.#receive(message);
    }
  }

  /** The server asks for settings, and gets none. */
  #receive(message: Record<string, unknown>): void {
    const { id, method, params } = message;
    if (id === undefined) return;
    if (method === undefined) {
      this.#waiting.get(id)?.(message);
      return;
    }
    const items = isRecord(params) && Array.isArray(params.items) ? params.items : undefined;
    this.#send({ id, result: items?.map(() => null) ?? null });
  }
}
