/** A Hono server that answers `/NAME` with a value of a JSON file, and does nothing else: what the studio is compared with. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { argv } from "node:process";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

const answers: { readonly [name: string]: object } = JSON.parse(readFileSync(argv[2] ?? "", "utf8"));
const app = new Hono();
app.get("/:name", (context) => context.json(answers[context.req.param("name")] ?? {}));
const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : address}`);
});
