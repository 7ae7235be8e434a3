/** A room that was joined, as far as calls need it. */
export interface RoomLink {
  /** Sends bytes to a participant, as a stream of a topic. */
  send(message: { readonly topic: string; readonly to: string; readonly bytes: Uint8Array }): Promise<void>;
  /**
   * Publishes a microphone.
   *
   * @returns Takes frames of sound.
   */
  speak(rate: number): Promise<(samples: Int16Array) => void>;
  /** Leaves the room. Never throws. */
  leave(): Promise<void>;
}

/** Why somebody left a room, or the room was lost: names of LiveKit's `DisconnectReason`. */
export type LeaveReason = string;

/** Gets what happens in a room. */
export interface RoomListener {
  /** An agent is in the room. Also called for one that was there before. */
  readonly agent: (identity: string) => void;
  readonly left: (identity: string, reason: LeaveReason) => void;
  /** The connection to the room is over. */
  readonly lost: (reason: LeaveReason) => void;
  /** A stream of bytes begins. Streams are told in the order in which they began. */
  readonly bytes: (message: { readonly from: string; readonly topic: string; readonly bytes: Uint8Array }) => void;
  /** Sound of a participant, at the rate that was asked for. */
  readonly sound: (from: string, samples: Int16Array) => void;
}

/** How a room is joined. */
export interface JoinOptions {
  readonly url: string;
  readonly token: string;
  /** Topics of streams that are read. */
  readonly topics: readonly string[];
  /** Samples per second of the sound that is heard. Absent: no sound is. */
  readonly hears?: number;
  readonly listener: RoomListener;
}

/**
 * Joins a room.
 *
 * @throws The error of the package that does it.
 */
export type JoinRoom = (options: JoinOptions) => Promise<RoomLink>;
