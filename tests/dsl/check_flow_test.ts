import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, flow, number, text, tool } from "../../dsl/mod.ts";
import { FlowError } from "../../src/base/errors.ts";

/** A flow as plain JavaScript has it: the compiler knows none of its names. */
interface Untyped {
  readonly [method: string]: (...args: readonly unknown[]) => Untyped;
}

function untyped(options: object = {}): Untyped {
  const begin: unknown = flow;
  return (begin as (name: string, options: object) => Untyped)("shop", options); // what JavaScript can do
}

function issuesOf(built: Untyped): FlowError["issues"] {
  try {
    built.compile?.();
  } catch (error) {
    assert.ok(error instanceof FlowError);
    return error.issues;
  }
  return [];
}

const variables = { name: text("Name"), age: number("Age"), intent: choice("Why", ["book", "cancel", "age"]) };
const codes = (built: Untyped) => issuesOf(built).map(({ code, path }) => [code, path.join(".")]);

test("compile() reports all problems at once", () => {
  const find = tool({ name: "find", description: "Finds" });
  const built = untyped({
    variables,
    snippets: { hi: "Hi {{nam}}" },
    tools: [find, find],
    start: "begin",
    prompt: "{%ho%}",
  })
    .conversation?.("greet", {
      prompt: "{{name}} {{nope}} {{current_time}}",
      tools: ["fnd"],
      next: ({ to }: { to: (id: string) => unknown }) => [to("bookng")],
    })
    .extract?.("ask", { fills: ["intnt"] })
    .end?.("bye", { next: ({ to }: { to: (id: string) => unknown }) => [to("greet")] })
    .end?.("bye", {});
  assert.ok(built);
  assert.deepEqual(codes(built), [
    ["unknown-tool", "shop.greet"],
    ["unknown-variable", "shop.ask"],
    ["duplicate-node", "shop.bye"],
    ["duplicate-tool", "shop.tools"],
    ["end-with-edges", "shop.bye"],
    ["unknown-node", "shop.start"],
    ["unknown-node", "shop.greet.transitions.0"],
    ["unknown-snippet", "shop.prompt"],
    ["unknown-variable", "shop.snippets.hi"],
    ["unknown-variable", "shop.greet.prompt"],
  ]);
});

test("compile() names the flow, the node and the fix in its error", () => {
  const built = untyped().conversation?.("greet", {
    next: ({ to }: { to: (id: string) => unknown }) => [to("bookng")],
  });
  assert.throws(() => built?.compile?.(), {
    message: 'Cannot compile flow "shop": node "bookng" is not declared',
    code: "unknown-node",
    path: ["shop", "greet", "transitions", 0],
    hint: 'Declare node "bookng" or change the transition of "greet"',
  });
});

test("compile() checks the texts of conditions", () => {
  const built = untyped({ variables }).global?.("greet", {
    when: "{{nam}} asks",
    goBack: ["{{name}} is done", "{%done%}"],
    next: ({ to }: { to: (id: string, condition: string) => unknown }) => [to("greet", "{{intnt}} is known")],
  });
  assert.ok(built);
  assert.deepEqual(codes(built), [
    ["unknown-variable", "shop.greet.transitions.0"],
    ["unknown-variable", "shop.greet.global.when"],
    ["unknown-snippet", "shop.greet.global.goBack.1"],
  ]);
});

test("compile() rejects a flow without nodes", () => {
  assert.deepEqual(codes(untyped()), [["empty-flow", "shop"]]);
});

for (const [clause, code] of [
  [["nam", "==", "x"], "unknown-variable"],
  [["intent", "==", "bok"], "unknown-choice"],
  [["intent", ">", 3], "equation-mismatch"],
  [["age", ">", "old"], "equation-mismatch"],
  [["age", ">"], "equation-mismatch"],
  [["age", "=>", 3], "equation-mismatch"],
  [["intent", "==", "age"], undefined], // a choice that is called like a variable
  [["age", ">", { variable: "nme" }], "unknown-variable"],
  [["name", "==", "no-{{nme}}"], "unknown-variable"],
  [["name", "==", "no-{{age}}"], undefined],
  [["age", "==", "18"], undefined],
  [["age", ">", { variable: "name" }], undefined],
  [["name", "exists"], undefined],
  [["intent", "==", "book"], undefined],
] as const) {
  test(`compile() reports ${code ?? "nothing"} for the equation ${JSON.stringify(clause)}`, () => {
    const next = ({ to, when }: { to: (...args: unknown[]) => unknown; when: (...args: unknown[]) => unknown }) => [
      to("route", when(...clause)),
    ];
    const built = untyped({ variables }).logic?.("route", { next });
    assert.ok(built);
    assert.deepEqual(codes(built), code ? [[code, "shop.route.transitions.0"]] : []);
  });
}

test("missing names are unknown names, not crashes", () => {
  interface Kit {
    readonly to: (...args: readonly unknown[]) => unknown;
    readonly when: (...args: readonly unknown[]) => unknown;
  }
  const next = ({ to, when }: Kit) => [to(), to(undefined, "Caller is done"), to("a", when("age"))];
  assert.deepEqual(codes(untyped({ variables }).conversation?.("a", { prompt: "Hi.", next }) ?? untyped()), [
    ["unknown-node", "shop.a.transitions.0"],
    ["unknown-node", "shop.a.transitions.1"],
    ["equation-mismatch", "shop.a.transitions.2"],
  ]);
});

test("compile() checks both nodes when two have the same id", () => {
  const goes = (value: string) => ({
    next: ({ to, when }: { to: (...edge: unknown[]) => unknown; when: (...clause: unknown[]) => unknown }) => [
      to("greet", when("intent", "==", value)),
    ],
  });
  const built = untyped({ variables }).conversation?.("greet", goes("bok")).conversation?.("greet", goes("cancl"));
  assert.ok(built);
  assert.deepEqual(
    issuesOf(built).map(({ code, message }) => `${code}: ${message}`),
    [
      'duplicate-node: node "greet" is declared twice',
      'unknown-choice: equation "intent == "bok"" compares with a value that is not a choice of "intent"',
      'unknown-choice: equation "intent == "cancl"" compares with a value that is not a choice of "intent"',
    ],
  );
});

test("compile() rejects a node with both a prompt and a text", () => {
  const built = flow("shop").conversation("greet", { text: "Hello!", prompt: "Greet the caller." });
  assert.throws(() => built.compile(), { code: "prompt-and-text", path: ["shop", "greet"] });
});
