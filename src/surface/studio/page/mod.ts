export { type StudioPage, studioPage } from "./studio_page.ts";
