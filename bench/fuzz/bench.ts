import type { Figure } from "../figure.ts";
import { fuzzCallbackReturns } from "./callbacks.ts";
import { fuzzDocuments } from "./documents.ts";
import { fuzzEnvironment } from "./environment.ts";
import { fuzzGrowth } from "./growth.ts";
import { fuzzModelAnswers } from "./model_answers.ts";
import { fuzzPlatformAnswers } from "./platform_answers.ts";
import { fuzzScenarioJson } from "./scenario_json.ts";

/** The fuzz targets, one per file. The figures of all but the first begin with the file's name. */
const PARTS: readonly (() => Promise<readonly Figure[]>)[] = [
  fuzzDocuments,
  fuzzScenarioJson,
  fuzzEnvironment,
  fuzzModelAnswers,
  fuzzPlatformAnswers,
  fuzzCallbackReturns,
  fuzzGrowth,
];

/** Feeds damaged input to every part of Callweave that reads external data. */
export async function* bench(): AsyncIterable<Figure> {
  const all: Figure[] = [];
  for (const part of PARTS) {
    const figures = await part();
    all.push(...figures);
    yield* figures;
  }
  for (const name of ["wrong_passes", "lost_results"]) {
    const parts = all.filter((figure) => figure.name.endsWith(`_${name}`));
    const value = parts.reduce((sum, figure) => sum + figure.value, 0);
    yield { name, value, unit: "runs", against: `the sum of ${parts.map((part) => part.name).join(", ")}`, bound: 0 };
  }
}
