export { type Child, type ElementAttributes, make } from "./make.ts";
export { parsePicture } from "./parse_picture.ts";
export { themeButton } from "./theme.ts";
export { enableZoom, type Zoom } from "./zoom.ts";
