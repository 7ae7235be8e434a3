import { formats } from "../../platforms/mod.ts";
import { faultsOf, randomEdits } from "../../tests/agent/analysis/edit/edit_law.ts";
import { sharedAgents } from "../../tests/dsl/eject/_shared.ts";
import { type Figure, sized } from "../figure.ts";

/** Number of sequences for each agent; each begins with another verb. */
const SEQUENCES = sized(7, 1);
const STEPS = 4;
/** Every agent, or every so manieth of them. */
const EACH = sized(1, 40);

/** Emits every published agent in every format after sequences of random edits, and checks the lens laws. */
export async function bench(): Promise<readonly Figure[]> {
  let [cases, faults] = [0, 0];
  for (const { name, graph, format } of sharedAgents().filter((_, index) => index % EACH === 0))
    for (let seed = 0; seed < SEQUENCES; seed++) {
      const edits = randomEdits(graph, STEPS, seed);
      for (const { name: target, emits } of formats()) {
        const found = emits && edits.length > 0 ? faultsOf({ graph, format, target, edits }) : undefined;
        cases += found ? 1 : 0;
        faults += found?.length ?? 0;
        if (found && found.length > 0) console.error(`${name} as ${target}, seed ${seed}: ${found.join("; ")}`);
      }
    }
  const against = `${SEQUENCES} sequences of ${STEPS} edits on every shared agent, in every format that holds it`;
  return [
    { name: "edit_cases", value: cases, unit: "documents", against },
    { name: "edit_faults", value: faults, unit: "faults", against, bound: 0 },
  ];
}
