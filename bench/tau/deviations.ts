import type { Database } from "./database.ts";
import { recordedScript, type Script } from "./simulate.ts";
import type { Task } from "./tasks.ts";

const WRITES = /^(cancel|exchange|modify|return)_/;

/** Ways in which an agent goes wrong in a task, or right in another way, by name. */
export function deviations(task: Task, { orders }: Database): { readonly [name: string]: Script } {
  const recorded = recordedScript(task);
  const { actions } = recorded;
  const writes = actions.filter(({ name }) => WRITES.test(name));
  const last = writes.at(-1);
  const named = new Set(actions.map(({ arguments: args }) => args.order_id));
  const other = Object.values(orders).find(({ order_id: id, status }) => status === "pending" && !named.has(id));
  const like = (more: Partial<Script>): Script => ({ ...recorded, ...more });
  const cancel = { name: "cancel_pending_order", arguments: { order_id: other?.order_id, reason: "no longer needed" } };
  return {
    recorded,
    "only writes": like({ actions: writes }),
    "reads twice": like({ actions: actions.flatMap((each) => (writes.includes(each) ? [each] : [each, each])) }),
    "no write": like({ actions: actions.filter((each) => !writes.includes(each)) }),
    "last write missing": like({ actions: actions.filter((each) => each !== last) }),
    "last write twice": like({ actions: last ? [...actions, last] : actions }),
    backwards: like({ actions: actions.toReversed() }),
    "another order cancelled": like({ actions: other ? [...actions, cancel] : actions }),
    "another value": like({ actions: actions.map((each) => (each === last ? changed(each) : each)) }),
    "a tool that does not exist": like({ actions: [{ name: "refund_everything", arguments: {} }, ...actions] }),
    "says nothing of it": like({ says: "Done." }),
    "says it in capitals with commas": like({ says: grouped(recorded.says.toUpperCase()) }),
  };
}

/** The same action with other payment, reason, address or item. */
function changed({ name, arguments: args }: Script["actions"][number]): Script["actions"][number] {
  const [key] = ["city", "reason", "new_item_ids", "item_ids", "payment_method_id"].filter((each) => each in args);
  const values: { readonly [key: string]: unknown } = {
    city: "Elsewhere",
    reason: args.reason === "no longer needed" ? "ordered by mistake" : "no longer needed",
    new_item_ids: [],
    item_ids: [],
    payment_method_id: "gift_card_0000000",
  };
  return key === undefined ? { name, arguments: {} } : { name, arguments: { ...args, [key]: values[key] } };
}

/** Numbers with a comma before each three digits. */
function grouped(text: string): string {
  return text.replace(/\d{4,}/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
}
