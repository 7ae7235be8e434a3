import assert from "node:assert/strict";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { runCli } from "../../../src/surface/cli/run_cli.ts";
import { callweave, folder } from "./_terminal.ts";

const PROMPTS = (greeting: string) => `export const greeting = ${JSON.stringify(greeting)};\n`;
const FLOW = `import { greeting } from "./texts/prompts.ts";

export const graph = {
  entry_node_id: "greet",
  source_metadata: { name: "desk" },
  nodes: {
    greet: { state_prompt: greeting, transitions: [{ target_node_id: "bye", condition: { type: "always" } }] },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
    lost: { state_prompt: "Nobody comes here." },
  },
};
`;

interface State {
  readonly error?: string;
  readonly picture?: {
    readonly name: string;
    readonly svg: string;
    readonly findings: readonly { readonly code: string }[];
  };
}

/** `callweave view` in this process; `stop` sends its Ctrl-C and returns its exit code. */
function startView(path: string) {
  const controller = new AbortController();
  let printed = (_text: string) => {};
  const address = new Promise<string>((resolve) => {
    printed = (text) => resolve(/http:\S+/.exec(text)?.[0] ?? "");
  });
  const code = runCli(["view", path], {
    out: (text) => printed(text),
    err: () => {},
    warn: () => {},
    input: async () => "",
    env: {},
    stdout: {},
    stderr: {},
    signal: controller.signal,
    flush: async () => {},
  });
  const stop = async () => {
    controller.abort();
    return await code;
  };
  return { address, stop };
}

/** The states that the page is sent. */
async function* statesOf(address: string): AsyncGenerator<State> {
  const response = await fetch(`${address}events`);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  let text = "";
  for await (const chunk of (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield JSON.parse(event.slice(6));
  }
}

/** Reads on until a state is as expected. Those before it may be of a file that was half written. */
async function until(states: AsyncGenerator<State>, isExpected: (state: State) => boolean | undefined): Promise<State> {
  for (;;) {
    const { value, done } = await states.next();
    assert.ok(!done, "the page was closed");
    if (isExpected(value)) return value;
  }
}

test("view redraws when the flow or a module that it imports is saved, and keeps the picture while there is an error", async (t) => {
  const path = folder({ "flow.ts": FLOW });
  const own = join(path, "texts");
  const prompts = join(own, "prompts.ts");
  const { address, stop } = startView(join(path, "flow.ts"));
  t.after(stop);
  const states = statesOf(await address);
  // the import does not exist yet, nor does its folder
  const broken = await until(states, ({ error }) => error !== undefined);
  assert.match(String(broken.error), /^error\[module-failed\] Cannot load/);
  assert.equal(broken.picture, undefined);

  mkdirSync(own);
  writeFileSync(prompts, PROMPTS("Greet the caller."));
  writeFileSync(join(path, "flow.ts"), `${FLOW}// saved\n`);
  const first = await until(states, ({ picture }) => picture?.svg.includes("Greet the caller."));
  assert.equal(first.picture?.name, "desk");
  assert.ok(first.picture?.findings.some(({ code }) => code === "unreachable-node"));

  // as editors save: a new file takes the place of the old one
  writeFileSync(join(own, "prompts.ts.tmp"), PROMPTS("Welcome the caller."));
  renameSync(join(own, "prompts.ts.tmp"), prompts);
  await until(states, ({ picture }) => picture?.svg.includes("Welcome the caller."));

  writeFileSync(join(path, "flow.ts"), "export const graph = {");
  const failed = await until(states, ({ error }) => error?.includes("flow.ts"));
  assert.ok(failed.picture?.svg.includes("Welcome the caller."));

  assert.equal(await stop(), 0);
});

test("view serves one page and its events under its own host names, and nothing else", async (t) => {
  const path = folder({ "agent.json": { entry_node_id: "a", nodes: { a: { state_prompt: "Hello." } } } });
  const { address, stop } = startView(join(path, "agent.json"));
  t.after(stop);
  const url = new URL(await address);
  assert.equal(url.hostname, "127.0.0.1");
  const get = (target: string, headers: { readonly [name: string]: string } = {}, method = "GET") =>
    new Promise<{ readonly status: number | undefined; readonly text: string; readonly policy: string }>(
      (resolve, reject) => {
        const sent = request(
          { host: "127.0.0.1", port: url.port, path: target, method, headers, agent: false },
          (response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (chunk: string) => {
              text += chunk;
            });
            response.on("end", () => {
              resolve({
                status: response.statusCode,
                text,
                policy: String(response.headers["content-security-policy"]),
              });
            });
          },
        );
        sent.on("error", reject);
        sent.end();
      },
    );
  const page = await get("/");
  assert.equal(page.status, 200);
  assert.match(page.policy, /default-src 'none'/);
  const [, nonce, script = ""] = /<script nonce="([^"]+)">([\s\S]+)<\/script>/.exec(page.text) ?? [];
  assert.ok(page.policy.includes(`script-src 'nonce-${nonce}'`));
  assert.doesNotThrow(() => new Function(script), "the page's script can be parsed");
  assert.equal((await get("/", { host: `localhost:${url.port}` })).status, 200);
  for (const host of ["evil.example", `evil.example:${url.port}`, "127.0.0.1", `127.0.0.1.evil.example:${url.port}`])
    for (const target of ["/", "/events"]) assert.equal((await get(target, { host })).status, 403, host);
  assert.equal((await get("/events", { origin: "http://evil.example" })).status, 403);
  for (const target of ["/agent.json", "/../agent.json", "/%2e%2e/agent.json", "/index.html", "//"])
    assert.equal((await get(target)).status, 404, target);
  assert.equal((await get("/", {}, "POST")).status, 405);
  assert.equal(await stop(), 0);
  await assert.rejects(get("/"));
});

test("view refuses a port that is taken, and standard input, which cannot be watched", async () => {
  const path = folder({ "agent.json": { entry_node_id: "a", nodes: { a: {} } } });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const taken = await callweave(["view", join(path, "agent.json"), "--port", String(port)]);
  server.close();
  assert.equal(taken.code, 2);
  assert.match(
    taken.err,
    /^error\[cannot-listen\] Cannot serve on port \d+: another program uses it — Name another port/,
  );
  assert.match((await callweave(["view", "-"])).err, /^error\[usage\].*cannot be watched/);
});
