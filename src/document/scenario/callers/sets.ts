import type { CallerTraits } from "./traits.ts";

/** Callers that are run together. A caller without traits is the one that the others are compared with. */
export const CALLER_SETS = {
  everyday: {
    what: "People who call on an ordinary day",
    callers: ["ordinary", "friendly", "in-a-hurry", "hesitant", "chatty"],
  },
  difficult: {
    what: "People with whom calls take longer or go wrong",
    callers: [
      "angry",
      "impatient",
      "rambling",
      "hard-to-follow",
      "interrupting",
      "forgetful",
      "hard-of-hearing",
      "bad-line",
    ],
  },
  vulnerable: {
    what: "People who need more care than others",
    callers: ["elderly", "hard-of-hearing", "anxious", "child", "grieving", "lost"],
  },
  adversarial: {
    what: "People who do not play fair",
    callers: ["lying", "evasive", "know-it-all", "provoking"],
  },
} as const satisfies { readonly [set: string]: { readonly what: string; readonly callers: readonly CallerName[] } };

/** The name of a set of callers. */
export type CallerSetName = keyof typeof CALLER_SETS;

/** Callers by name. */
export const CALLERS = {
  ordinary: {},
  friendly: { mood: "friendly" },
  "in-a-hurry": { pace: "fast", patience: "short" },
  hesitant: { clarity: "fillers" },
  chatty: { mood: "friendly", clarity: "rambling" },
  angry: { mood: "angry", patience: "short" },
  impatient: { patience: "none", interrupts: "often" },
  rambling: { clarity: "rambling" },
  "hard-to-follow": { clarity: "fragments" },
  interrupting: { interrupts: "often" },
  forgetful: { memory: "forgetful" },
  "hard-of-hearing": { hearing: "hard" },
  "bad-line": { line: "breaking" },
  elderly: { age: "elderly", pace: "slow", memory: "forgetful" },
  anxious: { mood: "anxious", clarity: "fillers" },
  child: { age: "child", knowledge: "novice" },
  grieving: { mood: "sad", pace: "slow" },
  lost: { knowledge: "novice", memory: "forgetful", patience: "patient" },
  lying: { honesty: "lying" },
  evasive: { honesty: "evasive" },
  "know-it-all": { knowledge: "expert", patience: "none" },
  provoking: { mood: "angry", interrupts: "often", patience: "none" },
} as const satisfies { readonly [name: string]: CallerTraits };

/** The name of a caller. */
export type CallerName = keyof typeof CALLERS;
