import { registerWithBun } from "./bun.ts";
import { registerWithDeno } from "./deno.ts";
import { registerWithNode } from "./node.ts";
import type { RegisterTests } from "./runner.ts";
import { registerWithVitest } from "./vitest.ts";

/** Finds the test runner of this process: Vitest, which runs on several runtimes, else the runtime's own. */
export function findRunner(): RegisterTests {
  if (registerWithVitest) return registerWithVitest;
  const { Deno, Bun }: { readonly Deno?: { readonly test: never }; readonly Bun?: unknown } = globalThis as never; // not defined on Node
  if (Deno) return registerWithDeno(Deno.test);
  return Bun ? registerWithBun : registerWithNode;
}
