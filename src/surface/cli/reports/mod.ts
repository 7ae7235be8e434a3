import type { chooseReports as choose } from "./choose_reports.ts";

export type { Reports } from "./choose_reports.ts";
export { COMPARE_FLAGS, readComparison } from "./compare_to.ts";
export { REPORTER_FLAGS } from "./flags.ts";

/** Selects reports by their flags. Reporters are loaded only then: help needs the flags alone. */
export const chooseReports: typeof choose = async (...given) =>
  await (await import("./choose_reports.ts")).chooseReports(...given);
