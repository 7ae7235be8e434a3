/** What all rooms of this process share: the package has one native client a process, which keeps the process alive. */
interface Shared {
  rooms: number;
  /** Whether the client was there before the first room: somebody else uses it then, and ends it. */
  isForeign: boolean;
  ending: Promise<void>;
}

/** Where the package keeps its client. */
const CLIENT = "_ffiClientInstance";
/** Other copies of Callweave in this process count their rooms in the same place. */
const ROOMS = Symbol.for("callweave.livekit.rooms");

/** Counts a room that is about to be joined. */
export async function enterRtc(): Promise<void> {
  const shared = sharedState();
  if (shared.rooms === 0) shared.isForeign = Reflect.get(globalThis, CLIENT) !== undefined;
  shared.rooms += 1;
  await shared.ending;
}

/**
 * Counts a room that was left. After the last one, the native client ends; the next room starts another one.
 *
 * @param dispose The function of the package that ends its client.
 */
export async function leaveRtc(dispose: () => Promise<void>): Promise<void> {
  const shared = sharedState();
  shared.rooms -= 1;
  if (shared.rooms > 0 || shared.isForeign || Reflect.get(globalThis, CLIENT) === undefined) return;
  Reflect.deleteProperty(globalThis, CLIENT);
  shared.ending = dispose().catch(() => undefined);
  await shared.ending;
}

function sharedState(): Shared {
  const found: unknown = Reflect.get(globalThis, ROOMS);
  if (isShared(found)) return found;
  const made: Shared = { rooms: 0, isForeign: false, ending: Promise.resolve() };
  Reflect.set(globalThis, ROOMS, made);
  return made;
}

function isShared(value: unknown): value is Shared {
  return typeof value === "object" && value !== null && "rooms" in value && "ending" in value;
}
