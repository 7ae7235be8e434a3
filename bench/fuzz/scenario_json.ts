import { fuzzScenarios } from "../../tests/scenario_fuzz.ts";
import { type Figure, sized } from "../figure.ts";

const DOCUMENTS = sized(4_000, 40);
const HANG_MS = 10_000;

/** Runs damaged scenario documents whose expectations do not hold: each must be rejected or fail. */
export async function fuzzScenarioJson(): Promise<readonly Figure[]> {
  const { documents, refused, wrongPasses, rawErrors, hangs, lost } = await fuzzScenarios(DOCUMENTS, 11, HANG_MS);
  const against = `${documents} damaged scenarios that expect what does not hold; ${refused} were refused`;
  const figure = (name: string, value: number, bound?: number): Figure => ({
    name: `scenario_json_${name}`,
    value,
    unit: "documents",
    against,
    ...(bound === undefined ? {} : { bound }),
  });
  return [
    figure("documents", documents),
    figure("wrong_passes", wrongPasses.length, 0),
    figure("raw_errors", rawErrors.length, 0),
    figure("hangs", hangs, 0),
    figure("lost_results", lost, 0),
  ];
}
