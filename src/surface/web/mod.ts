export { REPORT_SCRIPT, REPORT_STYLE } from "./generated/mod.ts";
export type {
  PageCall,
  PageChange,
  PageComparison,
  PageCoverage,
  PageData,
  PageEvent,
  PageHeard,
  PageHearing,
  PageLatency,
  PageLine,
  PageNode,
  PageNotice,
  PageScenario,
  PageScore,
  PageTrial,
  PageValue,
  PageVerdict,
  PageWait,
} from "./page_data.ts";
export { viewPage } from "./view_page.ts";
export type { ViewPicture, ViewState } from "./view_state.ts";
