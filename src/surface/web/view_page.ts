import { VIEW_SCRIPT, VIEW_STYLE } from "./generated/mod.ts";

/**
 * The page of `callweave view`. It contains no data of the agent: states arrive as events from `/events`.
 *
 * @param nonce Allows the page's script in its Content Security Policy.
 */
export function viewPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>callweave view</title>
<link rel="icon" href="data:,">
<style>${VIEW_STYLE}</style>
</head>
<body>
<div id="page"></div>
<script nonce="${nonce}">${VIEW_SCRIPT}</script>
</body>
</html>
`;
}
