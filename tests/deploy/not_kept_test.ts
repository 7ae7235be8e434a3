import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../platforms/mod.ts";
import { DeployError } from "../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, parsedJson } from "../../src/base/values/mod.ts";
import { apply, type DeployTarget, plan } from "../../src/deploy/mod.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

/** A target whose platform takes requests, answers them with success, and does not store a key. */
function forgetful(target: DeployTarget, key: string): DeployTarget {
  const { fetch: send = fetch } = target;
  const forgetting = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const sent = typeof init.body === "string" ? parsedJson(init.body) : undefined;
    const isUpdate = init.method === "PATCH" && isRecord(sent);
    return await send(input, isUpdate ? { ...init, body: JSON.stringify(omit(sent, [key])) } : init);
  };
  return { ...target, fetch: Object.assign(forgetting, { preconnect: () => {} }) };
}

async function failureOf(target: DeployTarget, graph = shop()): Promise<DeployError> {
  return await apply(await plan(graph, target), { publish: true }).then(
    () => assert.fail("applied"),
    (error: unknown) => (error instanceof DeployError ? error : assert.fail(String(error))),
  );
}

test("retell: an apply fails when the platform does not change the engine, and publishes nothing", async () => {
  await using world = await World.open("retell");
  await apply(await plan(shop(), world.target()));
  world.to = "retell-llm";
  const target = forgetful(world.target(), "response_engine");
  const error = await failureOf(target);
  assert.equal(error.code, "not-kept");
  assert.deepEqual(error.path.slice(0, 2), ["agent", "response_engine"]);
  assert.match(error.hint, /roll back/);
  assert.equal((await world.read("agent", await world.ids())).is_published, false);
  assert.equal((await failureOf(target)).code, "not-kept", "the next apply sends it again");
  await apply(await plan(shop(), world.target()));
  assert.equal((await plan(shop(), world.target())).isEmpty, true);
});

for (const [to, key, change] of [
  ["retell", "nodes", { greet: "New." }],
  ["vapi-squad", "model", { greet: "New." }],
] as const)
  test(`${to}: an apply whose ${key} the platform does not keep fails each time, and numbers stay where they are`, async () => {
    await using world = await World.open(to);
    await apply(await plan(shop(), world.target()));
    const number = "+14155550100";
    const [path, body]: readonly [string, JsonObject] =
      to === "retell"
        ? ["/import-phone-number", { phone_number: number, termination_uri: "sip.example.com" }]
        : ["/phone-number", { provider: "byo-phone-number", number, credentialId: "cred-1" }];
    await world.send({ method: "POST", path, body });
    const settings = { numbers: [number] };
    const target = { ...forgetful(world.target(), key), settings };
    for (let time = 0; time < 2; time++) {
      const { code, issues } = await failureOf(target, shop(change));
      assert.equal(code, "not-kept");
      assert.ok(issues.every((issue) => issue.path.includes(key)));
      const [pointed] = (await plan(shop(change), target)).numbers;
      assert.equal(pointed?.action, "point", "the number is not pointed to an agent that is not what was asked for");
    }
    const { numbers } = await apply(await plan(shop(change), { ...world.target(), settings }));
    assert.deepEqual(numbers, [number]);
    assert.equal((await plan(shop(change), { ...world.target(), settings })).isEmpty, true);
  });

test("an apply keeps what a platform never returns: secrets, and what is empty", async () => {
  await using world = await World.open("vapi-assistant");
  const server = { url: "https://hooks.example.com", secret: "secret-0123456789", headers: {} };
  const agent: unknown = emit(shop(), "vapi-assistant").config;
  const secret = importAgent({ ...(isRecord(agent) ? agent : {}), server }, { format: "vapi-assistant" }).graph;
  await apply(await plan(secret, world.target()));
  const assistant = await world.read("assistant", await world.ids());
  assert.ok(isRecord(assistant.server) && assistant.server.secret === undefined && assistant.server.url === server.url);
  assert.equal((await plan(secret, world.target())).isEmpty, true);
});
