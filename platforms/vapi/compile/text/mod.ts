export { clausesOf } from "./clauses.ts";
export { reportAskedValues } from "./platform_values.ts";
export { emitText, promptText, type TextContext } from "./text.ts";
export { nameVariables, type VariableTable } from "./variables.ts";
