import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { isSet, isText, missingDestination, type Report, records, retellTables } from "../shared/mod.ts";
import { retellTypes, SLOTS, typeFacts } from "./node_types.ts";

/** Required keys that are checked elsewhere. */
const CHECKED_ELSEWHERE: readonly string[] = ["id", "type", "code", ...SLOTS];

const CODE_LIMIT = 5000;

/** Checks one node, except for its edges. */
export function checkNode(node: JsonObject, path: Path, report: Report): void {
  const { type } = node;
  if (!isText(type) || !retellTypes().includes(type)) {
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
  for (const [index, { type: kind, choices }] of records(node.variables).entries())
    if (kind === "enum" && (!Array.isArray(choices) || choices.length === 0))
      report("enum-choices", [...path, "variables", index], "An enum needs choices", 'Set "choices"');
}

/** A code node that nobody has filled in is exported with an empty text. */
function checkCode({ code }: JsonObject, path: Path, report: Report): void {
  const at = [...path, "code"];
  if (!isText(code)) report("missing-field", at, 'A code node needs "code"', 'Set "code"');
  else if (code === "") report("empty-code", at, "A code node without code does nothing", 'Set "code"', "warning");
  else if (code.length > CODE_LIMIT)
    report("code-length", at, `Code has at most ${CODE_LIMIT} characters`, "Shorten it, or call a tool");
}

function checkInstruction(node: JsonObject, type: string, path: Path, report: Report): void {
  const kinds = typeFacts(type)?.instruction ?? [];
  const { instruction } = node;
  if (!Object.hasOwn(node, "instruction") || kinds.length === 0) return;
  const kind = isRecord(instruction) ? instruction.type : undefined;
  const message = `A ${type} node cannot have a ${String(kind)} instruction`;
  if (!isText(kind) || !kinds.includes(kind))
    report("instruction-type", [...path, "instruction"], message, `Make it ${kinds.join(" or ")}`);
}

/** Checks the destination of a transfer node, or of a tool that transfers. */
export function checkDestination(holder: JsonObject, kind: "node" | "tool", path: Path, report: Report): void {
  const key = missingDestination(holder);
  if (key === undefined) return;
  const option = `Set "transfer_destination.${key}" in the ${kind}'s retell option`;
  const hint = kind === "node" && key === "number" ? "Set `to` of the transfer node" : option;
  report("empty-destination", [...path, "transfer_destination", key], "A transfer needs to know where to", hint);
}
