/** Draws the pictures of the documentation from the examples. */
import { writeFileSync } from "node:fs";
import { helpDesk } from "../examples/help-desk/flow.ts";
import { emit } from "../mod.ts";

writeFileSync("docs/help-desk.svg", String(emit(helpDesk, "svg").config));
console.log("drew docs/help-desk.svg");
