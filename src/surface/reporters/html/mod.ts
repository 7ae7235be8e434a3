export { formatHtml, type HtmlOptions } from "./format_html.ts";
export { wholeCalls } from "./whole_calls.ts";
