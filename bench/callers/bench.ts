import { flow, run, scenario, scripted } from "../../mod.ts";
import { createRandom } from "../../src/base/values/mod.ts";
import { type Figure, sized } from "../figure.ts";
import { type PlantedCall, plantCalls } from "./planted.ts";

const CALLS = sized(400, 32);
/** Share of wrong verdicts that is accepted: an audit of words is no proof. */
const MOST_WRONG = 0.05;

/** Callers that show or ignore a trait, in calls that are held and audited like all others. */
export async function bench(): Promise<readonly Figure[]> {
  const counts = { found: 0, missed: 0, wrong: 0, right: 0 };
  const byTrait = new Map<string, number>();
  for (const call of plantCalls(CALLS, createRandom("callers"))) {
    const isInvalid = await isFound(call);
    if (isInvalid !== call.obeys) counts[isInvalid ? "found" : "right"] += 1;
    else {
      counts[isInvalid ? "wrong" : "missed"] += 1;
      byTrait.set(call.trait, (byTrait.get(call.trait) ?? 0) + 1);
      console.error(
        `${call.trait}, ${call.obeys ? "obeys" : "ignores"}: ${call.caller.map(({ message }) => message).join(" | ")}`,
      );
    }
  }
  const { found, missed, wrong, right } = counts;
  const mistakes = [...byTrait].map(([trait, count]) => `${count} of ${trait}`).join(", ") || "none";
  const against = `${CALLS} planted callers: ${found} found, ${missed} missed, ${right} rightly let be, ${wrong} wrongly found; mistakes: ${mistakes}`;
  return [
    {
      name: "callers_precision_lost",
      value: 1 - found / Math.max(1, found + wrong),
      unit: "share",
      against,
      bound: MOST_WRONG,
    },
    {
      name: "callers_recall_lost",
      value: 1 - found / Math.max(1, found + missed),
      unit: "share",
      against,
      bound: MOST_WRONG,
      counted: true,
    },
  ];
}

const desk = flow("desk")
  .conversation("talk", { prompt: "Answer.", next: ({ to }) => [to("bye", "Everything is said")] })
  .end("bye", { text: "Goodbye." })
  .compile();

/** Whether the call is invalid, because the caller does not show its trait. */
async function isFound({ traits, agent, caller }: PlantedCall): Promise<boolean> {
  const models = {
    agent: scripted({
      respond: [...agent, ...Array(20).fill("All right.")],
      transition: Array(30).fill({ objectives_complete: false, transition_to: "" }),
    }),
    caller: scripted({ caller: [...caller] }),
  };
  const talks = scenario("talks", desk).persona("You want to send your shoes back.").caller(traits).visits("talk");
  const report = await run(desk, [talks.turns(caller.length)], { models, store: false });
  const [first] = report.results;
  if (first?.status === "error") throw new Error(first.errorMessage ?? "");
  return first?.status === "invalid" && first.audit?.findings[0]?.kind === "trait-not-shown";
}
