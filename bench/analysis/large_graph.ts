import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";
import { seeded } from "../../tests/platforms/mutate.ts";

const WORDS =
  "ask tell offer confirm write repeat explain caller order parcel invoice date name number address repair price doctor table".split(
    " ",
  );

/** A deterministic graph of a given size: conversations, and every fifth node extracts and routes. */
export function largeGraph(count: number): AgentGraph {
  const random = seeded(count);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const words = (most: number) => Array.from({ length: most }, () => pick(WORDS)).join(" ");
  const id = (index: number) => `node_${index}`;
  const near = (index: number) => id(Math.min(count - 1, index + 1 + Math.floor(random() * 20)));
  const nodes = Array.from({ length: count }, (_, index) => {
    if (index === count - 1) return [id(index), { node_type: "end", state_prompt: "Say goodbye." }] as const;
    if (index % 5 !== 4)
      return [
        id(index),
        {
          state_prompt: words(30),
          transitions: [
            { target_node_id: id(index + 1), condition: { type: "llm_prompt", value: words(6) } },
            { target_node_id: near(index), condition: { type: "llm_prompt", value: words(6) } },
          ],
        },
      ] as const;
    const left = `value_${index}`;
    return [
      id(index),
      {
        node_type: "extract",
        state_prompt: words(10),
        variables_to_extract: [{ name: left, description: words(5), type: "number" }],
        transitions: [
          {
            target_node_id: near(index),
            condition: { type: "equation", equations: [{ left, operator: ">", right: 10 }] },
          },
          { target_node_id: id(index + 1), condition: { type: "always" } },
        ],
      },
    ] as const;
  });
  return parseGraph({ entry_node_id: id(0), nodes: Object.fromEntries(nodes) });
}
