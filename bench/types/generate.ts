/** The options of a generated flow. */
export interface FlowSource {
  /** The module's text; it exports `graph`. */
  readonly code: string;
  readonly nodes: number;
  readonly transitions: number;
  readonly equations: number;
}

/** Style of a generated flow: one call per node, or lists of at most 250 nodes. */
export type FlowShape = "chain" | "list";

/**
 * Writes a realistic flow of this many nodes: every node with a prompt that names two variables, one in five
 * an extract or logic node that routes by equations, 2.1 transitions and 1.1 equations a node.
 *
 * @param module Module from which the flow imports `flow`.
 */
export function generateFlow(shape: FlowShape, nodes: number, module: string): FlowSource {
  const calls = Array.from({ length: nodes }, (_, index) => nodeCall(index, nodes));
  const body =
    shape === "chain"
      ? calls.map((call) => `  .${call}`).join("\n")
      : parts(calls, 250)
          .map((part) => `  .nodes((kit) => [\n${part.map((call) => `    kit.${call},`).join("\n")}\n  ])`)
          .join("\n");
  const code = `${HEAD.replace("MODULE", JSON.stringify(module))}${body}\n  .compile();\n`;
  const count = (pattern: RegExp) => code.match(pattern)?.length ?? 0;
  return { code, nodes, transitions: count(/\bto\("/g), equations: count(/\b(?:when|and|or)\("/g) };
}

const HEAD = `import { boolean, choice, flow, number, text, tool } from MODULE;

export const graph = flow("large", {
  prompt: "You answer the phone of {{company}}.",
  variables: {
    company: text("Who is called"),
    caller_name: text("Caller's name"),
    email: text("Caller's address"),
    age: number("Caller's age"),
    order_count: number("Orders so far"),
    vip: boolean("Whether the caller is a known customer"),
    intent: choice("Why the caller calls", ["book", "cancel", "move", "ask", "complain"]),
    mood: choice("How the caller sounds", ["calm", "upset"]),
  },
  snippets: { polite: "Stay polite with {{caller_name}}." },
  tools: [tool({ name: "look_up", description: "Finds the caller", responseVariables: { status: "$.status" } })],
})
`;

function nodeCall(index: number, nodes: number): string {
  const id = (offset: number) => `"node_${Math.min(index + offset, nodes - 1)}"`;
  const prompt = `Step ${index}: ask {{caller_name}} for answer ${index}, as {{company}} does it.`;
  if (index === nodes - 1) return `end(${id(0)}, { prompt: "Thank {{caller_name}} and say goodbye. {%polite%}" })`;
  if (index % 5 === 3) {
    const ways = `to(${id(1)}, when("intent", "==", "book").and("age", ">=", 18)), to(${id(2)}, when("vip", "==", true)), to(${id(3)})`;
    return `extract(${id(0)}, { fills: ["intent", "mood"], prompt: "${prompt}", next: ({ to, when }) => [${ways}] })`;
  }
  if (index % 5 === 4) {
    const ways = `to(${id(1)}, when("email", "exists")), to(${id(4)}, when("mood", "!=", "calm").or("order_count", ">", 3)), to(${id(5)})`;
    return `logic(${id(0)}, { prompt: "${prompt}", next: ({ to, when }) => [${ways}] })`;
  }
  const ways = index % 5 !== 1 ? `, to(${id(7)}, "Caller asks for something else")` : "";
  const next = `({ to }) => [to(${id(1)}, "Caller has answered question ${index}")${ways}]`;
  return `conversation(${id(0)}, { prompt: "${prompt}", next: ${next} })`;
}

function parts<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
