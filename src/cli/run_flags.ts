import type { Flag } from "./arguments.ts";

/** Flags of a run, wherever its scenarios come from. */
export const RUN_FLAGS = {
  scenario: { value: "NAME", repeats: true, description: "Only the scenario of this name; may be given several times" },
  model: { value: "MODEL", description: "provider/model or offline; from the environment if absent, else offline" },
  "caller-model": { value: "MODEL", description: "Plays the callers; the agent's model if absent" },
  "judge-model": { value: "MODEL", description: "Judges the calls; the agent's model if absent" },
  db: {
    value: "URL",
    description: "Where results are stored: a file or a libSQL URL; .callweave/results.db if absent",
  },
  concurrency: { value: "N", description: "Calls held at a time; 8 if absent" },
  "max-turns": { value: "N", description: "Caller turns after which a call ends; 20 if absent" },
  threshold: { value: "SCORE", description: "0 to 1: score from which a criterion passes; 0.7 if absent" },
  json: { description: "Print the report as JSON" },
  junit: { value: "FILE", description: "Also write a JUnit report" },
} satisfies { readonly [name: string]: Flag };
