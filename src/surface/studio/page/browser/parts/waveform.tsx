import { useEffect, useRef, useState } from "preact/hooks";
import { clock } from "../../../../web/browser/mod.ts";
import { channelPeaks } from "./peaks.ts";

/** A turn in a recording. */
export interface WaveMark {
  readonly ms: number;
  readonly name: string;
  readonly speaker: "agent" | "caller";
  /** Its line in the transcript, if it has one. */
  readonly line?: number;
}

const LANE = 44;

/** Plays a recording: each channel as a wave, the turns marked, and the turn that is played told to `onLine`. */
export function Waveform({
  url,
  marks,
  onLine,
}: {
  readonly url: string;
  readonly marks: readonly WaveMark[];
  readonly onLine: (line: number) => void;
}) {
  const player = useRef<HTMLAudioElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [audio, setAudio] = useState<AudioBuffer>();
  const [trouble, setTrouble] = useState("");
  const [current, setCurrent] = useState(-1);
  const [at, setAt] = useState(0);

  useEffect(() => {
    const control = new AbortController();
    decode(url, control.signal).then(setAudio, () => {
      if (!control.signal.aborted) setTrouble("The recording cannot be loaded.");
    });
    return () => control.abort();
  }, [url]);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !audio) return;
    const draw = () => drawWaves(element, audio);
    draw();
    const size = new ResizeObserver(draw);
    size.observe(element);
    return () => size.disconnect();
  }, [audio]);

  const length = audio?.duration ?? 0;
  const jump = ({ ms, line }: WaveMark) => {
    if (player.current) player.current.currentTime = ms / 1000;
    if (line !== undefined) onLine(line);
  };
  const follow = () => {
    const now = player.current?.currentTime ?? 0;
    setAt(now);
    const place = marks.findLastIndex(({ ms }) => ms <= now * 1000 + 1);
    if (place === current) return;
    setCurrent(place);
    const line = marks[place]?.line;
    if (line !== undefined && player.current && !player.current.paused) onLine(line);
  };
  const share = (seconds: number) => (length > 0 ? `${Math.min(100, (100 * seconds) / length)}%` : "0");
  return (
    <div class="recording">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below it */}
      <audio
        ref={player}
        controls
        preload="metadata"
        src={url}
        onTimeUpdate={follow}
        onSeeking={follow}
        onKeyDown={(event) => event.stopPropagation()}
      />
      {audio && (
        // the player above does the same by keyboard
        // biome-ignore lint/a11y/useKeyWithClickEvents: the player above has the keys
        // biome-ignore lint/a11y/noStaticElementInteractions: a picture of the player's track
        <div
          class="wave"
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            if (player.current) player.current.currentTime = (length * (event.clientX - box.left)) / box.width;
          }}
        >
          <canvas ref={canvas} height={LANE * Math.min(2, audio.numberOfChannels)} />
          {marks.map((mark) => (
            <span
              key={`${mark.ms} ${mark.name}`}
              class={`tick ${mark.speaker}`}
              style={{ left: share(mark.ms / 1000) }}
              title={`${clock(mark.ms)} ${mark.name}`}
            />
          ))}
          <span class="now" style={{ left: share(at) }} />
        </div>
      )}
      {trouble !== "" && <p role="status">{trouble}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and is for forms */}
      <div class="marks" role="group" aria-label="Turns of the recording">
        {marks.map((mark, index) => (
          <button
            key={`${mark.ms} ${mark.name}`}
            type="button"
            class={`mark ${mark.speaker}`}
            aria-current={index === current ? "true" : undefined}
            onClick={() => jump(mark)}
          >
            <span class="time">{clock(mark.ms)}</span> {mark.name}
          </button>
        ))}
      </div>
    </div>
  );
}

async function decode(url: string, signal: AbortSignal): Promise<AudioBuffer> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(await answer.arrayBuffer());
}

/** Draws the first two channels, one below the other. */
function drawWaves(canvas: HTMLCanvasElement, audio: AudioBuffer): void {
  const lanes = Math.min(2, audio.numberOfChannels);
  const scale = devicePixelRatio;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
  canvas.height = Math.round(LANE * lanes * scale);
  const paint = canvas.getContext("2d");
  if (!paint) return;
  const style = getComputedStyle(canvas);
  for (let lane = 0; lane < lanes; lane++) {
    paint.fillStyle = lane === 0 ? style.color : style.outlineColor;
    const middle = (lane + 0.5) * LANE * scale;
    const columns = Math.floor(canvas.width / (3 * scale));
    for (const [index, peak] of channelPeaks(audio.getChannelData(lane), columns).entries()) {
      const height = Math.max(scale, peak * LANE * scale * 0.9);
      paint.fillRect(index * 3 * scale, middle - height / 2, 2 * scale, height);
    }
  }
}
