// A process that writes recordings concurrently with others: `_recording_writer.ts URL FROM COUNT`.
import process from "node:process";
import { openRecordings } from "../../../src/run/store/mod.ts";
import { recording } from "./_recordings.ts";

const [url, from, count] = process.argv.slice(2);
const recordings = await openRecordings(url);
await Promise.all(
  Array.from({ length: Number(count) }, (_, index) => recordings.add(recording({ key: String(Number(from) + index) }))),
);
await recordings.close();
