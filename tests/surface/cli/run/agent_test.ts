import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit } from "../../../../mod.ts";
import { AGENT_ID, type PlaygroundOptions, startPlayground } from "../../../platforms/retell/talk/_playground.ts";
import { type DeployProject, deployProject, KEYS, PLATFORMS } from "../_deploy.ts";
import { callweave, folder } from "../_terminal.ts";

const SCENARIOS = resolve(import.meta.dirname ?? "", "../../../platforms/connections/_desk.ts");
const KEY = "key-of-the-tests-0123456789";
const env = { RETELL_API_KEY: KEY };
const NOW = ["--scenarios", SCENARIOS, "--db", ":memory:"];

test("run --agent needs a key, an id and scenarios, and nothing else", async () => {
  await using server = await startPlayground();
  const args = ["run", "--agent", `retell:${AGENT_ID}`, "--base-url", server.url, ...NOW];
  const { code, out, err } = await callweave(args, { env });
  assert.equal(code, 0, `${out}${err}`);
  assert.match(out, /6 passed/);
  assert.match(err, /calling retell:agent_1, version 7/);
  assert.doesNotMatch(`${out}${err}`, new RegExp(KEY));
  assert.doesNotMatch(err, /warning/);
  const versions = server.taken.map(({ url }) => new URL(url, server.url).searchParams.get("version"));
  assert.equal(versions[0], null, "the newest version is looked up");
  assert.deepEqual([...new Set(versions.slice(1))], ["7"], "and stays the same in all calls");
});

test("run --agent with a version asks for that one", async () => {
  await using server = await startPlayground();
  const args = ["run", "--agent", `retell:${AGENT_ID}@3`, "--base-url", server.url, ...NOW, "--json"];
  const { code, out } = await callweave(args, { env });
  assert.equal(code, 0);
  const { results } = JSON.parse(out);
  assert.deepEqual(
    new Set(results.map((result: { connection: { version: string } }) => result.connection.version)),
    new Set(["3"]),
  );
});

/** The local platform keeps agents, and the playground talks. */
function passedOn(project: DeployProject): PlaygroundOptions["instead"] {
  return async ({ method, url, headers, body }) => {
    if (url.startsWith("/agent-playground-completion")) return undefined;
    const sent = body === null ? {} : { body: JSON.stringify(body) };
    const { authorization = "" } = headers;
    const answer = await fetch(`${project.server.url}${url}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...sent,
    });
    return { status: answer.status, text: await answer.text() };
  };
}

test("an environment names the agent that the configuration says, with its key and address", async () => {
  await using server = await startPlayground();
  const environments = { production: { agent: `retell:${AGENT_ID}@5`, key: "OTHER_KEY", baseUrl: server.url } };
  const cwd = folder({ "callweave.config.json": { environments } });
  const { code, out, err } = await callweave(["run", "--agent", "production", ...NOW], {
    cwd,
    env: { OTHER_KEY: KEY },
  });
  assert.equal(code, 0, `${out}${err}`);
  assert.deepEqual(new Set(server.taken.map(({ headers }) => headers.authorization)), new Set([`Bearer ${KEY}`]));
});

test("an environment names the agent that was deployed to it, in the version of the lock file", async () => {
  await using project = await deployProject(PLATFORMS[0], {
    "flow.ts": `export { helpDesk } from ${JSON.stringify(resolve("examples/help-desk/flow.ts"))};`,
    "callweave.config.json": {
      source: "flow.ts",
      environments: { staging: { to: "retell", key: "STAGING_KEY", voice: { retell: "11labs-Adrian" } } },
    },
  });
  const applied = await project.deploy(["apply", "--env", "staging", "--publish", "--yes"]);
  assert.equal(applied.code, 0, applied.err);
  const id = project.id("agent", "staging");
  await using server = await startPlayground({ agentId: () => id, instead: passedOn(project) });
  const args = ["run", "--agent", "staging", "--base-url", server.url, ...NOW];
  const { code, out, err } = await callweave(args, { cwd: project.path, env: { STAGING_KEY: KEYS.staging } });
  assert.equal(code, 0, `${out}${err}`);
  const lock = JSON.parse(readFileSync(project.file("callweave.lock.json"), "utf8"));
  const { agentVersion } = lock.environments.staging["help-desk"].retell;
  assert.match(agentVersion, /^\d+$/);
  assert.match(err, new RegExp(`calling retell:${id}, version ${agentVersion}`));
  const talked = server.taken.filter(({ method }) => method === "POST");
  assert.ok(talked.length > 0 && talked.every(({ url }) => url.includes(`version=${agentVersion}`)));
});

test("a flow without an agent has no version in the lock file, and answers no calls", async () => {
  await using project = await deployProject(PLATFORMS[0], {
    "flow.json": emit(helpDesk, "retell").text.replace(/^[\s\S]*?"conversationFlow": (\{[\s\S]*\})\s*\}\s*$/, "$1"),
    "callweave.config.json": { source: "flow.json", environments: { staging: { to: "retell", key: "STAGING_KEY" } } },
  });
  const applied = await project.deploy(["apply", "--env", "staging", "--yes"]);
  assert.equal(applied.code, 0, `${applied.out}${applied.err}`);
  assert.doesNotMatch(readFileSync(project.file("callweave.lock.json"), "utf8"), /agentVersion/);
  const args = ["run", "--agent", "staging", ...NOW];
  const { code, err } = await callweave(args, { cwd: project.path, env: { STAGING_KEY: KEYS.staging } });
  assert.equal(code, 2);
  assert.match(err, /nothing answers the calls of staging yet/);
});

test("a module that exports a connection is an agent", async () => {
  const cwd = folder({
    "agent.ts": `import { connect } from ${JSON.stringify(resolve("api/connect.ts"))};
export const shop = connect.custom({ name: "shop", agent: () => "It arrives on Monday." });`,
    "scenarios.json": [{ name: "says the day", says: ["Where is it?"], includes: ["Monday"] }],
  });
  const { code, out, err } = await callweave(
    ["run", "--agent", "agent.ts", "--tests", "scenarios.json", "--db", ":memory:"],
    { cwd },
  );
  assert.equal(code, 0, `${out}${err}`);
  assert.match(out, /1 passed/);
});

test("what is no agent is named, with what could be meant", async () => {
  const cwd = folder({ "callweave.config.json": { environments: { production: {}, staging: {} } } });
  const says = async (...args: string[]) => (await callweave(["run", ...args, ...NOW], { cwd, env })).err;
  assert.match(await says("--agent", "produktion"), /there is no agent "produktion".*production/);
  assert.match(await says("--agent", "production"), /nothing is deployed to production.*deploy apply --env production/);
  assert.match(await says("--agent", "retel:agent_1"), /there is no platform "retel".*retell/);
  assert.match(await says("--agent", "nowhere.ts"), /Cannot read "nowhere.ts"/);
  assert.match(await says("flow.ts", "--allow-real-tools"), /--allow-real-tools is for deployed agents/);
  assert.match(await says(), /SOURCE is missing.*--agent/);
  assert.match(
    (await callweave(["run", "--agent", "retell:agent_1", ...NOW], { cwd, env: {} })).err,
    /RETELL_API_KEY is not set/,
  );
});

test("an agent that does not exist, and a rejected key, end the command before the first call", async () => {
  await using server = await startPlayground({
    instead: ({ headers }) =>
      headers.authorization === `Bearer ${KEY}`
        ? undefined
        : { status: 401, json: { message: `bad key ${headers.authorization}` } },
  });
  const base = ["--base-url", server.url, ...NOW];
  const unknown = await callweave(["run", "--agent", "retell:agent_2", ...base], { env });
  assert.notEqual(unknown.code, 0);
  const rejected = await callweave(["run", "--agent", `retell:${AGENT_ID}`, ...base], {
    env: { RETELL_API_KEY: "wrong-key-1234567890" },
  });
  assert.match(rejected.err, /\(key\)/);
  assert.equal(rejected.code, 2);
  const gone = ["run", "--agent", `retell:${AGENT_ID}`, "--base-url", "http://127.0.0.1:9", ...NOW];
  const away = await callweave(gone, { env });
  assert.match(away.err, /\(unreachable\)/);
  assert.equal(away.code, 3, "nothing is known of the agent");
  assert.doesNotMatch(rejected.err, /wrong-key/);
});

test("verify says the same words to the agent and to its graph", async () => {
  await using server = await startPlayground();
  const FLOW = resolve("examples/help-desk/flow.ts");
  const args = ["verify", FLOW, "--agent", `retell:${AGENT_ID}`, "--base-url", server.url, ...NOW];
  const alike = await callweave(args, { env });
  assert.equal(alike.code, 0, `${alike.out}${alike.err}`);
  assert.match(alike.out, /retell:agent_1, version 7\n6 calls compared: all are alike/);
  const json = await callweave([...args, "--json"], { env });
  assert.equal(JSON.parse(json.out).same, true);
});

test("verify names the transition that the platform takes otherwise, with its condition and the words", async () => {
  const deployed = structuredClone(helpDesk);
  const condition = deployed.nodes.check_lamp?.transitions[1]?.condition;
  assert.ok(condition && "value" in condition);
  Object.assign(condition, { value: "Caller has a ladder" });
  await using server = await startPlayground({ graph: deployed });
  const FLOW = resolve("examples/help-desk/flow.ts");
  const args = ["verify", FLOW, "--agent", `retell:${AGENT_ID}`, "--base-url", server.url, ...NOW];
  const { code, out, err } = await callweave(args, { env });
  assert.equal(code, 1, `${out}${err}`);
  assert.match(out, /path at "check_lamp": the agent stays, the graph goes to technician: 1 of 1 call/);
  assert.match(out, /graph took check_lamp -> technician: Lamp does not light up, or it is still dark/);
  assert.match(out, /words in question: .*dark/);
  assert.match(out, /puts a broken lamp through to a technician #1 in turn 2/);
  assert.match(out, /6 calls compared: 1 differ/);
});

test("verify needs an agent and a graph", async () => {
  assert.match((await callweave(["verify", ...NOW], { env })).err, /--agent is missing/);
});

test("deploy apply --verify calls what it deployed, and restores the earlier state on request", async () => {
  const config = {
    source: "flow.json",
    environments: { staging: { to: "retell", key: "STAGING_KEY", voice: { retell: "11labs-Adrian" } } },
  };
  const flowOf = (general_prompt: string) => ({
    ...helpDesk,
    source_metadata: { ...helpDesk.source_metadata, general_prompt },
  });
  await using project = await deployProject(PLATFORMS[0], {
    "flow.json": flowOf("Be brief."),
    "callweave.config.json": config,
  });
  const deployed = structuredClone(helpDesk);
  let graph = helpDesk;
  await using server = await startPlayground({
    agentId: () => project.id("agent", "staging"),
    instead: passedOn(project),
    graphNow: () => graph,
  });
  const base = ["deploy", "apply", "--env", "staging", "--yes", "--base-url", server.url, "--verify", SCENARIOS];
  const given = { cwd: project.path, env: { STAGING_KEY: KEYS.staging } };
  const apply = (...more: string[]) => callweave([...base, ...more], given);
  const first = await apply();
  assert.equal(first.code, 0, `${first.out}${first.err}`);
  assert.match(first.out, /6 calls compared: all are alike/);
  const id = project.id("agent", "staging");
  const flowId = project.id("conversation-flow", "staging");
  const promptNow = async () => (await project.get(`/get-conversation-flow/${flowId}`)).global_prompt;
  assert.equal(await promptNow(), "Be brief.");
  Object.assign(deployed.nodes.check_lamp?.transitions[1]?.condition ?? {}, { value: "Caller has a ladder" });
  graph = deployed;
  writeFileSync(project.file("flow.json"), JSON.stringify(flowOf("Be polite.")));
  const second = await apply("--rollback-if-different");
  assert.equal(second.code, 1, `${second.out}${second.err}`);
  assert.match(second.out, /path at "check_lamp": the agent stays/);
  assert.match(second.out, /rolled back to the state before this apply/);
  assert.equal(await promptNow(), "Be brief.");
  assert.equal(project.id("agent", "staging"), id);
  const third = await apply("--json");
  assert.equal(third.code, 1);
  assert.equal(JSON.parse(third.out).verification.differences.length, 1);
  assert.equal(await promptNow(), "Be polite.");
});
