export { chooseReports, type Reports } from "./choose_reports.ts";
export { parseReporter } from "./parse_reporter.ts";
export { REPORTER_FLAGS } from "./read_flags.ts";
