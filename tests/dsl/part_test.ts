import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, flow, type KitOf, part, text, tool } from "../../mod.ts";

const lookUp = tool({ name: "look_up", description: "Finds the caller", responseVariables: { customer: "$.id" } });

const identify = part(
  { variables: { caller_name: text("Caller's name") }, snippets: { thanks: "Thank you!" }, tools: [lookUp] },
  (kit) => [
    kit.conversation("ask_name", {
      prompt: "Ask for the name. {%thanks%}",
      next: ({ to }) => [to("read_name", "Caller gives the name")],
    }),
    kit.extract("read_name", { fills: ["caller_name"], next: ({ to }) => [to("find")] }),
    kit.function("find", { tool: "look_up", next: ({ to }) => [to("identified")] }),
  ],
);

test("part() adds the same nodes to two flows, each with its own next node", () => {
  const shop = flow("shop", {
    variables: { ...identify.variables, topic: choice("Why the caller calls", ["order", "return"]) },
    snippets: identify.snippets,
    tools: identify.tools,
  })
    .nodes(identify.nodes)
    .conversation("identified", { prompt: "Greet {{caller_name}}, customer {{customer}}." })
    .compile();
  const clinic = flow("clinic", {
    variables: identify.variables,
    snippets: identify.snippets,
    tools: identify.tools,
    start: "welcome",
  })
    .conversation("welcome", { next: ({ to }) => [to("ask_name", "Caller wants something")] })
    .nodes(identify.nodes)
    .end("identified", { prompt: "Say goodbye to {{caller_name}}." })
    .compile();
  for (const id of ["ask_name", "read_name", "find"] as const) assert.deepEqual(shop.nodes[id], clinic.nodes[id]);

  // @ts-expect-error the flow has no node "identified"
  assert.throws(() => flow("none", { variables: identify.variables }).nodes(identify.nodes).compile());
  // @ts-expect-error the part declares no variable "day"
  part({ variables: identify.variables }, (kit) => [kit.extract("read", { fills: ["day"] })]);
});

test("KitOf types a part of a flow in another file", () => {
  const base = flow("shop", { variables: { topic: choice("Why the caller calls", ["order", "return"]) } });
  const topics = (kit: KitOf<typeof base>) => [
    kit.extract("read_topic", {
      fills: ["topic"],
      next: ({ to, when, otherwise }) => [to("order", when("topic", "==", "order")), otherwise("bye")],
    }),
    kit.conversation("order", { prompt: "Talk about the {{topic}}.", next: ({ to }) => [to("bye", "Done")] }),
  ];
  const graph = base.nodes(topics).end("bye", {}).compile();
  assert.deepEqual(Object.keys(graph.nodes), ["read_topic", "order", "bye"]);

  // @ts-expect-error an edge of the part has no target
  assert.throws(() => base.nodes(topics).compile());
  // @ts-expect-error the flow declares no variable "day"
  const wrong = (kit: KitOf<typeof base>) => [kit.extract("read", { fills: ["day"] })];
  assert.equal(typeof wrong, "function");
});
