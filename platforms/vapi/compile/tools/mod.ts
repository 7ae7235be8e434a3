export { URL_VARIABLE } from "./code_tools.ts";
export { urlOf } from "./custom_tool.ts";
export { codeTool, emitDescription, emitEndCall, emitRejection, emitTransfer, type Tool } from "./parts.ts";
export { requestHint } from "./request.ts";
export { emitWorkTools, type WorkTools } from "./work_tools.ts";
