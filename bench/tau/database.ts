import { createHash } from "node:crypto";
import * as v from "valibot";
import { numberText } from "./python_numbers.ts";

const strings = v.record(v.string(), v.string());
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema, null);

const Address = v.object({
  address1: v.string(),
  address2: v.string(),
  city: v.string(),
  country: v.string(),
  state: v.string(),
  zip: v.string(),
});
const Variant = v.object({ item_id: v.string(), options: strings, available: v.boolean(), price: v.number() });
const Product = v.object({
  name: v.string(),
  product_id: v.string(),
  variants: v.record(v.string(), Variant),
});
const PaymentMethod = v.variant("source", [
  v.object({ source: v.literal("credit_card"), id: v.string(), brand: v.string(), last_four: v.string() }),
  v.object({ source: v.literal("gift_card"), id: v.string(), balance: v.number() }),
  v.object({ source: v.literal("paypal"), id: v.string() }),
]);
const User = v.object({
  user_id: v.string(),
  name: v.object({ first_name: v.string(), last_name: v.string() }),
  address: Address,
  email: v.string(),
  payment_methods: v.record(v.string(), PaymentMethod),
  orders: v.array(v.string()),
});
const Order = v.object({
  order_id: v.string(),
  user_id: v.string(),
  address: Address,
  items: v.array(
    v.object({
      name: v.string(),
      product_id: v.string(),
      item_id: v.string(),
      price: v.number(),
      options: strings,
    }),
  ),
  status: v.string(),
  fulfillments: v.array(v.object({ tracking_id: v.array(v.string()), item_ids: v.array(v.string()) })),
  payment_history: v.array(
    v.object({
      transaction_type: v.picklist(["payment", "refund"]),
      amount: v.number(),
      payment_method_id: v.string(),
    }),
  ),
  cancel_reason: optional(v.string()),
  exchange_items: optional(v.array(v.string())),
  exchange_new_items: optional(v.array(v.string())),
  exchange_payment_method_id: optional(v.string()),
  exchange_price_difference: optional(v.number()),
  return_items: optional(v.array(v.string())),
  return_payment_method_id: optional(v.string()),
});

/** The database of the shop, as tau2-bench has it. */
export const Database = v.strictObject({
  products: v.record(v.string(), Product),
  users: v.record(v.string(), User),
  orders: v.record(v.string(), Order),
});
export type Database = v.InferOutput<typeof Database>;
export type Order = v.InferOutput<typeof Order>;
export type User = v.InferOutput<typeof User>;
export type Variant = v.InferOutput<typeof Variant>;
export type Product = v.InferOutput<typeof Product>;
export type PaymentMethod = v.InferOutput<typeof PaymentMethod>;
export type Address = v.InferOutput<typeof Address>;

/** Amounts of money, which Python writes with a point. */
const MONEY = new Set(["price", "amount", "balance", "exchange_price_difference"]);

/** The hash that tau2-bench gives a database: of its JSON as Python writes it, with sorted keys. */
export function databaseHash(database: Database): string {
  const parts: string[] = [];
  write(database, false, parts);
  return createHash("sha256").update(parts.join("")).digest("hex");
}

function write(value: unknown, isMoney: boolean, parts: string[]): void {
  if (typeof value === "string") parts.push(asciiJson(value));
  else if (typeof value === "number") parts.push(isMoney ? numberText(value) : String(value));
  else if (Array.isArray(value)) {
    parts.push("[");
    for (const [index, item] of value.entries()) {
      if (index > 0) parts.push(", ");
      write(item, isMoney, parts);
    }
    parts.push("]");
  } else if (typeof value === "object" && value !== null) {
    parts.push("{");
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    for (const [index, [key, item]] of entries.entries()) {
      parts.push(index > 0 ? ", " : "", asciiJson(key), ": ");
      write(item, MONEY.has(key), parts);
    }
    parts.push("}");
  } else parts.push(String(value));
}

/** A text as JSON in ASCII, as Python writes it. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
