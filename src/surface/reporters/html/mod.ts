export { formatHtml, type HtmlOptions } from "./format_html.ts";
