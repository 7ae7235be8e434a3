import type { Flag } from "../arguments.ts";

/** The flag that chooses reports. */
export const REPORTER_FLAGS = {
  reporter: {
    value: "NAME[:FILE]",
    repeats: true,
    description:
      "Report: terminal, json, junit, html, ctrf, github or ./module.ts; repeatable; without FILE on standard output",
  },
} satisfies { readonly [name: string]: Flag };
