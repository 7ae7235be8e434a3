import type { Socket } from "node:net";

/** What carries whole messages to and from the session of a worker. */
export interface SessionCarrier {
  /** Starts to read. Nothing is lost from then on. */
  start(listener: CarrierListener): void;
  /** Sends a message. One that cannot be sent any more is lost: the listener learns of the end. */
  send(message: Uint8Array): void;
  /** Reads nothing more. */
  close(): void;
}

/** Gets what a carrier reads. */
export interface CarrierListener {
  readonly message: (bytes: Uint8Array) => void;
  /** The bytes that arrive are no messages. */
  readonly unreadable: (cause: unknown) => void;
  /** The worker has left. */
  readonly end: () => void;
}

/** The length before each message of a socket, in bytes. */
const HEADER = 4;
/** Limit for what a worker sends. */
export const MOST_RECEIVED = 8 * 2 ** 20;

/** Carries messages over a socket, each with its length before it. */
export function socketCarrier(socket: Socket): SessionCarrier {
  let isOver = false;
  return {
    start: ({ message, unreadable, end }) => {
      const leave = () => {
        isOver = true;
        end();
      };
      const read = frameReader(message);
      socket.on("data", (part: Uint8Array) => {
        try {
          read(part);
        } catch (error) {
          unreadable(error);
        }
      });
      socket.on("error", leave);
      socket.on("end", leave);
      socket.on("close", leave);
    },
    send: (message) => {
      const frame = new Uint8Array(HEADER + message.length);
      new DataView(frame.buffer).setUint32(0, message.length);
      frame.set(message, HEADER);
      if (!isOver) socket.write(frame);
    },
    close: () => void socket.destroy(),
  };
}

/** Cuts what comes over a socket into messages. */
function frameReader(take: (bytes: Uint8Array) => void): (part: Uint8Array) => void {
  let rest = new Uint8Array();
  return (part) => {
    const all = new Uint8Array(rest.length + part.length);
    all.set(rest);
    all.set(part, rest.length);
    let at = 0;
    const view = new DataView(all.buffer);
    while (all.length - at >= HEADER) {
      const length = view.getUint32(at);
      if (length > MOST_RECEIVED) throw new RangeError(`a message has more than ${MOST_RECEIVED} bytes`);
      if (all.length - at < HEADER + length) break;
      take(all.subarray(at + HEADER, at + HEADER + length));
      at += HEADER + length;
    }
    rest = all.slice(at);
  };
}
