import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { policyDecisions } from "../../../../src/surface/studio/server/agents/policy_decisions.ts";
import { shownParts } from "../../../../src/surface/studio/server/agents/shown_parts.ts";
import type { ServerOptions } from "../../../../src/surface/studio/server/mod.ts";
import { ROOT } from "../../cli/_process.ts";
import { fits } from "../_fits.ts";
import { agentFile, storedRun, withStudio } from "../_studio.ts";

const POLICIES = [
  { name: "says goodbye", rules: [{ verb: "way_to", points: [{ node: "bye" }] }] },
  { name: "never ends", rules: [{ verb: "never", points: [{ end: "agent_ended" }] }] },
  { name: "names nobody", rules: [{ verb: "never", points: [{ node: "byee" }] }] },
];

type Question = Parameters<NonNullable<ServerOptions["askOfGraph"]>>[0];

/** Answers questions as the process does, after `gate`; what was asked is in `asked`. */
function gated(gate: Promise<unknown>) {
  const asked: Question[] = [];
  const askOfGraph: NonNullable<ServerOptions["askOfGraph"]> = async (question, signal) => {
    asked.push(question);
    const stopped = new Promise<"stopped">((resolve) =>
      signal.addEventListener("abort", () => resolve("stopped"), { once: true }),
    );
    if ((await Promise.race([gate, stopped])) === "stopped") return undefined;
    const { ask, graph } = question;
    return { message: ask === "show" ? shownParts(graph) : policyDecisions(graph, question.policies) };
  };
  return { asked, askOfGraph };
}

async function questionIn(folder: string) {
  const policies = join(folder, "policies.json");
  await writeFile(policies, JSON.stringify(POLICIES));
  return { ...(await agentFile(folder)), policyFiles: [policies] };
}

test("the policies of an agent are decided, with a counterexample in words", { timeout: 300_000 }, async () => {
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [], policyFiles: [""] };
  await withStudio(
    async ({ address, errors }) => {
      const studio = createStudioClient({ url: address });
      const agent = await studio.agent({ agent: "farewell" });
      assert.deepEqual(agent.policies, ["says goodbye", "never ends", "names nobody"]);
      const answer = await studio.agentPolicies({ agent: "farewell" });
      fits("agentPolicies", answer);
      assert.equal(answer.fingerprint, agent.fingerprint);
      const [holds, broken, unknown] = answer.items;
      assert.deepEqual([holds?.verdict, holds?.counterexample], ["holds", null]);
      assert.deepEqual([broken?.verdict, broken?.rule], ["broken", 'never the end "agent_ended"']);
      assert.deepEqual(broken?.counterexample?.visits, ["greet", "bye"]);
      assert.deepEqual(
        broken?.counterexample?.steps.map(({ words }) => words.replace(/(?<=says: ).*/, "…")),
        [
          "The call begins at greet",
          "The agent speaks at greet",
          "The caller says: …",
          "greet → bye, because Caller says goodbye",
          "The agent speaks at bye",
          "The call ends at bye: agent_ended",
        ],
      );
      const move = broken?.counterexample?.steps.find(({ kind }) => kind === "move")?.move;
      assert.deepEqual(move, { from: "greet", by: "model", transition: 0, goBack: null });
      assert.deepEqual(Object(broken?.counterexample?.scenario).visits, ["greet", "bye"]);
      assert.deepEqual([unknown?.verdict, unknown?.problems[0]?.code], ["unknown", "unknown-node"]);
      await assert.rejects(studio.agentPolicies({ agent: "nobody" }), { code: "unknown-agent" });
      assert.deepEqual(errors, []);
    },
    { question, before: async (_, folder) => void Object.assign(question, await questionIn(folder)) },
  );
});

test("policies are searched once for all who look, and again when the source is saved", {
  timeout: 300_000,
}, async () => {
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [], policyFiles: [""] };
  const { asked, askOfGraph } = gated(new Promise(() => {}));
  await withStudio(
    async ({ address }) => {
      const studio = createStudioClient({ url: address });
      const looks = [1, 2, 3].map(() => studio.agentPolicies({ agent: "farewell" }));
      while (asked.length === 0) await studio.session({});
      const over = new AbortController();
      const events = studio.events({ signal: over.signal, after: "0" });
      await writeFile(question.path, (await readFile(question.path)).replace("Say goodbye.", "Say farewell."));
      for await (const event of events) if (event.type === "source-changed") break;
      over.abort();
      const stop = new AbortController();
      const later = studio.agentPolicies({ agent: "farewell" }, { signal: stop.signal }).catch(() => "left");
      for (const { items } of await Promise.all(looks))
        assert.deepEqual(
          items.map(({ verdict, reason }) => [verdict, reason]),
          POLICIES.map(() => ["unknown", "the agent was changed meanwhile"]),
        );
      assert.deepEqual(
        asked.map(({ graph }) => graph.nodes.bye?.state_prompt),
        ["Say goodbye.", "Say farewell."],
      );
      stop.abort();
      assert.equal(await later, "left");
    },
    { question, askOfGraph, before: async (_, folder) => void Object.assign(question, await questionIn(folder)) },
  );
});

const readFile = async (path: string) => readFileSync(path, "utf8");

test("an agent without a source has no policies, and a process draws it", { timeout: 300_000 }, () =>
  withStudio(async ({ address, data }) => {
    await storedRun(data, ["pass"]);
    const studio = createStudioClient({ url: address });
    assert.deepEqual(await studio.agentPolicies({ agent: "farewell" }), { fingerprint: null, items: [] });
    const agent = await studio.agent({ agent: "farewell" });
    fits("agent", agent);
    assert.match(agent.picture, /data-node="bye"/);
    assert.deepEqual(agent.policies, []);
  }),
);

test("while an agent is drawn, everybody else is answered, and it is drawn once for all who wait", async () => {
  let open = () => {};
  const { asked, askOfGraph } = gated(new Promise<void>((resolve) => (open = resolve)));
  await withStudio(
    async ({ address, data }) => {
      const { run } = await storedRun(data, ["pass"]);
      const studio = createStudioClient({ url: address });
      const waiting = Array.from({ length: 10 }, () => studio.agent({ agent: "farewell" }));
      while (asked.length === 0) await studio.session({});
      for (let time = 0; time < 20; time++) assert.equal((await studio.run({ run })).id, run);
      open();
      for (const { picture } of await Promise.all(waiting)) assert.match(picture, /data-node="bye"/);
      await studio.agent({ agent: "farewell" });
      assert.deepEqual(
        asked.map(({ ask }) => ask),
        ["show"],
      );
    },
    { askOfGraph },
  );
});

test("an agent that cannot be drawn is tried again by the next who asks", async () => {
  let times = 0;
  await withStudio(
    async ({ address, data, errors }) => {
      await storedRun(data, ["pass"]);
      const studio = createStudioClient({ url: address });
      await assert.rejects(studio.agent({ agent: "farewell" }), { code: "internal" });
      assert.equal(errors.length, 1);
      assert.match((await studio.agent({ agent: "farewell" })).picture, /data-node="bye"/);
    },
    {
      askOfGraph: async ({ graph }) =>
        times++ === 0 ? { problem: "the process ended" } : { message: shownParts(graph) },
    },
  );
});

test("only processes draw and check agents: no other file of the server does", () => {
  const folder = join(ROOT, "src", "surface", "studio", "server");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
  const work = /agent\/(?:draw|check)\/mod|\b(?:checkPolicies|policyDecisions|shownParts)\(/;
  const allowed = ["policy_decisions.ts", "shown_parts.ts"];
  const found = files.filter((name) => work.test(textOf(name)) && !/_child\.ts$/.test(name));
  assert.deepEqual(found.map((name) => name.split(/[\\/]/).at(-1)).toSorted(), allowed);
});
