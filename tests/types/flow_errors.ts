/** Compiler messages for mistakes in flows: `messages_test.ts` compares each of these with the compiler's output. */
import * as v from "valibot";
import * as z from "zod";
import { boolean, choice, flow, number, scenario, text, tool } from "../../dsl/mod.ts";
import { emit, importAgent } from "../../platforms/mod.ts";
import { check } from "../../src/agent/check/mod.ts";

const lookUp = tool({ name: "look_up", description: "Finds the caller", responseVariables: { status: "$.status" } });
const shop = flow("shop", {
  variables: {
    caller_name: text("Caller's name"),
    intent: choice("Why the caller calls", ["book", "cancel"]),
    age: number("Caller's age"),
    member: boolean("Whether the caller is a member"),
  },
  snippets: { polite: "Stay polite with {{caller_name}}" },
  tools: [lookUp],
});

// Known names: no message.
shop
  .conversation("greet", {
    prompt: "Hi {{caller_name}}, {{ age }}, {{status}}, {{current_time_Europe/Berlin}}, {{customer.number}} {%polite%}",
    tools: ["look_up"],
    next: ({ to, when, otherwise }) => [
      to("bye", "Caller is done", { description: "The end" }),
      to(
        "bye",
        when("age", ">=", 18)
          .and(when("member", "==", true))
          .and("intent", "exists"),
      ),
      to("bye", when("intent", "==", "book").or("age", "<", 3)),
      to("bye", when("caller_name", "!=", { variable: "status" })),
      to("bye", { timing: "skip_response" }),
      otherwise("greet"),
    ],
  })
  .end("bye", { text: "Goodbye" })
  .compile();

// Ids and texts known only at run time: compile() checks them.
const ids: readonly string[] = ["a", "b"];
const prompt: string = "Hi {{anything}}";
shop
  .nodes(({ conversation }) => ids.map((id) => conversation(id, { prompt, next: ({ to }) => [to(id)] })))
  .nodes(({ end }) => [end(`${ids[0]}`, {}), end(`${ids[1]}`, {})])
  .conversation(prompt, { next: ({ to }) => [to("bye"), to(prompt)] })
  .end("bye", {})
  .compile();
// An id with an arrow in it is an ordinary one.
shop
  .conversation("a -> b", { next: ({ to }) => [to("a -> b"), to("c -> d")] })
  .end("c -> d", {})
  .compile();

// Targets: the graph still has its type, so there are no further messages
const start = shop.conversation("greet", { next: ({ to }) => [to("bookng"), to("by", "Caller is done")] });
// @ts-expect-error "node \"bookng\" is not declared (edge \"greet -> bookng\")", "node \"by\" is not declared (edge \"greet -> by\")"
const incomplete = start.compile();
scenario("x", incomplete).visits("greet");
// @ts-expect-error Property '"node \"hello\" is not declared (edge \"start -> hello\")"' is missing
flow("x", { start: "hello" }).end("bye", {}).compile();
// @ts-expect-error Property '"a flow needs at least one node"' is missing
flow("x").compile();

// Placeholders and snippets
// @ts-expect-error {{caller_nam}} is not declared in variables
shop.conversation("greet", { prompt: "Hi {{caller_nam}}" });
// @ts-expect-error {{status_code}} is not declared in variables
shop.end("bye", { text: "Your status is {{status}}, {{ status_code }}" });
// @ts-expect-error {%polit%} is not declared in snippets
shop.conversation("greet", { prompt: "Hi {{caller_name}} {%polit%}" });
// @ts-expect-error {{nam}} is not declared in variables
flow("x", { prompt: "You speak with {{nam}}", variables: { name: text("Name") } });
// @ts-expect-error {{nam}} is not declared in variables
flow("x", { snippets: { hi: "Hi {{nam}}" }, variables: { name: text("Name") } });
// @ts-expect-error {{nam}} is not declared in variables
flow("x", { prompt: "You are friendly.", beginMessage: "Hi {{nam}}" });
// @ts-expect-error {{nam}} is not declared in variables
shop.end("bye", { prompt: "{{age}}, {{age}}, {{age}}, {{age}}, { 5 } and {{nam}}" });
// @ts-expect-error {{nam}} is not declared in variables
shop.nodes(({ end }) => [end("bye", { prompt: "Bye {{nam}}" })]);
// No message about the edges of a node with another mistake.
shop.conversation("greet", {
  // @ts-expect-error {{nam}} is not declared in variables
  prompt: "Hi {{nam}}",
  next: ({ to }) => [to("bye", "Caller is done")],
});
shop.nodes(({ extract }) => [
  extract("ask", {
    // @ts-expect-error Type '"intnt"' is not assignable to type
    fills: ["intnt"],
    next: ({ to }) => [to("bye")],
  }),
]);

// Ids
// @ts-expect-error node \"bye\" is declared twice
shop.end("bye", {}).end("bye", {});
const list = shop.nodes(({ conversation, end }) => [conversation("bye", { prompt: "Bye" }), end("bye", {})]);
// @ts-expect-error node \"bye\" is declared twice
list.compile();
const parts = shop.end("bye", {}).nodes(({ end }) => [end("bye", {})]);
// @ts-expect-error node \"bye\" is declared twice
parts.compile();

// Equations
// @ts-expect-error Argument of type '"intnt"' is not assignable
shop.logic("route", { next: ({ to, when }) => [to("bye", when("intnt", "==", "book"))] });
// @ts-expect-error Argument of type '">"' is not assignable
shop.logic("route", { next: ({ to, when }) => [to("bye", when("intent", ">", "book"))] });
// @ts-expect-error Argument of type '"bok"' is not assignable
shop.logic("route", { next: ({ to, when }) => [to("bye", when("intent", "==", "bok"))] });
// @ts-expect-error is not assignable to parameter of type 'number
shop.logic("route", { next: ({ to, when }) => [to("bye", when("age", ">", "18"))] });
// @ts-expect-error Argument of type '"yes"' is not assignable
shop.logic("route", { next: ({ to, when }) => [to("bye", when("member", "==", "yes"))] });
// @ts-expect-error Type '"agee"' is not assignable
shop.logic("route", { next: ({ to, when }) => [to("bye", when("age", ">", { variable: "agee" }))] });
// @ts-expect-error Expected 3 arguments, but got 2
shop.logic("route", { next: ({ to, when }) => [to("bye", when("age", ">"))] });
// @ts-expect-error Expected 2 arguments, but got 3
shop.logic("route", { next: ({ to, when }) => [to("bye", when("age", "exists", 18))] });
// @ts-expect-error Type '"agee"' is not assignable
shop.logic("route", { next: ({ to, when }) => [to("bye", when("member", "==", true).and("agee", ">", 1))] });
// @ts-expect-error Property 'or' does not exist on type 'AllOf
shop.logic("r", { next: ({ to, when }) => [to("b", when("age", ">", 1).and("age", "<", 9).or("age", "exists"))] });

// Names of variables and tools, and what a node cannot have
// @ts-expect-error Type '"intnt"' is not assignable
shop.extract("ask", { fills: ["intnt"] });
// @ts-expect-error tool \"lok_up\" is not declared in tools
shop.function("find", { tool: "lok_up" });
// @ts-expect-error tool \"lok_up\" is not declared in tools
shop.conversation("greet", { tools: ["look_up", "lok_up"] });
// @ts-expect-error tool \"look_up\" is not declared in tools
flow("without tools").function("find", { tool: "look_up" });
// @ts-expect-error tool \"look_up\" is not declared in tools
flow("without tools").nodes(({ global }) => [global("help", { when: "Caller asks", tools: ["look_up"] })]);
// @ts-expect-error Type '"1-800-OWNER"' is not assignable
shop.transfer("owner", { to: "1-800-OWNER" });
// @ts-expect-error end nodes have no transitions
shop.end("bye", { next: () => [] });

// Scenarios
const graph = shop
  .conversation("greet", { prompt: "Hi", next: ({ to }) => [to("bye")] })
  .end("bye", {})
  .compile();
scenario("free").visits("anything").extracts({ any: 1 }).calls("any");
// @ts-expect-error Argument of type '"gret"' is not assignable
scenario("x", graph).visits("greet", "gret");
// @ts-expect-error Expected 1 arguments, but got 0
scenario("x", graph).visits();
// @ts-expect-error Expected 1 arguments, but got 0
scenario("x", graph).avoids();
// @ts-expect-error Expected 1 arguments, but got 0
scenario("x", graph).says();
// @ts-expect-error Expected 1 arguments, but got 0
scenario("x", graph).includes();
// @ts-expect-error Expected 1 arguments, but got 0
scenario("x", graph).excludes();
// @ts-expect-error Expected 1 arguments, but got 0
scenario("x", graph).matches();
const listed: readonly string[] = ["Hi"];
scenario("x", graph)
  .says(...listed)
  .includes(...listed);
scenario("x", graph).check("typed", ({ variables: { intent, age }, nodesVisited }) => {
  const known: "book" | "cancel" | undefined = intent;
  const years: number | undefined = age;
  const first: "greet" | "bye" | undefined = nodesVisited[0];
  return known === "book" && years === 3 && first === "greet";
});
// @ts-expect-error Type 'string' is not assignable to type
scenario("x", graph).check("word", () => "yes");
// @ts-expect-error Property 'inten' does not exist
scenario("x", graph).check("name", ({ variables }) => variables.inten === "book");
// @ts-expect-error Type '"bok"' is not assignable
scenario("x", graph).extracts({ intent: "bok" });
// @ts-expect-error 'inten' does not exist
scenario("x", graph).extracts({ inten: "book" });
// @ts-expect-error tool \"lok_up\" is not declared in tools
scenario("x", graph).calls("lok_up");
// @ts-expect-error tool \"lok_up\" is not declared in tools
scenario("x", graph).mock("lok_up", "ok");

// Arguments and results of tools, by their schemas
const parameters = {
  type: "object",
  properties: {
    id: { type: "string" },
    size: { enum: ["small", "large"] },
    tags: { type: "array", items: { type: "integer" } },
  },
  required: ["id"],
};
tool({
  name: "by_json",
  description: "Looks something up",
  parameters, // known only at run time, so its arguments are anything
  execute: ({ anything }) => anything,
});
const byJson = tool({
  name: "by_json",
  description: "Looks something up",
  parameters: {
    type: "object",
    properties: {
      id: { type: "string" },
      size: { enum: ["small", "large"] },
      tags: { type: "array", items: { type: "integer" } },
    },
    required: ["id"],
  },
  execute: ({ id, size, tags }) => ({ id: id.trim(), large: size === "large", sum: tags?.at(0)?.toFixed() }),
});
const byValibot = tool({
  name: "by_valibot",
  description: "Looks something up",
  parameters: v.object({ id: v.string(), count: v.optional(v.number(), 1) }),
  execute: ({ id, count }) => ({ id: id.trim(), count: count.toFixed() }),
});
const byZod = tool({
  name: "by_zod",
  description: "Looks something up",
  parameters: z.object({ id: z.string(), when: z.object({ day: z.string() }) }),
});
const desk = flow("desk", { tools: [byJson, byValibot, byZod] })
  .transfer("owner", {})
  .compile();
scenario("x", desk)
  .calls("by_json", { size: "large" })
  .calls("by_valibot", { id: "7" })
  .calls("by_zod", { when: {} })
  .mock("by_json", { args: { tags: [1] }, output: { large: true }, times: 1 })
  .mock("by_json", "not found")
  .mock("by_valibot", { count: "2" })
  .mock("by_zod", { anything: 1 })
  .mock("owner", { fails: true });
tool({
  name: "look",
  description: "Looks something up",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  // @ts-expect-error Property 'idd' does not exist
  execute: ({ idd }) => idd,
});
tool({
  name: "look",
  description: "Looks something up",
  parameters: z.object({ id: z.string() }),
  // @ts-expect-error Property 'idd' does not exist
  execute: ({ idd }) => idd,
});
// @ts-expect-error 'idd' does not exist
scenario("x", desk).calls("by_json", { idd: "1" });
// @ts-expect-error '"big"' is not assignable
scenario("x", desk).calls("by_json", { size: "big" });
// @ts-expect-error 'idd' does not exist
scenario("x", desk).calls("by_valibot", { idd: "1" });
// @ts-expect-error Type 'number' is not assignable to type 'string'
scenario("x", desk).calls("by_zod", { when: { day: 1 } });
// @ts-expect-error 'idd' does not exist
scenario("x", desk).mock("by_zod", { args: { idd: "1" }, output: "ok" });
// @ts-expect-error 'outptu' does not exist
scenario("x", desk).mock("by_json", { outptu: { large: true } });
// @ts-expect-error did you mean \"output\"?
scenario("x", desk).mock("by_zod", { outptu: "ok" });
// @ts-expect-error did you mean \"fails\"?
scenario("x").mock("any", { output: "gone", fail: true });
// @ts-expect-error Type 'string' is not assignable to type 'boolean | undefined'
scenario("x", desk).mock("by_json", { output: { large: "yes" } });

// Formats
const format: string = "retell";
emit(graph, format);
emit(graph, importAgent("{}", { format }).format);
check(graph, { target: "vapi-squad" });
// @ts-expect-error there is no format \"retel\"; there are
emit(graph, "retel");
// @ts-expect-error there is no format \"vapi\"
check(graph, { target: "vapi" });
// @ts-expect-error there is no format \"vapi\"
importAgent("{}", { format: "vapi" });
