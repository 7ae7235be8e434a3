export { emitText, promptText, type TextContext } from "./text.ts";
export { clausesOf, nameVariables, reportGiven, type VariableTable } from "./variables.ts";
