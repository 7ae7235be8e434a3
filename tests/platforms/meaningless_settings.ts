import type { Path } from "../../src/base/errors.ts";
import { getAt, isRecord, recordAt } from "../../src/base/values/mod.ts";
import { type AgentGraph, isSilent, isUnary, speaks } from "../../src/document/graph/mod.ts";

/** Settings that mean nothing where they stand, whatever the format, each with the reason. */
const RULES: readonly (readonly [reason: string, holds: (place: Place) => boolean])[] = [
  ["the origin of a graph is no setting", ({ path }) => path[0] === "source_type"],
  [
    "the id of a node is its key in the graph",
    ({ path }) => path.length === 3 && path[0] === "nodes" && path[2] === "id",
  ],
  [
    "the id of a go-back condition is a label that nothing refers to",
    ({ path, key }) => key === "id" && path.at(-3) === "go_back_conditions",
  ],
  ["only equations are compared", ({ condition }) => condition?.below === "equations" && condition.type !== "equation"],
  [
    "an operator with one side has no right side",
    ({ owner, key }) => key === "right" && isUnary(String(owner.operator)),
  ],
  [
    "only several equations are combined",
    ({ condition }) =>
      condition?.below === "logical_operator" && !(condition.type === "equation" && condition.equations > 1),
  ],
  ["only tools have an outcome", ({ condition }) => condition?.below === "outcome" && condition.type !== "tool_call"],
  [
    "equations and always have no text",
    ({ condition }) => condition?.below === "value" && ["equation", "always"].includes(String(condition.type)),
  ],
  [
    "a transfer has one outcome, whatever tool makes it",
    ({ graph, path, condition }) =>
      condition?.below === "value" && nodeOf(graph, path)?.node_type === "transfer" && condition.type === "tool_call",
  ],
  [
    "the id under which a document lists a tool is made anew",
    ({ path, key }) => key === "tool_id" && path.at(-3) === "tools",
  ],
  [
    "the type in a platform's own JSON of a tool is how that platform calls it",
    ({ path, key }) => key === "type" && path.at(-3) === "metadata" && path.at(-5) === "tools",
  ],
  [
    "the place of a node in an editor is no setting of a call",
    ({ path }) =>
      path.some((key) => String(key).endsWith("display_position")) || (path[1] === "retell" && path[2] === "notes"),
  ],
  [
    "a tool that is of no other type is custom",
    ({ path, owner, key }) =>
      key === "type" && path.at(-3) === "tools" && ["custom", "function"].includes(String(owner.type)),
  ],
  [
    "a variable with choices is one of texts",
    ({ owner, key }) =>
      key === "type" &&
      Array.isArray(owner.choices) &&
      owner.choices.length > 0 &&
      ["string", "enum"].includes(String(owner.type)),
  ],
  [
    "a node without a type of its text has a prompt",
    ({ owner, key }) => key === "instruction_type" && owner.instruction_type === "prompt",
  ],
  [
    "only transitions that are always taken after speech have a time",
    ({ graph, path, owner, key }) =>
      key === "timing" &&
      (recordAt(owner, "condition").type !== "always" || nodeOf(graph, path)?.node_type !== "conversation"),
  ],
  [
    "a node that says nothing has no way to say it",
    ({ graph, path, key }) => {
      const node = nodeOf(graph, path);
      return key === "instruction_type" && node !== undefined && (isSilent(node) || !speaks(node));
    },
  ],
  [
    "the arguments of a tool are always an object",
    ({ path, key }) => key === "type" && path.at(-2) === "parameters" && path.at(-4) === "tools",
  ],
  [
    "a call with a begin message leaves its entry node for the other node, whatever the caller answers",
    ({ graph, key }) =>
      key === "entry_node_id" &&
      Boolean(graph.source_metadata.begin_message) &&
      Object.keys(graph.nodes).length === 2 &&
      (graph.nodes[graph.entry_node_id]?.transitions ?? []).every(({ condition }) => condition.type === "always"),
  ],
  ["a setting of a platform that stands twice with the same value is emitted once", isTwice],
  [
    "a voice is set for one platform",
    ({ path, format }) => path[1] === "voice" && path[0] === "source_metadata" && path[2] !== format.split("-")[0],
  ],
];

/** Whether a value that is not marked stands under the same key in other settings for the same part of a call. */
function isTwice({ graph, path }: Place): boolean {
  const at = path.indexOf("metadata");
  const value = getAt(graph, path);
  if (at < 0 || (typeof value === "string" && /\d{3}/.test(value))) return false;
  const [holder, key] = [path.slice(0, at), path.slice(at + 2)];
  const around = [holder, holder.slice(0, 2)].flatMap((each) =>
    ["retell", "vapi"].map((owner) => [...each, "metadata", owner, ...key]),
  );
  return [...around, ["source_metadata", "vapi", "membersOverrides", ...key]].some(
    (other) => other.join(".") !== path.join(".") && getAt(graph, other) === value,
  );
}

interface Place {
  readonly graph: AgentGraph;
  readonly path: Path;
  readonly format: string;
  /** Last key of the path, and the object that has it. */
  readonly key: string;
  readonly owner: { readonly [key: string]: unknown };
  /** The condition around the setting, and the condition's key that leads to it. */
  readonly condition: { readonly type: unknown; readonly equations: number; readonly below: string } | undefined;
}

/** Why a setting means nothing to any format; `undefined` for one that does. */
export function meaningless(graph: AgentGraph, path: Path, format: string): string | undefined {
  const at = path.lastIndexOf("condition");
  const around = at < 0 ? undefined : getAt(graph, path.slice(0, at + 1));
  const parent = getAt(graph, path.slice(0, -1));
  const place: Place = {
    graph,
    path,
    format,
    key: String(path.at(-1)),
    owner: isRecord(parent) ? parent : {},
    condition: isRecord(around)
      ? {
          type: around.type,
          equations: Array.isArray(around.equations) ? around.equations.length : 0,
          below: String(path[at + 1]),
        }
      : undefined,
  };
  return RULES.find(([, holds]) => holds(place))?.[0];
}

function nodeOf({ nodes }: AgentGraph, [head, id]: Path) {
  return head === "nodes" ? nodes[String(id)] : undefined;
}
