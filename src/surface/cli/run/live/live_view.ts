import { type Clock, SYSTEM_CLOCK } from "../../../../base/values/mod.ts";
import type { RunEvent } from "../../../../run/runner/mod.ts";
import type { StreamInfo } from "../../io/mod.ts";
import { type LiveStyle, liveLines } from "./live_lines.ts";
import { nextLive, startLive } from "./live_state.ts";

/** Minimum time between two redraws. */
const REDRAW_MS = 100;
/** Maximum time between two redraws, because the view shows the duration of calls. */
const TICK_MS = 1_000;
/** For terminals of unknown height. */
const DEFAULT_ROWS = 24;

/** A view of a run that is redrawn in place. */
export interface LiveView extends Disposable {
  readonly onProgress: (event: RunEvent) => void;
}

/** Options of {@link createLiveView}. */
export interface LiveViewOptions {
  readonly scenarios: readonly { readonly name: string; readonly trials: number }[];
  /** Replaces the lines on the terminal. */
  readonly draw: (lines: readonly string[]) => void;
  readonly stream: StreamInfo;
  readonly isColored: boolean;
  /** Aborted when the run is being stopped. */
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, "now" | "after">;
}

/** Shows a run until disposed, which removes the lines. */
export function createLiveView({
  scenarios,
  draw,
  stream,
  isColored,
  signal,
  clock = SYSTEM_CLOCK,
}: LiveViewOptions): LiveView {
  let state = startLive(scenarios, clock.now());
  let drawnMs = Number.NEGATIVE_INFINITY;
  let callOff = () => {};
  let isOver = false;
  const redraw = () => {
    callOff();
    if (isOver) return;
    drawnMs = clock.now();
    draw(liveLines(state, styleOf(stream, isColored), drawnMs));
    callOff = clock.after(TICK_MS, redraw);
  };
  const schedule = () => {
    const waitMs = REDRAW_MS - (clock.now() - drawnMs);
    if (waitMs <= 0) return redraw();
    callOff();
    callOff = clock.after(waitMs, redraw);
  };
  const stop = () => {
    state = { ...state, isStopping: true };
    schedule();
  };
  signal.addEventListener("abort", stop, { once: true });
  return {
    onProgress: (event) => {
      state = nextLive(state, event, clock.now());
      schedule();
    },
    [Symbol.dispose]: () => {
      isOver = true;
      callOff();
      signal.removeEventListener("abort", stop);
      draw([]);
    },
  };
}

/** The size is read for each redraw, because it changes when a window is resized. */
function styleOf({ columns, rows }: StreamInfo, color: boolean): LiveStyle {
  return { color, width: Math.max(20, columns || 80), height: Math.max(1, (rows || DEFAULT_ROWS) - 1) };
}
