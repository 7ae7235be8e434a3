// Names and descriptions are those of tau2-bench, see LICENSE-tau2.
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import type { Address, Database } from "./database.ts";
import { calculate, itemOf, orderOf, productOf, productTypes, userIdByEmail, userIdByName, userOf } from "./lookups.ts";
import {
  cancelPendingOrder,
  exchangeDeliveredItems,
  modifyPendingAddress,
  modifyPendingItems,
  modifyPendingPayment,
  modifyUserAddress,
  type Replacement,
  returnDeliveredItems,
} from "./orders.ts";

/** A tool of the shop. A parameter with a name in plural, such as `item_ids`, is a list of texts; others are texts. */
export interface RetailTool {
  readonly description: string;
  readonly parameters: { readonly [name: string]: string };
  /** Reads or changes the database. Throws what the agent gets as an error. */
  readonly use: (database: Database, args: JsonObject) => unknown;
}

/** The tools of the shop by name. */
export const RETAIL_TOOLS: { readonly [name: string]: RetailTool } = {
  calculate: {
    description: "Calculate the result of a mathematical expression.",
    parameters: {
      expression:
        "The mathematical expression to calculate, such as '2 + 2'. The expression can contain numbers, operators (+, -, *, /), parentheses, and spaces.",
    },
    use: (_database, args) => calculate(text(args, "expression")),
  },
  cancel_pending_order: {
    description:
      "Cancel a pending order. If the order is already processed or delivered, it cannot be cancelled. The agent needs to explain the cancellation detail and ask for explicit user confirmation (yes/no) to proceed. If the user confirms, the order status will be changed to 'cancelled' and the payment will be refunded. The refund will be added to the user's gift card balance immediately if the payment was made using a gift card, otherwise the refund would take 5-7 business days to process. The function returns the order details after the cancellation.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
      reason: "The reason for cancellation, which should be either 'no longer needed' or 'ordered by mistake'.",
    },
    use: (database, args) => cancelPendingOrder(database, text(args, "order_id"), text(args, "reason")),
  },
  exchange_delivered_order_items: {
    description:
      "Exchange items in a delivered order to new items of the same product type. For a delivered order, return or exchange can be only done once by the agent. The agent needs to explain the exchange detail and ask for explicit user confirmation (yes/no) to proceed.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
      item_ids: "The item ids to be exchanged, each such as '1008292230'. There could be duplicate items in the list.",
      new_item_ids:
        "The item ids to be exchanged for, each such as '1008292230'. There could be duplicate items in the list. Each new item id should match the item id in the same position and be of the same product.",
      payment_method_id:
        "The payment method id to pay or receive refund for the item price difference, such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order details.",
    },
    use: (database, args) => exchangeDeliveredItems(database, replacement(args)),
  },
  find_user_id_by_name_zip: {
    description:
      "Find user id by first name, last name, and zip code. If the user is not found, the function will return an error message. By default, find user id by email, and only call this function if the user is not found by email or cannot remember email.",
    parameters: {
      first_name: "The first name of the customer, such as 'John'.",
      last_name: "The last name of the customer, such as 'Doe'.",
      zip: "The zip code of the customer, such as '12345'.",
    },
    use: (database, args) =>
      userIdByName(database, text(args, "first_name"), text(args, "last_name"), text(args, "zip")),
  },
  find_user_id_by_email: {
    description: "Find user id by email. If the user is not found, the function will return an error message.",
    parameters: { email: "The email of the user, such as 'something@example.com'." },
    use: (database, args) => userIdByEmail(database, text(args, "email")),
  },
  get_order_details: {
    description: "Get the status and details of an order.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
    },
    use: (database, args) => orderOf(database, text(args, "order_id")),
  },
  get_product_details: {
    description: "Get the inventory details of a product.",
    parameters: {
      product_id: "The product id, such as '6086499569'. Be careful the product id is different from the item id.",
    },
    use: (database, args) => productOf(database, text(args, "product_id")),
  },
  get_item_details: {
    description: "Get the inventory details of an item.",
    parameters: {
      item_id: "The item id, such as '6086499569'. Be careful the item id is different from the product id.",
    },
    use: (database, args) => itemOf(database, text(args, "item_id")),
  },
  get_user_details: {
    description: "Get the details of a user, including their orders.",
    parameters: { user_id: "The user id, such as 'sara_doe_496'." },
    use: (database, args) => userOf(database, text(args, "user_id")),
  },
  list_all_product_types: {
    description:
      "List the name and product id of all product types. Each product type has a variety of different items with unique item ids and options. There are only 50 product types in the store. Returns: str: A JSON string mapping product names to their product IDs, sorted alphabetically by name.",
    parameters: {},
    use: (database) => productTypes(database),
  },
  modify_pending_order_address: {
    description:
      "Modify the shipping address of a pending order. The agent needs to explain the modification detail and ask for explicit user confirmation (yes/no) to proceed.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
      address1: "The first line of the address, such as '123 Main St'.",
      address2: "The second line of the address, such as 'Apt 1' or ''.",
      city: "The city, such as 'San Francisco'.",
      state: "The state, such as 'CA'.",
      country: "The country, such as 'USA'.",
      zip: "The zip code, such as '12345'.",
    },
    use: (database, args) => modifyPendingAddress(database, text(args, "order_id"), address(args)),
  },
  modify_pending_order_items: {
    description:
      "Modify items in a pending order to new items of the same product type. For a pending order, this function can only be called once. The agent needs to explain the exchange detail and ask for explicit user confirmation (yes/no) to proceed.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
      item_ids: "The item ids to be modified, each such as '1008292230'. There could be duplicate items in the list.",
      new_item_ids:
        "The item ids to be modified for, each such as '1008292230'. There could be duplicate items in the list. Each new item id should match the item id in the same position and be of the same product.",
      payment_method_id:
        "The payment method id to pay or receive refund for the item price difference, such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order details.",
    },
    use: (database, args) => modifyPendingItems(database, replacement(args)),
  },
  modify_pending_order_payment: {
    description:
      "Modify the payment method of a pending order. The agent needs to explain the modification detail and ask for explicit user confirmation (yes/no) to proceed.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
      payment_method_id:
        "The payment method id to pay or receive refund for the item price difference, such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order details.",
    },
    use: (database, args) => modifyPendingPayment(database, text(args, "order_id"), text(args, "payment_method_id")),
  },
  modify_user_address: {
    description:
      "Modify the default address of a user. The agent needs to explain the modification detail and ask for explicit user confirmation (yes/no) to proceed.",
    parameters: {
      user_id: "The user id, such as 'sara_doe_496'.",
      address1: "The first line of the address, such as '123 Main St'.",
      address2: "The second line of the address, such as 'Apt 1' or ''.",
      city: "The city, such as 'San Francisco'.",
      state: "The state, such as 'CA'.",
      country: "The country, such as 'USA'.",
      zip: "The zip code, such as '12345'.",
    },
    use: (database, args) => modifyUserAddress(database, text(args, "user_id"), address(args)),
  },
  return_delivered_order_items: {
    description:
      "Return some items of a delivered order. The order status will be changed to 'return requested'. The agent needs to explain the return detail and ask for explicit user confirmation (yes/no) to proceed. The user will receive follow-up email for how and where to return the item.",
    parameters: {
      order_id: "The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of the order id.",
      item_ids: "The item ids to be returned, each such as '1008292230'. There could be duplicate items in the list.",
      payment_method_id:
        "The payment method id to pay or receive refund for the item price difference, such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order details.",
    },
    use: (database, args) =>
      returnDeliveredItems(database, { ...items(args), payment_method_id: text(args, "payment_method_id") }),
  },
  transfer_to_human_agents: {
    description:
      "Transfer the user to a human agent, with a summary of the user's issue. Only transfer if - the user explicitly asks for a human agent - given the policy and the available tools, you cannot solve the user's issue.",
    parameters: { summary: "A summary of the user's issue." },
    use: () => "Transfer successful",
  },
};

/**
 * Uses a tool on a database.
 *
 * @throws {Error} When there is no such tool, or when it refuses.
 */
export function useTool(database: Database, name: string, args: JsonObject): unknown {
  const tool = Object.hasOwn(RETAIL_TOOLS, name) ? RETAIL_TOOLS[name] : undefined;
  if (!tool) throw new Error(`Tool '${name}' not found.`);
  const unknown = Object.keys(args).find((key) => !Object.hasOwn(tool.parameters, key));
  if (unknown !== undefined) throw new Error(`unexpected argument '${unknown}'`);
  return tool.use(database, args);
}

/** The JSON Schema of a tool's arguments. */
export function parametersOf({ parameters }: RetailTool): JsonObject {
  const schemaOf = (name: string, description: string) =>
    isList(name) ? { type: "array", items: { type: "string" }, description } : { type: "string", description };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, schemaOf(name, text)])),
    required: Object.keys(parameters),
    additionalProperties: false,
  };
}

function isList(name: string): boolean {
  return name.endsWith("_ids");
}

function text(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw new Error(`'${name}' is no text`);
  return value;
}

function texts(args: JsonObject, name: string): readonly string[] {
  const value: unknown = args[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  return list.map((item, index) => text({ [`${name}[${index}]`]: item }, `${name}[${index}]`));
}

function items(args: JsonObject): Pick<Replacement, "order_id" | "item_ids"> {
  return { order_id: text(args, "order_id"), item_ids: texts(args, "item_ids") };
}

function replacement(args: JsonObject): Replacement {
  const payment = { payment_method_id: text(args, "payment_method_id") };
  return { ...items(args), new_item_ids: texts(args, "new_item_ids"), ...payment };
}

function address(args: JsonObject): Address {
  return {
    ...{ address1: text(args, "address1"), address2: text(args, "address2"), city: text(args, "city") },
    ...{ country: text(args, "country"), state: text(args, "state"), zip: text(args, "zip") },
  };
}

/** Whether the state of a call is a database. Its parts were validated when it was read. */
export function isDatabase(state: unknown): state is Database {
  return isRecord(state) && [state.products, state.users, state.orders].every(isRecord);
}
