import { parseGraph } from "../../../../src/document/graph/mod.ts";

const AREAS = ["booking", "change", "cancel", "parking", "spa", "restaurant", "billing", "lost_items"] as const;
/** What is asked in each area, one node after the other. */
const STEPS = ["ask", "find", "confirm", "note"] as const;
/** What the caller asks about in each step, which leads to the next one. */
export const TOPICS = ["price", "day", "address", "receipt"] as const;

/** The reception of a hotel as a document: 41 nodes. */
export const hotel = parseGraph({
  entry_node_id: "reception",
  source_metadata: { name: "hotel reception" },
  nodes: {
    reception: {
      state_prompt: "Greet the caller and ask what it is about.",
      transitions: AREAS.map((area) => ({
        target_node_id: `${area}_ask`,
        condition: { type: "llm_prompt", value: `Caller asks about ${area.replace("_", " ")}` },
      })),
    },
    ...Object.fromEntries(
      AREAS.flatMap((area) =>
        STEPS.map((step, index) => [
          `${area}_${step}`,
          {
            state_prompt: `Do the step "${step}" of ${area.replace("_", " ")}, in one sentence.`,
            transitions: [
              {
                target_node_id: index < 3 ? `${area}_${STEPS[index + 1]}` : `${area}_bye`,
                condition: { type: "llm_prompt", value: `Caller asks about the ${TOPICS[index]}` },
              },
            ],
          },
        ]),
      ),
    ),
    ...Object.fromEntries(AREAS.map((area) => [`${area}_bye`, { node_type: "end", state_prompt: "Say goodbye." }])),
    billing_bye: {
      node_type: "transfer",
      state_prompt: "Say that the accounts answer.",
      metadata: { retell: { transfer_destination: { type: "predefined", number: "+14155550123" } } },
    },
  },
});
