import { escapeContent } from "../../../base/values/mod.ts";

/** Formats a text as code for one line of Markdown, also in a table. */
export function markdownCode(text: string): string {
  const line = escapeContent(text.replace(/\s+/g, " "));
  return `<code>${line.replaceAll("|", "&#124;").replaceAll("`", "&#96;")}</code>`;
}
