// A process that migrates databases to a made-up schema concurrently with others: `_migrator.ts FILE...`.
import process from "node:process";
import { migrateTo, NEXT } from "./_made_up.ts";

for (const path of process.argv.slice(2)) await migrateTo(path, NEXT);
