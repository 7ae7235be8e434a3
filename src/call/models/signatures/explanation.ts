import * as v from "valibot";

/** A text that only explains: models without structured output omit it, or answer something else. */
export const explanation = v.optional(v.fallback(v.string(), ""), "");

/** A number from 0 to 1 that only explains. */
export const optionalShare = v.optional(
  v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), undefined),
);
