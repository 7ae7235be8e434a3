import * as v from "valibot";
import { UsageError } from "../../../base/errors.ts";
import { parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import type { PriceTable } from "../../../call/models/mod.ts";

const price = v.pipe(v.number(), v.minValue(0));
const Prices = v.record(v.string(), v.object({ input: price, output: price }));

/**
 * Reads prices by model, in US dollars for a million tokens: `{ "ollama/llama": { "input": 0, "output": 0 } }`.
 *
 * @throws {UsageError} `unreadable-file`, `invalid-json`, `wrong-type`.
 */
export async function readPrices(path: string): Promise<PriceTable> {
  const value = parseJsonFile(path, await readTextFile(path));
  if (v.is(Prices, value)) return value;
  throw new UsageError(`Cannot read "${path}": it does not contain prices`, {
    code: "wrong-type",
    hint: 'Write dollars for a million tokens by model: { "ollama/llama": { "input": 0.2, "output": 0.4 } }',
  });
}
