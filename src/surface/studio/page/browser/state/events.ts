import { signal } from "@preact/signals";
import type { StudioEventRecord } from "../../../api/mod.ts";
import { noteError, studio } from "./api.ts";

/** Counters that rise when something has changed, so that a screen that shows it loads again. */
export const changes = {
  runs: signal(0),
  agents: signal(0),
  labels: signal(0),
};

/** Whether the page hears of what happens. */
export const isLive = signal(false);

/** Shortest time between two loads of a run that goes on. */
const CALM_MS = 700;

/** Listens to what happens on the server, until the returned function is called. */
export function listen(): () => void {
  const control = new AbortController();
  const pending = new Map<keyof typeof changes, ReturnType<typeof setTimeout>>();
  const raise = (what: keyof typeof changes) => {
    if (pending.has(what)) return;
    const happen = () => {
      pending.delete(what);
      changes[what].value++;
    };
    pending.set(what, setTimeout(happen, CALM_MS));
  };
  const hear = async () => {
    isLive.value = true;
    for await (const event of studio.events({ signal: control.signal }))
      for (const what of changedBy(event)) raise(what);
  };
  hear()
    .catch(noteError)
    .finally(() => {
      isLive.value = false;
    });
  return () => {
    control.abort();
    for (const timer of pending.values()) clearTimeout(timer);
  };
}

function changedBy({ type }: StudioEventRecord): readonly (keyof typeof changes)[] {
  if (type === "events-missed") return ["runs", "agents", "labels"];
  if (type === "source-changed") return ["agents"];
  return type === "label-saved" || type === "label-deleted" ? ["labels"] : ["runs"];
}
