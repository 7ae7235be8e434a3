export { type DrawOptions, type DrawPngOptions, draw, drawAddressed, drawPng } from "./draw.ts";
export type { Grouping } from "./groups.ts";
