import { PAGE_SCRIPT } from "./page_script.ts";

const STYLE = `
:root { color-scheme: light dark; --back: #eef1f5; --card: #ffffff; --ink: #0f172a; --soft: #64748b; --line: #d5dce5; --bad: #b91c1c; --bad-back: #fef2f2; --warn: #a16207; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0c0c0e; --card: #1c1c1f; --ink: #e4e4e7; --soft: #a1a1aa; --line: #36363b; --bad: #fca5a5; --bad-back: #3a1618; --warn: #fcd34d; }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: auto 1fr / 1fr minmax(16rem, 22rem); font: 14px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--back); }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .5rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
h1 { font-size: 1rem; margin: 0; }
header span { color: var(--soft); }
nav { margin-left: auto; display: flex; gap: .25rem; }
button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; min-width: 2.2rem; padding: .15rem .5rem; cursor: pointer; }
button:hover { background: var(--back); }
#stage { position: relative; overflow: auto; min-width: 0; cursor: grab; }
#stage.dragged { cursor: grabbing; }
#picture { width: max-content; min-width: 100%; padding: 1rem; }
#error { grid-column: 1; grid-row: 2; align-self: start; z-index: 1; margin: 1rem; padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; color: var(--bad); background: var(--bad-back); border: 1px solid var(--bad); border-radius: 8px; }
#stage { grid-column: 1; grid-row: 2; }
aside { grid-column: 2; grid-row: 2; overflow: auto; padding: .75rem 1rem; background: var(--card); border-left: 1px solid var(--line); }
h2 { font-size: .85rem; margin: 0 0 .5rem; color: var(--soft); font-weight: 600; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: .5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li b { font-weight: 600; }
li.error b { color: var(--bad); }
li.warning b { color: var(--warn); }
li p { margin: .15rem 0 0; color: var(--soft); }
[hidden] { display: none !important; }
body.clean { grid-template: auto 1fr / 1fr; }
body.clean aside { display: none; }
@media (max-width: 50rem) {
  body:not(.clean) { grid-template: auto 1fr minmax(0, 35%) / 1fr; }
  aside { grid-column: 1; grid-row: 3; border: 0; border-top: 1px solid var(--line); }
}
`;

/** The page of `callweave view`. It contains no data of the agent, which arrives as events. */
export function viewPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>callweave view</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body class="clean">
<header>
  <h1 id="name">callweave view</h1>
  <span id="status" role="status">loading</span>
  <nav aria-label="Zoom">
    <button id="out" title="Zoom out" aria-label="Zoom out">−</button>
    <button id="zoom" title="Actual size">100 %</button>
    <button id="in" title="Zoom in" aria-label="Zoom in">+</button>
    <button id="fit" title="Fit the width">Fit</button>
  </nav>
</header>
<div id="error" role="alert" hidden></div>
<main id="stage" tabindex="0" aria-label="Picture of the agent"><div id="picture"></div></main>
<aside aria-label="Findings"><h2 id="count">Findings</h2><ul id="findings"></ul></aside>
<script nonce="${nonce}">${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
