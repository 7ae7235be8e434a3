import { test } from "node:test";
import { ownPartOf, sampled } from "../fast_check.ts";
import { drive } from "./model.ts";
import { FORMATS } from "./world.ts";

for (const [first, second = first] of ownPartOf(FORMATS))
  test(`random edits, applies, failures, ways back and changes between ${first} and ${second} lose nothing`, async () => {
    for (let seed = 1; seed <= sampled(6); seed++) await drive(seed % 2 === 0 ? first : second, seed, 16);
  });
