import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { ownPartOf } from "../../../fast_check.ts";
import { deployProject, KEYS, PLATFORMS } from "../_deploy.ts";
import { GRAPH } from "../_terminal.ts";

const AGENT = { ...GRAPH, source_metadata: { name: "desk" } };
const withPrompt = (prompt: string) => ({
  ...AGENT,
  nodes: { ...AGENT.nodes, greet: { ...AGENT.nodes.greet, state_prompt: prompt } },
});
const FILES = { "desk.vt.json": AGENT };
const [RETELL] = PLATFORMS;

for (const platform of ownPartOf(PLATFORMS)) {
  test(`deploy apply brings an agent to ${platform.to} once: the plan before shows it, the one after is empty`, async () => {
    await using project = await deployProject(platform, FILES);
    const { deploy, file, server } = project;
    const source = file("desk.vt.json");

    const planned = await deploy(["plan", source]);
    assert.equal(planned.code, 0, planned.err);
    assert.match(planned.out, /Plan: desk in default at (?:retell|vapi)/);
    assert.match(planned.out, /create +\S+ +not on the platform yet/);
    assert.match(planned.err, /next: npx callweave deploy apply .*desk\.vt\.json/);
    assert.ok(server.requests.every((request) => request.startsWith("GET") || request.includes("/list-")));
    assert.ok(!existsSync(file("callweave.lock.json")), "planning writes no lock file");

    const applied = await deploy(["apply", source, "--yes"]);
    assert.equal(applied.code, 0, applied.err);
    assert.match(applied.err, /created {2}/);
    assert.match(applied.out, /applied: \d resources? written/);

    const again = await deploy(["plan", source]);
    assert.equal(again.code, 0, again.err);
    assert.doesNotMatch(again.out, /create|update |To be applied|Changed on the platform/);
    assert.match(again.err, /nothing to apply/);
    const { isEmpty } = JSON.parse((await deploy(["plan", source, "--json"])).out);
    assert.equal(isEmpty, true);

    const listed = await deploy(["list"]);
    assert.match(listed.out, /^desk in default at (?:retell|vapi)\n/);
  });
}

test("deploy plan describes a change in code word by word, for people and for a pull request", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file } = project;
  await deploy(["apply", file("desk.vt.json"), "--yes"]);
  writeFileSync(file("desk.vt.json"), JSON.stringify(withPrompt("Ask for the full name.")));
  const { code, out } = await deploy(["plan", file("desk.vt.json")]);
  assert.equal(code, 0);
  assert.match(out, /update +conversation-flow \(\S+\) +changed in code/);
  assert.match(out, /Ask for the \{\+full \+\}name\./);
  const markdown = await deploy(["plan", file("desk.vt.json"), "--markdown"]);
  assert.match(markdown.out, /^## Plan: desk in default at retell\n/);
  assert.match(markdown.out, /\| update \| <code>conversation-flow/);
  assert.match(markdown.out, /<ins>full <\/ins>/);
  assert.equal((await deploy(["plan", file("desk.vt.json"), "--markdown", "--json"])).code, 2);
});

test("deploy drift ends with 1 after a change at the dashboard, which the next apply keeps and pull brings into the file", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file, id, get, patch } = project;
  const source = file("desk.vt.json");
  await deploy(["apply", source, "--yes"]);
  const calm = await deploy(["drift", source]);
  assert.deepEqual([calm.code, calm.out], [0, "desk in default at retell: no drift\n"]);

  await patch(`/update-agent/${id("agent")}`, { voice_id: "11labs-Adrian" });
  const drifted = await deploy(["drift", source]);
  assert.equal(drifted.code, 1);
  assert.match(drifted.out, /agent \(\S+\) +changed on the platform/);
  assert.match(drifted.out, /11labs-Adrian/);
  assert.equal(JSON.parse((await deploy(["drift", source, "--json"])).out).isDrifted, true);

  writeFileSync(source, JSON.stringify(withPrompt("Ask for the full name.")));
  const applied = await deploy(["apply", source, "--yes"]);
  assert.equal(applied.code, 0, applied.err);
  assert.equal((await get(`/get-agent/${id("agent")}`)).voice_id, "11labs-Adrian");

  const pulled = await deploy(["pull", source]);
  assert.equal(pulled.code, 0, pulled.err);
  assert.match(pulled.out, /wrote .*desk\.vt\.json/);
  assert.match(readFileSync(source, "utf8"), /11labs-Adrian/);
  assert.match(readFileSync(source, "utf8"), /Ask for the full name\./);
  assert.equal((await deploy(["apply", source, "--yes"])).code, 0);
  assert.equal((await deploy(["drift", source])).code, 0);
});

/** A prompt that both code and dashboard have changed. */
async function conflicting() {
  const project = await deployProject(RETELL, FILES);
  const { deploy, file, id, get, patch } = project;
  await deploy(["apply", file("desk.vt.json"), "--yes"]);
  const flow = `conversation-flow/${id("conversation-flow")}`;
  const { nodes } = await get(`/get-${flow}`);
  const changed = JSON.parse(JSON.stringify(nodes).replace("Ask for the name.", "Ask for the surname."));
  await patch(`/update-${flow}`, { nodes: changed });
  writeFileSync(file("desk.vt.json"), JSON.stringify(withPrompt("Ask for the full name.")));
  return { ...project, [Symbol.asyncDispose]: project[Symbol.asyncDispose], flow };
}

test("deploy plan and apply end with 1 where code and dashboard have changed one place, and name both values", async () => {
  await using project = await conflicting();
  const { deploy, file, flow, get } = project;
  const source = file("desk.vt.json");
  const planned = await deploy(["plan", source]);
  assert.equal(planned.code, 1);
  assert.match(planned.out, /1 conflict: code and platform have both changed/);
  assert.match(planned.out, /code: +"Ask for the full name\."/);
  assert.match(planned.out, /platform: "Ask for the surname\."/);
  assert.match((await deploy(["plan", source, "--markdown"])).out, /### 1 conflict/);

  const refused = await deploy(["apply", source, "--yes"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /error\[deploy-conflict\]/);
  assert.match(JSON.stringify(await get(`/get-${flow}`)), /Ask for the surname\./);

  const overwritten = await deploy(["apply", source, "--yes", "--overwrite-remote"]);
  assert.equal(overwritten.code, 0, overwritten.err);
  assert.match(JSON.stringify(await get(`/get-${flow}`)), /Ask for the full name\./);
});

test("deploy pull writes nothing where both sides have changed one place, until a side is chosen", async () => {
  await using project = await conflicting();
  const { deploy, file } = project;
  const source = file("desk.vt.json");
  const before = readFileSync(source, "utf8");
  const stopped = await deploy(["pull", source]);
  assert.equal(stopped.code, 1);
  assert.match(stopped.err, /choose a side with --take/);
  assert.equal(readFileSync(source, "utf8"), before);
  const taken = await deploy(["pull", source, "--take", "remote"]);
  assert.equal(taken.code, 0, taken.err);
  assert.match(readFileSync(source, "utf8"), /Ask for the surname\./);
  assert.equal((await deploy(["pull", source, "--take", "mine"])).code, 2);
});

test("deploy apply asks on a terminal, and without one needs --yes or a reviewed plan", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file } = project;
  const source = file("desk.vt.json");
  const alone = await deploy(["apply", source]);
  assert.equal(alone.code, 2);
  assert.match(alone.err, /there is no terminal to ask on/);
  const asked: string[] = [];
  const answering = (answer: string) => ({
    ask: async (question: string) => {
      asked.push(question);
      return answer;
    },
  });
  const declined = await deploy(["apply", source], answering("no"));
  assert.deepEqual([declined.code, declined.err], [1, "nothing was written\n"]);
  assert.ok(!existsSync(file("callweave.lock.json")));
  assert.equal((await deploy(["apply", source], answering("yes"))).code, 0);
  assert.equal(asked.length, 2);
});

test("deploy apply --plan applies what was reviewed, and refuses it once agent or platform have changed", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file, id, patch } = project;
  const source = file("desk.vt.json");
  assert.equal((await deploy(["plan", source, "--out", file("plan.json")])).code, 0);
  const applied = await deploy(["apply", source, "--plan", file("plan.json")]);
  assert.equal(applied.code, 0, applied.err);

  writeFileSync(source, JSON.stringify(withPrompt("Ask for the full name.")));
  await deploy(["plan", source, "--out", file("plan.json")]);
  await patch(`/update-agent/${id("agent")}`, { voice_id: "11labs-Adrian" });
  const outdated = await deploy(["apply", source, "--plan", file("plan.json")]);
  assert.equal(outdated.code, 2);
  assert.match(outdated.err, /error\[plan-outdated\]/);
  const other = await deploy(["apply", source, "--plan", source]);
  assert.match(other.err, /error\[plan-outdated\].*it is not a plan/);
});

test("deploy apply --plan and deploy rollback refuse a plan and a snapshot of another agent by its name", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file } = project;
  const source = file("desk.vt.json");
  const apply = async (flow: string) => await deploy(["apply", source, "--flow", flow, "--yes"]);
  await apply("one");
  writeFileSync(source, JSON.stringify(withPrompt("Ask for the full name.")));
  await apply("one");
  await apply("two");
  await deploy(["plan", source, "--flow", "one", "--out", file("plan.json")]);
  const planned = await deploy(["apply", source, "--flow", "two", "--plan", file("plan.json")]);
  assert.deepEqual([planned.code, /error\[wrong-place\].*"one" in default/.test(planned.err)], [2, true], planned.err);
  const { 0: snapshot } = JSON.parse((await deploy(["rollback", "--flow", "one", "--list", "--json"])).out);
  const back = await deploy(["rollback", snapshot.path, "--flow", "two", "--yes"]);
  assert.deepEqual([back.code, /error\[wrong-place\].*"one" in default/.test(back.err)], [2, true], back.err);
  assert.equal((await deploy(["rollback", snapshot.path, "--flow", "one", "--yes"])).code, 0);
});

test("deploy rollback plans the way back to the latest snapshot, and delete removes the agent once it is named", async () => {
  await using project = await deployProject(RETELL, FILES);
  const { deploy, file, id, get } = project;
  const source = file("desk.vt.json");
  await deploy(["apply", source, "--yes"]);
  writeFileSync(source, JSON.stringify(withPrompt("Ask for the full name.")));
  await deploy(["apply", source, "--yes"]);
  const flow = `/get-conversation-flow/${id("conversation-flow")}`;
  assert.match(JSON.stringify(await get(flow)), /full name/);

  assert.match((await deploy(["rollback", "--list"])).out, /snapshots.*\.json/);
  const back = await deploy(["rollback", "--yes"]);
  assert.equal(back.code, 0, back.err);
  assert.match(back.out, /Ask for the \[-full -\]name\./);
  assert.doesNotMatch(JSON.stringify(await get(flow)), /full name/);
  assert.match((await deploy(["rollback", file("desk.vt.json"), "--yes"])).err, /error\[unknown-snapshot\]/);

  const unnamed = await deploy(["delete"]);
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.err, /error\[not-confirmed\].*--confirm "desk"/);
  const deleted = await deploy(["delete", "--confirm", "desk"]);
  assert.equal(deleted.code, 0, deleted.err);
  assert.match(deleted.out, /deleted +agent/);
  assert.equal((await deploy(["list"])).out, "nothing is deployed\n");
  await assert.rejects(get(flow), /404/);
});

for (const platform of ownPartOf(PLATFORMS)) {
  const [first, second] = platform.to === "retell" ? ["retell", "retell-llm"] : ["vapi-squad", "vapi-assistant"];

  test(`deploy apply --to ${second} changes the engine of what was deployed as ${first}, and back, and says so`, async () => {
    await using project = await deployProject(platform, FILES);
    const { deploy, file } = project;
    const source = file("desk.vt.json");
    const apply = async (to = "") => await deploy(["apply", source, "--to", to, "--yes"]);
    assert.equal((await apply(first)).code, 0);
    for (const to of [second, first, second]) {
      const planned = await deploy(["plan", source, "--to", to ?? ""]);
      assert.match(planned.out, /The agent's engine changes from an? .* to an? /);
      assert.match(planned.err, /next: npx callweave deploy apply/);
      const { code, out, err } = await apply(to);
      assert.deepEqual([code, /applied: /.test(out)], [0, true], err);
      assert.match((await deploy(["list"])).out, new RegExp(`format +${to}\\n`));
      assert.match((await deploy(["plan", source, "--to", to ?? ""])).err, /nothing to apply/);
    }
  });

  test(`no key is in the output, the plan, the lock file, the state or a snapshot of ${platform.to}`, async () => {
    await using project = await deployProject(platform, FILES);
    const { deploy, file, texts } = project;
    const source = file("desk.vt.json");
    const env = { [platform.variable]: "", OWN_NAME: KEYS.staging };
    const config = { environments: { staging: { to: platform.to, key: "STAGING_KEY" } } };
    writeFileSync(file("callweave.config.json"), JSON.stringify(config));
    const written: string[] = [];
    for (const argv of [
      ["plan", source, "--env", "staging", "--out", file("plan.json")],
      ["apply", source, "--env", "staging", "--yes"],
      ["apply", source, "--env", "staging", "--yes", "--json"],
      ["drift", source, "--env", "staging"],
    ]) {
      const { out, err } = await deploy(argv, { env });
      written.push(out, err);
    }
    writeFileSync(source, JSON.stringify(withPrompt(`The key is ${KEYS.staging}.`)));
    for (const argv of [
      ["plan", source, "--env", "staging"],
      ["apply", source, "--env", "staging", "--yes", "--json"],
    ]) {
      const { out, err } = await deploy(argv, { env });
      written.push(out, err);
    }
    writeFileSync(source, "");
    for (const text of [...written, ...texts()]) assert.ok(!text.includes(KEYS.staging), text.slice(0, 2000));
  });
}
