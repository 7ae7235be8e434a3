/** Draws the pictures of the documentation from the examples, and the charts of imports from the code. */
import { writeFileSync } from "node:fs";
import { helpDesk } from "../examples/help-desk/flow.ts";
import { emit } from "../mod.ts";
import { drawImports } from "./draw_imports.ts";

writeFileSync("docs/help-desk.svg", String(emit(helpDesk, "svg").config));
console.log("drew docs/help-desk.svg");

drawImports(".");
console.log("drew the charts in CONTRIBUTING.md");
