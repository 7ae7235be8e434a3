import { type ConditionWords, conditionParts } from "./conditions.ts";
import { type Code, type Language, listCode, printCode, quoted, valueCode } from "./layout.ts";
import { movesOf, type Plan, type PlannedAgent, type PlannedFunction, type Route } from "./plan.ts";
import type { Parts } from "./template.ts";

const TYPESCRIPT: Language = {
  width: 100,
  indent: "  ",
  isAiry: true,
  brokenText: (parts, indent) => `\n${parts.map((part) => `${indent}  ${part}`).join(" +\n")}`,
  words: { true: "true", false: "false", null: "null" },
  braces: ["{ ", " }"],
  key: (key) => {
    if (key === "__proto__") return '["__proto__"]: ';
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `${key}: ` : `${quoted(key)}: `;
  },
};

const WORDS: ConditionWords = {
  holds: "this.call.holds",
  hasCalled: "this.hasCalled",
  and: " &&",
  or: " ||",
  true: "true",
  false: "false",
  outcome: (succeeded) => (succeeded === undefined ? "succeeded !== undefined" : `succeeded === ${succeeded}`),
};

const pairs = (list: readonly (readonly [string, string])[]) => valueCode(list, TYPESCRIPT);
const entry = (before: string, value: Code): Code => ({ before: `${before}: `, value });

/** Parts of agent.ts and its tests, by their marks. */
export function typescriptParts(plan: Plan): Parts {
  const handlers = plan.agents.flatMap(({ functions }) => functions.map(({ handler }) => handler.kind));
  const names = ["Call", "type Flow", "type StepSpec", ...plan.agents.map(({ kind }) => kind), ...handlers];
  const items = [...new Set(names)].sort(compareNames);
  const moves = movesOf(plan).map((move) => listCode(move.map((text) => ({ text }))));
  return {
    IMPORTS: printCode({ open: "import { ", items, close: ' } from "./flow.ts";' }, TYPESCRIPT, ""),
    NAME: quoted(plan.name),
    MODELS: printCode(valueCode(plan.models, TYPESCRIPT), TYPESCRIPT, "", 200),
    AGENTS: plan.agents.map(printAgent).join("\n\n"),
    FLOW: printFlow(plan),
    MOVES: printCode(listCode(moves), TYPESCRIPT, "", 200),
  };
}

const compareNames = (a: string, b: string) => {
  const [x, y] = [a, b].map((name) => name.replace("type ", "").toLowerCase());
  return (x ?? "") < (y ?? "") ? -1 : 1;
};

function printFlow(plan: Plan): string {
  const items: Code[] = [
    entry("entry", { text: plan.entry }),
    entry("agents", listCode(plan.agents.map(({ className }) => className))),
    ...(plan.prompt ? [entry("prompt", { text: plan.prompt })] : []),
    ...(plan.opening === undefined ? [] : [entry("opening", { text: plan.opening })]),
    ...(plan.callerBegins ? ["callerBegins: true"] : []),
    ...(plan.variables.length > 0 ? [entry("variables", pairs(plan.variables))] : []),
    ...(plan.anytime.length > 0 ? [entry("anytime", pairs(plan.anytime))] : []),
    entry("goBack", { text: plan.goBack }),
    entry("stay", { text: plan.stay }),
  ];
  return `export const FLOW: Flow = ${printCode({ open: "{ ", items, close: " }" }, TYPESCRIPT, "", 200)};`;
}

function printAgent(agent: PlannedAgent): string {
  const isSilent = agent.kind === "Silent";
  const items: Code[] = [
    entry("node", { text: agent.node }),
    entry("handoff", { text: agent.handoff }),
    ...(agent.prompt ? [entry("prompt", { text: agent.prompt })] : []),
    ...(agent.isStatic ? ["verbatim: true"] : []),
    ...(Object.keys(agent.models).length > 0 ? [entry("models", valueCode(agent.models, TYPESCRIPT))] : []),
    ...(agent.functions.length > 0 ? [entry("functions", listCode(agent.functions.map(functionCode)))] : []),
    ...(agent.asks ? ["asks: true"] : []),
    ...(agent.choices.length > 0 ? [entry("choices", pairs(agent.choices))] : []),
    ...(agent.otherwise === undefined ? [] : [entry("otherwise", { text: agent.otherwise })]),
    ...(agent.back.length > 0 ? [entry("back", valueCode(agent.back, TYPESCRIPT))] : []),
    ...(agent.to === undefined ? [] : [entry("to", { text: agent.to })]),
    ...(agent.failed === undefined ? [] : [entry("failed", { text: agent.failed })]),
  ];
  const result = (route: Route) => quoted(route.target);
  const hasOutcome = isSilent && agent.routes.some(({ condition }) => condition.type === "tool_call");
  const methods = [
    method(
      `equation(${hasOutcome ? "succeeded: boolean | undefined" : ""}): string | undefined`,
      agent.routes,
      isSilent,
      result,
    ),
    method(
      "goesBack(): boolean",
      agent.backRoutes.map((condition) => ({ condition, target: "", atOnce: true })),
      false,
      () => "true",
      "false",
    ),
    method(
      "afterSpeech(): readonly [target: string, atOnce: boolean] | undefined",
      agent.afterSpeech,
      false,
      ({ target, atOnce }) => `[${quoted(target)}, ${atOnce}]`,
    ),
  ];
  return `export class ${agent.className} extends ${agent.kind} {
  static override readonly spec: StepSpec = ${printCode({ open: "{ ", items, close: " }" }, TYPESCRIPT, "  ", 200)};
${methods.join("")}}`;
}

/** A method that returns what the first condition leads to. */
function method(
  head: string,
  routes: readonly Route[],
  isSilent: boolean,
  result: (route: Route) => string,
  rest = "undefined",
): string {
  if (routes.length === 0) return "";
  const lines = routes.map((route) => {
    const { condition } = route;
    if (condition.type === "always") return `    return ${result(route)};\n`;
    const about =
      isSilent && condition.type === "tool_call" && condition.value ? `    // after ${quoted(condition.value)}\n` : "";
    const { parts, joint } = conditionParts(condition, isSilent, WORDS);
    const inline = `    if (${parts.join(`${joint} `)}) {`;
    const test =
      inline.length <= TYPESCRIPT.width
        ? inline
        : `    if (\n${parts.map((part) => `      ${part}`).join(`${joint}\n`)}\n    ) {`;
    return `${about}${test}\n      return ${result(route)};\n    }\n`;
  });
  const isComplete = routes.at(-1)?.condition.type === "always";
  return `\n  protected override ${head} {\n${lines.join("")}${isComplete ? "" : `    return ${rest};\n`}  }\n`;
}

function functionCode({ name, description, parameters, handler, stores, ends }: PlannedFunction): Code {
  return {
    open: "{ ",
    items: [
      entry("name", { text: name }),
      entry("description", { text: description }),
      ...(parameters ? [entry("parameters", valueCode(parameters, TYPESCRIPT))] : []),
      entry("handler", handlerCode(handler)),
      ...(stores.length > 0 ? [entry("stores", pairs(stores))] : []),
      ...(ends ? [entry("ends", { text: ends })] : []),
    ],
    close: " }",
  };
}

function handlerCode(handler: PlannedFunction["handler"]): Code {
  if (handler.kind === "note") return "note";
  if (handler.kind !== "http") return `${handler.kind}(${quoted(handler.text)})`;
  const { timeout_seconds: timeoutSeconds, ...rest } = handler.options;
  const options = { ...rest, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
  const given = Object.keys(options).length > 0 ? [valueCode(options, TYPESCRIPT)] : [];
  return { open: "http(", items: [{ text: handler.text }, ...given], close: ")" };
}
