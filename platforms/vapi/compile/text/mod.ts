export { reportAskedValues } from "./platform_values.ts";
export { emitText, type TextContext } from "./text.ts";
export type { VariableNames } from "./variable_names.ts";
export { nameVariables, type VariableTable } from "./variable_table.ts";
