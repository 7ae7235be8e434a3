import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** The page: texts without data, which it asks the API for. */
export interface PageTexts {
  readonly html: string;
  /** What the page loads from `/studio.js` and `/studio.css`. */
  readonly script: string;
  readonly style: string;
}

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  /** Of its content, so that a browser asks for it again only when it has changed. */
  readonly tag: string;
}

/** The page's files by their path. They are in memory: no request names a file on disk. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Prepares the files of the page. */
export function pageFiles({ html, script, style }: PageTexts): PageFiles {
  return new Map([
    ["/", fileOf(html, "text/html; charset=utf-8")],
    ["/studio.js", fileOf(script, "text/javascript; charset=utf-8")],
    ["/studio.css", fileOf(style, "text/css; charset=utf-8")],
  ]);
}

function fileOf(text: string, type: string): PageFile {
  const plain = new TextEncoder().encode(text);
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, plain, zipped: new Uint8Array(gzipSync(plain)), tag };
}
