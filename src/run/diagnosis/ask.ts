import { ModelError } from "../../base/errors.ts";
import type { SignatureName } from "../../call/models/mod.ts";

/** Maximum number of times a model is asked for a valid answer. */
const MOST_ASKS = 3;

/**
 * Asks a model until its answer is valid. Each repetition tells it what was wrong with its earlier answers.
 *
 * @throws {ModelError} `model-output` when no answer was valid.
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
