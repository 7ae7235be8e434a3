import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { GraphError } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";

/** Renders SVG in WASM: the same pixels on every runtime and system. */
const RENDERER = "@resvg/resvg-wasm";
/** The font that the SVG's boxes are measured for, so that pictures need no installed font. */
const FONT = "@fontsource/dejavu-sans";
const FONT_FILES = [400, 700].map((weight) => `${FONT}/files/dejavu-sans-latin-${weight}-normal.woff2`);
/** Larger pictures are scaled down: a pixel takes four bytes, and viewers refuse huge pictures. */
const MOST_PIXELS = 64_000_000;

/** Options of {@link renderPng}. */
export interface PngOptions {
  /** Pixels per pixel of the SVG, 0.05 to 8. Default: 1. */
  readonly scale?: number;
  /** Font files (TTF, OTF, WOFF, WOFF2) for characters that DejaVu Sans lacks, such as Chinese ones. */
  readonly fonts?: readonly Uint8Array[];
}

/** A picture in pixels. */
export interface PngPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The scale that was used: smaller than requested if the picture would have more than 64 million pixels. */
  readonly scale: number;
}

/**
 * Renders an SVG as PNG, with the packages `@resvg/resvg-wasm` and `@fontsource/dejavu-sans`, which are loaded on
 * demand.
 *
 * @throws {GraphError} `missing-package`, `picture-failed`.
 */
export async function renderPng(svg: string, { scale = 1, fonts = [] }: PngOptions = {}): Promise<PngPicture> {
  const { Resvg } = await loadRenderer();
  const fontBuffers = [...(await loadFonts()), ...fonts];
  const [, width = "1", height = "1"] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const most = Math.sqrt(MOST_PIXELS / (Number(width) * Number(height)));
  const used = Math.min(scale, most);
  try {
    const renderer = new Resvg(svg, {
      font: { fontBuffers, defaultFontFamily: "DejaVu Sans", sansSerifFamily: "DejaVu Sans" },
      fitTo: { mode: "zoom", value: used },
    });
    const image = renderer.render();
    const picture = { bytes: image.asPng(), width: image.width, height: image.height, scale: used };
    image.free();
    renderer.free();
    return picture;
  } catch (cause) {
    throw new GraphError("Cannot draw a graph as PNG: the renderer failed", {
      code: "picture-failed",
      hint: "Draw it as SVG, or a part of it",
      cause,
    });
  }
}

async function loadRenderer() {
  try {
    const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
    const wasm = await readFile(resolved(`${RENDERER}/index_bg.wasm`));
    await initWasm(wasm).catch((error: unknown) => {
      // the library can be initialized once in a process
      if (!String(isRecord(error) ? error.message : error).includes("Already initialized")) throw error;
    });
    return { Resvg };
  } catch (cause) {
    throw missing(cause);
  }
}

async function loadFonts(): Promise<readonly Uint8Array[]> {
  try {
    return await Promise.all(FONT_FILES.map((file) => readFile(resolved(file))));
  } catch (cause) {
    throw missing(cause);
  }
}

function resolved(file: string): string {
  return createRequire(import.meta.url).resolve(file);
}

function missing(cause: unknown): GraphError {
  return new GraphError(`Cannot draw a graph as PNG: ${RENDERER} or ${FONT} cannot be loaded`, {
    code: "missing-package",
    hint: `Install them: npm install ${RENDERER} ${FONT}`,
    cause,
  });
}
