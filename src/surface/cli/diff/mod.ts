export { diffCommand } from "./diff.ts";
export { formatMarkdown } from "./format_markdown.ts";
export { formatTerminal } from "./format_terminal.ts";
export { loadVersion } from "./load_version.ts";
