import { fuzzCallbacks } from "../../tests/callback_fuzz.ts";
import { type Figure, sized } from "../figure.ts";

const RUNS = sized(2_400, 24);
const HANG_MS = 20_000;

/** Runs scenarios that must fail, with callbacks that throw, never settle or return invalid values. */
export async function fuzzCallbackReturns(): Promise<readonly Figure[]> {
  // damaged answers cause warnings, which the AI SDK would print between the figures
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { runs, told, wrongPasses, rawErrors, hangs, lost } = await fuzzCallbacks(RUNS, {
    seed: 5,
    limitMs: HANG_MS,
    waits: true,
  });
  const against = `${runs} runs, each with a callback that misbehaves; ${told} said so`;
  const figure = (name: string, value: number, bound?: number): Figure => ({
    name: `callbacks_${name}`,
    value,
    unit: "runs",
    against,
    ...(bound === undefined ? {} : { bound }),
  });
  return [
    figure("runs", runs),
    figure("wrong_passes", wrongPasses.length, 0),
    figure("raw_errors", rawErrors.length, 0),
    figure("hangs", hangs.length, 0),
    figure("lost_results", lost.length, 0),
  ];
}
