export { reportGiven } from "./platform_values.ts";
export { emitText, promptText, type TextContext } from "./text.ts";
export { clausesOf, nameVariables, type VariableTable } from "./variables.ts";
