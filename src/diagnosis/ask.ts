import { ModelError } from "../errors.ts";
import type { SignatureName } from "../models/mod.ts";

/** Most times that a model is asked for an answer that fits. */
const MOST_ASKS = 3;

/**
 * Asks a model until its answer fits. Each further time it is told what was wrong with its earlier answers.
 *
 * @throws {ModelError} `model-output` when no answer fits.
 */
export async function askUntilFit<Answer>(
  name: SignatureName,
  ask: (problems: string[]) => Promise<Answer>,
  problemOf: (answer: Answer) => string | undefined,
): Promise<Answer> {
  const problems: string[] = [];
  for (let asked = 0; asked < MOST_ASKS; asked++) {
    const answer = await ask([...problems]);
    const problem = problemOf(answer);
    if (problem === undefined) return answer;
    problems.push(problem);
  }
  throw new ModelError(`Cannot use the answers to "${name}": ${problems.at(-1)}`, {
    code: "model-output",
    path: [name],
    hint: "Use a more capable model for the diagnosis",
  });
}
