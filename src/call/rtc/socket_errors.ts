import { isListOf, isRecord } from "../../base/values/mod.ts";

interface Emitter {
  listenerCount(event: string): number;
  on(event: string, listener: () => void): unknown;
}

/**
 * Ignores the errors of a connection's sockets, such as that nobody is at an address: `werift` does not listen to them, so
 * that they would end the process. That nothing arrives is noticed in another way.
 *
 * @param transports The connection's `iceTransports`. Their sockets are not public.
 */
export function ignoreSocketErrors(transports: readonly { readonly connection: object }[]): void {
  for (const { connection } of transports) {
    const protocols: unknown = Reflect.get(connection, "protocols");
    if (!isListOf(protocols, isRecord)) continue;
    for (const protocol of protocols) {
      for (const place of [protocol, protocol.turn]) {
        const transport = isRecord(place) ? place.transport : undefined;
        const socket = isRecord(transport) ? transport.socket : undefined;
        if (isEmitter(socket) && socket.listenerCount("error") === 0) socket.on("error", () => {});
      }
    }
  }
}

function isEmitter(value: unknown): value is Emitter {
  return typeof value === "object" && value !== null && "on" in value && "listenerCount" in value;
}
