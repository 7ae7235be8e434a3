import assert from "node:assert/strict";
import { test } from "node:test";
import * as cw from "../../mod.ts";

type Loose<Result> = (...args: readonly unknown[]) => Result;
type LooseFlow = {
  readonly [Method in "conversation" | "extract" | "function" | "global" | "end" | "nodes"]: Loose<LooseFlow>;
} & { readonly compile: () => unknown };
interface LooseKit {
  readonly to: Loose<unknown>;
  readonly when: Loose<{ readonly and: Loose<unknown> }>;
}

/** The SDK as plain JavaScript sees it: no types. */
const { flow, text, choice, number, tool, scenario } = cw as unknown as {
  readonly flow: Loose<LooseFlow>;
  readonly scenario: Loose<{ readonly [method: string]: Loose<unknown> }>;
} & { readonly [Name in "text" | "choice" | "number" | "tool"]: Loose<unknown> };

/** Codes and paths of everything that is thrown, in order. */
function found(work: () => unknown, name = "FlowError"): readonly string[] {
  let problems: readonly string[] = [];
  assert.throws(work, (error) => {
    assert.ok(cw.isCallweaveError(error), String(error));
    assert.equal(error.name, name);
    assert.ok(error.issues.every(({ hint }) => hint !== ""));
    problems = error.issues.map(({ code, path }) => `${code} ${path.join(".")}`);
    return true;
  });
  return problems;
}

test("compile() reports every wrong name and text of untyped code at once", () => {
  const built = flow("shop", {
    prompt: 3,
    startSpeaker: "nobody",
    variables: { "": text("d"), age: "number", name: text() },
    tools: [{ name: "find", description: "not made by tool()" }],
    snippets: { hours: 9 },
    beginMesage: "Hi",
  })
    .conversation(7, { prompt: null })
    .conversation("", { promt: "Hi" })
    .end("bye", "Say goodbye");
  assert.deepEqual(
    found(() => built.compile()),
    [
      "invalid-option shop.prompt",
      "invalid-option shop.startSpeaker",
      "invalid-option shop.snippets",
      "invalid-option shop.beginMesage",
      "empty-name shop.variables",
      "wrong-type shop.variables.age",
      "wrong-type shop.variables.name",
      "wrong-type shop.tools.0",
      "wrong-type shop.7",
      "invalid-option shop.7.prompt",
      "empty-name shop.",
      "invalid-option shop..promt",
      "invalid-option shop.bye",
    ],
  );
});

test("compile() accepts ids that are also option names", () => {
  const built = flow("tools", { prompt: "You speak for a shop.", tools: 5 })
    .conversation("prompt", { prompt: "Greet.", tools: 5 })
    .global("when", { prompt: "Help.", text: 7 });
  assert.deepEqual(
    found(() => built.compile()),
    [
      "invalid-option tools.tools",
      "invalid-option tools.prompt.tools",
      "invalid-option tools.when.text",
      "invalid-option tools.when.when",
    ],
  );
});

test("compile() reports wrong choices and defaults", () => {
  const variables = {
    none: choice("d", []),
    missing: choice("d"),
    twice: choice("d", ["a", "b", "a"]),
    blank: choice("d", ["a", " "]),
    other: choice("d", ["a"], { default: "b" }),
    age: number("d", { default: "old" }),
    digits: choice("d", [1, 2], { default: 2 }),
  };
  assert.deepEqual(
    found(() => flow("shop", { variables }).end("bye", {}).compile()),
    [
      "no-choices shop.variables.none",
      "wrong-type shop.variables.missing",
      "duplicate-choice shop.variables.twice.2",
      "wrong-type shop.variables.blank.1",
      "unknown-choice shop.variables.other",
      "wrong-type shop.variables.age",
    ],
  );
});

test("compile() reports values that are not edges, with their paths", () => {
  const variables = { intent: cw.choice("d", ["book"]) };
  const next = ({ to, when }: LooseKit) => [
    "bye",
    to("bye", 7),
    to(7),
    to("bye", "Caller is done", { timing: "soon", descripton: "d" }),
    to("bye", when("intent", "===", "book")),
    to("bye", when(7, "==", "book")),
    to("bye", when("intent", "==", "book").and(null)),
    undefined,
  ];
  const built = flow("shop", { variables })
    .conversation("a", { next })
    .conversation("b", { next: ({ to }: LooseKit) => to("bye") })
    .conversation("c", { next: "bye" })
    .end("bye", {});
  assert.deepEqual(
    found(() => built.compile()),
    [
      "wrong-type shop.a.transitions.0",
      "invalid-option shop.a.transitions.1",
      "unknown-node shop.a.transitions.2",
      "invalid-option shop.a.transitions.3.timing",
      "invalid-option shop.a.transitions.3.descripton",
      "wrong-type shop.a.transitions.7",
      "wrong-type shop.b.next",
      "invalid-option shop.c.next",
      "equation-mismatch shop.a.transitions.4",
      "equation-mismatch shop.a.transitions.5",
      "equation-mismatch shop.a.transitions.6",
    ],
  );
});

test("compile() reports names listed twice, and global nodes without a condition", () => {
  const find = cw.tool({ name: "find", description: "Finds" });
  const built = flow("shop", { tools: [find], variables: { name: cw.text("d") } })
    .function("look", { tool: "find", tools: ["find"] })
    .extract("ask", { fills: ["name", "name"] })
    .global("help", { prompt: "Help.", goBack: () => [3] })
    .conversation("menu", { global: true });
  assert.deepEqual(
    found(() => built.compile()),
    [
      "duplicate-tool shop.look.tools",
      "duplicate-variable shop.ask.fills",
      "invalid-option shop.help.when",
      "invalid-option shop.menu.global",
      "wrong-type shop.help.goBack.0",
    ],
  );
});

test("values that are not objects or lists are rejected where they are written", () => {
  assert.deepEqual(
    found(() => flow("shop", "You are a shop.")),
    ["invalid-option "],
  );
  for (const nodes of [undefined, ["a"], () => ["a"], () => undefined])
    assert.deepEqual(
      found(() => flow("shop").nodes(nodes)),
      ["wrong-type nodes"],
    );
});

test("tool() reports all problems of a tool at once", () => {
  assert.deepEqual(
    found(() => tool({ name: " ", parameters: "none", execute: {}, responseVariables: { a: 1 } })),
    [
      "invalid-option parameters",
      "invalid-option execute",
      "invalid-option responseVariables",
      "empty-name name",
      "invalid-option description",
    ],
  );
  for (const nothing of [undefined, null, "find", []])
    assert.deepEqual(
      found(() => tool(nothing)),
      ["invalid-option "],
    );
});

test("text() and the other declarations ask for a named default", () => {
  assert.throws(() => text("Name", "Anna"), { code: "invalid-option", message: /the options are "Anna"/ });
});

test("scenario() rejects values of the wrong type where they are written", () => {
  for (const [method, ...args] of [
    ["variables", "Anna"],
    ["extracts", ["Anna"]],
    ["matches", 7],
    ["mock", "find", { output: "", fails: "yes" }],
    ["mock", "find", { output: "", args: null }],
  ] as const)
    assert.deepEqual(
      found(() => scenario("x")[method]?.(...args), "ScenarioError").map((each) => each.split(" ")[0]),
      ["invalid-scenario"],
      method,
    );
  assert.deepEqual(
    found(() => scenario("x").judge?.("polite", 0.9), "ScenarioError"),
    ["invalid-option "],
  );
});
