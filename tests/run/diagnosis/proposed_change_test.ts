import assert from "node:assert/strict";
import { test } from "node:test";
import { applyChanges, type ProposedChange } from "../../../api/calls.ts";
import { flow, text, tool } from "../../../mod.ts";

const desk = flow("desk", {
  prompt: "Be brief. {%manners%}",
  snippets: { manners: "Be kind." },
  variables: { age: text("Age") },
  tools: [tool({ name: "find", description: "Find it" })],
})
  .conversation("greet", {
    prompt: "Greet. Ask for the age. Greet again.",
    tools: ["find"],
    next: ({ to }) => [to("read", "Caller tells"), to("bye")],
  })
  .extract("read", { fills: ["age"], next: ({ to, when }) => [to("bye", when("age", "==", "7")), to("greet")] })
  .end("bye", { prompt: "Say goodbye.", global: { when: "Caller wants to stop" } })
  .compile();

const at = (change: ProposedChange) => applyChanges(desk, [change]);

test("applyChanges() makes each change in a copy, and leaves the rest as it is", () => {
  const before = JSON.stringify(desk);
  const one = at({ verb: "replace_text", node: "greet", find: "the age", text: "the year" });
  assert.equal(one.nodes.greet?.state_prompt, "Greet. Ask for the year. Greet again.");
  const general = at({ verb: "replace_text", node: null, find: "brief", text: "short" });
  assert.equal(general.source_metadata.general_prompt, "Be short. {%manners%}");
  assert.equal(at({ verb: "set_prompt", node: "bye", text: "Bye." }).nodes.bye?.state_prompt, "Bye.");
  assert.equal(at({ verb: "set_general_prompt", text: "Be." }).source_metadata.general_prompt, "Be.");
  assert.equal(at({ verb: "set_snippet", name: "manners", text: "Be nice." }).snippets.manners, "Be nice.");
  const global = at({ verb: "set_global_condition", node: "bye", text: "Caller leaves" });
  assert.equal(global.nodes.bye?.global_node_setting?.condition, "Caller leaves");
  const always = at({ verb: "set_condition", node: "greet", transition: 1, text: "Caller leaves" });
  assert.deepEqual(always.nodes.greet?.transitions[1]?.condition, { type: "llm_prompt", value: "Caller leaves" });
  const equation = at({
    verb: "set_equation",
    node: "read",
    transition: 0,
    clause: 0,
    name: "age",
    operator: ">=",
    text: "7",
  });
  assert.deepEqual(equation.nodes.read?.transitions[0]?.condition.equations, [
    { left: "age", operator: ">=", right: "7" },
  ]);
  const added = at({ verb: "add_transition", node: "read", target: "read", text: "Caller repeats" });
  assert.equal(added.nodes.read?.transitions[2]?.condition.value, "Caller repeats");
  const moved = at({ verb: "retarget", node: "read", transition: 1, target: "bye" });
  assert.deepEqual(
    moved.nodes.read?.transitions.map((edge) => edge.target_node_id),
    ["bye", "bye"],
  );
  const removed = at({ verb: "remove_transition", node: "greet", transition: 0 });
  assert.deepEqual(
    removed.nodes.greet?.transitions.map((edge) => edge.target_node_id),
    ["bye"],
  );
  const variable = at({ verb: "describe_variable", node: "read", name: "age", text: "Age in years" });
  assert.equal(variable.nodes.read?.variables_to_extract[0]?.description, "Age in years");
  const described = at({ verb: "describe_tool", name: "find", text: "Find the order" });
  assert.equal(described.nodes.greet?.tools[0]?.description, "Find the order");
  assert.equal(JSON.stringify(desk), before);
});

test("applyChanges() throws unfit-change for a change that does not fit", () => {
  const unfit: readonly ProposedChange[] = [
    { verb: "replace_text", node: "greet", find: "Greet", text: "Welcome" }, // twice
    { verb: "replace_text", node: "nobody", find: "Greet", text: "Welcome" },
    { verb: "set_prompt", node: "greet", text: " " },
    { verb: "set_prompt", node: "bye", text: "Say goodbye." }, // nothing changes
    { verb: "set_snippet", name: "unknown", text: "x" },
    { verb: "set_condition", node: "read", transition: 0, text: "x" }, // an equation
    { verb: "set_global_condition", node: "greet", text: "x" },
    { verb: "set_equation", node: "greet", transition: 0, clause: 0, name: "age", operator: "==", text: "7" },
    { verb: "add_transition", node: "greet", target: "nobody", text: "x" },
    { verb: "retarget", node: "greet", transition: 5, target: "bye" },
    { verb: "remove_transition", node: "greet", transition: -1 },
    { verb: "describe_variable", node: "greet", name: "age", text: "x" },
    { verb: "describe_tool", name: "unknown", text: "x" },
  ];
  for (const change of unfit) assert.throws(() => at(change), { code: "unfit-change" }, JSON.stringify(change));
});
