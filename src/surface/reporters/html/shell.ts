import { escapeMarkup } from "../../../base/values/mod.ts";
import { REPORT_SCRIPT, REPORT_STYLE } from "../../web/mod.ts";
import { hashSource } from "./embed.ts";

/** The parts of the page, as HTML. */
export interface ShellParts {
  readonly title: string;
  /** The picture of the graph as SVG. */
  readonly picture: string;
  readonly data: readonly string[];
}

/**
 * The HTML around a report. Its Content Security Policy allows only its one script and one style: no
 * network, no other script, no inline event handlers.
 */
export function shell({ title, picture, data }: ShellParts): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(REPORT_SCRIPT)}`,
    `style-src ${hashSource(REPORT_STYLE)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<style>${REPORT_STYLE}</style>
</head>
<body>
<div id="page"><noscript>This report shows its data with a script. Allow scripts for this file, or read the JSON in its source.</noscript></div>
<template id="picture">${picture}</template>
${data.join("\n")}
<script>${REPORT_SCRIPT}</script>
</body>
</html>
`;
}
