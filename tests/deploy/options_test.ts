import assert from "node:assert/strict";
import { test } from "node:test";
import { env, flow, tool } from "../../dsl/mod.ts";
import { recordAt } from "../../src/base/values/mod.ts";
import { apply, plan } from "../../src/deploy/mod.ts";
import { ownPartOf } from "../fast_check.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

test("retell: publishing makes what was written the version of calls, and the next change gets a version of its own", async () => {
  await using world = await World.open("retell");
  const first = await apply(await plan(shop(), world.target()), { publish: true });
  assert.equal(first.isPublished, true);
  const ids = await world.ids();
  assert.equal((await world.read("agent", ids)).is_published, true);
  const edited = shop({ greet: "New." });
  const second = await apply(await plan(edited, world.target()));
  assert.equal(second.isPublished, false);
  const agent = await world.read("agent", ids);
  assert.deepEqual([agent.is_published, agent.agent_id], [false, ids.agent]);
  assert.equal((await plan(edited, world.target())).isEmpty, true);
  const { version } = recordAt(agent, "response_engine");
  assert.notEqual(version, 0, "the draft has an engine version of its own");
});

test("vapi-squad: an assistant that the code no longer has stays until it is pruned", async () => {
  await using world = await World.open("vapi-squad");
  await apply(await plan(shop({ hasReturns: true }), world.target()));
  const before = await world.ids();
  const without = await plan(shop(), world.target());
  assert.deepEqual(
    without.unused.map(({ address }) => address),
    ["assistant:give_back"],
  );
  await apply(without);
  assert.deepEqual(await world.ids(), before, "it stays on the platform and in the lock file");
  await apply(await plan(shop(), world.target()), { prune: true });
  assert.equal((await world.ids())["assistant:give_back"], undefined);
  assert.deepEqual(await world.everything(), Object.values(await world.ids()).sort());
  await apply(await plan(shop({ hasReturns: true }), world.target()));
  assert.notEqual((await world.ids())["assistant:give_back"], before["assistant:give_back"]);
});

test("vapi-squad: a node that comes back gets the assistant that it had", async () => {
  await using world = await World.open("vapi-squad");
  await apply(await plan(shop({ hasReturns: true }), world.target()));
  const before = await world.ids();
  await apply(await plan(shop(), world.target()));
  await apply(await plan(shop({ hasReturns: true }), world.target()));
  assert.deepEqual(await world.ids(), before);
});

for (const to of ownPartOf(["retell", "vapi-squad"] as const)) {
  const number = "+14155550100";
  const [path, body] =
    to === "retell"
      ? ["/import-phone-number", { phone_number: number, termination_uri: "sip.example.com" }]
      : ["/phone-number", { provider: "byo-phone-number", number, credentialId: "cred-1" }];

  test(`${to}: a number that the environment names is part of the plan, another one is left alone`, async () => {
    await using world = await World.open(to);
    await world.send({ method: "POST", path, body });
    const target = { ...world.target(), settings: { numbers: [number] } };
    assert.deepEqual((await plan(shop(), world.target())).numbers, []);
    const planned = await plan(shop(), target);
    assert.deepEqual(
      planned.numbers.map(({ number, action, now }) => [number, action, now.length]),
      [[number, "point", 0]],
    );
    const { numbers } = await apply(planned);
    assert.deepEqual(numbers, [number]);
    const again = await plan(shop(), target);
    assert.deepEqual([again.isEmpty, again.numbers[0]?.action], [true, "none"]);
    const other = { ...target, settings: { numbers: ["+19995550100"] } };
    await assert.rejects(plan(shop(), other), { code: "unknown-number" });
  });
}

test("a reference whose variable was not passed is planned, and never written to the platform", async () => {
  await using world = await World.open("retell");
  const find = tool({
    name: "find_customer",
    description: "Finds a customer",
    url: "https://crm.example.com/find",
    retell: { headers: { Authorization: `Bearer ${env("CRM_TOKEN")}` } },
  });
  const graph = flow("desk", { tools: [find] })
    .conversation("ask", { prompt: "Ask for the number.", tools: ["find_customer"] })
    .compile();
  const planned = await plan(graph, world.target());
  await assert.rejects(apply(planned), {
    code: "unresolved-reference",
    path: ["conversation-flow"],
    message: /CRM_TOKEN/,
  });
  assert.deepEqual(await world.everything(), []);
  const target = { ...world.target(), env: { CRM_TOKEN: "token-0123456789" } };
  await apply(await plan(graph, target));
  const flowThere = await world.read("conversation-flow", await world.ids());
  assert.match(JSON.stringify(flowThere), /Bearer token-0123456789/);
  assert.doesNotMatch(JSON.stringify(await plan(graph, target)), /token-0123456789/);
  assert.equal((await plan(graph, target)).isEmpty, true);
});
