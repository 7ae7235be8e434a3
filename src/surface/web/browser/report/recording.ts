import type { PageCall, PageMark, PageRecording } from "../../page_data.ts";
import { make } from "../common/mod.ts";
import { section, table } from "./pieces.ts";
import type { SelectableTranscript } from "./transcript.ts";
import { clock } from "./words.ts";

const SPEAKERS = { agent: "Agent", caller: "Caller" } as const;

/** Plays a call, with its turns as marks to jump to. The turn that is played is selected in the transcript. */
export function recordingSection(
  recording: PageRecording | undefined,
  transcript: SelectableTranscript,
): HTMLElement | null {
  if (!recording) return null;
  const { url, isLocal, marks } = recording;
  // only a file of this machine is loaded: the page needs no network
  if (!isLocal) return section("Recording", make("p", {}, make("a", { href: url, rel: "noreferrer" }, url)));
  const player = make("audio", { controls: "", preload: "metadata", src: url });
  const buttons = marks.map((mark) =>
    make(
      "button",
      { type: "button", class: `mark ${mark.speaker}`, onclick: () => jump(mark) },
      make("span", { class: "time" }, clock(mark.ms)),
      ` ${markName(mark)}`,
    ),
  );
  let current = -1;
  const jump = ({ ms, line }: PageMark) => {
    player.currentTime = ms / 1000;
    if (line !== undefined) transcript.select(line);
    player.play().catch(() => {}); // the error event says what is wrong
  };
  const show = () => {
    const at = marks.findLastIndex(({ ms }) => ms <= player.currentTime * 1000 + 1);
    if (at === current) return;
    current = at;
    for (const [index, button] of buttons.entries())
      if (index === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    const line = marks[at]?.line;
    if (line !== undefined && !player.paused) transcript.select(line);
  };
  const missing = make("p", { class: "quiet", role: "status" });
  player.addEventListener("timeupdate", show);
  player.addEventListener("seeking", show);
  player.addEventListener("error", () => {
    missing.textContent = `The recording cannot be played: look for ${decodeURI(url)}`;
  });
  // the keys of the player are not those of the transcript
  player.addEventListener("keydown", (event) => event.stopPropagation());
  return section(
    "Recording",
    make(
      "div",
      { class: "recording" },
      player,
      make("div", { class: "marks", role: "group", "aria-label": "Turns of the recording" }, ...buttons),
      missing,
    ),
  );
}

function markName({ speaker, turn }: PageMark): string {
  return turn === 0 ? "Opening" : `${SPEAKERS[speaker]} ${turn}`;
}

/** What was measured of a call by voice. */
export function voiceSection(rows: PageCall["figures"]): HTMLElement | null {
  if (!rows || rows.length === 0) return null;
  return section("Voice", table(["turn", "what", "measured"], rows, "heard"));
}
