import { Buffer } from "node:buffer";
import { decodeMuLaw, encodeMuLaw } from "../../../../src/call/audio/mod.ts";
import {
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { Ear, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainTurn, startBrain } from "../../connections/_brain.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";

/**
 * The help desk behind Twilio's Media Streams, which hears and speaks. It closes the connection when the mark after its
 * last words comes back. Messages: twilio.com/docs/voice/media-streams/websocket-messages.
 */
export async function startTwilioDesk(options: Pick<SocketServerOptions, "fault"> = {}): Promise<SocketServer> {
  return await startSocketServer({
    ...options,
    play: async (socket) => {
      const ear = new Ear(8000);
      let streamSid = "";
      let brain = startBrain({ mocks: DESK_TOOLS });
      const say = ({ events, ended }: BrainTurn) => {
        for (const event of events) {
          if (event.kind !== "says") continue;
          const payload = Buffer.from(encodeMuLaw(spoken(event.text, 8000))).toString("base64");
          socket.send({ event: "media", streamSid, media: { payload } });
        }
        if (ended) socket.send({ event: "mark", streamSid, mark: { name: "last words" } });
      };
      for (let message = await socket.next(); message !== undefined; message = await socket.next()) {
        if (message.event === "start") {
          streamSid = message.start.streamSid;
          brain = startBrain({ mocks: DESK_TOOLS, variables: message.start.customParameters });
          say(await brain.open());
        } else if (message.event === "mark") return socket.close(1000);
        else if (message.event === "media") {
          const text = ear.hear(decodeMuLaw(Buffer.from(message.media.payload, "base64")));
          if (text !== undefined) say(await brain.hear(text));
        }
      }
    },
  });
}
