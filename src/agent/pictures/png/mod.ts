export { type PngOptions, type PngPicture, renderPng } from "./render_png.ts";
