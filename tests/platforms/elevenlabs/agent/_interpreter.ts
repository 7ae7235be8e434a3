import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { compareDecimals } from "../../../../src/document/expressions/mod.ts";
import { MOST_HOPS } from "../../../../src/document/graph/mod.ts";
import { InterpretedCall, type Script } from "../../interpreted_call.ts";

const SPEAKING = ["override_agent", "say"];
/** How an agent without a graph is called here. */
const ONLY_PROMPT = "main";
const ENDS = ["end", "phone_number", "standalone_agent"];

/**
 * A call of a workflow, as ElevenLabs' documentation describes it: of the edges of a node, in its `edge_order`, the first
 * whose condition is true is taken, forwards or backwards. Comparisons know types: a text never equals a number.
 */
export class WorkflowCall extends InterpretedCall {
  /** Base prompt and prompt of the node, as the model gets them after each move to a subagent. */
  readonly prompts: { readonly [id: string]: string }[] = [];
  readonly #config: JsonObject;
  readonly #nodes: JsonObject;
  readonly #edges: JsonObject;
  #succeeded = true;

  constructor(agent: unknown, variables: JsonObject, script: Script) {
    const document = isRecord(agent) ? agent : {};
    const workflow = recordAt(document, "workflow");
    const config = recordAt(recordAt(document, "conversation_config"), "agent");
    const defaults = recordAt(recordAt(config, "dynamic_variables"), "dynamic_variable_placeholders");
    super({ ...defaults, ...variables }, script, MOST_HOPS);
    this.#config = config;
    this.#nodes = recordAt(workflow, "nodes");
    this.#edges = recordAt(workflow, "edges");
  }

  open(): void {
    if (Object.values(this.#nodes).every((node) => isRecord(node) && node.type === "start")) {
      this.visited.push(ONLY_PROMPT);
      this.prompts.push({ [ONLY_PROMPT]: this.#promptOf({}) });
      return;
    }
    this.at = Object.keys(this.#nodes).find((id) => recordAt(this.#nodes, id).type === "start") ?? "";
    this.start(this.wayOut());
  }

  protected goesOn(): boolean {
    const node = recordAt(this.#nodes, this.at);
    if (node.type === "say") return node.wait_for_user_response !== true;
    return !SPEAKING.includes(String(node.type));
  }

  protected work(): void {
    const node = recordAt(this.#nodes, this.at);
    const { type } = node;
    if (ENDS.includes(String(type))) this.ended = true;
    if (type === "update_state") this.#update(records(node.updates));
    if (type === "tool") this.#succeeded = records(node.tools).every(({ tool_id: id }) => this.#call(String(id)));
    if (type === "override_agent") this.prompts.push({ [this.at]: this.#promptOf(node) });
  }

  #promptOf(node: JsonObject): string {
    const { prompt } = this.#config;
    const base = isRecord(prompt) ? String(prompt.prompt ?? "") : String(prompt ?? "");
    const override = recordAt(recordAt(recordAt(node, "conversation_config"), "agent"), "prompt").prompt;
    const system = typeof override === "string" && override !== "" ? override : base;
    return [system, String(node.additional_prompt ?? "")].filter((text) => text !== "").join("\n");
  }

  #update(updates: readonly JsonObject[]): void {
    for (const { variable_name: name, expression } of updates) {
      const isOfModel = isRecord(expression) && expression.type === "llm";
      const schema = isOfModel ? recordAt(expression, "value_schema") : {};
      const value = isOfModel ? this.script.valueOf(schema, String(name)) : this.#valueOf(expression);
      if (value !== undefined && value !== null) this.variables.set(String(name), value);
    }
  }

  #call(id: string): boolean {
    const tool = records(recordAt(this.#config, "prompt").tools).find(({ name }) => name === id);
    const result = this.script.call(id);
    if (!result) return false;
    for (const { dynamic_variable: name, value_path: path } of records(tool?.assignments)) {
      const value = own(result, String(path));
      if (value !== undefined) this.variables.set(String(name), value);
    }
    return true;
  }

  protected wayOut(): string | undefined {
    const { edge_order: order } = recordAt(this.#nodes, this.at);
    for (const id of Array.isArray(order) ? order : []) {
      const {
        source,
        target,
        forward_condition: forward,
        backward_condition: backward,
      } = recordAt(this.#edges, String(id));
      if (source === this.at && isRecord(forward) && this.#isTrue(forward)) return String(target);
      if (target === this.at && isRecord(backward) && this.#isTrue(backward)) return String(source);
    }
    return undefined;
  }

  #isTrue({ type, condition, successful, expression }: JsonObject): boolean {
    if (type === "unconditional") return true;
    if (type === "llm") return this.script.holds(this.filled(String(condition)));
    if (type === "result") return successful === this.#succeeded;
    if (type === "expression") return this.#valueOf(expression) === true;
    throw new TypeError(`an edge has the unknown condition "${String(type)}"`);
  }

  /** The value of an expression; `null` for a variable that is not set. */
  #valueOf(tree: unknown): unknown {
    if (!isRecord(tree)) throw new TypeError("an expression is an object");
    const { type, value, name, left, right, children } = tree;
    const list = Array.isArray(children) ? children : [];
    switch (type) {
      case "string_literal":
      case "number_literal":
      case "boolean_literal":
        return value;
      case "null_literal":
        return null;
      case "dynamic_variable":
        return this.variables.get(String(name)) ?? null;
      case "llm":
        return this.script.holds(this.filled(String(recordAt(tree, "value_schema").description)));
      case "and_operator":
        return list.every((child) => this.#valueOf(child) === true);
      case "or_operator":
        return list.some((child) => this.#valueOf(child) === true);
      case "conditional_operator":
        return this.#valueOf(this.#valueOf(tree.condition) === true ? tree.trueExpression : tree.falseExpression);
      default:
        if (isRecord(right) && right.type === "null_literal")
          return (this.#valueOf(left) === null) === (type === "eq_operator");
        return calculated(String(type), this.#valueOf(left), this.#valueOf(right));
    }
  }
}

/** Nothing is said of a variable that is not set, except whether it is. */
function calculated(type: string, left: unknown, right: unknown): unknown {
  const isSet = left !== null && right !== null;
  if (type === "eq_operator") return isSet && left === right;
  if (type === "neq_operator") return isSet && left !== right;
  const order = isSet ? compareDecimals(String(left), String(right)) : undefined;
  switch (type) {
    case "gt_operator":
      return order !== undefined && order > 0;
    case "gte_operator":
      return order !== undefined && order >= 0;
    case "lt_operator":
      return order !== undefined && order < 0;
    case "lte_operator":
      return order !== undefined && order <= 0;
    case "add_operator":
      return Number(left) + Number(right);
    case "sub_operator":
      return Number(left) - Number(right);
    case "mul_operator":
      return Number(left) * Number(right);
    case "div_operator":
      return Number(left) / Number(right);
    default:
      throw new TypeError(`an expression has the unknown type "${type}"`);
  }
}
