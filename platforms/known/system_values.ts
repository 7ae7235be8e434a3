import type { CallMoment } from "../facts.ts";
import { ALL_TRAITS } from "./all_traits.ts";

/**
 * Returns values for the platforms' own variables, as they are at the start of a call. Variables that change during a
 * call, such as the agent's state, the session duration and the transcript, are left out.
 */
export function systemValues(names: ReadonlySet<string>, moment: CallMoment): { readonly [name: string]: string } {
  return Object.fromEntries(
    [...names].flatMap((name) => {
      for (const { variables } of Object.values(ALL_TRAITS)) {
        const value = variables.valueOf(name, moment);
        if (value !== undefined) return [[name, value] as const];
      }
      return [];
    }),
  );
}
