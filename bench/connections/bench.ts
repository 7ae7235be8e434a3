import { tryFaults } from "../../tests/platforms/connections/_faults.ts";
import { FAULTY_PLATFORMS } from "../../tests/platforms/connections/_faulty_platforms.ts";
import { RTC_PLATFORMS } from "../../tests/platforms/connections/_rtc_platforms.ts";
import { VOICE_PLATFORMS } from "../../tests/platforms/connections/_voice_platforms.ts";
import { tryPlanted } from "../../tests/run/verify/_try_planted.ts";
import { type Figure, sized } from "../figure.ts";

/** Scenarios of the help desk with all kinds of messages: a tool, a tool that fails, and a transfer. */
const SCENARIOS = sized(1, 0) === 1 ? [0, 1, 3] : [3];
const EVERY = sized(1, 45);

const PLATFORMS = [...FAULTY_PLATFORMS, ...VOICE_PLATFORMS, ...RTC_PLATFORMS];

/** Faults at every message of each platform's calls, in text and by voice, and random agents that are verified. `npm test` tries a part. */
export async function bench(): Promise<readonly Figure[]> {
  let tried = 0;
  const wrong: string[] = [];
  for (const platform of PLATFORMS) {
    const found = await tryFaults(platform, { scenarios: SCENARIOS, every: EVERY });
    tried += found.tried;
    wrong.push(...found.wrong);
  }
  const verified = await tryPlanted(sized(200, 2));
  for (const words of [...wrong, ...verified.wrong].slice(0, 10)) console.error(words);
  const faults = `${PLATFORMS.length} platforms, ${SCENARIOS.length} calls each, every ${EVERY === 1 ? "" : `${EVERY}th `}fault`;
  const graphs = "random graphs, each with one planted difference";
  return [
    { name: "connection_faults_tried", value: tried, unit: "faults", against: faults },
    { name: "connection_faults_wrong", value: wrong.length, unit: "problems", against: faults, bound: 0 },
    { name: "verify_graphs_tried", value: verified.tried, unit: "graphs", against: graphs },
    { name: "verify_graphs_wrong", value: verified.wrong.length, unit: "problems", against: graphs, bound: 0 },
  ];
}
