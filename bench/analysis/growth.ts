import process from "node:process";

export const SMALL = 1_000;
export const LARGE = 10_000;
/** n log n grows from the small size to the large one by the exponent 1.13; the rest is for the noise of a measurement. */
export const N_LOG_N_BOUND = 1.25;

const TRIES = 3;

/** How work grows with its size: 1 is linear, 2 quadratic. The quickest of several tries each, in time of the process. */
export function exponentOf(work: (count: number) => () => unknown): { readonly exponent: number; readonly ms: number } {
  const [small, large] = [bestMs(work(SMALL)), bestMs(work(LARGE))];
  return {
    exponent: Math.round((Math.log(large / small) / Math.log(LARGE / SMALL)) * 100) / 100,
    ms: Math.round(large),
  };
}

function bestMs(run: () => unknown): number {
  run(); // compiles the code
  return Math.min(...Array.from({ length: TRIES }, () => cpuMs(run)));
}

/** CPU time, which other processes lengthen less than the clock's. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
