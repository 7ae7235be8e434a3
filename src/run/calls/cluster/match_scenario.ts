import type { Scenario } from "../../../document/scenario/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import { sentencesOf, wantedText } from "./requests.ts";
import { meanOf, similarityTo, wordSpace } from "./vectors.ts";

/** Returns the name of the scenario whose caller wants what the caller of this call wants; `null` if there is none. */
export type ScenarioMatcher = (transcript: readonly Message[]) => string | null;

/** Least similarity of a caller's request to a sentence of a scenario: above that of texts with one word in common. */
const SIMILARITY = 0.3;
/** Words that occur in one text are ignored where there are many texts; a scenario's own words must count. */
const WEIGHT = 2;

/**
 * Compares calls with scenarios by the words of what the caller wants. The answer depends only on the call and the
 * scenarios, not on other calls: a call has the same scenario whenever it is compared.
 */
export function matchScenario(scenarios: readonly Scenario[]): ScenarioMatcher {
  const sentences = scenarios.flatMap((each) => sentencesOf(each).map((text) => ({ text, name: each.name })));
  const texts = [...new Set(sentences.map(({ text }) => text))];
  const space = wordSpace(texts.map((text) => ({ text, weight: WEIGHT })));
  const vectors = new Map(texts.map((text, index) => [text, space.vectors[index]]));
  return (transcript) => {
    const request = meanOf([space.vectorOf(wantedText(transcript))], [1], space.size);
    let best: { readonly name: string; readonly likeness: number } | undefined;
    for (const { text, name } of sentences) {
      const vector = vectors.get(text);
      const likeness = vector ? similarityTo(request, vector) : 0;
      if (likeness >= SIMILARITY && likeness > (best?.likeness ?? 0)) best = { name, likeness };
    }
    return best?.name ?? null;
  };
}
