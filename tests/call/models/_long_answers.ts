/**
 * Reads texts of 700,000 characters that make a search restart at every character. A reader with quadratic time
 * would take minutes for each of them; this program ends within seconds.
 */
import { READERS } from "./long_readers.ts";

const LENGTH = 700_000;

const PUMPS: readonly (readonly [keyof typeof READERS, string])[] = [
  ["evidence", "!"],
  ["evidence", "a\n"],
  ["evidence in a transcript", "a"],
  ["included words", "a"],
  ["answers", "{"],
  ["answers", "```"],
  ["cut answers", '[{"a":"'],
  ["replies", "<think></"],
  ["replies", '{"event":'],
  ["refusals", "<"],
  ["replies to a rule-based caller", "a "],
  ["replies before a rule-based decision", "a"],
  ["replies to a rule-based judge", "“"],
  ["callers' words", "a"],
  ["callers' words", "A-"],
  ["callers' words", "a-"],
  ["callers' words", "."],
];

for (const [what, pump] of PUMPS) {
  console.error(`${what}: ${JSON.stringify(pump)}`); // the last one is the one that did not come to its end
  READERS[what](`${pump.repeat(LENGTH / pump.length)}z`);
}
