import { ScenarioError } from "../../../src/base/errors.ts";
import { dropPromise, isRecord, joinBytes, madeOnce, SYSTEM_CLOCK } from "../../../src/base/values/mod.ts";
import { MOST_RECEIVED } from "./carrier.ts";
import type { JoinRoom, RoomListener } from "./room_link.ts";
import { enterRtc, leaveRtc } from "./rtc_lifetime.ts";

type Rtc = typeof import("@livekit/rtc-node");

/** Length of the frames in which sound is heard, in milliseconds. */
const FRAME_MS = 20;
/** Sound that may wait to be sent, in milliseconds. */
const QUEUE_MS = 200;
/** How long the server may take to confirm that a room was left, in milliseconds. */
const LEAVE_MS = 2_000;

/**
 * Loads the package that joins rooms. Nothing else needs it.
 *
 * @throws {ScenarioError} `missing-package`.
 */
export async function loadRtc(): Promise<JoinRoom> {
  let rtc: Rtc;
  try {
    rtc = await import("@livekit/rtc-node");
  } catch (cause) {
    throw new ScenarioError("Cannot join a room: @livekit/rtc-node cannot be loaded", {
      code: "missing-package",
      path: ["url"],
      hint: "Install it: npm install @livekit/rtc-node",
      cause,
    });
  }
  await silence();
  return joinWith(rtc);
}

/** The package writes its log to the standard output, where reports go, and does not export what writes it. */
async function silence(): Promise<void> {
  try {
    const found: unknown = await import(new URL("log.cjs", import.meta.resolve("@livekit/rtc-node")).href);
    const log = isRecord(found) ? found.log : undefined;
    if (typeof log === "object" && log !== null && "level" in log) log.level = "silent";
  } catch {
    // a version with another layout
  }
}

function joinWith(rtc: Rtc): JoinRoom {
  const join: JoinRoom = async ({ url, token, topics, hears, listener }) => {
    const room = new rtc.Room();
    const reasonOf = (reason: number | undefined) => rtc.DisconnectReason[reason ?? 0] ?? "UNKNOWN_REASON";
    const meet = (participant: import("@livekit/rtc-node").RemoteParticipant) => {
      if (participant.kind === rtc.ParticipantKind.AGENT) listener.agent(participant.identity);
    };
    room.on(rtc.RoomEvent.ParticipantConnected, meet);
    room.on(rtc.RoomEvent.ParticipantDisconnected, (participant) =>
      listener.left(participant.identity, reasonOf(participant.disconnectReason)),
    );
    room.on(rtc.RoomEvent.Disconnected, (reason) => listener.lost(reasonOf(reason)));
    for (const topic of topics) readStreams(room, topic, listener);
    if (hears !== undefined)
      room.on(rtc.RoomEvent.TrackSubscribed, (track, { source }, { identity }) => {
        // sounds in the background are another track
        if (track.kind !== rtc.TrackKind.KIND_AUDIO || source !== rtc.TrackSource.SOURCE_MICROPHONE) return;
        const stream = new rtc.AudioStream(track, { sampleRate: hears, numChannels: 1, frameSizeMs: FRAME_MS });
        dropPromise(hear(stream, (samples) => listener.sound(identity, samples)));
      });
    // An agent begins to speak when somebody takes its sound. The server may take it long before a busy machine knows of
    // it, and the first words would be lost, so that by voice it is taken here. In text the server takes it: an agent
    // whose sound nobody takes waits for a minute when its session ends.
    const isTakenHere = hears !== undefined;
    if (isTakenHere) room.on(rtc.RoomEvent.TrackPublished, (publication) => publication.setSubscribed(true));
    await room.connect(url, token, { autoSubscribe: !isTakenHere, dynacast: false });
    for (const participant of room.remoteParticipants.values()) {
      meet(participant);
      if (!isTakenHere) continue;
      for (const publication of participant.trackPublications.values()) publication.setSubscribed(true);
    }
    const sources: { close(): Promise<void> }[] = [];
    return {
      send: async ({ topic, to, bytes }) => {
        const writer = await room.localParticipant?.streamBytes({ topic, destinationIdentities: [to] });
        if (!writer) throw new Error("the room was left");
        await writer.write(bytes);
        await writer.close();
      },
      speak: async (rate) => {
        const source = new rtc.AudioSource(rate, 1, QUEUE_MS);
        sources.push(source);
        const track = rtc.LocalAudioTrack.createAudioTrack("caller", source);
        const asMicrophone = new rtc.TrackPublishOptions({ source: rtc.TrackSource.SOURCE_MICROPHONE });
        await room.localParticipant?.publishTrack(track, asMicrophone);
        return (samples) => dropPromise(source.captureFrame(new rtc.AudioFrame(samples, rate, 1, samples.length)));
      },
      leave: async () => {
        await Promise.race([room.disconnect().catch(() => undefined), SYSTEM_CLOCK.pause(LEAVE_MS)]);
        for (const source of sources) await source.close().catch(() => undefined);
      },
    };
  };
  return async (options) => {
    await enterRtc();
    const leave = madeOnce(() => leaveRtc(rtc.dispose));
    try {
      const link = await join(options);
      return {
        ...link,
        leave: async () => {
          await link.leave();
          await leave();
        },
      };
    } catch (error) {
      await leave();
      throw error;
    }
  };
}

/** Tells the streams of a topic in the order in which they began, each when it is complete. */
function readStreams(room: InstanceType<Rtc["Room"]>, topic: string, listener: RoomListener): void {
  let before: Promise<void> = Promise.resolve();
  room.registerByteStreamHandler(topic, (reader, { identity }) => {
    const parts = readWithin(reader);
    // a stream that breaks off is lost, as the connection is
    before = before.then(async () => {
      const bytes = await parts.catch(() => undefined);
      if (bytes) listener.bytes({ from: identity, topic, bytes });
    });
  });
}

async function readWithin(reader: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of reader) {
    length += part.length;
    // what is longer is no message: its reader says so
    if (length <= MOST_RECEIVED) parts.push(part);
  }
  return joinBytes(parts);
}

async function hear(
  frames: AsyncIterable<{ readonly data: Int16Array }>,
  take: (samples: Int16Array) => void,
): Promise<void> {
  for await (const { data } of frames) take(data);
}
