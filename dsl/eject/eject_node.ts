import { repeated, sameJson } from "../../src/base/values/mod.ts";
import type { AgentNode, GlobalNodeSetting } from "../../src/document/graph/mod.ts";
import { compileNode } from "../compile/mod.ts";
import { missingFields, withDocument } from "../document_fields.ts";
import { conditionOf } from "../edges.ts";
import type { DefinedNode, LooseOptions, NodeKind } from "../nodes.ts";
import { array, type Code, object, type Property } from "./code.ts";
import type { EjectContext } from "./context.ts";
import { isDeclaredTool } from "./declarations.ts";
import { ejectEdge, optionCodes, platformSettings } from "./eject_edge.ts";
import { ejectEquation } from "./equation_code.ts";
import { stringCode } from "./text_code.ts";
import { compiles, isTypedText } from "./texts.ts";
import { wordsFor } from "./words_for.ts";

/** A node as the builder receives it, and its code. */
export interface EjectedNode {
  readonly node: DefinedNode;
  readonly kind: NodeKind;
  /** The arguments of the builder's method. */
  readonly args: readonly Code[];
}

/** Writes a node with the method of its kind. What options cannot express is in `document`. */
export function ejectNode(node: AgentNode, context: EjectContext): EjectedNode {
  const words = wordsFor(node);
  const global = ejectGlobal(node.global_node_setting, context);
  const kind = kindOf(node, global !== undefined, context);
  const speaks = kind === "conversation" || kind === "global";
  const count = node.transitions.length;
  const edges =
    kind === "end"
      ? []
      : node.transitions.map((transition, index) =>
          ejectEdge(transition, { speaks, isLast: count > 1 && index === count - 1, words }, context),
        );
  const says = compiles(node.state_prompt, context);
  const isText = node.instruction_type === "static_text" && kind !== "extract" && kind !== "logic";
  const platforms = platformSettings("node", node.metadata);
  const options: LooseOptions = {
    ...(!says
      ? {}
      : isText
        ? { text: node.state_prompt }
        : node.state_prompt === ""
          ? {}
          : { prompt: node.state_prompt }),
    ...toolOptions(node, kind, context),
    ...(kind === "extract" ? { fills: fillsOf(node, context) } : {}),
    ...(kind === "transfer" && isTarget(node.transfer_to, context) ? { to: node.transfer_to } : {}),
    ...(global && kind === "global" ? global.options : {}),
    ...(global && kind !== "global" ? { global: global.options } : {}),
    ...platforms,
  };
  const bare: DefinedNode = { id: node.id, kind, options, edges: edges.map(({ edge }) => edge) };
  const { variables, tools } = context;
  const known = new Map([...variables, ...context.fillable]);
  const compiled = compileNode(bare, { flow: "", tools, variables: known, issues: [] });
  const transitions = bare.edges.map((edge) => withDocument(edge.transition, edge.document));
  const document = missingFields({ ...compiled, transitions }, node);
  const isWhole = Object.keys(document).length === 0;
  const entries = [
    ...(kind === "global" && global ? global.entries : []),
    ...speechCodes(options, words, context),
    ...optionCodes({ ...pick(options, ["tool", "tools", "fills", "to"]) }, words, context),
    ...(kind !== "global" && global ? [{ key: "global", value: object(global.entries) }] : []),
    ...nextCodes(edges.map(({ code }) => code)),
    ...optionCodes({ ...platforms, ...(isWhole ? {} : { document }) }, words, context),
  ];
  return {
    node: isWhole ? bare : { ...bare, options: { ...options, document } },
    kind,
    args: [stringCode(node.id), object(entries, edges.length > 0)],
  };
}

function kindOf(node: AgentNode, isGlobal: boolean, { tools }: EjectContext): NodeKind {
  const [tool] = node.tools;
  if (node.node_type === "function" && !(tool && isDeclaredTool(tool, tools))) return "logic"; // it calls no declared tool
  return node.node_type === "conversation" && isGlobal ? "global" : node.node_type;
}

function toolOptions(node: AgentNode, kind: NodeKind, { tools }: EjectContext): LooseOptions {
  const [first] = node.tools;
  if (kind === "function") return first ? { tool: first.name } : {};
  const names = node.tools.map((tool) => tool.name);
  const isPlain = node.tools.every((tool) => isDeclaredTool(tool, tools)) && [...repeated(names)].length === 0;
  const takes = kind === "conversation" || kind === "global";
  return takes && isPlain && names.length > 0 ? { tools: names } : {};
}

function fillsOf({ variables_to_extract: variables }: AgentNode, { fillable }: EjectContext): readonly string[] {
  const names = variables.map((variable) => variable.name);
  const isPlain = variables.every((variable) => sameJson(fillable.get(variable.name), variable));
  return isPlain && [...repeated(names)].length === 0 ? names : [];
}

/** The same rule as in the type TransferTarget and in `compile()`. */
function isTarget(to: string | null | undefined, context: EjectContext): to is string {
  if (typeof to !== "string" || !/^(?:\+[1-9]\d{6,14}|sips?:[^\s@]*@?[^\s@]+|\{\{[^{}]+\}\})$/.test(to)) return false;
  return compiles(to, context) && isTypedText(to, context);
}

function speechCodes(options: LooseOptions, words: string, context: EjectContext): readonly Property[] {
  const { text, prompt } = options;
  if (text !== undefined) return [{ key: "text", value: context.constants.text(text, words, "Text", context) }];
  if (prompt === undefined) return [];
  return [{ key: "prompt", value: context.constants.text(prompt, words, "Prompt", context) }];
}

function nextCodes(edges: readonly Code[]): readonly Property[] {
  if (edges.length === 0) return [];
  const used = ["to", "when", "otherwise"].filter((word) => edges.some((edge) => calls(edge, word)));
  return [{ key: "next", value: { kind: "arrow", params: `({ ${used.join(", ")} })`, body: array(edges) } }];
}

function calls(code: Code, callee: string): boolean {
  if (code.kind === "chain") return calls(code.head, callee);
  if (code.kind !== "call") return false;
  return code.callee === callee || code.args.some((arg) => calls(arg, callee));
}

function pick(options: LooseOptions, keys: readonly string[]): object {
  return Object.fromEntries(keys.flatMap((key) => Object.entries(options).filter(([each]) => each === key)));
}

interface EjectedGlobal {
  readonly options: { readonly when: string; readonly goBack?: unknown };
  readonly entries: readonly Property[];
}

/** Entry and go-back conditions; `undefined` if `compile()` would reject them. */
function ejectGlobal(setting: GlobalNodeSetting | null | undefined, context: EjectContext): EjectedGlobal | undefined {
  if (!setting || !compiles(setting.condition, context)) return undefined;
  const entry = { key: "when", value: stringCode(setting.condition) };
  const backs = setting.go_back_conditions.map(({ condition }) => {
    if (condition.type === "llm_prompt" && compiles(condition.value, context)) {
      return { made: condition.value, code: stringCode(condition.value), isText: true };
    }
    const equation = (condition.equations ?? []).length === 1 ? ejectEquation(condition, context.variables) : undefined;
    return equation && { made: equation.condition, code: equation.code, isText: false };
  });
  const plain = backs.flatMap((back) => (back ? [back] : []));
  const compiled = plain.map(({ made }, index) => ({ id: `back_${index}`, condition: conditionOf(made) }));
  if (plain.length === 0 || !sameJson(compiled, setting.go_back_conditions)) {
    return { options: { when: setting.condition }, entries: [entry] };
  }
  const list = array(plain.map(({ code }) => code));
  const [only] = plain;
  const value: Code = !plain.every(({ isText }) => isText)
    ? { kind: "arrow", params: "({ when })", body: list }
    : only && plain.length === 1
      ? only.code
      : list;
  const made = plain.map((each) => each.made);
  return { options: { when: setting.condition, goBack: made }, entries: [entry, { key: "goBack", value }] };
}
