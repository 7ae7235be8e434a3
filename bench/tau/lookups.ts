import type { Database, Order, PaymentMethod, Product, User, Variant } from "./database.ts";
import { cents, computed, numberText } from "./python_numbers.ts";

export function orderOf(database: Database, id: string): Order {
  return found(database.orders, id, "Order");
}

export function userOf(database: Database, id: string): User {
  return found(database.users, id, "User");
}

export function productOf(database: Database, id: string): Product {
  return found(database.products, id, "Product");
}

export function variantOf(database: Database, productId: string, id: string): Variant {
  return found(productOf(database, productId).variants, id, "Variant");
}

export function paymentMethodOf(database: Database, userId: string, id: string): PaymentMethod {
  return found(userOf(database, userId).payment_methods, id, "Payment method");
}

export function itemOf(database: Database, id: string): Variant {
  for (const { variants } of Object.values(database.products)) {
    const variant = Object.hasOwn(variants, id) ? variants[id] : undefined;
    if (variant) return variant;
  }
  throw new Error("Item not found");
}

export function userIdByName(database: Database, first: string, last: string, zip: string): string {
  const is = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  return idOf(
    database,
    ({ name, address }) => is(name.first_name, first) && is(name.last_name, last) && address.zip === zip,
  );
}

export function userIdByEmail(database: Database, email: string): string {
  return idOf(database, (user) => user.email.toLowerCase() === email.toLowerCase());
}

/** Ids of products by name, in the order of the names. */
export function productTypes({ products }: Database): { readonly [name: string]: string } {
  const ids = Object.values(products).map(({ name, product_id: id }) => [name, id] as const);
  return Object.fromEntries(ids.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function calculate(expression: string): string {
  if (!/^[0-9+\-*/(). ]*$/.test(expression)) throw new Error("Invalid characters in expression");
  return numberText(cents(computed(expression)));
}

function idOf({ users }: Database, is: (user: User) => boolean): string {
  const [id] = Object.entries(users).find(([, user]) => is(user)) ?? [];
  if (id === undefined) throw new Error("User not found");
  return id;
}

function found<Value>(values: { readonly [id: string]: Value }, id: string, what: string): Value {
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  if (value === undefined) throw new Error(`${what} not found`);
  return value;
}
