/** What the compiler says of mistakes in flows: `messages_test.ts` holds each of these to what is printed. */
import { boolean, choice, flow, number, scenario, text, tool } from "../../dsl/mod.ts";

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

// Names that are known: nothing is said.
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

// Ids and texts that only the program knows: compile() looks at them.
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

// Targets
const start = shop.conversation("greet", { next: ({ to }) => [to("bookng"), to("by", "Caller is done")] });
// @ts-expect-error node \"bookng\" is not declared (edge \"greet -> bookng\")
start.compile();
// @ts-expect-error node \"by\" is not declared (edge \"greet -> by\")
start.compile();
// @ts-expect-error node \"hello\" is not declared (edge \"start -> hello\")
flow("x", { start: "hello" }).end("bye", {}).compile();
// @ts-expect-error a flow needs at least one node
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
shop.nodes(({ end }) => [end("bye", { prompt: "Bye {{nam}}" })]);
// Of the edges of a node with a mistake nothing is said.
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
// @ts-expect-error Type '"lok_up"' is not assignable to type '"look_up"'
shop.function("find", { tool: "lok_up" });
// @ts-expect-error Type '"lok_up"' is not assignable to type '"look_up"'
shop.conversation("greet", { tools: ["lok_up"] });
// @ts-expect-error end nodes have no edges
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
// @ts-expect-error Argument of type '"lok_up"' is not assignable
scenario("x", graph).calls("lok_up");
// @ts-expect-error Argument of type '"lok_up"' is not assignable
scenario("x", graph).mock("lok_up", "ok");
