// A process that recovers spool files concurrently with others: `_recoverer.ts URL SPOOL`.
import process from "node:process";
import { openStore } from "../../../src/run/store/mod.ts";

const [url, spool = ""] = process.argv.slice(2);
const store = await openStore(url, { spool, recover: false });
console.log((await store.recover()).results);
await store.close();
