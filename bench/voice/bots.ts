/**
 * The bots of the bench, in a process of their own: their work is no part of what is measured. Prints the address; after
 * a line on the standard input, it prints what the bots have heard, and begins anew.
 */

import process from "node:process";
import { createInterface } from "node:readline";
import { tone } from "../../tests/call/voice/_tones.ts";
import { startTwilio } from "../../tests/platforms/twilio/talk/_bot.ts";
import type { HeardFrames } from "./heard_frames.ts";

const turns = Number(process.argv[2]);
const latencies = (process.argv[3] ?? "300").split(",").map(Number);
const HELLO = { acts: [{ sound: tone(440, 500) }] };
const replies = Array.from({ length: turns }, (_, turn) => {
  const afterMs = latencies[turn % latencies.length] ?? 300;
  return { afterMs, acts: [{ sound: tone(600, 700) }] };
});

await using server = await startTwilio({ replies: [HELLO, ...replies] });
console.log(server.socketUrl);
for await (const _ of createInterface({ input: process.stdin })) {
  const heard: HeardFrames = {
    due: server.bots.reduce((sum, { media }) => sum + (media.at(-1)?.atMs ?? 0) / 20 + 1, 0),
    sent: server.bots.reduce((sum, { media }) => sum + media.length, 0),
    planted: server.bots.map(({ planted }) => planted),
  };
  console.log(JSON.stringify(heard));
  server.forget();
}
