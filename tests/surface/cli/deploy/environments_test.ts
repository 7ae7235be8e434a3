import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type PlatformFacts, PLATFORMS as RECORDS } from "../../../../platforms/mod.ts";
import { deployProject, KEYS, PLATFORMS } from "../_deploy.ts";
import { CASE, callweave, GRAPH } from "../_terminal.ts";

const AGENT = { ...GRAPH, source_metadata: { name: "desk" } };
const [RETELL] = PLATFORMS;
const CONFIG = {
  source: "desk.vt.json",
  environments: {
    staging: { to: "retell", key: "STAGING_KEY" },
    production: { to: "retell", key: "PRODUCTION_KEY", voice: { retell: "11labs-Adrian" } },
  },
};
const FILES = { "desk.vt.json": AGENT, "callweave.config.json": CONFIG };

test("deploy promote brings to production, with its own voice, what staging has, and nothing else", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file, id } = project;
  const early = await deploy(["promote", "staging", "production", "--yes"]);
  assert.equal(early.code, 2);
  assert.match(early.err, /error\[not-verified\]/);
  assert.equal((await deploy(["apply", "--env", "staging", "--yes"])).code, 0);
  const promoted = await deploy(["promote", "staging", "production", "--yes"]);
  assert.equal(promoted.code, 0, promoted.err);
  const voiceOf = async (environment: "staging" | "production") => {
    const headers = { authorization: `Bearer ${KEYS[environment]}` };
    const answer = await fetch(`${project.server.url}/get-agent/${id("agent", environment)}`, { headers });
    return JSON.parse(await answer.text()).voice_id;
  };
  assert.notEqual(await voiceOf("staging"), "11labs-Adrian");
  assert.equal(await voiceOf("production"), "11labs-Adrian");
  writeFileSync(file("desk.vt.json"), JSON.stringify(AGENT).replace("Ask for the name.", "Ask for the full name."));
  assert.match((await deploy(["promote", "staging", "production", "--yes"])).err, /error\[not-verified\]/);
  const unknown = await deploy(["plan", "--env", "stagin"]);
  assert.deepEqual([unknown.code, /Did you mean "staging"\?/.test(unknown.err)], [2, true]);
});

test("deploy apply passes the gate only with a run of this agent that passed, and with losses that are accepted", async () => {
  const lossy = { ...AGENT, snippets: { hours: "We open at nine." } };
  await using project = await deployProject(RETELL, { "desk.vt.json": lossy, "calls.json": [CASE] });
  const { deploy, file } = project;
  const source = file("desk.vt.json");
  const db = ["--db", file("results.db")];
  assert.equal((await callweave(["run", source, "--tests", file("calls.json"), ...db])).code, 0);
  const lost = await deploy(["apply", source, "--yes", "--require-run", "any", ...db]);
  assert.equal(lost.code, 1);
  assert.match(lost.err, /error\[gate\].*snippet-unused/);

  const environments = { default: { acceptLosses: ["snippet-unused"] } };
  writeFileSync(file("callweave.config.json"), JSON.stringify({ environments }));
  const passed = await deploy(["apply", source, "--yes", "--require-run", "any", ...db]);
  assert.equal(passed.code, 0, passed.err);
  assert.match(passed.err, /gate: run \S+ of this agent passed/);

  writeFileSync(source, JSON.stringify(lossy).replace("Ask for the name.", "Ask for the full name."));
  const unproved = await deploy(["apply", source, "--yes", "--require-run", "any", ...db]);
  assert.equal(unproved.code, 1);
  assert.match(unproved.err, /error\[gate\].*no run of this version/);
  const ran = await deploy(["apply", source, "--yes", "--scenarios", file("calls.json"), ...db]);
  assert.equal(ran.code, 0, ran.err);
  writeFileSync(file("calls.json"), JSON.stringify([{ ...CASE, includes: ["refund"] }]));
  const failed = await deploy(["apply", source, "--yes", "--scenarios", file("calls.json"), ...db]);
  assert.equal(failed.code, 1);
  assert.match(failed.err, /error\[gate\].*1 failed/);
});

/** Lets the modules of a folder import "callweave", as an installed package does. */
function install(path: string): void {
  const at = join(path, "node_modules", "callweave");
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify({ name: "callweave", type: "module", exports: "./index.js" }));
  writeFileSync(
    join(at, "index.js"),
    `export * from ${JSON.stringify(new URL("../../../../mod.ts", import.meta.url).href)};`,
  );
}

test("deploy import adopts an agent as TypeScript that has nothing to apply, and pull writes that TypeScript again", async () => {
  await using project = await deployProject(RETELL, { "desk.vt.json": AGENT });
  const { deploy, file, id, patch, path } = project;
  install(path);
  await deploy(["apply", file("desk.vt.json"), "--yes"]);
  const flow = `conversation-flow/${id("conversation-flow")}`;
  const place = ["--env", "adopted", "--to", "retell"];
  const agent = id("agent");
  const twice = await deploy(["import", agent, ...place, "--out", file("agent")]);
  assert.deepEqual([twice.code, /error\[already-deployed\].*"desk" in default/.test(twice.err)], [2, true], twice.err);
  rmSync(file("callweave.lock.json"));
  const imported = await deploy(["import", agent, ...place, "--out", file("agent")]);
  assert.equal(imported.code, 0, imported.err);
  assert.match(imported.out, /wrote .*flow\.ts/);
  const source = file("agent/flow.ts");
  const planned = await deploy(["plan", source, ...place, "--json"]);
  assert.equal(JSON.parse(planned.out).isEmpty, true, planned.err);
  assert.equal((await deploy(["import", agent, ...place, "--out", file("agent")])).code, 2);

  const { nodes } = await project.get(`/get-${flow}`);
  const changed = JSON.stringify(nodes).replace("Ask for the name.", "Ask for the surname.");
  await patch(`/update-${flow}`, { nodes: JSON.parse(changed) });
  const pulled = await deploy(["pull", source, ...place]);
  assert.equal(pulled.code, 0, pulled.err + pulled.out);
  assert.match(readFileSync(source, "utf8"), /Ask for the surname\./);
});

test("deploy pull leaves a module that somebody has edited as it is, and writes elsewhere with --out", async () => {
  const mod = new URL("../../../../mod.ts", import.meta.url).href;
  const module = `import { flow } from ${JSON.stringify(mod)};
// a comment that nobody wants to lose
export const desk = flow("desk").conversation("greet", { prompt: "Ask for the name." }).compile();
`;
  await using project = await deployProject(RETELL, { "flow.ts": module });
  const { deploy, file, id, patch } = project;
  await deploy(["apply", file("flow.ts"), "--yes"]);
  await patch(`/update-agent/${id("agent")}`, { voice_id: "11labs-Adrian" });
  const stopped = await deploy(["pull", file("flow.ts")]);
  assert.equal(stopped.code, 1);
  assert.match(stopped.err, /not what callweave eject writes/);
  assert.match(stopped.out, /11labs-Adrian/);
  assert.equal(readFileSync(file("flow.ts"), "utf8"), module);
  const written = await deploy(["pull", file("flow.ts"), "--out", file("pulled.vt.json")]);
  assert.equal(written.code, 0, written.err);
  assert.match(readFileSync(file("pulled.vt.json"), "utf8"), /11labs-Adrian/);
});

test("deploy commands end with 2 for a wrong key, a missing one and a damaged lock file, and write nothing", async () => {
  await using project = await deployProject(RETELL, { "desk.vt.json": AGENT });
  const { deploy, file } = project;
  const source = file("desk.vt.json");
  const wrong = "key_99999999999999999999999999";
  const refused = await deploy(["apply", source, "--yes"], { env: { RETELL_API_KEY: wrong } });
  assert.equal(refused.code, 2);
  assert.match(refused.err, /error\[platform-key\].*Invalid API Key/);
  assert.ok(!refused.err.includes(wrong));
  const missing = await deploy(["apply", source, "--yes"], { env: { RETELL_API_KEY: "" } });
  assert.match(missing.err, /error\[platform-key\].*RETELL_API_KEY is not set/);
  assert.ok(!existsSync(file("callweave.lock.json")));

  await deploy(["apply", source, "--yes"]);
  const other = await deploy(["plan", source], { env: { RETELL_API_KEY: KEYS.production } });
  assert.match(other.out, /check that the key is that of its workspace/, "another workspace has no such agent");
  const unseen = await deploy(["apply", source, "--yes"], { env: { RETELL_API_KEY: KEYS.production } });
  assert.deepEqual([unseen.code, /error\[agent-missing\]/.test(unseen.err)], [2, true], unseen.err);
  const lock = readFileSync(file("callweave.lock.json"), "utf8");
  writeFileSync(file("callweave.lock.json"), `<<<<<<< HEAD\n${lock}=======\n${lock}>>>>>>> other\n`);
  for (const argv of [["plan", source], ["apply", source, "--yes"], ["drift", source], ["list"]]) {
    const { code, err } = await deploy(argv);
    assert.deepEqual([code, /error\[lock-file\].*merge conflict/.test(err)], [2, true], err);
  }
  assert.equal((await deploy(["plan", source, "--to", "pipecat"])).code, 2);
});

test("deploy --local starts all local platforms until it is stopped", async () => {
  const stop = new AbortController();
  let answered: Promise<number> | undefined;
  const ran = await callweave(["deploy", "--local", "--json"], {
    signal: stop.signal,
    onErr: (text) => {
      const address = /--base-url (\S+)/.exec(text)?.[1];
      if (address === undefined) return;
      const headers = { authorization: "Bearer callweave-local-key" };
      answered = fetch(`${address}/get-agent/none`, { headers }).then(({ status }) => {
        stop.abort();
        return status;
      });
      answered.catch(() => stop.abort());
    },
  });
  assert.equal(ran.code, 0);
  assert.equal(await answered, 404, "the key is taken, and the agent is unknown");
  const named = Object.keys(JSON.parse(ran.out));
  const records = Object.values<PlatformFacts>(RECORDS);
  const local = records.flatMap(({ name, deploy }) => (deploy?.local ? [name] : []));
  assert.deepEqual(named, [...local, "key"]);
  assert.equal((await callweave(["deploy", "--json"], { env: {} })).code, 2);
});
