import * as v from "valibot";

/** Roles, lowest first: each may do what those before it may. */
export const ROLES = ["viewer", "labeller", "editor"] as const;

/** What somebody may do: look, also label calls, or also start runs, chat and deploy. */
export type Role = (typeof ROLES)[number];

/** Longest text in a request, in characters. */
export const MOST_TEXT = 20_000;
/** Longest name or id in a request, in characters. */
export const MOST_NAME = 500;
/** Most items of a page. */
export const MOST_ITEMS = 200;

const DEFAULT_ITEMS = 50;

/** A name or an id in a request. */
export const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_NAME));
/** A text in a request, which may be empty. */
export const Text = v.pipe(v.string(), v.maxLength(MOST_TEXT));
/** A whole number. A query writes it as text. */
export const WholeNumber = (from: number, to: number) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))]),
    v.integer(),
    v.minValue(from),
    v.maxValue(to),
    v.metadata({ jsonSchema: { type: "integer", minimum: from, maximum: to } }),
  );

/** Query of a list: where it goes on, and how many items. */
export const PageQuery = {
  cursor: v.optional(Name),
  limit: v.optional(WholeNumber(1, MOST_ITEMS), DEFAULT_ITEMS),
};

/** A page of a list. `nextCursor` is `null` on the last page. */
export function pageOf<const Item extends v.GenericSchema>(item: Item) {
  return v.object({ items: v.array(item), nextCursor: v.nullable(v.string()) });
}

/** An error, with the code, path and hint of the SDK's errors. */
export const ErrorAnswer = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    path: v.array(v.union([v.string(), v.number()])),
    hint: v.string(),
  }),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** How many of something there are. */
export const Count = count;
/** Number of results per status. */
export const Counts = v.object({
  pass: count,
  fail: count,
  error: count,
  imported: count,
  cancelled: count,
  invalid: count,
});
/** Status of a result. */
export const Status = v.picklist(["pass", "fail", "error", "imported", "cancelled", "invalid"]);
/** A share from 0 to 1, with its 95 % interval; `null` without trials. */
export const Rate = v.object({
  passes: count,
  trials: count,
  rate: v.nullable(v.number()),
  low: v.nullable(v.number()),
  high: v.nullable(v.number()),
});
/** Any JSON object, as the SDK's types describe it. */
export const Document = v.looseObject({});
/** Answer of a request that only does something. */
export const Done = v.object({ done: v.literal(true) });
