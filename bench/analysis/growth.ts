import process from "node:process";
import { sized } from "../figure.ts";

export const SMALL = sized(1_000, 10);
export const LARGE = sized(10_000, 40);
/** n log n grows by the exponent 1.13 between the two sizes; the rest allows for noise. */
export const N_LOG_N_BOUND = 1.25;

const TRIES = sized(3, 1);

/** The exponent by which work grows with its size: 1 is linear, 2 quadratic. Uses the fastest of several attempts, in CPU time. */
export function exponentOf(work: (count: number) => () => unknown): { readonly exponent: number; readonly ms: number } {
  const [small, large] = [bestMs(work(SMALL)), bestMs(work(LARGE))];
  return {
    exponent: Math.round((Math.log(large / small) / Math.log(LARGE / SMALL)) * 100) / 100,
    ms: Math.round(large),
  };
}

function bestMs(run: () => unknown): number {
  run(); // warm-up: compiles the code
  return Math.min(...Array.from({ length: TRIES }, () => cpuMs(run)));
}

/** CPU time, which other processes affect less than wall time. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
