export { cancelledResult, runSlot } from "./run_slot.ts";
