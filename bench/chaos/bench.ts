import { runChaos } from "../../tests/chaos.ts";
import { type Figure, sized } from "../figure.ts";

/** How 200 scenarios cope with failures of the model's provider. */
export async function bench(): Promise<readonly Figure[]> {
  const { scenarios, requests, faults, lost, hung, wrong, callsOverPolicy, errors } = await runChaos(
    sized(200, 6),
    7,
    sized(1_000, 100),
  );
  const against = `${scenarios} scenarios, ${requests} requests, ${faults} of them answered badly`;
  return [
    { name: "lost", value: lost, unit: "scenarios", against, bound: 0 },
    { name: "hung", value: hung, unit: "scenarios", against, bound: 0 },
    { name: "wrong", value: wrong, unit: "scenarios", against, bound: 0 },
    { name: "calls_over_policy", value: callsOverPolicy, unit: "calls", against, bound: 0 },
    { name: "ended_as_error", value: errors.length, unit: "scenarios", against },
  ];
}
