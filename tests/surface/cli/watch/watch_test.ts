import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startServer } from "../../../base/http/servers.ts";
import { callweave, folder, GRAPH } from "../_terminal.ts";
import { fiveWeeks, startProduction } from "./_production.ts";

const KEY = "key_0123456789abcdef";
const HOOK_KEY = "hook_0123456789abcdef";
const BYE = "Your order arrives tomorrow. Goodbye.";

/** Five weeks in which the agent stops saying goodbye five days ago, or in which nothing changes. */
const worse = (perWeek?: number) => fiveWeeks((daysAgo) => (daysAgo < 5 ? "I cannot help." : BYE), undefined, perWeek);
const steady = () => fiveWeeks((_, index) => (index % 4 === 0 ? "I cannot help." : BYE));

/** A project with an environment at a local platform, and the arguments to watch it. */
function project(baseUrl: string, more: readonly string[] = []) {
  const cwd = folder({
    "callweave.config.json": { environments: { production: { to: "retell", key: "RETELL_PRODUCTION", baseUrl } } },
  });
  const watch = ["watch", "--from", "retell", "--env", "production", "--metric", "The agent says goodbye"];
  return {
    cwd,
    argv: [...watch, "--minimum", "10", "--db", "results.db", ...more],
    given: { cwd, env: { RETELL_PRODUCTION: KEY, CALLWEAVE_REDACT_KEY: "a key for tests", HOOK_KEY } },
  };
}

test("watch says what got worse, since when, and how to make scenarios of the calls; exit code 1", async () => {
  await using platform = await startProduction(() => worse(25));
  const { argv, given, cwd } = project(platform.url);
  const { code, out, err } = await callweave(argv, given);
  assert.equal(code, 1, err);
  assert.match(
    out,
    /^retell production, .* UTC: 25 calls since .*, 100 in the 28 days before\n1 of 2 measures got worse\n/,
  );
  assert.match(out, /✗ criterion "The agent says goodbye"\n {2}fell from 100 % \(.*\) to 0 % \(.*\)\n {2}since \d{4}-/);
  assert.match(out, /not worse by more than noise:\n {2}call ends without a fault: 100 % /);
  const commands = out.match(/^ {4}npx callweave calls to-scenario \w+ --db results\.db$/gm) ?? [];
  assert.equal(commands.length, 5);
  const [, , ...command] = commands[0]?.trim().split(" ") ?? [];
  const made = await callweave(command, given);
  assert.equal(made.code, 0, made.err);
  const bytes = readFileSync(join(cwd, "results.db"), "latin1");
  assert.ok(bytes.includes("My name is ") && !/Maria|Lopez/.test(bytes));
  assert.ok(![out, err, bytes].some((text) => text.includes(KEY)));
});

test("watch ends with 0 when nothing got worse, and prints the report as JSON", async () => {
  await using platform = await startProduction(steady);
  const { argv, given } = project(platform.url, ["--json"]);
  const { code, out } = await callweave(argv, given);
  assert.equal(code, 0);
  const report: { readonly [key: string]: unknown } = JSON.parse(out);
  assert.deepEqual(
    [report.version, report.state, report.environment, report.isComplete],
    [1, "steady", "production", true],
  );
});

test("watch says that there are too few calls, which is not fine", async () => {
  await using platform = await startProduction(worse);
  const { argv, given } = project(platform.url);
  const few = argv.map((word) => (word === "10" ? "49" : word));
  const { code, out } = await callweave(few, given);
  assert.equal(code, 0);
  assert.match(out, /\ntoo few calls to say\n/);
  assert.match(out, /criterion "The agent says goodbye": 12 now, 48 before/);
});

test("watch ends with 3 when the platform fails and nothing got worse", async () => {
  await using platform = await startProduction(steady);
  platform.fail = () => 400;
  const { argv, given } = project(platform.url);
  const { code, err } = await callweave(argv, given);
  assert.equal(code, 3);
  assert.match(err, /warning\[platform-refused\] pull: /);
});

test("watch posts the report once for what got worse, with a key, and again after a webhook that failed", async () => {
  let status = 500;
  const bodies: string[] = [];
  await using hook = await startServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      bodies.push(text);
      response.writeHead(status, { "retry-after": "0" }).end();
    });
  });
  await using platform = await startProduction(worse);
  const more = ["--webhook", `${hook.url}/secret-path`, "--webhook-key-variable", "HOOK_KEY"];
  const { argv, given, cwd } = project(platform.url, more);
  const failed = await callweave(argv, given);
  assert.equal(failed.code, 3);
  assert.match(
    failed.err,
    /warning\[webhook-failed\] Cannot post what got worse: http:\/\/127\.0\.0\.1:\d+ answers 500/,
  );
  assert.ok(!/secret-path|hook_/.test(failed.err + failed.out));
  status = 200;
  bodies.length = 0;
  assert.equal((await callweave(argv, given)).code, 1);
  assert.deepEqual(new Set(hook.keys), new Set([`Bearer ${HOOK_KEY}`]));
  const posted: { readonly [key: string]: unknown } = JSON.parse(bodies[0] ?? "");
  assert.deepEqual([posted.version, posted.state, posted.from], [1, "worse", "retell"]);
  assert.match(String(posted.text), /npx callweave calls to-scenario/);
  assert.equal((await callweave(argv, given)).code, 1);
  assert.equal(bodies.length, 1, "the same thing is posted once");
  assert.ok(existsSync(join(cwd, "watch.json")));
});

test("watch --every repeats, tries again after a round that failed, and ends by Ctrl-C with the code of the last round", async () => {
  await using platform = await startProduction(steady);
  const { argv, given } = project(platform.url, ["--every", "1h"]);
  const controller = new AbortController();
  platform.fail = () => 400;
  const ran = await callweave(argv, {
    ...given,
    signal: controller.signal,
    onErr: (text) => {
      if (text.includes("platform-refused")) controller.abort();
    },
  });
  assert.equal(ran.code, 3);
});

test("watch says which argument is wrong", async () => {
  const { argv, given } = project("http://127.0.0.1:1");
  const wrong = async (...more: readonly string[]) => {
    const { code, err } = await callweave([...argv, ...more], given);
    assert.equal(code, 2, err);
    return err;
  };
  assert.match(await wrong("--every", "10s"), /--every is "10s"/);
  assert.match(await wrong("--every", "0.5m"), /at least 1m/);
  assert.match(await wrong("--webhook", "secret"), /--webhook is not the address of a server/);
  assert.match(await wrong("--webhook", "http://127.0.0.1:1", "--webhook-key-variable", "NONE"), /NONE .* is not set/);
  assert.match(await wrong("--webhook-key-variable", "NONE"), /has no --webhook/);
  assert.match(await wrong("--window", "1s"), /--window is "1s"/);
  const other = await callweave(["watch", "--from", "vapi", "--env", "production"], given);
  assert.match(other.err, /the environment "production" is at retell/);
  const missing = await callweave(argv, { ...given, env: {} });
  assert.match(missing.err, /RETELL_PRODUCTION is not set/);
});

test("watch reads the calls of the agent that the lock file has", async () => {
  const calls = () => worse(25).map((call, index) => ({ ...call, agent_id: index % 2 === 0 ? "agent_1" : "agent_2" }));
  await using platform = await startProduction(() => calls().filter(({ agent_id }) => agent_id === "agent_1"));
  const { argv, given, cwd } = project(platform.url, ["--json"]);
  const ids = { agent: "agent_1" };
  const environments = { production: { desk: { retell: { format: "retell", ids } } } };
  writeFileSync(join(cwd, "callweave.lock.json"), JSON.stringify({ version: 2, environments }));
  const { code, err } = await callweave(argv, given);
  assert.equal(code, 1, err);
  assert.ok(!err.includes("lock file"));
  assert.ok(platform.asked.some(({ body }) => JSON.stringify(body).includes('"agent_id":"agent_1"')));
});

test("watch takes the agent and the scenarios of the configuration, and the platform of the environment", async () => {
  await using platform = await startProduction(worse);
  const production = { to: "retell", key: "RETELL_PRODUCTION", baseUrl: platform.url };
  const cwd = folder({
    "callweave.config.json": {
      source: "agent.json",
      tests: "calls.json",
      environments: { production },
      watch: { env: "production", minimum: 10 },
    },
    "agent.json": GRAPH,
    "calls.json": [{ name: "asks for an order", user_prompt: "order", metrics: ["The agent says goodbye"] }],
  });
  const { code, out, err } = await callweave(["watch"], { cwd, env: { RETELL_PRODUCTION: KEY } });
  assert.equal(code, 1, err);
  assert.match(out, /✗ criterion "The agent says goodbye"/);
  assert.match(out, /to-scenario \w+ --agent agent\.json$/m);
});
