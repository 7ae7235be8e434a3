// A process that records into a file concurrently with others: `_recording_writer.ts FILE FROM COUNT`.
import process from "node:process";
import { fileRecordings } from "../../../src/call/models/mod.ts";
import { recording } from "../../run/store/_recordings.ts";

const [path = "", from, count] = process.argv.slice(2);
const recordings = fileRecordings(path);
for (let index = 0; index < Number(count); index++) {
  await recordings.add(recording({ key: String(Number(from) + index) }));
  await recordings.flush();
}
