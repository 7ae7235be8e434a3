import { test } from "node:test";
import { sampled } from "../fast_check.ts";
import { drive } from "./model.ts";

for (const to of ["retell", "vapi-squad"] as const)
  test(`random edits, applies, failures and ways back lose nothing at ${to}`, async () => {
    for (let seed = 1; seed <= sampled(5); seed++) await drive(to, seed, 12);
  });
