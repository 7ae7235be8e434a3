export { headerVariable, URL_VARIABLE } from "./code_tools.ts";
export { codeTool, emitDescription, emitRejection, emitTransfer, spoken } from "./parts.ts";
export { requestHint } from "./request.ts";
export { emitWorkTools, type WorkTools } from "./work_tools.ts";
