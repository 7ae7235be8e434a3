import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DeployError } from "../../src/base/errors.ts";
import { isRecord, parsedJson } from "../../src/base/values/mod.ts";
import { apply, type DeployTarget, plan } from "../../src/deploy/mod.ts";
import { shop } from "./shop.ts";
import { World } from "./world.ts";

/** A target whose platform answers requests of a method with another body. */
function answering(target: DeployTarget, method: string, change: (body: unknown) => unknown): DeployTarget {
  const { fetch: send = fetch } = target;
  const changed = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const response = await send(input, init);
    if (init.method !== method || !response.ok) return response;
    return new Response(JSON.stringify(change(parsedJson(await response.text()))), { status: response.status });
  };
  return { ...target, fetch: Object.assign(changed, { preconnect: () => {} }) };
}

/** The body with another value at its id, whichever key that is. */
const withId = (id: unknown) => (body: unknown) =>
  isRecord(body)
    ? Object.fromEntries(
        Object.entries(body).map(([key, value]) => [key, /^id$|_id$/.test(key) && key !== "voice_id" ? id : value]),
      )
    : body;

for (const to of ["retell", "vapi-squad"] as const) {
  test(`${to}: what was created has an id, or the apply fails and nothing is recorded as deployed`, async () => {
    for (const change of [() => ({}), withId(5), withId(null), withId(""), withId("../../x"), withId("a b")]) {
      await using world = await World.open(to);
      const applied = apply(await plan(shop(), answering(world.target(), "POST", change)));
      await assert.rejects(applied, (error) => error instanceof DeployError && error.code === "platform-answer");
      assert.equal(existsSync(join(world.folder, "callweave.lock.json")), false);
    }
  });

  test(`${to}: an answer about another agent is not believed, whether it was read or changed`, async () => {
    await using world = await World.open(to);
    await apply(await plan(shop(), world.target()));
    for (const method of ["GET", "PATCH"]) {
      const other = answering(world.target(), method, withId("another_1"));
      const work = async () => await apply(await plan(shop({ greet: "New." }), other));
      await assert.rejects(work, (error) => error instanceof DeployError && error.code === "platform-answer", method);
    }
    await apply(await plan(shop({ greet: "New." }), world.target()));
    assert.equal((await plan(shop({ greet: "New." }), world.target())).isEmpty, true);
  });

  test(`${to}: what was created is what was sent, or the apply fails and it is not recorded as deployed`, async () => {
    await using world = await World.open(to);
    const renamed = (body: unknown) => (isRecord(body) ? { ...body, name: "Other", agent_name: "Other" } : body);
    const applied = apply(await plan(shop(), answering(world.target(), "POST", renamed)));
    await assert.rejects(applied, (error) => error instanceof DeployError && error.code === "platform-answer");
    const lock = join(world.folder, "callweave.lock.json");
    // a flow has no name, and was created before its agent
    if (existsSync(lock)) assert.deepEqual(Object.keys(await world.ids()), ["conversation-flow"]);
  });
}
