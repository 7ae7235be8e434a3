export { emitDescription, urlOf } from "./custom_tool.ts";
export { requestHint } from "./request.ts";
export { emitEndCall, emitRejection, emitTransfer } from "./terminal_tool.ts";
export { emitWorkTools, noteLines, type WorkTools } from "./work_tools.ts";
