export { type DrawOptions, type DrawPngOptions, draw, drawPng } from "./draw.ts";
export type { Grouping } from "./groups.ts";
