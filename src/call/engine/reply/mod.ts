export { historyOf, lastIndexOf } from "./history.ts";
export { dropReplyAhead, keepFusedReply, startReplyAhead, takeReplyAhead } from "./reply_ahead.ts";
export { replyRequest } from "./reply_request.ts";
