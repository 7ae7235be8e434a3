import { type ConditionWords, conditionParts } from "./conditions.ts";
import { type Code, type Language, listCode, printCode, quoted, valueCode } from "./layout.ts";
import { movesOf, type Plan, type PlannedAgent, type PlannedFunction, type Route } from "./plan.ts";
import type { Parts } from "./template.ts";

const PYTHON: Language = {
  width: 88,
  indent: "    ",
  isAiry: false,
  brokenText: (parts, indent) => `(\n${parts.map((part) => `${indent}    ${part}\n`).join("")}${indent})`,
  words: { true: "True", false: "False", null: "None" },
  braces: ["{", "}"],
  key: (key) => `${quoted(key)}: `,
};

const WORDS: ConditionWords = {
  holds: "self.call.holds",
  hasCalled: "self.has_called",
  and: "and ",
  or: "or ",
  true: "True",
  false: "False",
  outcome: (succeeded) =>
    succeeded === undefined ? "succeeded is not None" : `succeeded is ${succeeded ? "True" : "False"}`,
};

const entry = (before: string, value: Code, joint = "="): Code => ({ before: `${before}${joint}`, value });
const tuple = (texts: readonly string[]) =>
  listCode(
    texts.map((text) => ({ text })),
    "(",
    ")",
  );
const pairs = (list: readonly (readonly [string, string])[]) => listCode(list.map(tuple));
const map = (list: readonly (readonly [string, string])[]): Code => {
  return listCode(
    list.map(([key, text]) => entry(quoted(key), { text }, ": ")),
    "{",
    "}",
  );
};

/** Parts of agent.py and its tests, by their marks. */
export function pythonParts(plan: Plan): Parts {
  const handlers = plan.agents.flatMap(({ functions }) => functions.map(({ handler }) => handler.kind));
  const used = handlers.length > 0 ? ["Function"] : [];
  const classes = [...new Set(["Call", "Flow", ...plan.agents.map(({ kind }) => kind), ...used])].sort();
  const names = [...classes, ...[...new Set(handlers)].sort()];
  const imports = `from flow import ${names.join(", ")}`;
  const moves = movesOf(plan).map((move) => tuple(move));
  return {
    IMPORTS:
      imports.length <= PYTHON.width ? imports : printCode(listCode(names, "from flow import (", ")"), PYTHON, "", 200),
    NAME: quoted(plan.name),
    MODELS: printCode(valueCode(plan.models, PYTHON), PYTHON, "", 200),
    AGENTS: plan.agents.map((agent) => printAgent(agent).trimEnd()).join("\n\n\n"),
    FLOW: printFlow(plan),
    MOVES: printCode(listCode(moves), PYTHON, "", 200),
  };
}

function printFlow(plan: Plan): string {
  const agents = plan.agents.map(({ node, className }) => entry(quoted(node), className, ": "));
  const items: Code[] = [
    entry("entry", { text: plan.entry }),
    entry("agents", listCode(agents, "{", "}")),
    ...(plan.prompt ? [entry("prompt", { text: plan.prompt })] : []),
    ...(plan.opening === undefined ? [] : [entry("opening", { text: plan.opening })]),
    ...(plan.callerBegins ? ["caller_begins=True"] : []),
    ...(plan.variables.length > 0 ? [entry("variables", map(plan.variables))] : []),
    ...(plan.anytime.length > 0 ? [entry("anytime", pairs(plan.anytime))] : []),
    entry("go_back", { text: plan.goBack }),
    entry("stay", { text: plan.stay }),
  ];
  return `FLOW = ${printCode({ open: "Flow(", items, close: ")" }, PYTHON, "", 200)}`;
}

function printAgent(agent: PlannedAgent): string {
  const isSilent = agent.kind === "Silent";
  const text = (name: string, value: string | undefined) =>
    value === undefined ? [] : [entry(name, { text: value }, " = ")];
  const items: Code[] = [
    ...text("node", agent.node),
    ...text("handoff", agent.handoff),
    ...text("prompt", agent.prompt || undefined),
    ...(agent.isStatic ? ["verbatim = True"] : []),
    ...(Object.keys(agent.models).length > 0 ? [entry("models", valueCode(agent.models, PYTHON), " = ")] : []),
    ...(agent.functions.length > 0 ? [entry("functions", listCode(agent.functions.map(functionCode)), " = ")] : []),
    ...(agent.asks ? ["asks = True"] : []),
    ...(agent.choices.length > 0 ? [entry("choices", pairs(agent.choices), " = ")] : []),
    ...text("otherwise", agent.otherwise),
    ...(agent.back.length > 0 ? [entry("back", valueCode(agent.back, PYTHON), " = ")] : []),
    ...text("to", agent.to),
    ...text("failed", agent.failed),
  ];
  const result = (route: Route) => quoted(route.target);
  const methods = [
    method(`equation(self${isSilent ? ", succeeded: bool | None" : ""}) -> str | None`, agent.routes, isSilent, result),
    method(
      "goes_back(self) -> bool",
      agent.backRoutes.map((condition) => ({ condition, target: "", atOnce: true })),
      false,
      () => "True",
      "False",
    ),
    method(
      "after_speech(self) -> tuple[str, bool] | None",
      agent.afterSpeech,
      false,
      ({ target, atOnce }) => `${quoted(target)}, ${atOnce ? "True" : "False"}`,
    ),
  ];
  const lines = items.map((item) => `    ${printCode(item, PYTHON, "    ", 4)}\n`);
  return `class ${agent.className}(${agent.kind}):\n${lines.join("")}${methods.join("")}`;
}

/** A method that returns what the first condition leads to. */
function method(
  head: string,
  routes: readonly Route[],
  isSilent: boolean,
  result: (route: Route) => string,
  rest = "None",
): string {
  if (routes.length === 0) return "";
  const lines = routes.map((route) => {
    const { condition } = route;
    if (condition.type === "always") return `        return ${result(route)}\n`;
    const about =
      isSilent && condition.type === "tool_call" && condition.value
        ? `        # after ${quoted(condition.value)}\n`
        : "";
    const { parts, joint } = conditionParts(condition, isSilent, WORDS);
    const inline = `        if ${parts.join(` ${joint}`)}:`;
    const test =
      inline.length <= PYTHON.width
        ? inline
        : `        if (\n            ${parts.join(`\n            ${joint}`)}\n        ):`;
    return `${about}${test}\n            return ${result(route)}\n`;
  });
  const isComplete = routes.at(-1)?.condition.type === "always";
  return `\n    def ${head}:\n${lines.join("")}${isComplete ? "" : `        return ${rest}\n`}`;
}

function functionCode({ name, description, parameters, handler, stores, ends }: PlannedFunction): Code {
  const items = [
    entry("name", { text: name }),
    entry("description", { text: description }),
    ...(parameters ? [entry("parameters", valueCode(parameters, PYTHON))] : []),
    entry("handler", handlerCode(handler)),
    ...(stores.length > 0 ? [entry("stores", map(stores))] : []),
    ...(ends ? [entry("ends", { text: ends })] : []),
  ];
  return { open: "Function(", items, close: ")" };
}

function handlerCode(handler: PlannedFunction["handler"]): Code {
  if (handler.kind === "note") return "note";
  if (handler.kind !== "http") return `${handler.kind}(${quoted(handler.text)})`;
  const options = Object.entries(handler.options).map(([key, value]) => entry(key, valueCode(value, PYTHON)));
  return { open: "http(", items: [{ text: handler.text }, ...options], close: ")" };
}
