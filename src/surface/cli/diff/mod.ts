export { diffCommand, formatTerminal } from "./diff.ts";
export { formatMarkdown } from "./format_markdown.ts";
export { loadVersion } from "./load_version.ts";
