import type { Flag } from "../arguments/mod.ts";

/** The flag that names policies. */
export const POLICY_FLAGS = {
  policies: {
    value: "FILE",
    repeats: true,
    description: "Module that exports policies, or a JSON list of them; SOURCE itself by default",
  },
} satisfies { readonly [name: string]: Flag };
