import { STUDIO_SCRIPT, STUDIO_STYLE } from "./generated/mod.ts";

/** The files of the studio's page. None of them has data: the page asks the API for it. */
export interface StudioPage {
  /** The page itself. It loads the two others from `/studio.js` and `/studio.css`, and nothing else. */
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

/** The page of `callweave studio`. The reader's place is in the URL's hash, so that it has one address. */
export function studioPage(): StudioPage {
  return { html: HTML, script: STUDIO_SCRIPT, style: STUDIO_STYLE };
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>callweave studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/studio.css">
<script src="/studio.js" defer></script>
</head>
<body>
<div id="studio"><noscript>The studio shows its data with a script. Allow scripts for this address.</noscript></div>
</body>
</html>
`;
