export { REPORT_SCRIPT, REPORT_STYLE } from "./generated/mod.ts";
export type {
  PageCall,
  PageCallerRate,
  PageCallers,
  PageChange,
  PageComparison,
  PageCoverage,
  PageData,
  PageEvent,
  PageHeard,
  PageHearing,
  PageLatency,
  PageLine,
  PageMark,
  PageNode,
  PageNotice,
  PageRecording,
  PageScenario,
  PageScore,
  PageTrial,
  PageValue,
  PageVerdict,
  PageWait,
} from "./page_data.ts";
export { arrowsOf, linesOf, type NodeIndexes, valuesOf } from "./page_lines.ts";
export { viewPage } from "./view_page.ts";
export type { ViewPicture, ViewState } from "./view_state.ts";
