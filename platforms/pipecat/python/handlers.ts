import { isRecord, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import { placeholderContents } from "../../../src/document/expressions/mod.ts";
import type {
  EquationClause,
  ToolDefinition,
  TransitionCondition,
  VariableExtraction,
} from "../../../src/document/graph/mod.ts";
import type { Code, CodeRoute, FlowFunction } from "../shared/mod.ts";
import { docText, PythonNames, pythonText, pythonValue } from "./names.ts";

/** An argument of a function. */
interface Argument {
  readonly name: string;
  /** As the tool or the variable is called. */
  readonly key: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/** A handler: its name in the flow, its identifier and its code. */
export interface Handler {
  readonly name: string;
  readonly identifier: string;
  readonly code: string;
}

/** Writes the direct function behind a function of the flow. */
export function handlerOf({ name, to }: FlowFunction, code: Code, names: PythonNames): Handler {
  const identifier = names.take(name);
  const given = argumentsOf(code);
  const sorted = [...given.filter(({ isRequired }) => isRequired), ...given.filter(({ isRequired }) => !isRequired)];
  const parameters = sorted
    .map((each) => `, ${each.name}: ${each.type}${each.isRequired ? "" : " | None = None"}`)
    .join("");
  const field = isRecord(to) && typeof to.field === "string" ? to.field : undefined;
  const lines = [
    `async def ${identifier}(flow_manager: FlowManager${parameters}):`,
    ...docstring(code.description || name, given),
    ...bodyOf(name, code, { given, field }).map((line) => `    ${line}`),
  ];
  return { name, identifier, code: `${lines.join("\n")}\n` };
}

function docstring(text: string, given: readonly Argument[]): readonly string[] {
  const words = docText(text)
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const told = given.map(
    ({ name, type, description }) =>
      `        ${name} (${type}): ${docText(description).replaceAll(/\s+/g, " ").trim() || name}`,
  );
  const [first = "", ...rest] = words;
  const args = told.length > 0 ? ["", "    Args:", ...told] : [];
  if (rest.length === 0 && args.length === 0) return [`    """${first}"""`];
  return [`    """${first}`, ...rest.map((line) => (line === "" ? "" : `    ${line}`)), ...args, '    """'];
}

function argumentsOf({ tool, saves = [] }: Code): readonly Argument[] {
  const names = new PythonNames();
  if (!tool) return saves.map((variable) => variableArgument(variable, names.take(variable.name)));
  const { properties, required } = tool.parameters ?? {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {}).map(([key, schema]) => {
    const given = isRecord(schema) ? schema : {};
    return {
      ...{ name: names.take(key), key, type: typeOf(given) },
      ...{ description: describedSchema(given), isRequired: needed.includes(key) },
    };
  });
}

function variableArgument({ name: key, type, description, choices }: VariableExtraction, name: string): Argument {
  const of = choices?.length ? "str" : typeOf({ type });
  const words = [
    description,
    choices?.length ? `One of ${choices.map((each) => JSON.stringify(each)).join(", ")}.` : "",
  ];
  return { ...{ name, key, type: of }, description: words.filter(Boolean).join(" "), isRequired: false };
}

function typeOf({ type, items }: JsonObject): string {
  switch (Array.isArray(type) ? type.find((each) => each !== "null") : type) {
    case "number":
      return "float";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "array":
      return isRecord(items) ? `list[${typeOf(items)}]` : "list";
    case "object":
      return "dict";
    default:
      return "str";
  }
}

/** The description of an argument, with the values that Python's types cannot list. */
function describedSchema({ description, ...schema }: JsonObject): string {
  const choices = Array.isArray(schema.enum)
    ? [`One of ${schema.enum.map((each) => JSON.stringify(each)).join(", ")}.`]
    : [];
  const limits = [
    "minimum",
    "maximum",
    "pattern",
    "format",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "default",
  ]
    .filter((key) => schema[key] !== undefined)
    .map((key) => `${key}: ${JSON.stringify(schema[key])}.`);
  const inner = isRecord(schema.properties) ? [`Keys: ${JSON.stringify(schema.properties)}.`] : [];
  return [typeof description === "string" ? description : "", ...choices, ...limits, ...inner]
    .filter(Boolean)
    .join(" ");
}

interface Body {
  readonly given: readonly Argument[];
  readonly field: string | undefined;
}

function bodyOf(name: string, { tool, saves, routes = [], note }: Code, { given, field }: Body): readonly string[] {
  const noted = note?.split(/\r?\n/).map((line) => `# ${line}`) ?? [];
  const stored = (saves ?? []).flatMap(({ name: variable }) => {
    const argument = given.find(({ key }) => key === variable);
    return argument
      ? [
          `if ${argument.name} is not None:`,
          `    set_value(flow_manager.state, ${pythonText(variable)}, ${argument.name})`,
        ]
      : [];
  });
  const choose = routes.length > 0 ? [`branch = ${choiceOf(routes)}`] : [];
  if (!tool)
    return [
      ...noted,
      ...stored,
      ...choose,
      `return {"branch": ${routes.length > 0 ? "branch" : '"done"'}}, TRANSITION_IN_YAML`,
    ];
  const entries = given.map((each) => `${pythonText(each.key)}: ${each.name}`).join(", ");
  const filled = Object.entries(tool.response_variables ?? {}).map(
    ([variable, path]) =>
      `set_value(flow_manager.state, ${pythonText(variable)}, value_at(result, ${pythonText(path)}))`,
  );
  const { transfer_destination: destination } = recordAt(tool.metadata ?? {}, "pipecat");
  const action = isRecord(destination) ? pythonValue({ type: "function", ...destination }) : undefined;
  const plain = `result, succeeded = await run_tool(${pythonText(name)}, ${pythonValue(tool.url)}, {${entries}})`;
  const call = action === undefined ? plain : `result, succeeded = await run_transfer(${action}, flow_manager)`;
  const answer =
    routes.length > 0
      ? '{**result, "branch": branch}'
      : field === undefined
        ? "result"
        : `{${pythonText(field)}: None, **result}`;
  return [
    ...kindOf(tool),
    ...noted,
    call,
    ...(filled.length > 0 ? ["if succeeded:", ...filled.map((line) => `    ${line}`)] : []),
    ...choose,
    `return ${answer}, TRANSITION_IN_YAML`,
  ];
}

function kindOf({ type, tool_id: id }: ToolDefinition): readonly string[] {
  const words = [type && type !== "custom" ? `type ${type}` : "", id ? `id ${id}` : ""].filter(Boolean);
  return words.length > 0 ? [`# Where it came from: ${words.join(", ").replaceAll(/\s+/g, " ")}`] : [];
}

/** The value of the first route that holds. */
function choiceOf(routes: readonly CodeRoute[]): string {
  return `(\n        ${routes.map(({ value, condition }) => `${pythonText(value)} if ${conditionOf(condition)} else`).join("\n        ")}\n        "other"\n    )`;
}

function conditionOf({ type, equations, outcome, logical_operator: joint }: TransitionCondition): string {
  if (type === "tool_call") return outcome == null ? "True" : outcome === "succeeded" ? "succeeded" : "not succeeded";
  const clauses = (equations ?? []).map(clauseOf);
  if (clauses.length === 0) return "False";
  return clauses.length === 1 ? (clauses[0] ?? "False") : `(${clauses.join(joint === "or" ? " or " : " and ")})`;
}

function clauseOf({ left, operator, right }: EquationClause): string {
  const state = "flow_manager.state";
  const side = right === undefined || right === null ? "" : String(right);
  const filled = placeholderContents(side).length > 0 ? `fill(${state}, ${pythonText(side)})` : pythonText(side);
  return `holds(${state}, ${pythonText(left)}, ${pythonText(operator)}, ${filled})`;
}
