import type { Address, Database, Order, PaymentMethod, User, Variant } from "./database.ts";
import { orderOf, paymentMethodOf, userOf, variantOf } from "./lookups.ts";
import { cents } from "./python_numbers.ts";

/** Changes of orders as tau2-bench's retail tools make them, what they change before an error included. */

export function cancelPendingOrder(database: Database, orderId: string, reason: string): Order {
  const order = orderOf(database, orderId);
  if (order.status !== "pending") throw new Error("Non-pending order cannot be cancelled");
  if (reason !== "no longer needed" && reason !== "ordered by mistake") throw new Error("Invalid reason");
  const refunds: Order["payment_history"] = [];
  for (const { amount, payment_method_id: id } of order.payment_history) {
    refunds.push({ transaction_type: "refund", amount, payment_method_id: id });
    const method = paymentMethodOf(database, userOf(database, order.user_id).user_id, id);
    pay(method, -amount);
  }
  order.status = "cancelled";
  order.cancel_reason = reason;
  order.payment_history.push(...refunds);
  return order;
}

/** Items that are replaced by others of the same products, and who pays the difference. */
export interface Replacement {
  readonly order_id: string;
  readonly item_ids: readonly string[];
  readonly new_item_ids: readonly string[];
  readonly payment_method_id: string;
}

export function exchangeDeliveredItems(database: Database, replacement: Replacement): Order {
  const { item_ids: items, new_item_ids: newItems, payment_method_id: methodId } = replacement;
  const order = orderOf(database, replacement.order_id);
  if (order.status !== "delivered") throw new Error("Non-delivered order cannot be exchanged");
  checkItems(order, items, (id) => `Number of ${id} not found.`);
  if (items.length !== newItems.length) throw new Error("The number of items to be exchanged should match.");
  const difference = cents(priced(database, order, replacement).difference);
  const method = paymentMethodOf(database, order.user_id, methodId);
  if (method.source === "gift_card" && method.balance < difference)
    throw new Error("Insufficient gift card balance to pay for the price difference");
  order.status = "exchange requested";
  order.exchange_items = items.toSorted();
  order.exchange_new_items = newItems.toSorted();
  order.exchange_payment_method_id = methodId;
  order.exchange_price_difference = difference;
  return order;
}

export function modifyPendingItems(database: Database, replacement: Replacement): Order {
  const { item_ids: items, new_item_ids: newItems, payment_method_id: methodId } = replacement;
  const order = orderOf(database, replacement.order_id);
  if (order.status !== "pending") throw new Error("Non-pending order cannot be modified");
  checkItems(order, items, (id) => `${id} not found`);
  if (items.length !== newItems.length) throw new Error("The number of items to be exchanged should match");
  const { difference, last } = priced(database, order, replacement, { isOther: true });
  const method = paymentMethodOf(database, order.user_id, methodId);
  if (method.source === "gift_card" && method.balance < difference)
    throw new Error("Insufficient gift card balance to pay for the new item");
  order.payment_history.push({
    transaction_type: difference > 0 ? "payment" : "refund",
    amount: Math.abs(difference),
    payment_method_id: methodId,
  });
  pay(method, difference);
  for (const [index, id] of items.entries()) {
    const item = order.items.find(({ item_id: own }) => own === id);
    if (!item || !last) throw new Error(`Item ${id} not found`);
    item.item_id = newItems[index] ?? "";
    // as there: each item gets price and options of the last new one
    item.price = last.price;
    item.options = { ...last.options };
  }
  order.status = "pending (item modified)";
  return order;
}

export function modifyPendingAddress(database: Database, orderId: string, address: Address): Order {
  const order = pendingOrder(database, orderId);
  order.address = address;
  return order;
}

export function modifyPendingPayment(database: Database, orderId: string, methodId: string): Order {
  const order = pendingOrder(database, orderId);
  const method = paymentMethodOf(database, order.user_id, methodId);
  const [first, ...others] = order.payment_history;
  if (!first || others.length > 0 || first.transaction_type !== "payment")
    throw new Error("There should be exactly one payment for a pending order");
  const { amount, payment_method_id: oldId } = first;
  if (oldId === methodId) throw new Error("The new payment method should be different from the current one");
  if (method.source === "gift_card" && method.balance < amount)
    throw new Error("Insufficient gift card balance to pay for the order");
  order.payment_history.push(
    { transaction_type: "payment", amount, payment_method_id: methodId },
    { transaction_type: "refund", amount, payment_method_id: oldId },
  );
  pay(method, amount);
  pay(paymentMethodOf(database, order.user_id, oldId), -amount);
  return order;
}

export function modifyUserAddress(database: Database, userId: string, address: Address): User {
  const user = userOf(database, userId);
  user.address = address;
  return user;
}

export function returnDeliveredItems(
  database: Database,
  { order_id: orderId, item_ids: items, payment_method_id: methodId }: Omit<Replacement, "new_item_ids">,
): Order {
  const order = orderOf(database, orderId);
  if (order.status !== "delivered") throw new Error("Non-delivered order cannot be returned");
  const method = paymentMethodOf(database, userOf(database, order.user_id).user_id, methodId);
  if (method.source !== "gift_card" && methodId !== order.payment_history[0]?.payment_method_id)
    throw new Error("Payment method should be the original payment method");
  checkItems(order, items, () => "Some item not found");
  order.status = "return requested";
  order.return_items = items.toSorted();
  order.return_payment_method_id = methodId;
  return order;
}

function pendingOrder(database: Database, orderId: string): Order {
  const order = orderOf(database, orderId);
  if (!order.status.includes("pending")) throw new Error("Non-pending order cannot be modified");
  return order;
}

/** Takes an amount from a gift card; other methods have no balance. */
function pay(method: PaymentMethod, amount: number): void {
  if (method.source === "gift_card") method.balance = cents(method.balance - amount);
}

/** Throws when an item is named more often than the order has it. */
function checkItems(order: Order, items: readonly string[], message: (id: string) => string): void {
  const count = (ids: readonly string[], wanted: string) => ids.filter((id) => id === wanted).length;
  const all = order.items.map(({ item_id: id }) => id);
  for (const id of items) if (count(items, id) > count(all, id)) throw new Error(message(id));
}

/** What the new items cost more than the old ones, and the last new one. */
function priced(
  database: Database,
  order: Order,
  { item_ids: items, new_item_ids: newItems }: Replacement,
  { isOther = false }: { readonly isOther?: boolean } = {},
): { readonly difference: number; readonly last: Variant | undefined } {
  let difference = 0;
  let last: Variant | undefined;
  for (const [index, id] of items.entries()) {
    const newId = newItems[index] ?? "";
    if (isOther && id === newId) throw new Error("The new item id should be different from the old item id");
    const item = order.items.find(({ item_id: own }) => own === id);
    if (!item) throw new Error(`Item ${id} not found`);
    const variant = variantOf(database, item.product_id, newId);
    if (!variant.available) throw new Error(`New item ${newId} not found or available`);
    difference += variant.price - item.price;
    last = variant;
  }
  return { difference, last };
}
