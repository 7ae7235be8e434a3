import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { isSet, type Report, records, retellTables } from "../shared/mod.ts";
import { retellTypes, SLOTS, typeFacts } from "./node_types.ts";

/** Keys that are checked elsewhere. */
const CHECKED_ELSEWHERE: readonly string[] = ["id", "type", "code", ...SLOTS];

const CODE_LIMIT = 5000;

/** What Retell is known to refuse in one node, its edges aside. */
export function checkNode(node: JsonObject, path: Path, report: Report): void {
  const { type } = node;
  if (typeof type !== "string" || !retellTypes().includes(type)) {
    const hint = `Use one of ${retellTypes().join(", ")}`;
    report("node-type", [...path, "type"], `Retell lists no node type "${String(type)}"`, hint);
    return;
  }
  for (const key of retellTables().nodes[type]?.required ?? [])
    if (!CHECKED_ELSEWHERE.includes(key) && !isSet(node[key]))
      report("missing-field", [...path, key], `A ${type} node needs "${key}"`, `Set "${key}"`);
  checkInstruction(node, type, path, report);
  // without one, the field is missing
  if (type === "transfer_call" && isSet(node.transfer_destination)) checkDestination(node, "node", path, report);
  if (type === "code") checkCode(node, path, report);
  const setting = node.global_node_setting;
  if (isRecord(setting) && !isSet(setting.condition))
    report("global-condition", [...path, "global_node_setting"], "A global node needs a condition", 'Set "condition"');
  for (const [index, variable] of records(node.variables).entries())
    if (
      variable.type === "enum" &&
      records([variable]).every(({ choices }) => !Array.isArray(choices) || !choices.length)
    )
      report("enum-choices", [...path, "variables", index], "An enum needs choices", 'Set "choices"');
}

/** A code node that nobody has filled in yet is exported with an empty text. */
function checkCode({ code }: JsonObject, path: Path, report: Report): void {
  const at = [...path, "code"];
  if (typeof code !== "string") report("missing-field", at, 'A code node needs "code"', 'Set "code"');
  else if (code === "") report("empty-code", at, "A code node without code does nothing", 'Set "code"', "warning");
  else if (code.length > CODE_LIMIT)
    report("code-length", at, `Code has at most ${CODE_LIMIT} characters`, "Shorten it, or call a tool");
}

function checkInstruction(node: JsonObject, type: string, path: Path, report: Report): void {
  const kinds = typeFacts(type)?.instruction ?? [];
  const { instruction } = node;
  if (!Object.hasOwn(node, "instruction") || kinds.length === 0) return;
  const kind = isRecord(instruction) ? instruction.type : undefined;
  if (typeof kind !== "string" || !kinds.includes(kind))
    report(
      "instruction-type",
      [...path, "instruction"],
      `A ${type} node cannot have a ${String(kind)} instruction`,
      `Make it ${kinds.join(" or ")}`,
    );
}

/** A transfer, be it a node or a tool in one, needs a number, or a prompt that finds one. */
export function checkDestination(holder: JsonObject, kind: "node" | "tool", path: Path, report: Report): void {
  const { transfer_destination: destination } = holder;
  const inferred = isRecord(destination) && destination.type === "inferred";
  const key = inferred ? "prompt" : "number";
  if (isRecord(destination) && isSet(destination[key])) return;
  report(
    "empty-destination",
    [...path, "transfer_destination", key],
    "A transfer needs to know where to",
    kind === "node" && !inferred
      ? "Set `to` of the transfer node"
      : `Set "transfer_destination.${key}" in the ${kind}'s retell option`,
  );
}
