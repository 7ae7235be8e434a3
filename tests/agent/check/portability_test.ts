import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { portability } from "../../../api/platforms.ts";
import { emit, type FormatName, flow, formats, importAgent, number, parseGraph } from "../../../mod.ts";
import { callweave, folder } from "../../surface/cli/_terminal.ts";

const SHOP = flow("shop", { variables: { age: number("Age of the caller") }, beginMessage: "Hello" })
  .conversation("ask", { prompt: "Ask for the age.", next: ({ to }) => [to("read", "Caller gives their age")] })
  .extract("read", { fills: ["age"], next: ({ to }) => [to("route")] })
  .logic("route", { next: ({ to, when, otherwise }) => [to("bye", when("age", ">=", 18)), otherwise("ask")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

test("portability() gives every node the worst of its losses, for each platform that can be emitted", () => {
  const ported = portability(SHOP);
  const platforms = formats().filter(({ name, imports, emits }) => imports && emits && name !== "graph");
  assert.deepEqual(
    ported.map(({ target }) => target),
    platforms.map(({ name }) => name),
  );
  for (const { target, error, nodes, settings, losses } of ported) {
    assert.deepEqual(Object.keys(nodes), Object.keys(SHOP.nodes), target);
    if (error) continue;
    assert.deepEqual(emit(SHOP, target).losses, losses, target);
    for (const [id, state] of Object.entries(nodes)) {
      const kinds = losses.filter(({ path }) => path[0] === "nodes" && path[1] === id).map(({ kind }) => kind);
      const worst = kinds.includes("dropped") ? "dropped" : kinds.includes("emulated") ? "emulated" : "exact";
      assert.equal(state, worst, `${target}: ${id}`);
    }
    const elsewhere = losses.filter(({ path }) => path[0] !== "nodes" || path[1] === undefined);
    assert.equal(
      Object.values(settings).some((state) => state !== "exact"),
      elsewhere.length > 0,
      target,
    );
  }
});

test("a part is as bad as the worst of its losses; settings without a value, names and originals are no parts", () => {
  const desk = parseGraph({
    entry_node_id: "greet",
    nodes: {
      greet: {
        state_prompt: "Greet.",
        transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller is done" } }],
      },
      bye: {
        node_type: "end",
        state_prompt: "Say goodbye.",
        tools: [{ name: "note", description: "Notes it", type: "custom", url: "https://example.test" }],
        global_node_setting: {
          condition: "Caller wants to stop",
          go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Caller goes on" } }],
        },
      },
      desk: { node_type: "transfer" },
    },
    snippets: { hours: "From nine to five" },
    source_metadata: { name: "desk", begin_message: "Hello", nothing: null },
    default_model: "mistral/mistral-large",
  });
  const states = (target: FormatName, graph = desk) => {
    const [ported] = portability(graph, { targets: [target] });
    return [ported?.nodes, ported?.settings];
  };
  assert.deepEqual(states("retell"), [
    { greet: "exact", bye: "dropped", desk: "refused" },
    { begin_message: "emulated", snippets: "dropped", default_model: "dropped" },
  ]);
  assert.deepEqual(states("retell-llm"), [
    { greet: "emulated", bye: "dropped", desk: "refused" },
    { begin_message: "exact", snippets: "dropped", default_model: "dropped" },
  ]);
  // all nodes together become steps of one prompt
  assert.deepEqual(states("vapi-assistant")[1], {
    ...{ begin_message: "exact", snippets: "dropped", default_model: "emulated", nodes: "emulated" },
  });
  const plain = { ...desk, snippets: {}, source_metadata: { name: "desk" }, default_model: null };
  assert.deepEqual(states("retell", plain)[1], {});
});

test("portability() says why a format cannot be emitted at all, and compares named targets alone", () => {
  const [workflow, retell, ...others] = portability(SHOP, { targets: ["vapi-workflow", "retell", "retell"] });
  assert.deepEqual(others, []);
  assert.equal(workflow?.error?.code, "format-not-emitted");
  assert.deepEqual(new Set(Object.values(workflow?.nodes ?? {})), new Set(["refused"]));
  assert.equal(retell?.error, undefined);
  assert.throws(() => portability(SHOP, { targets: ["retel"] }), { code: "unknown-format" });
});

test("a document is exact in the format that it was imported from", () => {
  const { config } = emit(SHOP, "retell");
  const [retell] = portability(importAgent(config).graph, { targets: ["retell"] });
  assert.deepEqual(new Set(Object.values({ ...retell?.nodes, ...retell?.settings })), new Set(["exact"]));
});

test("the command prints a table of the parts that are not exact everywhere, and JSON as the function returns it", async () => {
  const source = join(folder({ "flow.json": SHOP }), "flow.json");
  const targets = ["--target", "retell", "--target", "vapi-squad"];
  const text = await callweave(["portability", source, ...targets]);
  assert.equal(text.code, 0, text.err);
  assert.match(text.out, /^retell: \d+ exact, \d+ emulated, 0 dropped, 0 refused$/m);
  assert.match(text.out, /^node route +exact +emulated/m);
  assert.doesNotMatch(text.out, /^node bye/m);
  const verbose = await callweave(["portability", source, ...targets, "--verbose"]);
  assert.match(verbose.out, /^node bye +exact/m);
  const json = await callweave(["portability", source, "--target", "retell", "--json"]);
  assert.deepEqual(JSON.parse(json.out), JSON.parse(JSON.stringify(portability(SHOP, { targets: ["retell"] }))));
});
