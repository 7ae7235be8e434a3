import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../platforms/mod.ts";
import { isRecord, type JsonObject, recordAt, records } from "../../src/base/values/mod.ts";
import { apply, drift, importDeployed, listDeployed, plan, pull, rollback } from "../../src/deploy/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { ownPartOf, someOf } from "../fast_check.ts";
import { shop } from "./shop.ts";
import { FORMATS, PAIRS, type To, World } from "./world.ts";

/** What answers the agent's calls, as the platform has it. */
async function answering(world: World): Promise<string> {
  const ids = await world.ids();
  if (world.to === "vapi-assistant") return JSON.stringify(await world.read("assistant", ids));
  if (world.to === "vapi-squad") {
    const { members } = await world.read("squad", ids);
    const used = new Set(records(members).map(({ assistantId }) => assistantId));
    const addresses = Object.keys(ids).filter((address) => used.has(ids[address]));
    return JSON.stringify(await Promise.all(addresses.map((address) => world.read(address, ids))));
  }
  const only = { bland: "pathway", elevenlabs: "agent", telnyx: "assistant" }[String(world.to)];
  if (only !== undefined) return JSON.stringify(await world.read(only, ids));
  const { response_engine: engine } = await world.read("agent", ids);
  const { type, version: _, ...id } = isRecord(engine) ? engine : {};
  assert.equal(type, world.to === "retell" ? "conversation-flow" : "retell-llm");
  const address = String(type);
  assert.deepEqual(Object.values(id), [ids[address]], "the agent answers with the engine in the lock file");
  return JSON.stringify(await world.read(address, ids));
}

/** Every step from a format to itself and to the other one, also twice. */
const WALK = [0, 1, 0, 1, 1, 0, 0, 1];

/** Whether the apply of a step publishes: an engine of a published version cannot be changed. */
const PUBLISHED: readonly (readonly [name: string, publish: (step: number) => boolean])[] = [
  ["as drafts", () => false],
  ["each published", () => true],
  ["every other one published", (step) => step % 2 === 0],
];

/** Walks of an agent: which formats, when it publishes, and where its graph is from. */
const WALKS = FORMATS.flatMap((formats) =>
  (formats[0] === "retell" ? PUBLISHED : PUBLISHED.slice(0, 1)).flatMap(([name, publish]) =>
    (["code", ...formats] as const).map((source) => ({ formats, name, publish, source })),
  ),
);

for (const { formats, name, publish, source } of someOf(WALKS)) {
  // as code, or as an export of the dashboard in one of the formats that is edited and deployed in both
  const graphOf = (greet: string): AgentGraph =>
    source === "code" ? shop({ greet }) : importAgent(emit(shop({ greet }), source).text, { format: source }).graph;

  test(`${formats.join(" and ")}: an agent from ${source} goes from each format to each, ${name}, and stays one agent`, async () => {
    await using world = await World.open(formats[0]);
    let before: To | undefined;
    let agent: string | undefined;
    for (const [step, index] of WALK.entries()) {
      world.to = formats[index] ?? formats[0];
      const graph = graphOf(`Greet ${step}.`);
      const planned = await plan(graph, world.target());
      assert.equal(planned.replaces, before === world.to ? undefined : before, `step ${step}`);
      await apply(planned, { publish: world.isRetell && publish(step) });
      const [entry] = await listDeployed(world.folder);
      assert.equal(entry?.format, world.to, `step ${step}`);
      assert.match(await answering(world), new RegExp(`Greet ${step}\\.`), `step ${step}`);
      const again = await plan(graph, world.target());
      assert.deepEqual([again.isEmpty, again.conflicts, again.replaces], [true, [], undefined], `step ${step}`);
      assert.equal((await drift(graph, world.target())).isDrifted, false, `step ${step}`);
      assert.deepEqual(await world.everything(), Object.values(await world.ids()).sort(), `orphans at step ${step}`);
      assert.equal(entry.ids.agent, agent ?? entry.ids.agent);
      before = world.to;
      agent = entry.ids.agent;
    }
  });
}

for (const [first, second] of ownPartOf(PAIRS)) {
  test(`${first} to ${second}: the plan says the change in words, and what is no longer used`, async () => {
    await using world = await World.open(first);
    await apply(await plan(shop(), world.target()));
    world.to = second;
    const planned = await plan(shop(), world.target());
    assert.equal(planned.replaces, first);
    const [from, into] = first === "retell" ? ["conversation flow", "Retell LLM"] : ["squad", "single assistant"];
    const sentences = planned.changes.map(({ message }) => message);
    assert.deepEqual(sentences, [`The agent's engine changes from a ${from} to a ${into}`]);
    assert.ok(planned.unused.length > 0);
    const { kept } = await apply(planned, { prune: true });
    assert.deepEqual(kept, []);
    assert.deepEqual(await world.everything(), Object.values(await world.ids()).sort());
    assert.deepEqual((await plan(shop(), world.target())).unused, []);
  });

  for (const prune of [false, true])
    test(`${first} to ${second}: rolling back gives the agent the engine that it had${prune ? ", also after it was deleted" : ""}`, async () => {
      await using world = await World.open(first);
      await apply(await plan(shop({ greet: "First." }), world.target()));
      world.to = second;
      await apply(await plan(shop({ greet: "Second." }), world.target()), { prune });
      const back = await rollback("latest", { ...world.target(), flow: "shop" });
      assert.equal(back.replaces, second);
      await apply(back);
      world.to = first;
      assert.match(await answering(world), /First\./);
      assert.equal((await plan(shop({ greet: "First." }), world.target())).isEmpty, true);
      world.to = second;
      assert.equal((await plan(shop({ greet: "Second." }), world.target())).replaces, first);
    });

  test(`${first} to ${second}: a change at the dashboard that would be lost is a conflict until it is pulled`, async () => {
    await using world = await World.open(first);
    await apply(await plan(shop(), world.target()));
    const address = first === "retell" ? "conversation-flow" : "assistant:greet";
    const ids = await world.ids();
    const key = first === "retell" ? "nodes" : "model";
    const body = await world.read(address, ids);
    const edited = JSON.parse(JSON.stringify(body).replace("Ask what the caller wants.", "The dashboard asks."));
    await world.send({ method: "PATCH", path: world.updatePath(address, ids), body: { [key]: edited[key] } });
    world.to = second;
    const planned = await plan(shop(), world.target());
    assert.equal(planned.conflicts[0]?.address, address);
    await assert.rejects(apply(planned), { code: "deploy-conflict", message: /which the agent will no longer use/ });
    const { graph } = await pull(shop(), world.target());
    assert.equal(graph.nodes.greet?.state_prompt, "The dashboard asks.");
    await apply(await plan(graph, world.target()));
    assert.equal((await plan(graph, world.target())).isEmpty, true);
  });

  test(`${first} to ${second}: another machine refuses the change without the version that was deployed last`, async () => {
    await using world = await World.open(first);
    await apply(await plan(shop(), world.target()));
    await world.forget();
    world.to = second;
    const edited = shop({ greet: "New." });
    await assert.rejects(apply(await plan(edited, world.target())), { code: "no-baseline" });
    await apply(await plan(edited, { ...world.target(), previous: shop() }));
    assert.equal((await plan(edited, world.target())).isEmpty, true);
  });
}

test("retell: an engine that the dashboard gave to the agent is a conflict, is not written to, and can be adopted", async () => {
  await using world = await World.open("retell");
  await apply(await plan(shop(), world.target()));
  const ids = await world.ids();
  const llm = recordAt(
    { answer: await world.send({ method: "POST", path: "/create-retell-llm", body: {} }) },
    "answer",
  );
  const engine = { type: "retell-llm", llm_id: llm.llm_id };
  await world.send({ method: "PATCH", path: `/update-agent/${ids.agent}`, body: { response_engine: engine } });

  const found = await drift(shop(), world.target());
  assert.equal(found.isDrifted, true);
  assert.match(found.changes.map(({ message }) => message).join(), new RegExp(`answers with retell-llm ${llm.llm_id}`));
  for (const to of FORMATS[0]) {
    world.to = to;
    const edited = shop({ greet: "New." });
    await assert.rejects(apply(await plan(edited, world.target())), { code: "deploy-conflict" });
    await assert.rejects(pull(edited, world.target()), { code: "engine-changed", path: ["agent", "response_engine"] });
  }
  assert.deepEqual(await world.send({ method: "GET", path: `/get-retell-llm/${llm.llm_id}` }), llm);

  const target = { ...world.target(), flow: "shop" };
  await assert.rejects(importDeployed(String(ids.agent), { ...target, to: "retell" }), { code: "not-deployable" });
  const { graph } = await importDeployed(String(ids.agent), target);
  assert.equal((await plan(graph, target)).isEmpty, true);
  assert.equal((await world.ids())["retell-llm"], llm.llm_id);
});

test("retell: the code's engine is given back to the agent on request", async () => {
  await using world = await World.open("retell");
  await apply(await plan(shop(), world.target()));
  const ids = await world.ids();
  const other: JsonObject = { ...(await world.read("conversation-flow", ids)), conversation_flow_id: undefined };
  const made = recordAt(
    { answer: await world.send({ method: "POST", path: "/create-conversation-flow", body: other }) },
    "answer",
  );
  const engine = { type: "conversation-flow", conversation_flow_id: made.conversation_flow_id };
  await world.send({ method: "PATCH", path: `/update-agent/${ids.agent}`, body: { response_engine: engine } });
  const edited = shop({ greet: "New." });
  await apply(await plan(edited, world.target()), { overwriteRemote: true });
  assert.match(await answering(world), /New\./);
  const path = `/get-conversation-flow/${made.conversation_flow_id}`;
  assert.doesNotMatch(JSON.stringify(await world.send({ method: "GET", path })), /New\./);
});

test("retell: an engine that a published version uses stays when it is pruned, and the report says why", async () => {
  await using world = await World.open("retell");
  await apply(await plan(shop(), world.target()), { publish: true });
  world.to = "retell-llm";
  const { kept } = await apply(await plan(shop(), world.target()), { prune: true });
  assert.deepEqual(
    kept.map(({ address, why }) => [address, /is used by/.test(why)]),
    [["conversation-flow", true]],
  );
  assert.notEqual((await world.ids())["conversation-flow"], undefined);
});

test("vapi: the numbers that a squad answers follow to the single assistant and back, and others stay", async () => {
  await using world = await World.open("vapi-squad");
  await apply(await plan(shop(), world.target()));
  const provider = "byo-phone-number";
  const made = async (number: string, body: JsonObject) =>
    recordAt(
      {
        answer: await world.send({
          method: "POST",
          path: "/phone-number",
          body: { provider, number, credentialId: "c", ...body },
        }),
      },
      "answer",
    ).id;
  const ours = await made("+14155550100", { squadId: (await world.ids()).squad });
  const foreign = await made("+14155550101", {});
  const answeredBy = async (id: unknown) => {
    const { squadId, assistantId } = recordAt(
      { answer: await world.send({ method: "GET", path: `/phone-number/${id}` }) },
      "answer",
    );
    return [squadId, assistantId];
  };
  world.to = "vapi-assistant";
  const planned = await plan(shop(), world.target());
  assert.deepEqual(
    planned.numbers.map(({ number, action }) => [number, action]),
    [["+14155550100", "point"]],
  );
  assert.deepEqual((await apply(planned)).numbers, ["+14155550100"]);
  assert.deepEqual(await answeredBy(ours), [undefined, (await world.ids()).assistant]);
  assert.deepEqual(await answeredBy(foreign), [undefined, undefined]);
  await apply(await rollback("latest", { ...world.target(), flow: "shop" }));
  assert.deepEqual(await answeredBy(ours), [(await world.ids()).squad, undefined]);
});
