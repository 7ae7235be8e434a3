export { emitText, promptText, type TextContext } from "./text.ts";
export { clausesOf, nameVariables, reportAskedValues, type VariableTable } from "./variables.ts";
