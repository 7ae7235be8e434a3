import process from "node:process";
import fc from "fast-check";

/** The same cases in every run, so that a change is judged and not luck. `CALLWEAVE_SEED=7 npm test` looks at others. */
fc.configureGlobal({ seed: Number(process.env.CALLWEAVE_SEED ?? 1) });

export { fc };
