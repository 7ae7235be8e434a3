import { fuzzAnswers } from "../../tests/deploy/answer_fuzz.ts";
import { type Figure, sized } from "../figure.ts";

const HANG_MS = 60_000;

/** Answers every request of deployments and of pulling calls wrongly, in every way, for every format. */
export async function fuzzPlatformAnswers(): Promise<readonly Figure[]> {
  const { answers, requests, ...found } = await fuzzAnswers(sized(1, 97), HANG_MS, sized(1, 13));
  const against = `${answers} wrong answers to ${requests} requests of four formats`;
  const figure = (name: string, list: readonly string[]): Figure => {
    for (const place of list.slice(0, 5)) console.error(`${name}: ${place}`);
    return { name: `platform_answers_${name}`, value: list.length, unit: "answers", against, bound: 0 };
  };
  return [
    { name: "platform_answers_documents", value: answers, unit: "answers", against },
    figure("wrong_passes", found.successes),
    figure("raw_errors", [...found.rawErrors, ...found.unnamed]),
    figure("stored", found.stored),
    figure("hangs", found.hangs),
    figure("stuck", found.stuck),
  ];
}
