import assert from "node:assert/strict";
import { test } from "node:test";
import { flow } from "../../dsl/mod.ts";
import { type JsonObject, recordAt, records } from "../../src/base/values/mod.ts";
import { apply, drift, plan } from "../../src/deploy/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { ownPartOf } from "../fast_check.ts";
import { DESK, withSettings } from "./added_settings.ts";
import { FORMATS, World } from "./world.ts";

const statesOf = async (world: World, graph: AgentGraph) =>
  (await plan(graph, world.target())).resources.map(({ state }) => state);

for (const to of ownPartOf(FORMATS.flat()))
  test(`${to}: what a server adds inside of any object is no drift on another machine`, async () => {
    await using world = await World.open(to);
    world.added = (answer) => withSettings(answer);
    await apply(await plan(DESK(), world.target()));
    for (const where of ["this machine", "another machine"]) {
      if (where === "another machine") await world.forget();
      assert.deepEqual(new Set(await statesOf(world, DESK())), new Set(["clean"]), where);
      assert.equal((await plan(DESK(), world.target())).isEmpty, true, where);
      assert.equal((await drift(DESK(), world.target())).isDrifted, false, where);
    }
    const other = DESK("Ask something else.");
    assert.ok((await statesOf(world, other)).includes("no-baseline"), "a prompt is no setting");
    await assert.rejects(apply(await plan(other, world.target())), { code: "no-baseline" });
  });

test("bland: a destination that the code does not have is no setting", async () => {
  await using world = await World.open("bland");
  const graph = flow("desk", { prompt: "You sell lamps." })
    .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("owner", "Caller asks for the owner")] })
    .transfer("owner", {})
    .compile();
  await apply(await plan(graph, world.target()));
  const ids = await world.ids();
  const edit = async (data: JsonObject) => {
    const { nodes } = await world.read("pathway", ids);
    const edited = records(nodes).map((node) =>
      node.id === "owner" ? { ...node, data: { ...recordAt(node, "data"), ...data } } : node,
    );
    await world.send({ method: "POST", path: world.updatePath("pathway", ids), body: { nodes: edited } });
    await world.forget();
    return (await statesOf(world, graph)).join();
  };
  assert.equal(await edit({ temperature: 0.2 }), "clean");
  assert.equal(await edit({ transferNumber: "+14155550100" }), "no-baseline");
});

test("retell: an object of another type gets none of the settings of the one before", async () => {
  await using world = await World.open("retell");
  const graph = parseGraph({
    ...JSON.parse(JSON.stringify(DESK())),
    source_metadata: {
      ...DESK().source_metadata,
      retell: { agent: { voicemail_option: { action: { type: "hangup" } } } },
    },
  });
  await apply(await plan(graph, world.target()));
  const ids = await world.ids();
  const action = { type: "static_text", text: "Please call again." };
  await world.send({ method: "PATCH", path: world.updatePath("agent", ids), body: { voicemail_option: { action } } });
  await world.forget();
  await apply(await plan(graph, world.target()), { overwriteRemote: true });
  assert.deepEqual((await world.read("agent", ids)).voicemail_option, { action: { type: "hangup" } });
});
