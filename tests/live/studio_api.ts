import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pythonIn } from "../../scripts/live/installs.ts";
import { startLocalPlatforms } from "../../src/deploy/mod.ts";
import { createStudioClient } from "../../src/surface/studio/api/client.ts";
import { ROLES } from "../../src/surface/studio/api/mod.ts";
import { createToken, openStudioData } from "../../src/surface/studio/data/mod.ts";
import { ownStart, ROOT, runFile } from "../surface/cli/_process.ts";
import { needsSoftware } from "./_software.ts";

const { folder: software, options } = needsSoftware("Schemathesis");
const PROGRAM = join(ROOT, "src", "surface", "cli", "main.ts");
/** Cases of each route in each phase that makes them at random, and the seed of all. */
const EXAMPLES = 3;
const SEED = 20;
/** For the role that may do everything; what others may do is a part of it. */
const EVERY_PHASE = "coverage,fuzzing,stateful";
const LIMIT_MS = 200_000;

const GRAPH = {
  version: "0.1.0",
  entry_node_id: "greet",
  nodes: {
    greet: {
      node_type: "conversation",
      state_prompt: "Greet the caller.",
      transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller says goodbye" } }],
    },
    bye: { node_type: "end", state_prompt: "Say goodbye." },
  },
};
const SCENARIOS = [{ name: "says goodbye", tags: ["short"], says: ["Goodbye!"], visits: ["bye"] }];

test("Schemathesis finds nothing in the API of callweave serve, whatever the role", {
  ...options,
  timeout: 600_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-api-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await using platforms = await startLocalPlatforms();
  writeFileSync(join(folder, "farewell.json"), JSON.stringify(GRAPH));
  writeFileSync(join(folder, "scenarios.json"), JSON.stringify(SCENARIOS));
  writeFileSync(
    join(folder, "callweave.config.json"),
    JSON.stringify({
      source: "farewell.json",
      scenarios: ["scenarios.json"],
      environments: { staging: { to: "retell", baseUrl: platforms.retell } },
    }),
  );
  const env = { RETELL_API_KEY: platforms.key };
  const callweave = async (...args: string[]) => {
    const { code, out, err } = await runFile(PROGRAM, args, { cwd: folder, env });
    assert.equal(code, 0, err);
    return out.trim();
  };
  await callweave("run", "--repeat", "2");
  const tokens: { role: string; token: string }[] = [];
  {
    await using data = await openStudioData(join(folder, ".callweave", "results.db"), {});
    for (const role of ROLES) tokens.push({ role, token: (await createToken(data, role, role)) ?? "" });
  }

  const [command = "", ...start] = ownStart();
  const server = spawn(command, [...start, PROGRAM, "serve", "--host", "0.0.0.0", "--json"], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  t.after(() => server.kill("SIGKILL"));
  let told = "";
  server.stderr.on("data", (part) => {
    told += part;
  });
  const url = (await addressOf(server)).replace("0.0.0.0", "127.0.0.1");
  const studio = createStudioClient({ url, token: tokens.at(-1)?.token ?? "" });
  const { items } = await studio.calls({ limit: 1 });
  const [{ id: call, runId: run } = assert.fail("there is no call")] = items;
  const config = join(folder, "schemathesis.toml");
  writeFileSync(config, knownThings({ run, call, agent: "farewell", scenario: "says goodbye" }));
  for (const { role, token } of tokens) {
    const { code, output } = await schemathesis(url, config, {
      token,
      phases: role === "editor" ? EVERY_PHASE : "fuzzing",
    });
    assert.equal(code, 0, `as ${role}: ${output}`);
    const [, tested, all] = /Selected: (\d+)\/(\d+)/.exec(output) ?? [];
    assert.ok(Number(tested) > 40 && Number(tested) === Number(all) - 1, output); // all but the endless one
    assert.match(output, new RegExp(`Tested: ${tested}\\b`), output);
  }
  assert.equal(told, "");
});

/** Half of the cases ask for what there is, so that they get beyond "not found". */
function knownThings(things: { readonly [name: string]: string }): string {
  const { run, call, agent, scenario } = things;
  const lines = Object.entries({ run, call, agent, scenario, environment: "staging" });
  const file = (operation: string, name: string) =>
    `[[operations]]\ninclude-operation-id = "${operation}"\nparameters = { "path.file" = "${name}" }`;
  return [
    "[parameters]",
    ...lines.map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`),
    `"query.with" = "${run}"`,
    `"query.from" = "${run}"`,
    file("exportRun", `${run}.csv`),
    file("exportCall", `${call}.html`),
  ].join("\n");
}

interface Given {
  readonly token: string;
  readonly phases: string;
}

function schemathesis(
  url: string,
  config: string,
  { token, phases }: Given,
): Promise<{ code: number | null; output: string }> {
  // not its program, which has the path where it was installed
  const args = [
    ...["-m", "schemathesis.cli", "--config-file", config, "run", `${url}api/v1/openapi.json`],
    ...["--header", `Authorization: Bearer ${token}`, "--checks", "all", "--no-color"],
    ...["--max-examples", String(EXAMPLES), "--seed", String(SEED), "--generation-database", "none"],
    // one worker: Python 3.11 compiles code in threads wrongly, and the phases are in one order
    ...["--continue-on-failure", "--request-timeout", "60", "--workers", "1", "--phases", phases],
    // it streams as long as somebody listens; tests/surface/studio/server/events_test.ts is about it
    ...["--exclude-operation-id", "events"],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(pythonIn(software), args, { cwd: dirname(config), timeout: LIMIT_MS });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => {
        output += part;
      });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** The address that the server prints. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    server.stdout?.on("data", (part) => {
      out += part;
      if (out.includes("\n")) resolve(JSON.parse(out).address);
    });
    server.once("exit", (code) => reject(new Error(`callweave serve ended with ${code}`)));
  });
}
