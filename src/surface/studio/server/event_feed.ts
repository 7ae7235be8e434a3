import { addEvent, eventBounds, readEventsAfter, type StoredEvent, type StudioData } from "../data/mod.ts";

/** What happens, for all who listen. */
export interface EventFeed {
  /** Streams the events after one, or those from now on. */
  readonly listen: (after: number | undefined, signal: AbortSignal) => AsyncGenerator<FeedItem>;
  /** Adds an event that no trigger of the database writes. */
  readonly add: (event: object) => Promise<void>;
  readonly close: () => void;
}

/** Events; `missed`: older ones are gone; `beat`: nothing happened for a while. */
export type FeedItem =
  | { readonly events: readonly StoredEvent[] }
  | { readonly missed: number }
  | { readonly beat: number };

/** Pause between two looks into the database, which other processes write to. */
const POLL_MS = 250;
/** An empty message after so many looks without an event shows that the connection is alive. */
const BEAT_AFTER = 60;
/** Listeners at one time. */
export const MOST_LISTENERS = 500;

/** Creates the feed. While somebody listens, one loop reads for all. */
export function createEventFeed(data: StudioData, pollMs: number = POLL_MS): EventFeed {
  const waiting = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const wakeAll = () => {
    for (const wake of [...waiting]) wake();
  };

  /** Waits for the next look; all listeners look at the same time, and each reads what it lacks. */
  function nextLook(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || isClosed) return resolve();
      const wake = () => {
        waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
      timer ??= setTimeout(() => {
        timer = undefined;
        recent = undefined;
        wakeAll();
      }, pollMs);
    });
  }

  // listeners at the same place share one read
  let recent: { readonly after: number; readonly events: Promise<readonly StoredEvent[]> } | undefined;
  function readAfter(after: number): Promise<readonly StoredEvent[]> {
    if (recent?.after === after) return recent.events;
    recent = { after, events: readEventsAfter(data, after) };
    return recent.events;
  }

  return {
    listen: async function* (after, signal) {
      const { first, last } = await eventBounds(data);
      let place = after === undefined || after > last ? last : after;
      if (after !== undefined && after > last)
        yield { missed: last }; // of another database
      else if (after !== undefined && after < first - 1) {
        place = first - 1;
        yield { missed: place };
      } else yield { beat: place };
      let quiet = 0;
      while (!signal.aborted && !isClosed) {
        const events = await readAfter(place);
        const [first, last] = [events[0], events.at(-1)];
        if (first && last) {
          if (first.id > place + 1 && (await eventBounds(data)).first > place + 1) yield { missed: first.id - 1 };
          place = last.id;
          yield { events };
        }
        quiet = events.length > 0 ? 0 : quiet + 1;
        if (quiet > 0 && quiet % BEAT_AFTER === 0) yield { beat: place };
        if (events.length === 0) await nextLook(signal);
      }
    },
    add: async (event) => {
      await addEvent(data, event);
      recent = undefined;
      wakeAll();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      wakeAll();
    },
  };
}
