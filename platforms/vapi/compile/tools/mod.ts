export { URL_VARIABLE } from "./code_tools.ts";
export { urlOf } from "./custom_tool.ts";
export { codeTool, emitDescription, emitRejection, type Tool } from "./parts.ts";
export { requestHint } from "./request.ts";
export { emitEndCall, emitTransfer } from "./terminal_tool.ts";
export { emitWorkTools, type WorkTools } from "./work_tools.ts";
