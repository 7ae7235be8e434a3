export { type Attributes, type Child, make } from "./make.ts";
export { themeButton } from "./theme.ts";
export { enableZoom, type Zoom } from "./zoom.ts";
