import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Brain, startBrain } from "../platforms/connections/_brain.ts";
import { DESK_TOOLS } from "../platforms/connections/_tools.ts";
import { stepsOf } from "./_desk_turns.ts";

/** The help desk, asked by programs for its turns. */
export interface DeskTurns extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that answers `{ call, text }` with the steps of the turn after a text; without one, of the opening. */
export async function startDeskTurns(): Promise<DeskTurns> {
  const brains = new Map<string, Brain>();
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const part of incoming.setEncoding("utf8")) body += part;
    const { call, text } = JSON.parse(body);
    const brain = brains.get(call) ?? startBrain({ mocks: DESK_TOOLS });
    brains.set(call, brain);
    const turn = text === undefined ? await brain.open() : await brain.hear(text);
    response.end(JSON.stringify(stepsOf(turn)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
