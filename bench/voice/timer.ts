/** The clock of one call, without a call: what it misses is the machine's. Prints the share of missed frames at each line. */
import process from "node:process";
import { createInterface } from "node:readline";
import { CALL_CLOCK, startFrameClock } from "../../src/call/voice/frame_clock.ts";

let sent = 0;
const frames = startFrameClock(CALL_CLOCK, 8000, () => {
  sent += 1;
});
console.log("started");
let [sentBefore, missedBefore] = [0, 0];
for await (const _ of createInterface({ input: process.stdin })) {
  const [sentNow, missedNow] = [sent - sentBefore, frames.missed - missedBefore];
  console.log(String(missedNow / Math.max(1, sentNow + missedNow)));
  [sentBefore, missedBefore] = [sent, frames.missed];
}
frames.stop();
