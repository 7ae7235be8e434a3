export { vetoLiquid } from "./liquid.ts";
