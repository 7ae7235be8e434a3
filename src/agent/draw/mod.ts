export { type DrawOptions, type DrawPngOptions, draw, drawAddressed, drawPng } from "./draw.ts";
export { GROUPINGS, type Grouping } from "./groups.ts";
